/*
 * release_members.c
 *		See release_members.h.
 */
#include "postgres.h"

#include "release/release_members.h"

#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "count/content_tally.h"
#include "release/release_catalog.h"
#include "release/release_request.h"
#include "release/release_seed.h"
#include "release/release_table.h"
#include "sql/name_array.h"
#include "sql/own_table.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "sql/rights.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#define DIGEST 16 /* bytes kept of a person's digest */

/* A row of kanon_copy. */
typedef struct CopyEntry
{
	Oid copy;
	Oid relation;
	int k;
	const char *key;
	const char *secret;
} CopyEntry;

/* Gives columns the roles that they had when the release was made. */
static void
publish_as_made(Description *description, const ReleaseEntry *entry)
{
	for (int i = 0; i < description->attribute_count; i++)
	{
		DescribedAttribute *attribute = &description->attributes[i];
		bool published = name_array_find(entry->columns, attribute->name) >= 0;

		if (published && attribute->role != ROLE_SENSITIVE && attribute->role != ROLE_INSENSITIVE)
			attribute->role = ROLE_INSENSITIVE;
		else if (!published)
			attribute->role = ROLE_IDENTIFIER;
	}
}

static char *
members_select(const ReleaseEntry *entry, const char *identity)
{
	ReleaseRequest request = release_request_of(entry);
	Description *description = description_load(entry->relation, entry->quasi_identifiers);
	ReleaseMembers members = {.request = &request, .levels = entry->levels, .identity = identity};

	if (entry->demand.null_matches)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot tell who is where in release %s", relation_name(entry->release)),
				 errdetail("Its rows match others that look different.")));
	if (entry->recoding->members == NULL)
		ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
						errmsg("cannot compare release %s, which was made by recoding \"%s\"",
							   relation_name(entry->release), entry->recoding->name)));
	publish_as_made(description, entry);
	release_models_describe(description, &entry->demand);
	if (entry->recoding->takes & RECODING_DRAW)
		members.seed = release_seed_of(entry->release).number;
	release_request_pin_memory(entry);
	return entry->recoding->members(&members, description);
}

/* SQL: the key of a row of the relation s, as text. */
static const char *
key_text(Oid relation, const char *key)
{
	const Description *columns = description_load_columns(relation);
	const DescribedAttribute *attribute = description_get(columns, key);

	return value_text_expression(psprintf("s.%s", quote_identifier(attribute->name)),
								 attribute->type);
}

/* The secret is parameter $1: code that a statement calls can read the statement's text. */
static const char *
digest_text(const char *text)
{
	return psprintf("encode(substr(sha256(convert_to($1 || (%s), 'UTF8')), 1, %d), 'hex')", text,
					DIGEST);
}

/* ---- copies */

/* The secret of the relation's other copies, or a new one. */
static const char *
shared_secret(Oid relation)
{
	own_table_do("SELECT secret FROM @copy_state WHERE relation = $1 ORDER BY copied, copy LIMIT 1",
				 "o", relation);
	return query_rows() > 0 ? query_text(0, 1) : release_seed_draw();
}

/* Runs as the release's owner, as whom a refresh reads. */
static void
check_contents(const ReleaseEntry *entry, const char *name)
{
	char *text;

	release_table_check_query(entry);
	query_run_with("SELECT rtrim(pg_get_viewdef($1), ';')", QUERY_READ, "o", entry->query);
	text = psprintf("(%s) r", query_text(0, 1));
	if (strcmp(release_catalog_digest(entry), content_tally_digest_of(text)) != 0)
		ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
						errmsg("release %s does not match the current rows of its relation", name),
						errdetail("Whose rows it holds is known only while it does."),
						errhint("Refresh it and copy it in one transaction, under REPEATABLE "
								"READ.")));
}

/* Rejects NULLs and repeated values. */
static void
check_key(const char *copy, const char *key)
{
	query_run_with(psprintf("SELECT count(*) - count(DISTINCT person) FROM %s", copy),
				   QUERY_IN_SNAPSHOT, "");
	if (query_int8(0, 1) > 0)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("column \"%s\" is not a key of the released rows", key),
						errdetail_plural("Of " INT64_FORMAT " row it is NULL, or that of another.",
										 "Of " INT64_FORMAT " rows it is NULL, or that of another.",
										 (unsigned long) query_int8(0, 1), query_int8(0, 1))));
}

static void
record_copy(const CopyEntry *entry, const char *release, const char *recoding)
{
	own_table_do("INSERT INTO @copy_state (copy, relation, k, key, secret, release, recoding,"
				 " copied_by, copied) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now())",
				 "oointttn", entry->copy, entry->relation, entry->k, entry->key, entry->secret,
				 release, recoding, rights_caller());
}

