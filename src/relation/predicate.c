/*
 * predicate.c
 *		See predicate.h.
 *
 * PostgreSQL's parser reads the text, but it is never run: columns, operators and constants are
 * written anew as SQL.  Operators and functions are not looked up by name, because that would find
 * whatever is in somebody's search_path.  BETWEEN becomes two comparisons.
 */
#include "postgres.h"

#include "relation/predicate.h"

#include "access/nbtree.h"
#include "base/compat.h"
#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/parsenodes.h"
#include "optimizer/optimizer.h"
#include "parser/parse_coerce.h"
#include "parser/parse_collate.h"
#include "parser/parse_expr.h"
#include "parser/parse_node.h"
#include "parser/parse_param.h"
#include "parser/parse_type.h"
#include "parser/parser.h"
#include "sql/comparison.h"
#include "sql/type_query.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/ruleutils.h"

#define QUOTED_BYTES 40 /* of a predicate shown in messages */

/* State for the error context. */
typedef struct Reading
{
	const char *predicate;
	bool parsing;
} Reading;

/* ----------------------------------------------------------------
 * Errors
 * ----------------------------------------------------------------
 */

/* Moves the parser's positions into the predicate instead of the caller's statement. */
static void
reading_context(void *arg)
{
	const Reading *reading = arg;
	int position = geterrposition();

	if (reading->parsing && position > 0)
	{
		errposition(0);
		internalerrposition(position);
		internalerrquery(reading->predicate);
	}
	errcontext("predicate \"%s\"", reading->predicate);
}

/* Reports "what" about the place in the predicate where "node" begins. */
static void
report_not_understood(const Predicate *predicate, const Node *node, const char *what)
{
	int location = node ? exprLocation(node) : -1;
	const char *place = predicate->text + Max(location, 0);
	int length = pg_mbcliplen(place, strlen(place), QUOTED_BYTES);

	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("predicate \"%s\" is not understood", predicate->text),
			 errdetail("At \"%.*s\": %s.", length, place, what),
			 errhint("A predicate consists of comparisons of a quasi-identifier with constants, "
					 "joined by AND: =, <, <=, >, >=, BETWEEN, IN, IS NULL, IS NOT NULL.")));
}

/* ----------------------------------------------------------------
 * Reading
 * ----------------------------------------------------------------
 */

static const char *const operators[] = {
	[COMPARE_LESS] = "<",           [COMPARE_LESS_EQUAL] = "<=", [COMPARE_IN] = "=",
	[COMPARE_GREATER_EQUAL] = ">=", [COMPARE_GREATER] = ">",
};

static const char *
column_name(const Node *node)
{
	const ColumnRef *column = (const ColumnRef *) node;

	if (!IsA(node, ColumnRef) || list_length(column->fields) != 1 ||
		!IsA(linitial(column->fields), String))
		return NULL;
	return strVal(linitial(column->fields));
}

/*
 * A constant, possibly cast.  The type is looked up in the caller's search_path; a domain counts as
 * its base type, because its checks do not matter in a comparison.
 */
static Node *
read_constant(const Predicate *predicate, Node *node)
{
	TypeCast *cast = IsA(node, TypeCast) ? (TypeCast *) node : NULL;
	A_Const *constant = (A_Const *) (cast ? cast->arg : node);
	int32 typmod;
	Oid type;

	if (!IsA(constant, A_Const))
		report_not_understood(predicate, node,
							  "a column is compared with constants, and with nothing else");
	if (constant->isnull)
		ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
						errmsg("predicate \"%s\" compares with NULL", predicate->text),
						errdetail("Such a comparison is never true."),
						errhint("Use IS NULL or IS NOT NULL.")));
	if (IsA(&constant->val, BitString))
		report_not_understood(predicate, node, "this is not a constant of a column's type");
	if (cast == NULL)
		return node;
	if (cast->typeName->setof || cast->typeName->pct_type)
		report_not_understood(predicate, node, "this type cannot be cast to");
	typenameTypeIdAndMod(NULL, cast->typeName, &type, &typmod);
	type = getBaseTypeAndTypmod(type, &typmod);
	cast->typeName = makeTypeNameFromOid(type, typmod);
	return node;
}

