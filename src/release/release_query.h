/*
 * release_query.h
 *		The text of the SELECT that publishes one generalization of a table.
 *
 * The columns are those of release_column.h.
 *
 * With k, the text has a guard: it counts the rows of each class as published and keeps the classes
 * of at least k.  However the table or its dimensions change, no smaller class comes out.
 *
 * With models or people, the guard judges every class as published, by kanon_view_satisfies.  It
 * keeps the classes that have k rows, or people, and satisfy all models beside each other.
 *
 * Equal quasi-identifiers are published in one spelling (of 1.0 and 1.00 in a class, the first),
 * because a spelling identifies people as well as a value does.  Rows are sorted by all that is
 * published: only identical rows can be swapped, so their order reveals nothing about the table's.
 *
 * Give readers the materialized text only.  Over a plain view, a reader's own functions in WHERE
 * might see rows before the guard drops them, and behind a security_barrier, EXPLAIN ANALYZE counts
 * the dropped rows.
 */
#ifndef KANON_RELEASE_QUERY_H
#define KANON_RELEASE_QUERY_H

#include "postgres.h"

#include "dimension/star_query.h"
#include "release/release_models.h"

/*
 * The text. k = 0: no guard; then nothing else may be demanded.  Has no semicolon; every name is
 * qualified.  Takes the levels of star_query_build; memory and errors as there.  Within a query
 * scope.
 */
extern char *release_query_text(const Description *description, const int *levels,
								const ReleaseDemand *demand);

/*
 * SELECT person, candidates: for each row that the text would publish, its identity, an SQL
 * expression over the table s, and its class, an int[] with one number.
 */
extern char *release_query_members(const Description *description, const int *levels,
								   const ReleaseDemand *demand, const char *identity);

#endif /* KANON_RELEASE_QUERY_H */
