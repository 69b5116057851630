/*
 * release_nodes.c
 *		See release_nodes.h.
 *
 * All statements are made of the release's text (release_cells.c), of which this is the inner part:
 *
 *	SELECT kanon_view_cell(kanon_view_cells('mondrian', 5, quasi.*, ..) OVER cells, 'age', ..), ..
 *	FROM patients s, LATERAL (SELECT s.age, ..) quasi WINDOW cells AS ()
 *
 * - Counts, once for each level: SELECT kanon_view_counts(kanon_view_node('mondrian', 5, quasi.*,
 *   .., tree => ..)) FROM the same.
 * - Rows are set apart: SELECT s.age, .., (kanon_view_node(..))[1] FROM the same.
 * - Rows of the release: the whole text, with the table of rows set apart in place of patients, a
 *   window for each node, and whole => ...
 *
 * What is known of the whole, a long constant, is a subquery's column.
 */
#include "postgres.h"

#include "release/release_nodes.h"

#include "base/interrupt.h"
#include "catalog/pg_type.h"
#include "count/whole_query.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parse_func.h"
#include "parser/parse_oper.h"
#include "parser/parsetree.h"
#include "partition/partition.h"
#include "record/record_spill.h"
#include "record/record_whole.h"
#include "release/release_options.h"
#include "rewrite/rewriteManip.h"
#include "rothko/counted_tree.h"
#include "sql/name_array.h"
#include "sql/own_extension.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "sql/value_text.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"
#include "utils/lsyscache.h"
#include "utils/ruleutils.h"

#define CELLS "kanon_view_cells"
#define NODE "kanon_view_node"
#define COUNTS_SHARE 4               /* fraction of the memory limit for counts of one query */
#define MOST_BYTES (4 * 1024 * 1024) /* of what is known of the whole, which each query carries */
#define KEYS_OF_NODE 16              /* keys tried for each node and shard */

/* ---- the release's text */

typedef struct NodesText
{
	const ReleaseEntry *entry;
	Query *query;
	Query *rows;       /* the inner part of it, .. */
	Index relation;    /* .. its relation, as number in the range table, .. */
	WindowFunc *cells; /* .. and a call for a row's cells */
	int windows;       /* queries with windows */
	bool odd;          /* it looks otherwise */
	Bitmapset *used;   /* attribute numbers of the relation */
	Oid stage;         /* the table that takes the relation's place */
	AttrNumber *place; /* [attribute number]: there */
	int depth;         /* of the walk, below the inner part */
	List *calls;       /* the calls for cells */
} NodesText;

bool
release_nodes_note(Node *node, void *unused)
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
		return query_tree_walker((Query *) node, release_nodes_note, unused,
								 QTW_EXAMINE_RTES_BEFORE);
	return expression_tree_walker(node, release_nodes_note, unused);
}