static void
add_comparison(Predicate *predicate, const char *column, ComparisonKind kind, List *nodes)
{
	Comparison *comparison = palloc0(sizeof(Comparison));
	ListCell *cell;

	comparison->column = column;
	comparison->kind = kind;
	foreach (cell, nodes)
		comparison->constants =
			lappend(comparison->constants, read_constant(predicate, lfirst(cell)));
	predicate->comparisons = lappend(predicate->comparisons, comparison);
}

static void
read_operator(Predicate *predicate, const A_Expr *node)
{
	const char *name = strVal(llast(node->name));
	const char *column;
	bool swapped;
	int kind = COMPARE_LESS;

	if (node->lexpr == NULL || node->rexpr == NULL)
		report_not_understood(predicate, (const Node *) node, "this is not a comparison");
	column = column_name(node->lexpr);
	swapped = column == NULL;
	while (kind <= COMPARE_GREATER && strcmp(operators[kind], name) != 0)
		kind++;
	if (list_length(node->name) != 1 || kind > COMPARE_GREATER)
		report_not_understood(predicate, (const Node *) node,
							  "the operators are =, <, <=, > and >=");
	if (swapped)
		column = column_name(node->rexpr);
	if (column == NULL)
		report_not_understood(predicate, (const Node *) node, "neither side is a plain column");
	add_comparison(predicate, column, swapped ? BTCommuteStrategyNumber(kind) : kind,
				   list_make1(swapped ? node->lexpr : node->rexpr));
}

static void
read_expression(Predicate *predicate, const A_Expr *node)
{
	const char *column = node->lexpr ? column_name(node->lexpr) : NULL;

	if (node->kind == AEXPR_OP)
		read_operator(predicate, node);
	else if (column == NULL)
		report_not_understood(predicate, (const Node *) node, "no column is compared here");
	else if (node->kind == AEXPR_BETWEEN)
	{
		List *bounds = (List *) node->rexpr;

		add_comparison(predicate, column, COMPARE_GREATER_EQUAL, list_make1(linitial(bounds)));
		add_comparison(predicate, column, COMPARE_LESS_EQUAL, list_make1(lsecond(bounds)));
	}
	else if (node->kind == AEXPR_IN && strcmp(strVal(linitial(node->name)), "=") == 0 &&
			 IsA(node->rexpr, List))
		add_comparison(predicate, column, COMPARE_IN, (List *) node->rexpr);
	else
		report_not_understood(predicate, (const Node *) node, "this comparison is not supported");
}

static void
read_conjunction(Predicate *predicate, Node *node)
{
	const BoolExpr *junction = (const BoolExpr *) node;
	const NullTest *test = (const NullTest *) node;
	ListCell *cell;

	if (IsA(node, BoolExpr) && junction->boolop == AND_EXPR)
	{
		foreach (cell, junction->args)
			read_conjunction(predicate, lfirst(cell));
	}
	else if (IsA(node, A_Expr))
		read_expression(predicate, (A_Expr *) node);
	else if (IsA(node, NullTest) && column_name((Node *) test->arg) != NULL)
		add_comparison(predicate, column_name((Node *) test->arg),
					   test->nulltesttype == IS_NULL ? COMPARE_NULL : COMPARE_NOT_NULL, NIL);
	else
		report_not_understood(predicate, node, "this is not a comparison");
}

/* Parses the text, which must be a single expression. */
static Node *
parse_expression(const Predicate *predicate)
{
	List *statements = raw_parser(predicate->text, RAW_PARSE_PLPGSQL_EXPR);
	const SelectStmt *select = (SelectStmt *) linitial_node(RawStmt, statements)->stmt;
	const ResTarget *target;

	if (list_length(select->targetList) != 1 || select->distinctClause || select->fromClause ||
		select->whereClause || select->groupClause || select->havingClause ||
		select->windowClause || select->sortClause || select->limitOffset || select->limitCount ||
		select->lockingClause || select->withClause || select->op != SETOP_NONE)
		report_not_understood(predicate, NULL, "this is not an expression");
	target = linitial_node(ResTarget, select->targetList);
	if (target->name != NULL)
		report_not_understood(predicate, NULL, "this is not an expression");
	return target->val;
}

