/*
 * release_parameters.h
 *		kanon_release.parameters: what a release was made with, so that nothing of it has to be
 *		taken from the session that refreshes, searches or replaces it.
 *
 * A jsonb of the arguments of kanon_create_release by their names, but for those that say which
 * relation and which release, and for the seed, since everybody may read it; of the settings, its
 * memory limit and how it partitions.  What has a column of its own in kanon_release is copied
 * from there.  All within a query scope.
 */
#ifndef KANON_RELEASE_PARAMETERS_H
#define KANON_RELEASE_PARAMETERS_H

#include "postgres.h"

#include "release/release_catalog.h"
#include "release/release_request.h"

/* SQL: the value of that column for a row of kanon_release that has the other ones. */
#define RELEASE_PARAMETERS                                                                         \
	"parameters || jsonb_build_object('recoding', recoding, 'k', k, 'levels', levels,"             \
	" 'quasi_identifiers', quasi_identifiers, 'models', format('%s', models),"                     \
	" 'suppression', suppression, 'person', person)"

/* What of a request has no column of its own, as jsonb; current context. */
extern Datum release_parameters_rest(const ReleaseRequest *request);

/*
 * The request that would make the release anew, but for its name, its seed and its levels; in the
 * current context.  It is in the catalog.
 */
extern ReleaseRequest release_parameters_request(Oid catalog, const ReleaseEntry *entry);

/*
 * Until the query scope ends, kanon.memory_limit is what it was when the release was made, unless
 * it is more already.
 */
extern void release_parameters_pin_memory(Oid catalog, const ReleaseEntry *entry);

/*
 * The same from the event trigger before a REFRESH MATERIALIZED VIEW to the one after it; an error
 * between them, or the end of the transaction, ends it as well.
 */
extern void release_parameters_lend_memory(Oid catalog, const ReleaseEntry *entry);
extern void release_parameters_return_memory(void);

#endif /* KANON_RELEASE_PARAMETERS_H */