/* Finds the inner part and its calls. */
static bool
find_rows(Node *node, void *state)
{
	NodesText *text = state;
	Query *query = (Query *) node;
	Index number = 0;

	if (node == NULL)
		return false;
	if (IsA(node, WindowFunc) && strcmp(get_func_name(((WindowFunc *) node)->winfnoid), CELLS) == 0)
		text->calls = lappend(text->calls, node);
	if (!IsA(node, Query))
		return expression_tree_walker(node, find_rows, state);
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
	return query_tree_walker(query, find_rows, state, 0);
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

/* False if it is not the text of a recoding of rows, or has other windows. */
static bool
read_text(NodesText *text)
{
	(void) find_rows((Node *) text->query, text);
	if (text->rows == NULL || text->odd || text->windows != 1 || text->calls == NIL ||
		list_length(text->rows->windowClause) != 1)
		return false;
	text->cells = linitial(text->calls);
	(void) walk_rows(text);
	return !text->odd;
}

/* An argument of the call for cells, evaluated; false if it is NULL or not there. */
static bool
argument_of(const NodesText *text, const char *name, Datum *value)
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

static Expr *
array_constant(Oid type, const ArrayType *array)
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

/*
 * Takes the dimensions from the text: what is known of the whole has their labels.  Of columns
 * without one it still tells which are plain.
 */
static void
drop_dimensions(NodesText *text)
{
	Expr *kept;
	Datum given;
	ListCell *call;

	text->query->cteList = NIL;
	if (!argument_of(text, "dimensions", &given))
		return;
	kept = array_constant(REGCLASSARRAYOID, without_dimensions(DatumGetArrayTypeP(given)));
	foreach (call, text->calls)
		foreach_ptr (NamedArgExpr, argument, ((const WindowFunc *) lfirst(call))->args)
			if (IsA(argument, NamedArgExpr) && strcmp(argument->name, "dimensions") == 0)
				argument->arg = kept;
}

/* ---- how it recodes */

typedef struct NodesPlan
{
	NodesText text;
	Budget budget;
	Description *description;
	Jsonb *whole;
	RecordCodes *codes;
	PartitionRequest partition;
	int64 rows;
	bool any;              /* of any number of rows */
	MemoryContext context; /* of what the budget counts */
	MemoryContext scratch; /* of one statement */
} NodesPlan;

/*
 * Do values of the columns become text and values again by PostgreSQL's code alone, on their way
 * between workers, too?
 */
static bool
reads_values(const NodesText *text)
{
	for (int number = -1; (number = bms_next_member(text->used, number)) >= 0;)
		if (value_cast_is_checked(get_atttype(text->entry->relation, (AttrNumber) number)))
			return false;
	return true;
}

/* Do models need levels of a dimension, which are not handed to workers? */
static bool
measures_levels(const Description *description)
{
	for (int i = 0; i < description->demand.columns; i++)
		if (OidIsValid(description->sensitive[i]->dimension))
			return true;
	return false;
}

/* The roles that the call gives to the columns of the relation. */
static RecordRoles
roles_of(const NodesText *of, const ReleaseOptions *options)
{
	RecordRoles roles = {.quasi_identifiers = of->entry->quasi_identifiers,
						 .told = true,
						 .weights = options->column_weights};
	Datum value;

	if (argument_of(of, "dimensions", &value))
		roles.dimensions = DatumGetArrayTypeP(value);
	if (argument_of(of, "models", &value))
		roles.models = TextDatumGetCString(value);
	if (argument_of(of, "model_dimensions", &value))
		roles.model_dimensions = DatumGetArrayTypeP(value);
	return roles;
}

/* Reads the call; false if it is none that workers can make. */
static bool
read_call(NodesPlan *plan, RecordRequest *request, RecodeOptions *recode, bool *strict)
{
	ReleaseOptions options = release_options_default();
	const RecodingOps *recoding;
	Datum value;

	if (argument_of(&plan->text, "options", &value))
		release_options_read(&options, DatumGetJsonbP(value), OPTIONS_OF_CELLS);
	if (!argument_of(&plan->text, "recoding", &value))
		return false;
	recoding = release_recoding_of_text(TextDatumGetCString(value), options.rest);
	*strict = recoding->recode == strict_mondrian_recode;
	if ((!*strict && recoding->recode != mondrian_recode) || options.target ||
		argument_of(&plan->text, "person", &value) || !argument_of(&plan->text, "k", &value))
		return false;
	*recode = (RecodeOptions){.k = DatumGetInt32(value), .by_class = true};
	*request = (RecordRequest){.roles = roles_of(&plan->text, &options),
							   .split = release_options_split(&options, recoding),
							   .spans = release_options_spans(&options, recoding),
							   .way = record_spill_of_release(options.partitioning)};
	plan->any = request->way.partitioning == PARTITIONING_TREE;
	return request->way.partitioning != PARTITIONING_SAMPLE &&
		   request->way.partitioning != PARTITIONING_MEMORY;
}

/* What is known of the whole, by what is declared of values and dimensions. */
static void
ask_whole(NodesPlan *plan, RecordRequest *request)
{
	MemoryContext previous = MemoryContextSwitchTo(plan->scratch);
	Jsonb *whole = DatumGetJsonbP(whole_query_run(plan->description, true));

	MemoryContextSwitchTo(previous);
	request->whole =
		memcpy(palloc_extended(VARSIZE(whole), MCXT_ALLOC_HUGE), whole, VARSIZE(whole));
	MemoryContextReset(plan->scratch);
}

/* .. as codes, in the plan's context; false if the coordinator has to make the release. */
static bool
make_plan(NodesPlan *plan)
{
	RecordRequest request;
	RecodeOptions recode;
	bool strict;

	if (!read_text(&plan->text) || !reads_values(&plan->text) ||
		!read_call(plan, &request, &recode, &strict))
		return false;
	plan->description =
		record_roles_describe_relation(plan->text.entry->relation, &request.roles, &plan->budget);
	if (measures_levels(plan->description))
		return false;
	ask_whole(plan, &request);
	plan->codes = record_whole_codes(plan->description, &request, &plan->budget);
	plan->whole = record_whole_with_labels(plan->codes);
	drop_dimensions(&plan->text);
	plan->rows = record_whole_rows(plan->codes);
	if (VARSIZE(plan->whole) > MOST_BYTES || plan->rows < recode.k ||
		(!plan->any && plan->rows < RELEASE_NODES_LEAST_ROWS))
		return false;
	plan->partition = mondrian_request(
		plan->codes, record_codes_models(plan->codes, recode.k, NULL), &recode, strict);
	plan->partition.column = record_whole_columns(plan->codes);
	return true;
}

/* ---- statements */

/* The column of the subquery that has what is known of the whole, in the inner part of a text. */
static Expr *
add_whole(Query *rows, const Jsonb *whole)
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

static NamedArgExpr *
named(const char *name, int number, Expr *value)
{
	NamedArgExpr *argument = makeNode(NamedArgExpr);

	*argument = (NamedArgExpr){.xpr.type = T_NamedArgExpr,
							   .arg = value,
							   .name = pstrdup(name),
							   .argnumber = number,
							   .location = -1};
	return argument;
}

/* name[] of the rows that the calls are handed. */
static ArrayType *
fields_of(const NodesText *text)
{
	const Var *row = list_nth(text->cells->args, 2);
	List *names = NIL;

	foreach_ptr (String, name, rt_fetch(row->varno, text->rows->rtable)->eref->colnames)
		names = lappend(names, pstrdup(strVal(name)));
	return name_array_of(names);
}

/* The call that leads a row down the tree, in the inner part of a copy of the text. */
static FuncExpr *
node_call(const NodesPlan *plan, Query *rows, ArrayType *tree)
{
	List *name = list_make2(makeString(get_namespace_name(own_extension_schema())),
							makeString(pstrdup(NODE)));
	FuncExpr *call = makeFuncExpr(LookupFuncName(name, -1, NULL, false), INT4ARRAYOID,
								  copyObject(plan->text.cells->args), InvalidOid, InvalidOid,
								  COERCE_EXPLICIT_CALL);

	call->args = lappend(call->args, named("whole", 9, add_whole(rows, plan->whole)));
	call->args = lappend(call->args,
						 named("fields", 10, array_constant(NAMEARRAYOID, fields_of(&plan->text))));
	call->args = lappend(call->args, named("tree", 11, array_constant(INT4ARRAYOID, tree)));
	return call;
}

/* The inner part with these expressions instead of its own, as SQL. */
static const char *
select_from_rows(Query *rows, List *targets)
{
	rows->targetList = targets;
	rows->windowClause = NIL;
	rows->hasWindowFuncs = false;
	rows->sortClause = NIL;
	(void) release_nodes_note((Node *) rows, NULL);
	return pg_get_querydef(rows, false);
}

/* ---- counts */

/* The counts of a tree's groups, in the current context. */
static const ArrayType *
ask_counts(const NodesPlan *plan, const GrowingTree *tree)
{
	Query *rows = copyObject(plan->text.rows);
	int64 count;
	const int32 *numbers = counted_tree_write(tree, NULL, &count);
	FuncExpr *call = node_call(plan, rows, int_array_of(numbers, (int) count));
	List *targets = list_make1(makeTargetEntry((Expr *) call, 1, pstrdup("places"), false));

	query_run(psprintf("SELECT %s.kanon_view_counts(places) FROM (%s) s",
					   own_extension_schema_name(), select_from_rows(rows, targets)),
			  true);
	return query_array(0, 1);
}

/* What a TreeCounter does. */
static void
count_there(void *state, GrowingTree *tree)
{
	const NodesPlan *plan = state;
	MemoryContext previous = MemoryContextSwitchTo(plan->scratch);
	const ArrayType *counts = ask_counts(plan, tree);

	if (counts)
		counted_tree_take(tree, (const int64 *) ARR_DATA_PTR(counts),
						  ArrayGetNItems(ARR_NDIM(counts), ARR_DIMS(counts)));
	MemoryContextSwitchTo(previous);
	MemoryContextReset(plan->scratch);
}

/* The shards of the relation: so many nodes are finished side by side. */
static int64
count_shards(Oid relation)
{
	query_run_with("SELECT count(*) FROM pg_catalog.pg_dist_shard WHERE logicalrelid = $1",
				   QUERY_READ, "o", relation);
	return Max(query_int8(0, 1), 1);
}

/* The rows of a node that a worker divides in memory. */
static int64
rows_that_fit(const NodesPlan *plan)
{
	const RowLayout *layout = &plan->codes->dataset->tuple;
	Size room = plan->budget.limit / 2;
	int64 many = 1000000;
	Size each = loaded_rows_bytes(layout, &plan->partition, many) / many + 1;

	return Max((int64) (room / each), 1);
}

/* Are the counts of all rows, the first to be asked for, few enough? */
static bool
counts_fit(const NodesPlan *plan, const TreeGrower *grower, const CodeBounds *bounds)
{
	FrequencyRequest all = {.attributes = grower->layout->attributes,
							.bounds = bounds,
							.codes = ~UINT64CONST(0),
							.side_values = grower->side_values,
							.sides = grower->layout->sides};

	return frequency_group_bytes(&all) <= budget_left(&plan->budget) / COUNTS_SHARE;
}

/* The upper part of the tree; NULL if counts are too many or the rows together do not satisfy. */
static GrowingTree *
grow(NodesPlan *plan)
{
	const RowLayout *layout = &plan->codes->dataset->tuple;
	TreeCounter counter = {.rows = plan->rows, .count = count_there, .state = plan};
	CodeBounds *bounds = palloc(sizeof(CodeBounds) * layout->attributes);
	TreeGrower *grower = tree_grower_create(layout, &plan->partition);
	GrowthLimits limits = {.room = budget_left(&plan->budget) / COUNTS_SHARE * (COUNTS_SHARE - 1)};

	limits.enough =
		Min(rows_that_fit(plan), plan->rows / count_shards(plan->text.entry->relation) + 1);
	for (int i = 0; i < layout->attributes; i++)
		bounds[i] = (CodeBounds){.minimum = plan->codes->column[i]->minimum,
								 .maximum = plan->codes->column[i]->maximum};
	if (!counts_fit(plan, grower, bounds))
		return NULL;
	grower->counter = &counter;
	return tree_grower_grow(grower, NULL, bounds, true, limits);
}

/* ---- rows set apart */

/* A SELECT of the columns that the text uses, called c1, c2, .., and a number. */
static const char *
stage_columns(const NodesText *text)
{
	StringInfoData sql;
	int count = 0;

	initStringInfo(&sql);
	appendStringInfoString(&sql, "SELECT ");
	for (int number = -1; (number = bms_next_member(text->used, number)) >= 0;)
		appendStringInfo(
			&sql, "s.%s AS c%d, ",
			quote_identifier(get_attname(text->entry->relation, (AttrNumber) number, false)),
			++count);
	appendStringInfo(&sql, "0::int4 AS node FROM %s s", relation_name(text->entry->relation));
	return sql.data;
}

typedef struct NodeRows
{
	int32 node;
	int64 rows;
} NodeRows;

static int
compare_rows(const void *a, const void *b)
{
	const NodeRows *one = a;
	const NodeRows *other = b;

	if (one->rows != other->rows)
		return one->rows > other->rows ? -1 : 1;
	return one->node < other->node ? -1 : one->node > other->node;
}

/* The leaves, that of most rows first. */
static NodeRows *
leaves_by_rows(const GrowingTree *tree)
{
	NodeRows *leaf = palloc(sizeof(NodeRows) * tree->leaves);

	for (int32 i = 0; i < tree->leaves; i++)
		leaf[i] = (NodeRows){.node = tree->order[tree->leaf[i]],
							 .rows = growing_tree_leaf_node(tree, i)->rows};
	qsort(leaf, tree->leaves, sizeof(NodeRows), compare_rows);
	return leaf;
}

/*
 * Numbers the leaves by keys whose hashes spread the rows evenly over the shards of a table: that
 * of most rows goes to the shard that has fewest.  [node], palloc'd.
 */
static int32 *
choose_keys(const GrowingTree *tree, Oid stage)
{
	int32 *key = palloc0(sizeof(int32) * tree->nodes);
	const NodeRows *leaf = leaves_by_rows(tree);
	int keys = KEYS_OF_NODE * (tree->leaves + 32);
	int64 *load; /* [shard] */
	int *taken;  /* [key]: its shard; -1: it is taken */
	int shards;

	query_run_with("SELECT dense_rank() OVER (ORDER BY"
				   " pg_catalog.get_shard_id_for_distribution_column($1::regclass, k)) - 1"
				   " FROM generate_series(1, $2) k ORDER BY k",
				   QUERY_IN_SNAPSHOT, "oi", stage, keys);
	taken = palloc(sizeof(int) * keys);
	shards = 0;
	for (int i = 0; i < keys; i++)
	{
		taken[i] = (int) query_int8((uint64) i, 1);
		shards = Max(shards, taken[i] + 1);
	}
	load = palloc0(sizeof(int64) * shards);
	for (int32 i = 0; i < tree->leaves; i++)
	{
		int best = -1;

		CHECK_FOR_INTERRUPTS();
		for (int k = 0; k < keys; k++)
			if (taken[k] >= 0 && (best < 0 || load[taken[k]] < load[taken[best]]))
				best = k;
		load[taken[best]] += leaf[i].rows;
		taken[best] = -1;
		key[leaf[i].node] = best + 1;
	}
	return key;
}

/* Sets the rows apart; returns their number. */
static int64
set_apart(NodesPlan *plan, const GrowingTree *tree, Oid stage)
{
	Query *rows = copyObject(plan->text.rows);
	const NodesText *text = &plan->text;
	int64 count;
	const int32 *numbers = counted_tree_write(tree, choose_keys(tree, stage), &count);
	FuncExpr *call = node_call(plan, rows, int_array_of(numbers, (int) count));
	StringInfoData columns;
	List *targets = NIL;

	initStringInfo(&columns);
	for (int number = -1; (number = bms_next_member(text->used, number)) >= 0;)
	{
		int at = list_length(targets) + 1;
		int32 typmod;
		Oid type;
		Oid collation;

		get_atttypetypmodcoll(text->entry->relation, (AttrNumber) number, &type, &typmod,
							  &collation);
		targets = lappend(
			targets, makeTargetEntry((Expr *) makeVar((int) text->relation, (AttrNumber) number,
													  type, typmod, collation, 0),
									 (AttrNumber) at, psprintf("c%d", at), false));
		appendStringInfo(&columns, "s.c%d, ", at);
	}
	targets =
		lappend(targets, makeTargetEntry((Expr *) call, (AttrNumber) (list_length(targets) + 1),
										 pstrdup("places"), false));
	query_run_with(psprintf("INSERT INTO %s SELECT %ss.places[1] FROM (%s) s", relation_name(stage),
							columns.data, select_from_rows(rows, targets)),
				   QUERY_IN_SNAPSHOT, "");
	return (int64) query_rows();
}

/* ---- the release's rows */

/* Lets the table of rows set apart take the relation's place. */
static void
replace_relation(NodesText *text)
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
	table->relid = text->stage;
	table->eref = makeAlias(table->eref->aliasname, names);
}

