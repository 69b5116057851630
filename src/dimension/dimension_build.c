/*
 * dimension_build.c
 *		See dimension_build.h.
 *
 * A refresh reads values as a search would read them, so that nothing is added that a search would
 * then refuse.  The dimension may belong to somebody else than the relations: each is read as its
 * own owner, and the values that are new are handed over between the two statements.
 */
#include "postgres.h"

#include "dimension/dimension_build.h"

#include "catalog/namespace.h"
#include "catalog/pg_type.h"
#include "dimension/dimension_query.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "relation/declaration.h"
#include "relation/dimension_source.h"
#include "sql/name_array.h"
#include "sql/own_table.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "sql/rights.h"
#include "sql/row_query.h"
#include "sql/tuple_spool.h"
#include "utils/builtins.h"
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
		.plan = {.method = dimension_method_find(method), .arguments = array_strings(arguments)},
	};

	if (OidIsValid(get_relname_relid(request.name, request.schema)))
		ereport(ERROR, (errcode(ERRCODE_DUPLICATE_TABLE),
						errmsg("relation \"%s\" already exists", request.name),
						errhint("If it is a dimension, kanon_refresh_dimension adds new values to"
								" it; to make it anew, drop it first.")));
	if (list_member_ptr(request.plan.arguments, NULL))
		ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
						errmsg("an element of \"arguments\" must not be null")));
	if (strcmp(method, "taxonomy") == 0 && request.plan.arguments)
		request.plan.taxonomy = RangeVarGetRelid(
			range_var(cstring_to_text(linitial(request.plan.arguments))), AccessShareLock, false);
	return request;
}

static DimensionPlan *
make_plan(const DimensionRequest *request)
{
	DimensionPlan *plan = palloc(sizeof(DimensionPlan));
	Description *relation = description_load_columns(request->relation);

	*plan = request->plan;
	plan->relation = relation;
	plan->attribute = description_get(relation, request->attribute);
	plan->base_type = getBaseType(plan->attribute->type);
	description_check_quasi_identifier(relation, plan->attribute);
	query_run(psprintf("SELECT 1 FROM %s WHERE %s IS DISTINCT FROM NULL LIMIT 1", relation->name,
					   quote_identifier(plan->attribute->name)),
			  true);
	if (query_rows() == 0)
		ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
						errmsg("column \"%s\" of relation %s has no values to make a dimension of",
							   plan->attribute->name, relation->name)));
	plan->operand = "s.v";
	dimension_method_make(plan);
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
					 plan->source ? plan->source : dimension_plan_values(plan, false));
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
	fill_table(table, plan);
	dimension_rule_record(dimension, plan);
	declaration_set(&(Declaration){.relation = request->relation,
								   .attribute = request->attribute,
								   .role = ROLE_QUASI_IDENTIFIER,
								   .dimension = dimension,
								   .weight = DECLARATION_KEEP_WEIGHT});
	return dimension;
}

/* ---- refreshing */

/*
 * The columns declared with the dimension, of relations whose owners' rights the current user has:
 * relations, names.
 */
static List *
find_columns(Oid dimension, const char *name, List **relations)
{
	List *columns = NIL;

	own_table_read("SELECT c.oid, a.attribute::text FROM @attribute a"
				   " JOIN pg_class c ON c.oid = a.relation"
				   " WHERE a.dimension = $1 AND pg_has_role($2, c.relowner, 'USAGE')"
				   " ORDER BY c.oid, a.attribute",
				   "oo", dimension, GetUserId());
	for (uint64 row = 0; row < query_rows(); row++)
	{
		*relations = lappend_oid(*relations, (Oid) query_int8(row, 1));
		columns = lappend(columns, query_text(row, 2));
	}
	if (columns == NIL)
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_OBJECT),
						errmsg("no column of your relations has dimension %s", name),
						errhint("Declare one with kanon_set_attribute.")));
	return columns;
}

