/*
 * row_source.h
 *		Where rows come from, as the algorithms see it: somebody pushes.
 */
#ifndef KANON_ROW_SOURCE_H
#define KANON_ROW_SOURCE_H

#include "postgres.h"

/*
 * Takes one row, or "count" equal rows at once.  values and nulls hold one
 * entry for each column asked for; variable-length values are detoasted and
 * live only during the call.
 */
typedef void (*RowConsumer)(void *state, const Datum *values, const bool *nulls, int64 count);

typedef struct RowSource RowSource;

struct RowSource
{
	/* Pushes every row once, in no particular order; errors are the query's own. */
	void (*scan)(RowSource *source, RowConsumer consumer, void *state);
};

#endif /* KANON_ROW_SOURCE_H */
