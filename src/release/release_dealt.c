/*
 * release_dealt.c
 *		See release_dealt.h.
 */
#include "postgres.h"

#include "release/release_dealt.h"

#include "access/relation.h"
#include "catalog/pg_type.h"
#include "count/content_digest.h"
#include "miscadmin.h"
#include "release/release_seed.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "sql/rights.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

/* From test/bench/copies. */
#define TWO_COPIES "of 1,000 with k = 10, when 10 left and 10 came, 98 % by two_phase, 34 % by ring"

/* The published columns of the source, as a FROM item. */
static char *
published_source(const ReleaseEntry *entry)
{
	StringInfoData sql;
	Datum *names;
	int count;

	deconstruct_array(entry->columns, NAMEOID, NAMEDATALEN, false, TYPALIGN_CHAR, &names, NULL,
					  &count);
	initStringInfo(&sql);
	for (int i = 0; i < count; i++)
		appendStringInfo(&sql, "%s s.%s", i > 0 ? "," : "(SELECT",
						 quote_identifier(NameStr(*DatumGetName(names[i]))));
	appendStringInfo(&sql, " FROM %s s) s", relation_name(entry->relation));
	return sql.data;
}

/* The digests of its contents and of the rows it was made from; NULL: it is empty. */
static char *
digest_of_contents(const ReleaseEntry *entry, Oid contents)
{
	Relation relation = relation_name_open(contents);
	bool filled = RelationIsPopulated(relation);
	char *digest = NULL;
	QueryRights rights;

	relation_close(relation, NoLock);
	if (!filled)
		return NULL;
	rights = rights_enter(contents, RIGHTS_CHECKED, AccessShareLock);
	digest = content_digest(relation_name(contents));
	/* The digest of no rows is all zeros. */
	digest = strspn(digest, "0") == strlen(digest)
				 ? NULL
				 : psprintf("%s%s", digest, content_digest(published_source(entry)));
	rights_leave(&rights);
	return digest;
}

bool
release_dealt_check(const ReleaseEntry *entry, Oid contents, int level)
{
	ReleaseSeed seed;
	const char *dealt;

	if (!(entry->recoding->takes & RECODING_DRAW))
		return true;
	seed = release_seed_of(entry->release);
	if (seed.redraw)
		return true;
	dealt = digest_of_contents(entry, contents);
	if (dealt == NULL)
		return true;
	if (seed.dealt == NULL)
		release_seed_keep_dealt(entry->release, dealt);
	if (seed.dealt == NULL || strcmp(seed.dealt, dealt) == 0)
		return true;
	ereport(level,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("release %s would be dealt anew", relation_name(entry->release)),
			 errdetail("Its relation, its dimensions or its parameters have changed.  A reader with"
					   " copies of both finds people among fewer than k: %s.",
					   TWO_COPIES),
			 errhint("Keep it as it is, use a recoding with classes, or make it again with "
					 "option \"redraw\" if nobody keeps copies.")));
	return false;
}
