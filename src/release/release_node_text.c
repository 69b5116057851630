/*
 * release_node_text.c
 *		See release_node_text.h.
 */
#include "postgres.h"

#include "release/release_node_text.h"

#include <math.h>

#include "base/budget.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parse_func.h"
#include "parser/parsetree.h"
#include "sql/name_array.h"
#include "sql/own_extension.h"
#include "sql/relation_name.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/ruleutils.h"
#include "utils/typcache.h"

#define CELLS "kanon_view_cells"
#define NODE "kanon_view_node"
#define SATISFIES "kanon_view_satisfies"

bool
node_text_note(Node *node, void *unused)
{
	if (node == NULL)
		return false;
	if (IsA(node, RangeTblEntry))
	{
		if (((const RangeTblEntry *) node)->rtekind == RTE_RELATION)
			(void) relation_name(((const RangeTblEntry *) node)->relid);
		return false;
	}
	if (IsA(node, Query))
		return query_tree_walker((Query *) node, node_text_note, unused, QTW_EXAMINE_RTES_BEFORE);
	return expression_tree_walker(node, node_text_note, unused);
}

/* ---- read */

static void
note_call(NodesText *text, WindowFunc *call)
{
	const char *name = get_func_name(call->winfnoid);

	if (strcmp(name, CELLS) == 0)
		text->calls = lappend(text->calls, call);
	else if (strcmp(name, SATISFIES) == 0)
	{
		text->judged = text->walked;
		text->verdict = call;
	}
}

/* Finds the inner part and its calls. */
static bool
find_rows(Node *node, void *state)
{
	NodesText *text = state;
	Query *query = (Query *) node;
	Query *above;
	Index number = 0;
	bool stop;

	if (node == NULL)
		return false;
	if (IsA(node, WindowFunc))
		note_call(text, (WindowFunc *) node);
	if (!IsA(node, Query))
		return expression_tree_walker(node, find_rows, state);
	above = text->walked;
	text->walked = query;
	text->windows += query->hasWindowFuncs;
	foreach_ptr (const RangeTblEntry, table, query->rtable)
	{
		number++;
		if (table->rtekind != RTE_RELATION || table->relid != text->entry->relation)
			continue;
		text->odd = text->odd || text->rows;
		text->rows = query;
		text->relation = number;
	}
	stop = query_tree_walker(query, find_rows, state, 0);
	text->walked = above;
	return stop;
}

/*
 * Notes the columns of the relation that the inner part uses or, once another table takes its
 * place, follows them.
 */
static bool
follow_columns(Node *node, void *state)
{
	NodesText *text = state;
	Var *var = (Var *) node;
	bool stop;

	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		text->depth++;
		stop = query_tree_walker((Query *) node, follow_columns, state, 0);
		text->depth--;
		return stop;
	}
	if (!IsA(node, Var))
		return expression_tree_walker(node, follow_columns, state);
	if (var->varno != (int) text->relation || (int) var->varlevelsup != text->depth)
		return false;
	if (var->varattno <= 0)
		text->odd = true;
	else if (text->place == NULL)
		text->used = bms_add_member(text->used, var->varattno);
	else
		var->varattno = var->varattnosyn = text->place[var->varattno];
	return false;
}

static bool
walk_rows(NodesText *text)
{
	text->depth = 0;
	return query_tree_walker(text->rows, follow_columns, text, 0);
}

/* The table of the rows that the calls are handed, as number in the range table of the inner part.
 */
static Index
handed_rows(const NodesText *text)
{
	return (Index) ((const Var *) list_nth(text->cells->args, 2))->varno;
}

/* The first column of the relation above that an expression takes. */
static bool
find_column(Node *node, void *state)
{
	const Var **found = state;

	if (node == NULL)
		return false;
	if (!IsA(node, Var))
		return expression_tree_walker(node, find_column, state);
	*found = (const Var *) node;
	return true;
}

/* Do the fields that the calls are handed have the names of the columns? */
static bool
has_names(const NodesText *text)
{
	const Query *quasi = rt_fetch(handed_rows(text), text->rows->rtable)->subquery;

	foreach_ptr (const TargetEntry, field, quasi->targetList)
	{
		const Var *column;

		if (find_column((Node *) field->expr, &column) && column->varlevelsup == 1 &&
			strcmp(get_attname(text->table, column->varattno, false), field->resname) != 0)
			return false;
	}
	return true;
}