Predicate *
predicate_parse(const char *text)
{
	Predicate *predicate = palloc0(sizeof(Predicate));
	Reading reading = {.predicate = text, .parsing = true};
	ErrorContextCallback context = {
		.previous = error_context_stack, .callback = reading_context, .arg = &reading};
	Node *expression;

	predicate->text = text;
	error_context_stack = &context;
	expression = parse_expression(predicate);
	reading.parsing = false;
	read_conjunction(predicate, expression);
	error_context_stack = context.previous;
	return predicate;
}

/* ----------------------------------------------------------------
 * Binding
 * ----------------------------------------------------------------
 */

static const DescribedAttribute *
find_attribute(const Predicate *predicate, const Description *description, const char *name)
{
	StringInfoData names;

	initStringInfo(&names);
	for (int i = 0; i < description->quasi_count; i++)
	{
		const char *known = description->quasi[i]->name;

		if (strcmp(known, name) == 0)
			return description->quasi[i];
		appendStringInfo(&names, "%s%s", i > 0 ? ", " : "", known);
	}
	ereport(ERROR, (errcode(ERRCODE_UNDEFINED_COLUMN),
					errmsg("column \"%s\" of predicate \"%s\" is not a quasi-identifier", name,
						   predicate->text),
					errhint("The quasi-identifiers are: %s.", names.data)));
}

static void
report_mismatch(const Predicate *predicate, A_Const *constant, Oid type,
				const DescribedAttribute *attribute)
{
	Node *value = (Node *) &constant->val;
	const char *text = IsA(value, String)    ? strVal(value)
					   : IsA(value, Boolean) ? (boolVal(value) ? "true" : "false")
											 : nodeToString(value);

	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("predicate \"%s\" compares column \"%s\" with a constant of another type",
					predicate->text, attribute->name),
			 errdetail("The column has type %s, the constant %s has type %s.",
					   format_type_be(attribute->type), text, format_type_be(type))));
}

/*
 * The constant's value.  Parse analysis runs the input function of its type, which must be
 * PostgreSQL's own, and finds casts.
 */
static Const *
bind_constant(const Predicate *predicate, Node *written, const DescribedAttribute *attribute)
{
	ParseState *analysis = make_parsestate(NULL);
	const TypeCast *cast = IsA(written, TypeCast) ? (TypeCast *) written : NULL;
	A_Const *constant = (A_Const *) (cast ? cast->arg : written);
	Oid plain = exprType((Node *) make_const(analysis, constant));
	Oid target = getBaseType(attribute->type);
	Oid type = cast ? cast->typeName->typeOid : plain;
	Oid read = type == UNKNOWNOID ? target : type;
	Node *node;
	Const *bound;

	if (plain == UNKNOWNOID && value_cast_is_checked(read))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("a predicate cannot have constants of type %s", format_type_be(read)),
				 errdetail("Its owner's code checks its values.")));
	if (plain != UNKNOWNOID && !value_cast_is_own(plain, type))
		report_mismatch(predicate, constant, type, attribute);
	node = transformExpr(analysis, written, EXPR_KIND_OTHER);
	/* Numbers of two types are compared directly. */
	if (!number_query_is_numeric(target) || !number_query_is_numeric(type))
	{
		if (type != UNKNOWNOID && (!can_coerce_type(1, &type, &target, COERCION_IMPLICIT) ||
								   !value_cast_is_own(type, target)))
			report_mismatch(predicate, constant, type, attribute);
		node = coerce_type(analysis, node, type, target, -1, COERCION_IMPLICIT,
						   COERCE_IMPLICIT_CAST, -1);
	}
	assign_expr_collations(analysis, node);
	if (!IsA(node, Const))
		node = (Node *) evaluate_expr((Expr *) node, exprType(node), exprTypmod(node), InvalidOid);
	/* It is compared by the column's collation, which no other must meet. */
	bound = castNode(Const, node);
	bound->constcollid = attribute->collation;
	return bound;
}

void
predicate_bind(Predicate *predicate, const Description *description)
{
	Reading reading = {.predicate = predicate->text, .parsing = false};
	ErrorContextCallback context = {
		.previous = error_context_stack, .callback = reading_context, .arg = &reading};
	ListCell *constant;

	error_context_stack = &context;
	foreach_ptr (Comparison, comparison, predicate->comparisons)
	{
		comparison->attribute = find_attribute(predicate, description, comparison->column);
		foreach (constant, comparison->constants)
			lfirst(constant) = bind_constant(predicate, lfirst(constant), comparison->attribute);
	}
	error_context_stack = context.previous;
}