/* PARTITION BY s.node */
static void
partition_by_node(const NodesText *text)
{
	Query *rows = text->rows;
	WindowClause *window = linitial(rows->windowClause);
	SortGroupClause *by = makeNode(SortGroupClause);
	AttrNumber node = (AttrNumber) (bms_num_members(text->used) + 1);
	TargetEntry *target =
		makeTargetEntry((Expr *) makeVar((int) text->relation, node, INT4OID, -1, InvalidOid, 0),
						(AttrNumber) (list_length(rows->targetList) + 1), NULL, true);

	target->ressortgroupref = 1;
	foreach_ptr (const TargetEntry, other, rows->targetList)
		target->ressortgroupref = Max(target->ressortgroupref, other->ressortgroupref + 1);
	rows->targetList = lappend(rows->targetList, target);
	by->tleSortGroupRef = target->ressortgroupref;
	get_sort_group_operators(INT4OID, true, true, false, &by->sortop, &by->eqop, NULL,
							 &by->hashable);
	window->partitionClause = list_make1(by);
}

static const char *
release_text(NodesPlan *plan)
{
	NodesText *text = &plan->text;
	Expr *whole;
	ListCell *call;

	replace_relation(text);
	partition_by_node(text);
	whole = add_whole(text->rows, plan->whole);
	foreach (call, text->calls)
	{
		WindowFunc *cells = lfirst(call);

		cells->args = lappend(cells->args, named("whole", 12, copyObject(whole)));
	}
	text->query->sortClause = NIL;
	(void) release_nodes_note((Node *) text->query, NULL);
	return pg_get_querydef(text->query, false);
}

/* The tree; NULL if the coordinator has to make the release. */
static GrowingTree *
plan_tree(NodesPlan *plan)
{
	MemoryContext previous = CurrentMemoryContext;
	GrowingTree *tree = NULL;

	plan->scratch = AllocSetContextCreate(previous, "kanon statement", ALLOCSET_DEFAULT_SIZES);
	plan->context = AllocSetContextCreate(previous, "kanon nodes", ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(plan->context);
	plan->budget = budget_begin();
	if (make_plan(plan))
		tree = grow(plan);
	MemoryContextSwitchTo(previous);
	return tree;
}

bool
release_nodes_set_apart(const ReleaseEntry *entry, const Query *query,
						Oid (*make_table)(const ReleaseEntry *entry, const char *select,
										  const char *by),
						NodesApart *apart)
{
	NodesPlan plan = {.text = {.entry = entry, .query = copyObject((Query *) query)}};
	const GrowingTree *tree = plan_tree(&plan);

	if (tree == NULL)
		return false;
	apart->table = plan.text.stage = make_table(entry, stage_columns(&plan.text), "node");
	apart->rows = set_apart(&plan, tree, apart->table);
	apart->select = release_text(&plan);
	apart->source = plan.description;
	return true;
}