bool
node_text_read(NodesText *text, const ReleaseEntry *entry, const Query *query)
{
	Datum person;

	*text = (NodesText){.entry = entry, .query = copyObject((Query *) query)};
	(void) find_rows((Node *) text->query, text);
	if (text->rows == NULL || text->odd || text->windows != (text->judged ? 2 : 1) ||
		text->calls == NIL || list_length(text->rows->windowClause) != 1)
		return false;
	text->cells = linitial(text->calls);
	(void) walk_rows(text);
	text->table = entry->relation;
	if (text->odd || !has_names(text))
		return false;
	if (node_text_argument(text, "person", &person))
	{
		text->person = pstrdup(NameStr(*DatumGetName(person)));
		text->person_number = get_attnum(text->table, text->person);
	}
	return true;
}

/* An argument of the call for cells, evaluated; false if it is NULL or not there. */
bool
node_text_argument(const NodesText *text, const char *name, Datum *value)
{
	int position = strcmp(name, "recoding") == 0 ? 0 : strcmp(name, "k") == 0 ? 1 : -1;
	Node *expression = position >= 0 ? list_nth(text->cells->args, position) : NULL;
	const Const *constant;

	foreach_ptr (const NamedArgExpr, argument, text->cells->args)
		if (IsA(argument, NamedArgExpr) && strcmp(argument->name, name) == 0)
			expression = (Node *) argument->arg;
	if (expression == NULL)
		return false;
	constant = (const Const *) eval_const_expressions(NULL, expression);
	if (!IsA(constant, Const) || constant->constisnull)
		return false;
	*value = constant->constvalue;
	return true;
}

Expr *
node_text_array(Oid type, const ArrayType *array)
{
	return (Expr *) makeConst(type, -1, InvalidOid, -1, PointerGetDatum(array), false, false);
}

/* NULL for each dimension; 0, of a plain column, stays. */
static ArrayType *
without_dimensions(const ArrayType *given)
{
	Datum *dimensions;
	bool *nulls;
	int count = array_elements(given, &dimensions, &nulls);
	int first = 1;

	for (int i = 0; i < count; i++)
		nulls[i] = nulls[i] || OidIsValid(DatumGetObjectId(dimensions[i]));
	return construct_md_array(dimensions, nulls, 1, &count, &first, REGCLASSOID, sizeof(Oid), true,
							  TYPALIGN_INT);
}

static void
drop_dimensions(const NodesText *text, const char *name)
{
	Expr *kept;
	Datum given;
	ListCell *call;

	if (!node_text_argument(text, name, &given))
		return;
	kept = node_text_array(REGCLASSARRAYOID, without_dimensions(DatumGetArrayTypeP(given)));
	foreach (call, text->calls)
		foreach_ptr (NamedArgExpr, argument, ((const WindowFunc *) lfirst(call))->args)
			if (IsA(argument, NamedArgExpr) && strcmp(argument->name, name) == 0)
				argument->arg = kept;
}

/*
 * Takes the dimensions from the text: what is known of the whole has their labels.  Of columns
 * without one it still tells which are plain.
 */
void
node_text_drop_dimensions(NodesText *text)
{
	text->query->cteList = NIL;
	drop_dimensions(text, "dimensions");
	drop_dimensions(text, "model_dimensions");
}

void
node_text_replace_relation(NodesText *text, Oid stage)
{
	RangeTblEntry *table = rt_fetch(text->relation, text->rows->rtable);
	List *names = NIL;
	int count = 0;

	text->place = palloc0(sizeof(AttrNumber) * (bms_prev_member(text->used, -1) + 1));
	for (int number = -1; (number = bms_next_member(text->used, number)) >= 0;)
	{
		text->place[number] = (AttrNumber) ++count;
		names = lappend(names, makeString(psprintf("c%d", count)));
	}
	names = lappend(names, makeString(pstrdup("node")));
	(void) walk_rows(text);
	table->relid = text->table = stage;
	table->eref = makeAlias(table->eref->aliasname, names);
	text->used = bms_add_range(NULL, 1, count);
	if (text->person)
		text->person_number = text->place[text->person_number];
}

/* ---- statements */

