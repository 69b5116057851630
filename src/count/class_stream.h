/*
 * class_stream.h
 *		The equivalence classes of a relation one after the other, each with the histograms
 *		of its sensitive columns.
 */
#ifndef KANON_CLASS_STREAM_H
#define KANON_CLASS_STREAM_H

#include "postgres.h"

#include "count/model_query.h"

typedef struct StreamedClass
{
	Datum values;                /* text[]: its quasi-identifiers; 0 unless asked for */
	int64 rows;                  /* in it */
	int64 members;               /* rows, or people where the query has a person */
	const Histogram **histogram; /* [column of the ModelQuery]: members by sensitive value */
} StreamedClass;

/* The class lives during the call. */
typedef void (*ClassConsumer)(void *state, const StreamedClass *class);

/*
 * Pushes each class of the query's description once, in the order of the quasi-identifiers, NULL
 * last.  The query was read; it may have no models.  A person with several sensitive values in a
 * class counts once for each, and once in the class.  Within a query scope, as the current user;
 * one pass, memory for one class.
 */
extern void class_stream_run(const ModelQuery *query, bool with_values, ClassConsumer consumer,
							 void *state);

#endif /* KANON_CLASS_STREAM_H */
