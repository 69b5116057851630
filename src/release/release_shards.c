/*
 * release_shards.c
 *		See release_shards.h.
 */
#include "postgres.h"

#include "release/release_shards.h"

#include "base/names.h"
#include "commands/defrem.h"
#include "lib/stringinfo.h"
#include "relation/citus.h"
#include "sql/name_array.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "sql/rights.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

/* Parts of a release, enough for the shards of any cluster; a power of 2. */
#define PARTS 1024

/* A name for the column of parts, which the query does not use. */
static const char *
part_name(Oid query)
{
	const char *name = "part";

	for (int i = 1; get_attnum(query, name) != InvalidAttrNumber; i++)
		name = psprintf("part_%d", i);
	return name;
}

/* Lets workers keep the rows of a new table, by the column of parts. */
static void
distribute(Oid table, const char *part, const char *beside)
{
	query_run_with("SELECT pg_catalog.create_distributed_table($1::pg_catalog.regclass, $2,"
				   " colocate_with => $3)",
				   QUERY_IN_SNAPSHOT, "ott", table, part, beside);
}

void
release_shards_close(Oid release)
{
	List *writers = NIL;

	query_run_with("SELECT DISTINCT CASE a.grantee WHEN 0 THEN 'PUBLIC'"
				   " ELSE quote_ident(pg_get_userbyid(a.grantee)) END"
				   " FROM pg_class c CROSS JOIN LATERAL"
				   " (SELECT coalesce(c.relacl, acldefault('r', c.relowner))"
				   " UNION ALL SELECT attacl FROM pg_attribute WHERE attrelid = c.oid) l (list)"
				   " CROSS JOIN LATERAL aclexplode(l.list) a WHERE c.oid = $1"
				   " AND a.privilege_type IN ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE')",
				   QUERY_LATEST, "o", release);
	for (uint64 row = 0; row < query_rows(); row++)
		writers = lappend(writers, query_text(row, 1));
	foreach_ptr (const char, writer, writers)
		query_run(psprintf("REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON %s FROM %s CASCADE",
						   relation_name(release), writer),
				  false);
}

Oid
release_shards_create(const ReleaseName *table, Oid query)
{
	const char *name = quote_qualified_identifier(relation_name_schema(table->schema), table->name);
	const char *part = part_name(query);
	Oid made;

	if (!citus_is_installed())
		ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
						errmsg("release %s cannot be distributed: there is no Citus", name),
						errhint("Choose the storage \"table\" or \"view\".")));
	query_run_with(psprintf("CREATE TABLE %s (LIKE %s, %s pg_catalog.int4 NOT NULL)"
							" PARTITION BY LIST (%s)",
							name, relation_name(query), part, part),
				   QUERY_IN_SNAPSHOT, "");
	made = rights_made(table->schema, table->name);
	distribute(made, part, "none");
	release_shards_close(made);
	return made;
}

/* ---- rows */

/* An empty partition to be, without rights to it for anybody but its owner. */
static Oid
make_partition(Oid release, const char *part)
{
	Oid schema = get_rel_namespace(release);
	char *name = ChooseRelationName(get_rel_name(release), NULL, "rows", schema, false);
	Oid made;

	query_run_with(psprintf("CREATE TABLE %s (LIKE %s INCLUDING INDEXES)",
							quote_qualified_identifier(relation_name_schema(schema), name),
							relation_name(release)),
				   QUERY_IN_SNAPSHOT, "");
	made = rights_made(schema, name);
	distribute(made, part, relation_name(release));
	return made;
}

/* SQL: the part of a row s of the contents, by the texts of its cells. */
static const char *
part_of_cells(const ReleaseEntry *entry, const Successor *contents)
{
	StringInfoData cells;

	initStringInfo(&cells);
	foreach_ptr (const char, name, array_strings(entry->quasi_identifiers))
	{
		int at = name_array_find(entry->columns, name);

		if (at >= 0)
			appendStringInfo(
				&cells, "%ss.%s", cells.len > 0 ? ", " : "",
				quote_identifier(get_attname(contents->table, (AttrNumber) (at + 1), false)));
	}
	return psprintf("hashtext(textin(record_out(ROW(%s)))) & %d", cells.data, PARTS - 1);
}

Oid
release_shards_fill(const ReleaseEntry *entry, const Successor *contents)
{
	const char *part = get_attname(
		entry->release, (AttrNumber) (list_length(array_strings(entry->columns)) + 1), false);
	Oid made = make_partition(entry->release, part);

	query_run_with(psprintf("INSERT INTO %s SELECT s.*, %s FROM %s s", relation_name(made),
							part_of_cells(entry, contents), relation_name(contents->table)),
				   QUERY_IN_SNAPSHOT, "");
	if (query_rows() != contents->rows)
		elog(ERROR, "Citus wrote " UINT64_FORMAT " of " UINT64_FORMAT " rows", query_rows(),
			 contents->rows);
	release_shards_close(made);
	return made;
}

void
release_shards_swap(Oid release, Oid filled)
{
	const char *name = relation_name(release);
	Oid before = InvalidOid;

	query_run_with("SELECT inhrelid FROM pg_inherits WHERE inhparent = $1", QUERY_LATEST, "o",
				   release);
	if (query_rows() > 0)
		before = (Oid) query_int8(0, 1);
	if (OidIsValid(before))
	{
		const char *old = relation_name_for(before, AccessExclusiveLock);

		query_run(psprintf("ALTER TABLE %s DETACH PARTITION %s", name, old), false);
		query_run(psprintf("DROP TABLE %s", old), false);
	}
	query_run(psprintf("ALTER TABLE %s ATTACH PARTITION %s DEFAULT", name, relation_name(filled)),
			  false);
}