Expr *
node_text_add_whole(Query *rows, const Jsonb *whole)
{
	Query *query = makeNode(Query);
	RangeTblEntry *table = makeNode(RangeTblEntry);
	RangeTblRef *reference = makeNode(RangeTblRef);

	query->commandType = CMD_SELECT;
	query->canSetTag = true;
	query->jointree = makeFromExpr(NIL, NULL);
	query->targetList = list_make1(makeTargetEntry(
		(Expr *) makeConst(JSONBOID, -1, InvalidOid, -1, JsonbPGetDatum(whole), false, false), 1,
		pstrdup("whole"), false));
	table->rtekind = RTE_SUBQUERY;
	table->subquery = query;
	table->alias = makeAlias("known", NIL);
	table->eref = makeAlias("known", list_make1(makeString(pstrdup("whole"))));
	table->inFromCl = true;
	rows->rtable = lappend(rows->rtable, table);
	reference->rtindex = list_length(rows->rtable);
	rows->jointree->fromlist = lappend(rows->jointree->fromlist, reference);
	return (Expr *) makeVar(reference->rtindex, 1, JSONBOID, -1, InvalidOid, 0);
}

NamedArgExpr *
node_text_named(const char *name, int number, Expr *value)
{
	NamedArgExpr *argument = makeNode(NamedArgExpr);

	*argument = (NamedArgExpr){.xpr.type = T_NamedArgExpr,
							   .arg = value,
							   .name = pstrdup(name),
							   .argnumber = number,
							   .location = -1};
	return argument;
}

NamedArgExpr *
node_text_memory(int number)
{
	return node_text_named("memory", number,
						   (Expr *) makeConst(INT4OID, -1, InvalidOid, sizeof(int32),
											  Int32GetDatum(budget_kilobytes()), false, true));
}

/* The names (String) of their fields. */
static List *
fields_of(const NodesText *text)
{
	return rt_fetch(handed_rows(text), text->rows->rtable)->eref->colnames;
}

List *
node_text_beside(const NodesText *text)
{
	List *fields = fields_of(text);
	Datum beside = Int32GetDatum(0);

	(void) node_text_argument(text, "beside", &beside);
	return list_copy_tail(fields, list_length(fields) - DatumGetInt32(beside));
}

/* Is the field of that name judged? */
static bool
is_judged(const NodesText *text, const char *name)
{
	const Description *source = text->source;

	for (int i = 0; i < source->demand.columns; i++)
		if (strcmp(source->sensitive[i]->name, name) == 0)
			return true;
	return text->person && strcmp(text->person, name) == 0;
}

/* The fields that decide about a row's node: ROW(..), and their names. */
static Expr *
deciding_fields(const NodesText *text, ArrayType **names)
{
	const Query *quasi = rt_fetch(handed_rows(text), text->rows->rtable)->subquery;
	List *fields = fields_of(text);
	int first_beside = list_length(fields) - list_length(node_text_beside(text));
	RowExpr *row = makeNode(RowExpr);
	List *taken = NIL;

	row->row_typeid = RECORDOID;
	row->row_format = COERCE_EXPLICIT_CALL;
	row->location = -1;
	foreach_ptr (String, name, fields)
	{
		int at = foreach_current_index(name);

		if (at >= first_beside && !is_judged(text, strVal(name)))
			continue;
		row->args = lappend(row->args, makeVarFromTargetEntry((int) handed_rows(text),
															  list_nth(quasi->targetList, at)));
		row->colnames = lappend(row->colnames, makeString(psprintf("f%d", at + 1)));
		taken = lappend(taken, pstrdup(strVal(name)));
	}
	*names = name_array_of(taken);
	return (Expr *) row;
}

Oid
node_text_function(const char *name)
{
	Oid none = InvalidOid;
	List *names = list_make2(makeString(get_namespace_name(own_extension_schema())),
							 makeString(pstrdup(name)));

	/* Of any arguments; it still asks for an array of their types. */
	return LookupFuncName(names, -1, &none, false);
}

FuncExpr *
node_text_own_call(const NodesText *text, Expr *whole, ArrayType *tree)
{
	List *arguments = NIL;
	ArrayType *names;
	Expr *row = deciding_fields(text, &names);

	foreach_ptr (Expr, argument, text->cells->args)
	{
		const NamedArgExpr *name = (const NamedArgExpr *) argument;

		if (IsA(argument, NamedArgExpr) && strcmp(name->name, "beside") == 0)
			continue;
		arguments =
			lappend(arguments, foreach_current_index(argument) == 2 ? row : copyObject(argument));
	}
	arguments = lappend(arguments, node_text_named("whole", 9, whole));
	arguments =
		lappend(arguments, node_text_named("fields", 10, node_text_array(NAMEARRAYOID, names)));
	arguments =
		lappend(arguments, node_text_named("tree", 11, node_text_array(INT4ARRAYOID, tree)));
	return makeFuncExpr(node_text_function(NODE), INT4ARRAYOID, arguments, InvalidOid, InvalidOid,
						COERCE_EXPLICIT_CALL);
}

