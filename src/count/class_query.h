/*
 * class_query.h
 *		The equivalence classes of a relation, by one GROUP BY in the executor, which spills to disk
 *		if necessary: their sizes, their risk, or one after the other, each with the histograms of
 *		its sensitive columns.
 */
#ifndef KANON_CLASS_QUERY_H
#define KANON_CLASS_QUERY_H

#include "postgres.h"

#include "count/content_tally.h"
#include "dimension/sensitive_values.h"
#include "metric/risk.h"
#include "relation/description.h"

/*
 * Tallies the classes of a relation, by people if these are demanded; a NULL person is nobody.  As
 * the current user, within a query scope; in the current context.
 */
extern ClassTally class_query_tally(const Description *description, int k);

/*
 * The same of a release, whose rows are stored class by class (content_tally.h); without
 * quasi-identifiers all rows are one class.  read_only: in the caller's snapshot, otherwise in that
 * of the calling statement plus the changes of this transaction.  One scan; if there are more
 * classes than the memory limit holds, also a GROUP BY.
 */
extern ClassTally class_query_tally_runs(const Description *description, int k, bool read_only);

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

typedef struct StreamedClass
{
	Datum values;                /* text[]: its quasi-identifiers; 0 unless requested */
	int64 rows;                  /* in it */
	int64 members;               /* rows, or people if these are demanded */
	int64 matches;               /* rows that its rows match (match_query.h); 0: not asked */
	const Histogram **histogram; /* [sensitive column]: members by value */
} StreamedClass;

/* Takes a class, which is valid during the call. */
typedef void (*ClassConsumer)(void *state, const StreamedClass *class);

/*
 * Pushes each class of a description once, in the order of the quasi-identifiers, NULL last;
 * without these, all rows as one class.  There may be no models; otherwise sensitive_values_read
 * was called.  A person with several sensitive values in a class counts once for each value and
 * once in the class.  Within a query scope, as the current user.  One pass; memory for one class.
 */
extern void class_query_each(const Description *description, bool with_values,
							 ClassConsumer consumer, void *state, Budget *budget);

#endif /* KANON_CLASS_QUERY_H */
