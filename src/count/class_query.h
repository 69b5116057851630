/*
 * class_query.h
 *		Sizes of equivalence classes, counted by one GROUP BY in the executor,
 *		which spills to disk by itself where memory is short.
 */
#ifndef KANON_CLASS_QUERY_H
#define KANON_CLASS_QUERY_H

#include "postgres.h"

#include "count/model_query.h"
#include "dimension/star_query.h"
#include "nodes/pg_list.h"

/* Sizes are in rows, or in people where a person column was named. */
typedef struct ClassTally
{
	int64 rows;
	int64 classes;
	int64 smallest;      /* size of the smallest class, 0 if there is none */
	int64 small_classes; /* classes below k, or which fail a model */
	int64 small_rows;    /* rows in them */
	double loss;         /* of a generalization, only from class_query_of_node */
} ClassTally;

/* One more class. */
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
 * SELECT that tallies the classes of a described relation.  person: whose distinct values are
 * counted instead of rows, or NULL; a NULL person is nobody.  Within a query
 * scope, in the current context.
 */
extern char *class_query_of_relation(const Description *description,
									 const DescribedAttribute *person, int k);

/* SELECT of the number of rows of a relation; likewise. */
extern char *class_query_of_rows(const Description *description);

/*
 * Tallies the classes of a generalization of a described relation, with its loss (NCP, weighted by
 * attribute).  Within a query scope; the query is not run.
 */
extern char *class_query_of_node(const Description *description, const int *levels,
								 const StarQuery *star, int k);

/* Reads the one row of either query, which was just run. */
extern ClassTally class_query_tally(void);

#endif /* KANON_CLASS_QUERY_H */