FuncExpr *
node_text_call(const NodesText *text, Query *rows, const Jsonb *whole, ArrayType *tree)
{
	FuncExpr *call = node_text_own_call(text, node_text_add_whole(rows, whole), tree);

	call->args = lappend(call->args, node_text_memory(12));
	return call;
}

Var *
node_text_column(const NodesText *text, AttrNumber number)
{
	int32 typmod;
	Oid type;
	Oid collation;

	get_atttypetypmodcoll(text->table, number, &type, &typmod, &collation);
	return makeVar((int) text->relation, number, type, typmod, collation, 0);
}

bool
node_text_is_hashed(const NodesText *text, AttrNumber number)
{
	const TypeCacheEntry *type =
		lookup_type_cache(get_atttype(text->table, number), TYPECACHE_HASH_EXTENDED_PROC);

	return OidIsValid(type->hash_extended_proc);
}

Bitmapset *
node_text_hashed(const NodesText *text, const char *distribution)
{
	Bitmapset *columns = bms_copy(text->used);

	if (distribution)
		columns = bms_add_member(columns, get_attnum(text->table, distribution));
	for (int number = -1; (number = bms_next_member(columns, number)) >= 0;)
		if (!node_text_is_hashed(text, (AttrNumber) number))
			columns = bms_del_member(columns, number);
	return columns;
}

const char *
node_text_select(Query *rows, List *targets)
{
	rows->targetList = targets;
	rows->windowClause = NIL;
	rows->hasWindowFuncs = false;
	rows->sortClause = NIL;
	(void) node_text_note((Node *) rows, NULL);
	return pg_get_querydef(rows, false);
}

const char *
node_text_counts(const NodesText *text, Query *rows, FuncExpr *call, int attributes)
{
	const char *schema = own_extension_schema_name();
	List *targets = list_make1(makeTargetEntry((Expr *) call, 1, pstrdup("places"), false));

	if (text->person == NULL)
		return psprintf("SELECT %s.kanon_view_counts(places) FROM (%s) s", schema,
						node_text_select(rows, targets));
	targets = lappend(targets, makeTargetEntry((Expr *) node_text_column(text, text->person_number),
											   2, pstrdup("person"), false));
	if (text->person_key > 0)
		targets =
			lappend(targets, makeTargetEntry((Expr *) node_text_column(text, text->person_key), 3,
											 pstrdup("key"), false));
	return psprintf(
		"SELECT %1$s.kanon_view_counts(places) FROM (SELECT"
		" %1$s.kanon_view_person(places, %2$d, s.person IS DISTINCT FROM NULL) AS places"
		" FROM (%3$s) s GROUP BY s.person%4$s) s",
		schema, attributes, node_text_select(rows, targets), text->person_key > 0 ? ", s.key" : "");
}

const char *
node_text_sample(const NodesText *text, Query *rows, FuncExpr *call, const Bitmapset *columns,
				 double share, int64 most)
{
	List *targets = list_make1(makeTargetEntry((Expr *) call, 1, pstrdup("places"), false));
	int64 below = share < 1 ? (int64) ((share - 0.5) * ldexp(1, 64)) : PG_INT64_MAX;
	StringInfoData hashed;

	initStringInfo(&hashed);
	for (int number = -1; (number = bms_next_member(columns, number)) >= 0;)
	{
		int at = list_length(targets);

		targets =
			lappend(targets, makeTargetEntry((Expr *) node_text_column(text, number),
											 (AttrNumber) (at + 1), psprintf("c%d", at), false));
		appendStringInfo(&hashed, "%ss.c%d", at > 1 ? ", " : "", at);
	}
	return psprintf(
		"SELECT s.places FROM (%s) s WHERE hash_record_extended(ROW(%s), 0) <= " INT64_FORMAT
		" LIMIT " INT64_FORMAT,
		node_text_select(rows, targets), hashed.data, below, most);
}
