/*
 * release_node_rows.c
 *		See release_node_rows.h.
 */
#include "postgres.h"

#include "release/release_node_rows.h"

#include "catalog/pg_collation.h"
#include "catalog/pg_operator.h"
#include "catalog/pg_type.h"
#include "cell/recoding_cells.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "parser/parse_oper.h"
#include "sql/name_array.h"
#include "sql/relation_name.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/ruleutils.h"

#define CELL "kanon_view_cell"
#define NODE_COLUMN "node"
#define FIGURES_COLUMN "figures"
#define TALLY "kanon_view_tally"

/* ---- the table of rows set apart */

const char *
node_rows_stage(const NodesText *text, const char *number)
{
	StringInfoData sql;
	int count = 0;

	initStringInfo(&sql);
	appendStringInfoString(&sql, "SELECT ");
	for (int column = -1; (column = bms_next_member(text->used, column)) >= 0;)
		appendStringInfo(&sql, "s.%s AS c%d, ",
						 quote_identifier(get_attname(text->table, (AttrNumber) column, false)),
						 ++count);
	appendStringInfo(&sql, "%s AS node FROM %s s", number, relation_name(text->table));
	return sql.data;
}

/* Adds a column, the last one, to a query of the text. */
static TargetEntry *
add_column(Query *query, Expr *value, const char *name)
{
	AttrNumber last = 0;
	TargetEntry *target;

	foreach_ptr (const TargetEntry, other, query->targetList)
		last = Max(last, other->resno);
	target = makeTargetEntry(value, (AttrNumber) (last + 1), pstrdup(name), false);
	query->targetList = lappend(query->targetList, target);
	return target;
}

/* The name of the figures in what the calls return. */
static const char *
figures_of_records(const NodesText *text)
{
	List *quasi = NIL;

	for (int i = 0; i < text->source->quasi_count; i++)
		quasi = lappend(quasi, text->source->quasi[i]);
	return cell_names_choose(quasi, node_text_beside(text)).figures;
}

/* kanon_view_cell(CELLS, 'figures', NULL::bytea) */
static Expr *
figures_of_cells(const NodesText *text)
{
	Expr *field = (Expr *) makeConst(TEXTOID, -1, DEFAULT_COLLATION_OID, -1,
									 CStringGetTextDatum(figures_of_records(text)), false, false);

	return (Expr *) makeFuncExpr(
		node_text_function(CELL), BYTEAOID,
		list_make3(copyObject(text->cells), field, makeNullConst(BYTEAOID, -1, InvalidOid)),
		InvalidOid, DEFAULT_COLLATION_OID, COERCE_EXPLICIT_CALL);
}

/* PARTITION BY node, a column of the query */
static void
partition_by(const Query *query, TargetEntry *target)
{
	WindowClause *window = linitial(query->windowClause);
	SortGroupClause *by = makeNode(SortGroupClause);

	target->ressortgroupref = 1;
	foreach_ptr (const TargetEntry, other, query->targetList)
		target->ressortgroupref = Max(target->ressortgroupref, other->ressortgroupref + 1);
	by->tleSortGroupRef = target->ressortgroupref;
	get_sort_group_operators(INT4OID, true, true, false, &by->sortop, &by->eqop, NULL,
							 &by->hashable);
	window->partitionClause = list_make1(by);
}

/*
 * Adds a column of the inner part to those of a query above it, and of all between; returns where
 * it is there, or 0 if the part is not below it.  node: it tells nodes, by which classes are
 * judged, too.
 */
static AttrNumber
carry_column(const NodesText *text, Query *query, const TargetEntry *column, bool node)
{
	Index number = 0;

	if (query == text->rows)
		return column->resno;
	foreach_ptr (RangeTblEntry, table, query->rtable)
	{
		AttrNumber below = 0;
		TargetEntry *carried;
		Var *value;

		number++;
		if (table->rtekind == RTE_SUBQUERY)
			below = carry_column(text, table->subquery, column, node);
		if (below == 0)
			continue;
		table->eref->colnames =
			lappend(table->eref->colnames, makeString(pstrdup(column->resname)));
		value = makeVar((int) number, below, exprType((Node *) column->expr), -1, InvalidOid, 0);
		carried = add_column(query, (Expr *) value, column->resname);
		if (node && query == text->judged)
			partition_by(query, carried);
		return carried->resno;
	}
	return 0;
}

/* Lets a column of the inner part be the last of the release's. */
static void
publish_column(const NodesText *text, const TargetEntry *column, bool node)
{
	if (carry_column(text, text->query, column, node) == 0)
		elog(ERROR, "rows of a release are not where they were found");
}

/* Adds the figures of the calls as such a column. */
static void
publish_figures(const NodesText *text)
{
	publish_column(text, add_column(text->rows, figures_of_cells(text), FIGURES_COLUMN), false);
}

