/*
 * class_stream.h
 *		The equivalence classes of a relation one after the other, each with the histograms of its
 *		sensitive columns.
 */
#ifndef KANON_CLASS_STREAM_H
#define KANON_CLASS_STREAM_H

#include "postgres.h"

#include "dimension/sensitive_values.h"

typedef struct StreamedClass
{
	Datum values;                /* text[]: its quasi-identifiers; 0 unless requested */
	int64 rows;                  /* in it */
	int64 members;               /* rows, or people if these are demanded */
	const Histogram **histogram; /* [sensitive column]: members by value */
} StreamedClass;

/* Takes a class, which is valid during the call. */
typedef void (*ClassConsumer)(void *state, const StreamedClass *class);

/*
 * Pushes each class of a description once, in the order of the quasi-identifiers, NULL last.  There
 * may be no models; otherwise sensitive_values_read was called.  A person with several sensitive
 * values in a class counts once for each value and once in the class.  Within a query scope, as the
 * current user.  One pass; memory for one class.
 */
extern void class_stream_run(const Description *description, bool with_values,
							 ClassConsumer consumer, void *state, Budget *budget);

#endif /* KANON_CLASS_STREAM_H */
