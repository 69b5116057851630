/*
 * release_full_domain.h
 *		Full-domain releases: the choice of their levels, and the text of the SELECT that publishes
 *		one generalization of a table.
 *
 * The columns are those of release_text.h.
 *
 * With k, the text has a guard: it counts the rows of each class as published and keeps the
 * classes of at least k.  However the table or its dimensions change, no smaller class comes out.
 *
 * With models or people, the guard judges every class as published, by kanon_view_satisfies.  It
 * keeps the classes that have k rows, or people, and satisfy all models beside each other.  If only
 * so many columns are known, it keeps the rows whose classes by each set of these do.
 *
 * Equal quasi-identifiers are published in one spelling (of 1.0 and 1.00 in a class, the first),
 * because a spelling identifies people as well as a value does.  Rows are sorted by all that is
 * published: only identical rows can be swapped, so their order reveals nothing about the table's.
 *
 * Give readers the materialized text only.  Over a plain view, a reader's own functions in WHERE
 * might see rows before the guard drops them, and behind a security_barrier, EXPLAIN ANALYZE
 * counts the dropped rows.
 */
#ifndef KANON_RELEASE_FULL_DOMAIN_H
#define KANON_RELEASE_FULL_DOMAIN_H

#include "postgres.h"

#include "dimension/star_query.h"
#include "lattice/choice.h"
#include "release/release_request.h"
#include "release/release_text.h"

/*
 * The text. k = 0: no guard; then nothing else may be demanded.  Has no semicolon; every name is
 * qualified.  Takes the levels of star_query_build; memory and errors as there.  Within a query
 * scope.
 */
extern char *release_full_domain_text(const Description *description, const int *levels,
									  const ReleaseDemand *demand);

/*
 * See RecodingOps: the given levels, or the first that satisfy in the order of lattice/choice.h,
 * and the text of release_full_domain.h.
 *
 * Errors: no generalization satisfies, or the given levels do not (ERRCODE_CHECK_VIOLATION); an
 * empty relation or fewer than k rows (ERRCODE_INVALID_PARAMETER_VALUE); values missing from a
 * dimension (ERRCODE_FOREIGN_KEY_VIOLATION); those of release_models_check_values,
 * relation_search_open and release_full_domain_text.
 */
extern ReleaseText release_full_domain_write(const ReleaseRequest *request,
											 const Description *description);

/*
 * The levels as for a release without given levels, their loss (suppressed rows count like others)
 * and, unless it is NULL, the metrics of their classes; false if there are none.  If a release is
 * to be replaced, only levels at which its columns keep their types.  In the current context,
 * within a query scope; other errors as above.
 */
extern bool release_full_domain_search(const ReleaseRequest *request,
									   const Description *description, int *levels, double *loss,
									   ClassMetrics *metrics);

/* See RecodingOps. */
extern char *release_full_domain_members(const ReleaseMembers *members,
										 const Description *description);

#endif /* KANON_RELEASE_FULL_DOMAIN_H */
