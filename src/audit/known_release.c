/*
 * known_release.c
 *		See known_release.h.
 */
#include "postgres.h"

#include "audit/known_release.h"

#include "sql/relation_name.h"

static void
report_unknown(Oid release, const char *argument)
{
	ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					errmsg("argument \"%s\" must not be null", argument),
					errdetail("%s is not a release of kanon, for which it is known.",
							  relation_name(release))));
}

Oid
known_release_relation(const ReleaseEntry *entry, Oid release, Oid given)
{
	if (!OidIsValid(given) && entry == NULL)
		report_unknown(release, "relation");
	return OidIsValid(given) ? given : entry->relation;
}

int
known_release_k(const ReleaseEntry *entry, Oid release, int given)
{
	if (given == 0 && entry == NULL)
		report_unknown(release, "k");
	return given > 0 ? given : entry->demand.k;
}
