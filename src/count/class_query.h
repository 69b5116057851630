/*
 * class_query.h
 *		The sizes of equivalence classes, by one GROUP BY in the executor, which spills to disk if
 *		necessary.
 */
#ifndef KANON_CLASS_QUERY_H
#define KANON_CLASS_QUERY_H

#include "postgres.h"

#include "metric/risk.h"
#include "relation/description.h"

/* Sizes are rows, or people if a person column was named. */
typedef struct ClassTally
{
	int64 rows;
	int64 classes;
	int64 smallest;      /* size of the smallest class, 0 if there is none */
	int64 small_classes; /* classes below k or that fail a model */
	int64 small_rows;    /* rows in them */
} ClassTally;

/* Adds a class. */
static inline void
class_tally_add(ClassTally *tally, int64 rows, int64 size, bool small)
{
	tally->smallest = tally->classes == 0 ? size : Min(tally->smallest, size);
	tally->classes++;
	tally->rows += rows;
	tally->small_classes += small ? 1 : 0;
	tally->small_rows += small ? rows : 0;
}

/*
 * Tallies the classes of a relation, by people if these are demanded; a NULL person is nobody.  As
 * the current user, within a query scope; in the current context.
 */
extern ClassTally class_query_tally(const Description *description, int k);

/* The SELECT of the number of rows of a relation. */
extern char *class_query_of_rows(const Description *description);

/* The number of rows of a relation. */
extern int64 class_query_count(const Description *description);

/*
 * The sizes of a relation's classes, and of the same classes in the population that it was drawn
 * from, over the relation's quasi-identifiers, read as the current user.  Classes correspond to
 * those of the population's quasi-identifiers in the same order.  NULL: the relation is its own
 * population.  Within a query scope.
 *
 * Errors: a column of the population has another type (ERRCODE_DATATYPE_MISMATCH); a class has
 * fewer rows in the population than in the relation (ERRCODE_INVALID_PARAMETER_VALUE).
 */
extern RiskTally class_query_risk(const Description *description, const Description *population,
								  double threshold);

#endif /* KANON_CLASS_QUERY_H */
