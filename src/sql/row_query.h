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
 * The rows of a SELECT, read only, as the current user; with "counted" its last column is a
 * bigint, how often the row counts.  The consumer runs in the context that is current now.
 * Within a query scope.
 */
extern RowSource *row_query_create(const char *sql, bool counted);

/*
 * Its columns, the count apart, must have these types; InvalidOid: any.  Who has run anything since
 * they were looked up, be it a view's function, says so: it may have replaced what the query reads,
 * and a lock does not keep its owner from that.  Error: ERRCODE_T_R_SERIALIZATION_FAILURE.
 */
extern void row_query_expect(RowSource *source, const Oid *types);

#endif /* KANON_ROW_QUERY_H */
