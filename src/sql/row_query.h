/*
 * row_query.h
 *		The row source that reads a table: one SELECT, streamed from the executor to the
 *		consumer.
 */
#ifndef KANON_ROW_QUERY_H
#define KANON_ROW_QUERY_H

#include "postgres.h"

#include "data/row_source.h"

/*
 * The rows of a SELECT, read only, as the current user; with "counted" one more column, the last,
 * is a bigint, how often the row counts.  The consumer runs in the context that is current now.
 * Within a query scope.
 *
 * types, [columns]: what the consumer takes the values for, a domain as its base type; they are
 * copied.  Whatever ran since they were looked up, be it a view's function, may have replaced what
 * the query reads, and a lock does not keep its owner from that.  Error: other types
 * (ERRCODE_T_R_SERIALIZATION_FAILURE).
 */
extern RowSource *row_query_create(const char *sql, const Oid *types, int columns, bool counted);

#endif /* KANON_ROW_QUERY_H */
