/*
 * calling_query.h
 *		The statement that calls a function which is handed rows.
 */
#ifndef KANON_CALLING_QUERY_H
#define KANON_CALLING_QUERY_H

#include "postgres.h"

#include "fmgr.h"
#include "nodes/pg_list.h"

/*
 * The range table (RangeTblEntry) of the statement that calls this window function or aggregate, as
 * the executor has it: with the relations of views and subqueries.  It lives as long as the
 * statement runs.  NIL for other calls.
 */
extern const List *calling_query_tables(FunctionCallInfo fcinfo);

#endif /* KANON_CALLING_QUERY_H */