Oid
release_copy(Oid release, ReleaseName table, const char *key)
{
	const char *name = relation_name(release);
	const ReleaseEntry *entry = release_catalog_own(release);
	const char *copy_name =
		quote_qualified_identifier(relation_name_schema(table.schema), table.name);
	CopyEntry copy = {.relation = entry->relation, .k = entry->demand.k, .key = key};
	const char *select;

	copy.secret = shared_secret(entry->relation);
	rights_check_creation(table.schema, false);
	select = members_select(entry, digest_text(key_text(entry->relation, key)));
	check_contents(entry, name);
	query_run_with(psprintf("CREATE TABLE %s (person text, candidates int[] NOT NULL)", copy_name),
				   QUERY_IN_SNAPSHOT, "");
	copy.copy = rights_made(table.schema, table.name);
	copy_name = relation_name(copy.copy);
	query_run_with(psprintf("INSERT INTO %s SELECT person, candidates FROM (%s) m"
							" ORDER BY person COLLATE \"C\"",
							copy_name, select),
				   QUERY_IN_SNAPSHOT, "t", copy.secret);
	check_key(copy_name, key);
	record_copy(&copy, name, entry->recoding->name);
	return copy.copy;
}

/* ---- side by side */

/* The row of a copy; NULL if it is none. */
static CopyEntry *
find_copy(Oid copy)
{
	CopyEntry *entry;

	own_table_do("SELECT relation, k, key, secret FROM @copy_state WHERE copy = $1", "o", copy);
	if (query_rows() == 0)
		return NULL;
	entry = palloc(sizeof(CopyEntry));
	*entry = (CopyEntry){.copy = copy,
						 .relation = (Oid) query_int8(0, 1),
						 .k = (int) query_int8(0, 2),
						 .key = query_text(0, 3),
						 .secret = query_text(0, 4)};
	rights_check(copy, RIGHTS_OF_OWNER);
	return entry;
}

static void
check_relation(Oid wanted, Oid relation, const char *name)
{
	if (wanted != relation)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("%s was not made from relation %s", name, relation_name(wanted))));
}

/* A release or a copy; exactly one is set. */
typedef struct Aside
{
	const ReleaseEntry *entry;
	const CopyEntry *copy;
} Aside;

static Aside
find_aside(Oid relation, Oid release)
{
	const char *name = relation_name(release);
	Aside aside = {.entry = release_catalog_find(release)};

	/* A release is made again from its relation, but a copy is read. */
	if (aside.entry == NULL)
	{
		rights_check_beside(release);
		aside.copy = find_copy(release);
	}
	if (aside.entry == NULL && aside.copy == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("%s is neither a release of kanon nor a copy of one", name),
				 errhint("The tables kanon_release and kanon_copy list them; kanon_copy_release "
						 "makes copies.")));
	check_relation(relation, aside.entry ? aside.entry->relation : aside.copy->relation, name);
	return aside;
}

/* A copy whose key all copies share; NULL: there are no copies. */
static const CopyEntry *
common_copy(const Aside *aside, int count)
{
	const CopyEntry *first = NULL;

	for (int i = 0; i < count; i++)
	{
		const CopyEntry *copy = aside[i].copy;

		if (copy == NULL)
			continue;
		if (first && (strcmp(first->key, copy->key) != 0 || strcmp(first->secret, copy->secret)))
			ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
							errmsg("copies %s and %s cannot be compared",
								   relation_name(first->copy), relation_name(copy->copy)),
							errdetail("They were made with different keys.")));
		first = first ? first : copy;
	}
	return first;
}

/* SQL: the identity of a row of the relation: as in the copies, or its position. */
static const char *
identity_text(Oid relation, const char *key, const CopyEntry *copy)
{
	const char *text;

	if (key == NULL && copy == NULL)
	{
		if (get_rel_relkind(relation) == RELKIND_VIEW)
			ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
							errmsg("cannot tell rows of view %s apart", relation_name(relation)),
							errhint("Name a column that is different for each with key => ..")));
		return has_subclass(relation) ? "s.tableoid::regclass::text || s.ctid::text"
									  : "s.ctid::text";
	}
	text = key_text(relation, key ? key : copy->key);
	return copy ? digest_text(text) : text;
}

ReleasesAside
releases_aside(Oid relation, ArrayType *releases, const char *key)
{
	ReleasesAside answer = {.k = PG_INT32_MAX};
	const CopyEntry *copy;
	const char *identity;
	List *oids = oid_array_list(releases);
	Aside *aside;
	StringInfoData sql;

	answer.count = list_length(oids);
	aside = palloc(sizeof(Aside) * Max(answer.count, 1));
	for (int i = 0; i < answer.count; i++)
		aside[i] = find_aside(relation, list_nth_oid(oids, i));
	copy = common_copy(aside, answer.count);
	identity = identity_text(relation, key, copy);
	initStringInfo(&sql);
	appendStringInfoString(&sql, "SELECT person, number, candidates FROM (");
	for (int i = 0; i < answer.count; i++)
	{
		const Aside *one = &aside[i];

		appendStringInfo(
			&sql, "%sSELECT person::text COLLATE \"C\" AS person, %d AS number, candidates FROM ",
			i > 0 ? "\nUNION ALL " : "", i);
		if (one->copy)
			appendStringInfoString(&sql, relation_name(one->copy->copy));
		else
			appendStringInfo(&sql, "(%s) m", members_select(one->entry, identity));
		answer.k = Min(answer.k, one->copy ? one->copy->k : one->entry->demand.k);
	}
	appendStringInfoString(&sql, ") u ORDER BY person, number");
	answer.select = sql.data;
	answer.secret = copy ? copy->secret : NULL;
	return answer;
}
