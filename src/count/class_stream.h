/*
 * class_stream.h
 *		The equivalence classes of a relation one after the other, each with the histograms of its
 *		sensitive columns.
 */
#ifndef KANON_CLASS_STREAM_H
#define KANON_CLASS_STREAM_H

#include "postgres.h"

#include "count/model_query.h"

typedef struct StreamedClass
{
	Datum values;                /* text[]: its quasi-identifiers; 0 unless requested */
	int64 rows;                  /* in it */
	int64 members;               /* rows, or people if the query has a person */
	const Histogram **histogram; /* [column of the ModelQuery]: members by sensitive value */
} StreamedClass;

/* Takes a class, which is valid during the call. */
typedef void (*ClassConsumer)(void *state, const StreamedClass *class);

/*
 * Pushes each class of the query's description once, in the order of the quasi-identifiers, NULL
 * last.  The query must have been read; it may have no models.  A person with several sensitive
 * values in a class counts once for each value and once in the class.  Within a query scope, as the
 * current user.  One pass; memory for one class.
 */
extern void class_stream_run(const ModelQuery *query, bool with_values, ClassConsumer consumer,
							 void *state);

#endif /* KANON_CLASS_STREAM_H */