/* Lets the calls for cells know the whole. */
static void
hand_whole(const NodesText *text, Expr *whole)
{
	ListCell *call;

	foreach (call, text->calls)
	{
		WindowFunc *cells = lfirst(call);

		cells->args = lappend(cells->args, node_text_named("whole", 12, copyObject(whole)));
	}
}

/* Lets them have the memory by which nodes are small enough, wherever they run. */
static void
lend_memory(const NodesText *text)
{
	ListCell *call;

	foreach (call, text->calls)
	{
		WindowFunc *cells = lfirst(call);

		cells->args = lappend(cells->args, node_text_memory(13));
	}
	if (text->verdict)
		text->verdict->args = lappend(text->verdict->args, node_text_memory(8));
}

static const char *
text_of_query(Query *query)
{
	query->sortClause = NIL;
	(void) node_text_note((Node *) query, NULL);
	return pg_get_querydef(query, false);
}

const char *
node_rows_release(NodesText *text, Oid stage, const Jsonb *whole)
{
	TargetEntry *column;
	Expr *node;

	node_text_replace_relation(text, stage);
	node = (Expr *) makeVar((int) text->relation, (AttrNumber) (bms_num_members(text->used) + 1),
							INT4OID, -1, InvalidOid, 0);
	column = add_column(text->rows, node, NODE_COLUMN);
	partition_by(text->rows, column);
	publish_column(text, column, true);
	hand_whole(text, node_text_add_whole(text->rows, whole));
	lend_memory(text);
	if (text->person)
		publish_figures(text);
	return text_of_query(text->query);
}

/* ---- or node by node, without such a table */

/* (call)[1] = number */
static Expr *
is_node(FuncExpr *call, int32 number)
{
	SubscriptingRef *node = makeNode(SubscriptingRef);
	Expr *is = (Expr *) makeConst(INT4OID, -1, InvalidOid, sizeof(int32), Int32GetDatum(number),
								  false, true);

	node->refcontainertype = INT4ARRAYOID;
	node->refelemtype = node->refrestype = INT4OID;
	node->reftypmod = -1;
	node->refupperindexpr = list_make1(
		makeConst(INT4OID, -1, InvalidOid, sizeof(int32), Int32GetDatum(1), false, true));
	node->refexpr = (Expr *) call;
	return make_opclause(Int4EqualOperator, BOOLOID, false, (Expr *) node, is, InvalidOid,
						 InvalidOid);
}

/* Lets the figures, the last column, tell what the other columns of all rows hold. */
static void
tally_rows(const NodesText *text, TargetEntry *figures)
{
	const ReleaseEntry *entry = text->entry;
	RowExpr *row = makeNode(RowExpr);
	List *quasi = array_strings(entry->quasi_identifiers);
	int32 *number = palloc(sizeof(int32) * Max(list_length(quasi), 1));

	row->row_typeid = RECORDOID;
	row->row_format = COERCE_EXPLICIT_CALL;
	row->location = -1;
	foreach_ptr (const TargetEntry, column, text->query->targetList)
	{
		if (column == figures)
			continue;
		row->args = lappend(row->args, copyObject(column->expr));
		row->colnames = lappend(row->colnames, makeString(psprintf("f%d", column->resno)));
	}
	foreach_ptr (const char, name, quasi)
		number[foreach_current_index(name)] = name_array_find(entry->columns, name);
	figures->expr = (Expr *) makeFuncExpr(
		node_text_function(TALLY), BYTEAOID,
		list_make3(row, node_text_array(INT4ARRAYOID, int_array_of(number, list_length(quasi))),
				   figures->expr),
		InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
}

/* The rows of one part. */
static const char *
text_of_part(const NodesText *all, const NodeParts *parts, int number)
{
	NodesText text;
	FromExpr *from;
	Expr *whole;

	if (!node_text_read(&text, all->entry, all->query))
		elog(ERROR, "a release is no longer what it was found to be");
	text.source = all->source;
	from = text.rows->jointree;
	whole = node_text_add_whole(text.rows, parts->whole);
	from->quals =
		make_and_qual(from->quals, (Node *) is_node(node_text_own_call(&text, whole, parts->tree),
													parts->number[number]));
	hand_whole(&text, whole);
	publish_figures(&text);
	tally_rows(&text, llast(text.query->targetList));
	return text_of_query(text.query);
}

const char *
node_rows_parts(const NodesText *text, const NodeParts *parts)
{
	StringInfoData sql;

	initStringInfo(&sql);
	for (int i = 0; i < parts->count; i++)
		appendStringInfo(&sql, "%s(%s)", i > 0 ? " UNION ALL " : "", text_of_part(text, parts, i));
	return sql.data;
}
