/*
 * release_query.h
 *		Text of the SELECT that publishes one generalization of a table.
 *
 * Columns, in the table's order and under their own names:
 *	- quasi-identifiers, generalized;
 *	- sensitive and insensitive columns, as they are;
 *	- all others (identifiers, columns nobody declared, declared
 *	  quasi-identifiers that this release does not use) are left out.
 *
 * With k the text carries a guard: it counts the rows of each class as they
 * are published and keeps the classes of at least k.  Whatever becomes of the
 * table or of its dimensions, no smaller class comes out.
 *
 * Equal quasi-identifiers are published in one spelling (of 1.0 and 1.00 in a
 * class, the first), since a spelling tells people apart as well as a value.
 * Rows are sorted by all that is published: two rows that could be swapped
 * are the same, so their order tells nothing of the table's.
 */
#ifndef KANON_RELEASE_QUERY_H
#define KANON_RELEASE_QUERY_H

#include "postgres.h"

#include "io/star_query.h"
#include "nodes/pg_list.h"

/*
 * The text; k = 0 is without guard.  Without a semicolon at its end, every
 * name qualified.  Memory and errors as for star_query_build, whose levels
 * it takes.  Within a query scope.
 */
extern char *release_query_text(const Description *description, const int *levels, int k);

/* Is the attribute published, as a quasi-identifier (by its place among them) or as it is? */
extern bool release_query_publishes(const Description *description, int attribute, int *quasi);

/* Names (C strings) of columns left out though nobody called them identifiers. */
extern List *release_query_left_out(const Description *description);

#endif /* KANON_RELEASE_QUERY_H */
