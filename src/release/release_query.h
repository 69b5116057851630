/*
 * release_query.h
 *		Text of the SELECT that publishes one generalization of a table.
 *
 * The columns are those of release_column.h.
 *
 * With k the text carries a guard: it counts the rows of each class as they
 * are published and keeps the classes of at least k.  Whatever becomes of the
 * table or of its dimensions, no smaller class comes out.
 *
 * With models or people the guard judges every class as it is published, by kanon_view_satisfies,
 * and keeps those that have k rows, or people, and satisfy all models beside each other.
 *
 * Equal quasi-identifiers are published in one spelling (of 1.0 and 1.00 in a
 * class, the first), since a spelling tells people apart as well as a value.
 * Rows are sorted by all that is published: two rows that could be swapped
 * are the same, so their order tells nothing of the table's.
 *
 * For readers the text is to be materialized.  Over a plain view a reader's own
 * functions in WHERE might see rows before the guard drops them, and behind a
 * security_barrier EXPLAIN ANALYZE counts those that it dropped.
 */
#ifndef KANON_RELEASE_QUERY_H
#define KANON_RELEASE_QUERY_H

#include "postgres.h"

#include "dimension/star_query.h"
#include "release/release_models.h"

/*
 * The text; k = 0 is without guard, and then nothing else is demanded.  Without a semicolon at its
 * end, every name qualified.  Memory and errors as for star_query_build, whose levels it takes.
 * Within a query scope.
 */
extern char *release_query_text(const Description *description, const int *levels,
								const ReleaseDemand *demand);

/*
 * SELECT person, candidates: of each row that the same text would publish the identity, SQL over
 * the table s, and its class, an int[] of its number.
 */
extern char *release_query_members(const Description *description, const int *levels,
								   const ReleaseDemand *demand, const char *identity);

#endif /* KANON_RELEASE_QUERY_H */
