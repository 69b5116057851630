/*
 * release_parameters.h
 *		kanon_release.parameters: the arguments with which a release was made, so that a refresh,
 *		search or replacement takes nothing from the session.
 *
 * A jsonb of the arguments of kanon_create_release by name, except the relation, the release and
 * the seed, because everybody may read it; and of two settings, the memory limit and the
 * partitioning.  Arguments with a column of their own in kanon_release are taken from there.  Call
 * all of these within a query scope.
 */
#ifndef KANON_RELEASE_PARAMETERS_H
#define KANON_RELEASE_PARAMETERS_H

#include "postgres.h"

#include "release/release_catalog.h"
#include "release/release_request.h"

/* SQL: the complete parameters of a row of kanon_release. */
#define RELEASE_PARAMETERS                                                                         \
	"parameters || jsonb_build_object('recoding', recoding, 'k', k, 'levels', levels,"             \
	" 'quasi_identifiers', quasi_identifiers, 'models', format('%s', models),"                     \
	" 'suppression', suppression, 'person', person)"

/* The parameters of a request without a column of their own, as jsonb; in the current context. */
extern Datum release_parameters_rest(const ReleaseRequest *request);

/*
 * The request that would make the release again, except for its name, seed and levels; in the
 * current context.  The release must be in the catalog.
 */
extern ReleaseRequest release_parameters_request(const ReleaseEntry *entry);

/*
 * Raises kanon.memory_limit, until the query scope ends, to what it was when the release was made,
 * unless it is higher already.
 */
extern void release_parameters_pin_memory(const ReleaseEntry *entry);

/*
 * The same, from the event trigger before a REFRESH MATERIALIZED VIEW to the one after it; an error
 * in between or the end of the transaction also ends it.
 */
extern void release_parameters_lend_memory(const ReleaseEntry *entry);
extern void release_parameters_return_memory(void);

#endif /* KANON_RELEASE_PARAMETERS_H */
