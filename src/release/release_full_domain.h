/*
 * release_full_domain.h
 *		Makes releases by full-domain generalization: a level for each quasi-identifier.
 */
#ifndef KANON_RELEASE_FULL_DOMAIN_H
#define KANON_RELEASE_FULL_DOMAIN_H

#include "postgres.h"

#include "lattice/search.h"
#include "release/release_request.h"

/*
 * See RecodingOps: the given levels, or those of least loss that satisfy, and the text of
 * release_query.h.
 *
 * Errors: no generalization satisfies, or the given levels do not (ERRCODE_CHECK_VIOLATION); an
 * empty relation or fewer than k rows (ERRCODE_INVALID_PARAMETER_VALUE); values missing from a
 * dimension (ERRCODE_FOREIGN_KEY_VIOLATION); those of release_models_check_values,
 * relation_search_open and release_query_text.
 */
extern ReleaseText release_full_domain_write(const ReleaseRequest *request,
											 const Description *description);

/*
 * The levels of least loss that satisfy, as for a release without given levels, their loss and,
 * unless it is NULL, the metrics of their classes; false if there are none.  In the current
 * context, within a query scope; other errors as above.
 */
extern bool release_full_domain_search(const ReleaseRequest *request,
									   const Description *description, int *levels, double *loss,
									   ClassMetrics *metrics);

/* See RecodingOps. */
extern char *release_full_domain_members(const ReleaseMembers *members,
										 const Description *description);

#endif /* KANON_RELEASE_FULL_DOMAIN_H */