/* Checks that the rule labels all values of the column that the dimension lacks. */
static AttributeDomain *
check_values(const Description *relation, const DescribedAttribute *attribute,
			 const Description *table, Budget *budget)
{
	AttributeDomain *domain = dimension_query_load(relation, attribute, UNKNOWN_AS_NULL, budget);

	if (domain->rule == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("dimension %s has no rule for column \"%s\" of relation %s", table->name,
						attribute->name, relation->name),
				 errdetail("It was not made by a method that labels values one by one, or it was "
						   "made for values of another type, or its columns have changed.")));
	dimension_query_read(
		domain, row_query_create(psprintf("SELECT DISTINCT s.%s FROM %s s",
										  quote_identifier(attribute->name), relation->name),
								 &attribute->type, 1, false));
	if (domain->rule == NULL)
		ereport(ERROR, (errcode(ERRCODE_CARDINALITY_VIOLATION),
						errmsg("dimension %s no longer follows its rule", table->name),
						errdetail("With new values of column \"%s\" of relation %s it would not be "
								  "many-to-one.",
								  attribute->name, relation->name),
						errhint("Add rows for them by hand, or make the dimension anew.")));
	return domain;
}

/* The values that the dimension lacks, in order, with their labels: as rows of the dimension. */
static TupleSpool *
lacking_rows(const AttributeDomain *domain, const Description *table)
{
	TupleDesc fields = CreateTemplateTupleDesc(domain->height + 1);
	Datum *row = palloc(sizeof(Datum) * (domain->height + 1));
	bool *nulls = palloc0(sizeof(bool) * (domain->height + 1));
	const int32 *order = dictionary_order(domain->ground, DICTIONARY_BY_TYPE);
	TupleSpool *spool;

	for (int level = 0; level <= domain->height; level++)
		TupleDescInitEntry(fields, (AttrNumber) (level + 1), table->attributes[level].name,
						   getBaseType(table->attributes[level].type), -1, 0);
	spool = tuple_spool_create(fields, work_mem);
	for (int32 i = 0; i < dictionary_size(domain->ground); i++)
	{
		if (order[i] < domain->table_values)
			continue;
		row[0] = dictionary_value(domain->ground, order[i]);
		for (int level = 1; level <= domain->height; level++)
		{
			int32 label = domain->level[level].label_of_ground[order[i]];

			nulls[level] = label < 0;
			row[level] = label < 0 ? 0 : dictionary_value(domain->level[level].labels, label);
		}
		tuple_spool_put(spool, row, nulls);
	}
	return spool;
}

#define LACKING "lacking"

static int64
add_rows(TupleSpool *rows, const Description *table)
{
	StringInfoData sql;
	int64 added;

	initStringInfo(&sql);
	appendStringInfo(&sql, "INSERT INTO %s (", table->name);
	for (int level = 0; level < table->attribute_count; level++)
		appendStringInfo(&sql, "%s%s", level > 0 ? ", " : "",
						 quote_identifier(table->attributes[level].name));
	appendStringInfoString(&sql, ") SELECT * FROM " LACKING);
	tuple_spool_offer(rows, LACKING);
	query_run(sql.data, false);
	added = (int64) query_rows();
	tuple_spool_withdraw(LACKING);
	return added;
}

/* Reads as the owner of the relation and writes as that of the dimension. */
static int64
refresh_column(Oid dimension, Oid relation, const char *name)
{
	Budget budget = budget_begin();
	QueryRights rights = rights_enter(relation, RIGHTS_OF_OWNER, AccessShareLock);
	Description *description = description_load_columns(relation);
	DescribedAttribute *attribute = description_get(description, name);
	const Description *table;
	TupleSpool *rows;
	int64 added;

	/* Sees what another relation has just added. */
	query_snapshot_begin();
	attribute->dimension = dimension;
	table = dimension_source_load(dimension, attribute, 1);
	rows = lacking_rows(check_values(description, attribute, table, &budget), table);
	query_snapshot_end();
	rights_leave(&rights);
	rights = rights_enter(dimension, RIGHTS_OF_OWNER, ShareRowExclusiveLock);
	added = add_rows(rows, table);
	rights_leave(&rights);
	tuple_spool_free(rows);
	return added;
}

int64
dimension_refresh(Oid dimension)
{
	List *relations = NIL;
	List *columns;
	int64 added = 0;

	declaration_claim(dimension);
	columns =
		find_columns(dimension, relation_name_for(dimension, ShareRowExclusiveLock), &relations);
	for (int i = 0; i < list_length(columns); i++)
		added += refresh_column(dimension, list_nth_oid(relations, i), list_nth(columns, i));
	return added;
}
