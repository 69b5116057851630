/*
 * row_query.h
 *		The row source that reads a table: one SELECT, streamed.
 *
 * Rows go from the executor straight to the consumer, without a tuple table or
 * a cursor between (design: delivery is a fraction of what either costs).
 */
#ifndef KANON_ROW_QUERY_H
#define KANON_ROW_QUERY_H

#include "postgres.h"

#include "data/row_source.h"

/*
 * A source over the rows of a SELECT, read only, as the current user.  With
 * "counted" its last column is a bigint and says how often the row counts.
 * The consumer runs in the context that is current now.  Within a query scope.
 */
extern RowSource *row_query_create(const char *sql, bool counted);

#endif /* KANON_ROW_QUERY_H */
