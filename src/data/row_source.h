/*
 * row_source.h
 *		The interface of a row source, which pushes rows to an algorithm.
 */
#ifndef KANON_ROW_SOURCE_H
#define KANON_ROW_SOURCE_H

#include "postgres.h"

/*
 * Takes one row, or "count" equal rows at once. values and nulls have one entry for each column
 * requested.  Variable-length values are detoasted and live only during the call.
 */
typedef void (*RowConsumer)(void *state, const Datum *values, const bool *nulls, int64 count);

typedef struct RowSource RowSource;

struct RowSource
{
	/* Pushes every row once, in no particular order.  Raises the query's own errors. */
	void (*scan)(RowSource *source, RowConsumer consumer, void *state);
};

#endif /* KANON_ROW_SOURCE_H */
