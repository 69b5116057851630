/*
 * dimension_build.c
 *		See dimension_build.h.
 */
#include "postgres.h"

#include "dimension/dimension_build.h"

#include "catalog/namespace.h"
#include "catalog/pg_type.h"
#include "dimension/dimension_rule.h"
#include "lib/stringinfo.h"
#include "nodes/makefuncs.h"
#include "relation/declaration.h"
#include "sql/default_privileges.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "sql/rights.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/ruleutils.h"
#include "utils/varlena.h"

static RangeVar *
range_var(text *name)
{
	return makeRangeVarFromNameList(textToQualifiedNameList(name));
}

DimensionRequest
dimension_request(text *name, Oid relation, const char *attribute, const char *method,
				  ArrayType *arguments)
{
	RangeVar *table = range_var(name);
	DimensionRequest request = {
		.schema = RangeVarGetCreationNamespace(table),
		.name = table->relname,
		.relation = relation,
		.attribute = attribute,
		.method = dimension_method_find(method),
	};
	Datum *elements;
	bool *nulls;

	deconstruct_array(arguments, TEXTOID, -1, false, TYPALIGN_INT, &elements, &nulls,
					  &request.argument_count);
	request.arguments = palloc(sizeof(char *) * Max(request.argument_count, 1));
	for (int i = 0; i < request.argument_count; i++)
	{
		if (nulls[i])
			ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
							errmsg("an element of \"arguments\" must not be null")));
		request.arguments[i] = TextDatumGetCString(elements[i]);
	}
	if (strcmp(method, "taxonomy") == 0 && request.argument_count > 0)
		request.taxonomy = RangeVarGetRelid(range_var(cstring_to_text(request.arguments[0])),
											AccessShareLock, false);
	return request;
}

static DimensionPlan *
make_plan(const DimensionRequest *request)
{
	DimensionPlan *plan = palloc0(sizeof(DimensionPlan));
	Description *relation = description_load_columns(request->relation);

	plan->relation = relation;
	plan->attribute = description_get(relation, request->attribute);
	plan->base_type = getBaseType(plan->attribute->type);
	plan->method = request->method->name;
	plan->argument_count = request->argument_count;
	plan->arguments = request->arguments;
	plan->taxonomy = request->taxonomy;
	description_check_quasi_identifier(relation, plan->attribute);
	query_run(psprintf("SELECT 1 FROM %s WHERE %s IS DISTINCT FROM NULL LIMIT 1", relation->name,
					   quote_identifier(plan->attribute->name)),
			  true);
	if (query_rows() == 0)
		ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
						errmsg("column \"%s\" of relation %s has no values to make a dimension of",
							   plan->attribute->name, relation->name)));
	plan->operand = "s.v";
	dimension_method_make(request->method, plan);
	return plan;
}

static void
create_table(const char *table, const DimensionPlan *plan)
{
	const DescribedAttribute *attribute = plan->attribute;
	StringInfoData sql;
	ListCell *cell;

	initStringInfo(&sql);
	/* The ground value has the name, type and collation of the attribute. */
	appendStringInfo(&sql, "CREATE TABLE %s (%s %s", table, quote_identifier(attribute->name),
					 format_type_extended(attribute->type, attribute->typmod,
										  FORMAT_TYPE_TYPEMOD_GIVEN | FORMAT_TYPE_FORCE_QUALIFY));
	if (OidIsValid(attribute->collation))
		appendStringInfo(&sql, " COLLATE %s", generate_collation_name(attribute->collation));
	appendStringInfoString(&sql, " PRIMARY KEY");
	foreach (cell, plan->names)
		appendStringInfo(&sql, ", %s text NOT NULL", quote_identifier(strVal(lfirst(cell))));
	appendStringInfoChar(&sql, ')');
	query_run(sql.data, false);
}

/* Somebody may have renamed the type's schema, and given its name to another one. */
static void
check_type(Oid dimension, const DimensionPlan *plan)
{
	if (get_atttype(dimension, 1) != plan->attribute->type)
		ereport(ERROR,
				(errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
				 errmsg("another type took the name of that of column \"%s\" during the call",
						plan->attribute->name),
				 errhint("Try again.")));
}

/* Explains PostgreSQL's error that an index row is too large, which does not say which value. */
static void
explain_limit(void *arg)
{
	const DimensionPlan *plan = arg;

	if (geterrcode() == ERRCODE_PROGRAM_LIMIT_EXCEEDED)
		errhint(
			"The values of column \"%s\" are the dimension's primary key, and some are too long "
			"for an index.  A view of relation %s could cut them.",
			plan->attribute->name, plan->relation->name);
}

static void
fill_table(const char *table, const DimensionPlan *plan)
{
	ErrorContextCallback explain = {.previous = error_context_stack,
									.callback = explain_limit,
									.arg = unconstify(DimensionPlan *, plan)};
	StringInfoData sql;
	ListCell *cell;

	initStringInfo(&sql);
	appendStringInfo(&sql, "INSERT INTO %s SELECT s.v", table);
	foreach (cell, plan->labels)
		appendStringInfo(&sql, ", %s", (char *) lfirst(cell));
	appendStringInfo(&sql, " FROM (%s) s ORDER BY s.v",
					 plan->source ? plan->source : dimension_plan_values(plan));
	error_context_stack = &explain;
	query_run(sql.data, false);
	error_context_stack = explain.previous;
}

Oid
dimension_build(const DimensionRequest *request)
{
	const char *table =
		quote_qualified_identifier(relation_name_schema(request->schema), request->name);
	DimensionPlan *plan;
	Oid dimension;

	declaration_claim(request->relation);
	plan = make_plan(request);
	create_table(table, plan);
	dimension = rights_made(request->schema, request->name);
	check_type(dimension, plan);
	table = relation_name(dimension);
	default_privileges_revoke(table, dimension);
	fill_table(table, plan);
	dimension_rule_record(dimension, plan);
	declaration_set(&(Declaration){.relation = request->relation,
								   .attribute = request->attribute,
								   .role = ROLE_QUASI_IDENTIFIER,
								   .dimension = dimension,
								   .weight = DECLARATION_KEEP_WEIGHT});
	return dimension;
}
