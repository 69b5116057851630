/*
 * calling_query.c
 *		See calling_query.h.
 */
#include "postgres.h"

#include "sql/calling_query.h"

#include "nodes/execnodes.h"
#include "windowapi.h"

/*
 * How a WindowObjectData begins.  The struct is private to nodeWindowAgg.c, but nothing else leads
 * from a window function to its node, and it has begun so since there are window functions.
 */
typedef struct WindowObjectStart
{
	NodeTag type;
	WindowAggState *node;
} WindowObjectStart;

const List *
calling_query_tables(FunctionCallInfo fcinfo)
{
	const Node *node = fcinfo->context;

	if (node && IsA(node, WindowObjectData))
		node = (const Node *) ((const WindowObjectStart *) fcinfo->context)->node;
	if (node == NULL || !(IsA(node, AggState) || IsA(node, WindowAggState)))
		return NIL;
	return ((const PlanState *) node)->state->es_range_table;
}