/* ----------------------------------------------------------------
 * Writing
 * ----------------------------------------------------------------
 */

bool
predicate_names(const Predicate *predicate, const DescribedAttribute *attribute)
{
	foreach_ptr (const Comparison, each, predicate->comparisons)
		if (each->attribute == attribute)
			return true;
	return false;
}

static void
append_comparison(StringInfo sql, const Comparison *comparison, const char *value)
{
	Oid type = comparison->attribute->type;
	bool numeric = number_query_is_numeric(getBaseType(type));
	ListCell *cell;

	switch (comparison->kind)
	{
		case COMPARE_NULL:
			appendStringInfo(sql, "%s IS NOT DISTINCT FROM NULL", value);
			return;
		case COMPARE_NOT_NULL:
			appendStringInfo(sql, "%s IS DISTINCT FROM NULL", value);
			return;
		default:
			appendStringInfoChar(sql, '(');
			foreach (cell, comparison->constants)
			{
				const char *constant =
					psprintf("(%s)", deparse_expression(lfirst(cell), NIL, false, true));

				appendStringInfoString(sql, foreach_current_index(cell) > 0 ? " OR " : "");
				/* Numbers of two types are compared by PostgreSQL's own operators. */
				if (numeric)
					appendStringInfo(sql, "%s %s %s", value, operators[comparison->kind], constant);
				else
					appendStringInfoString(
						sql, comparison_by_strategy(comparison->kind, value, constant, type));
			}
			appendStringInfoChar(sql, ')');
	}
}

char *
predicate_condition(const Predicate *predicate, const DescribedAttribute *attribute,
					const char *value)
{
	StringInfoData sql;

	initStringInfo(&sql);
	foreach_ptr (const Comparison, comparison, predicate->comparisons)
	{
		if (comparison->attribute != attribute)
			continue;
		if (sql.len > 0)
			appendStringInfoString(&sql, " AND ");
		append_comparison(&sql, comparison, value);
	}
	return sql.len > 0 ? sql.data : pstrdup("true");
}

/* ----------------------------------------------------------------
 * Evaluating
 * ----------------------------------------------------------------
 */

struct PredicateTest
{
	EState *executor;
	ExprState *condition;
	ParamListInfo value;
};

PredicateTest *
predicate_test_create(const Predicate *predicate, const DescribedAttribute *attribute)
{
	const char *value = OidIsValid(attribute->collation)
							? psprintf("($1 %s)", comparison_collation(attribute->collation))
							: "$1";
	Oid type = getBaseType(attribute->type);
	ParseState *analysis = make_parsestate(NULL);
	List *statements =
		raw_parser(predicate_condition(predicate, attribute, value), RAW_PARSE_PLPGSQL_EXPR);
	const SelectStmt *select = (SelectStmt *) linitial_node(RawStmt, statements)->stmt;
	PredicateTest *test = palloc(sizeof(PredicateTest));
	Node *node;

	setup_parse_fixed_parameters(analysis, &type, 1);
	node =
		transformExpr(analysis, linitial_node(ResTarget, select->targetList)->val, EXPR_KIND_OTHER);
	assign_expr_collations(analysis, node);
	test->executor = CreateExecutorState();
	test->condition = ExecPrepareExpr((Expr *) node, test->executor);
	test->value = makeParamList(1);
	test->value->params[0].ptype = type;
	test->value->params[0].pflags = PARAM_FLAG_CONST;
	GetPerTupleExprContext(test->executor)->ecxt_param_list_info = test->value;
	return test;
}

bool
predicate_test(PredicateTest *test, Datum value, bool isnull)
{
	bool unknown;
	Datum answer;

	test->value->params[0].value = value;
	test->value->params[0].isnull = isnull;
	ResetPerTupleExprContext(test->executor);
	answer = ExecEvalExprSwitchContext(test->condition, GetPerTupleExprContext(test->executor),
									   &unknown);
	return !unknown && DatumGetBool(answer);
}

void
predicate_test_free(PredicateTest *test)
{
	FreeExecutorState(test->executor);
	pfree(test);
}
