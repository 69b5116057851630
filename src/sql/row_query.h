/*
 * row_query.h
 *		The row source over a table: streams a SELECT from the executor to a consumer.
 */
#ifndef KANON_ROW_QUERY_H
#define KANON_ROW_QUERY_H

#include "postgres.h"

#include "data/row_source.h"

/*
 * The rows of a SELECT, read only, as the current user.  With "counted", one more column, the last,
 * is a bigint: how often the row counts.  The consumer runs in the context that is current now.
 * Call within a query scope.
 *
 * types, [columns]: the types that the consumer expects, domains as their base types; copied.
 * Raises ERRCODE_T_R_SERIALIZATION_FAILURE if the query returns others: code that ran since the
 * types were looked up, such as a view's function, may have replaced what the query reads, and a
 * lock does not stop the owner.
 */
extern RowSource *row_query_create(const char *sql, const Oid *types, int columns, bool counted);

/* Values for its parameters $1.., none of them NULL: the caller's, until it has been read. */
extern void row_query_bind(RowSource *source, int count, const Oid *types, const Datum *values);

#endif /* KANON_ROW_QUERY_H */
