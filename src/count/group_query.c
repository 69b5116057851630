/*
 * group_query.c
 *		See group_query.h.
 */
#include "postgres.h"

#include "count/group_query.h"

#include "base/context.h"
#include "base/interrupt.h"
#include "catalog/pg_type.h"
#include "nodes/value.h"
#include "parser/parse_func.h"
#include "relation/grouped_rows.h"
#include "sql/comparison.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

/* The order of groups, the same on all systems. */
typedef struct GroupOrder
{
	int attributes;
	const int32 **rank; /* [attribute][code]; NULL: the code itself */
} GroupOrder;

static int
compare_groups(const void *a, const void *b, void *arg)
{
	const GroupOrder *order = arg;
	const int32 *one = a;
	const int32 *other = b;

	CHECK_FOR_INTERRUPTS();
	for (int i = 0; i < order->attributes; i++)
		if (one[i] != other[i])
		{
			const int32 *rank = order->rank[i];
			bool null = one[i] == DATASET_NULL || other[i] == DATASET_NULL;
			int32 x = rank && !null ? rank[one[i]] : one[i];
			int32 y = rank && !null ? rank[other[i]] : other[i];

			/* As unsigned, NULL is the greatest. */
			return (uint32) x < (uint32) y ? -1 : 1;
		}
	return 0;
}

GroupRows *
group_query_run(const Description *description, DescribedAttribute *const *attribute,
				int attributes, Budget *budget)
{
	GroupRows *rows = palloc0(sizeof(GroupRows));
	Dataset *groups = dataset_create(DATASET_GROUPS, attributes, budget);
	GroupedRows grouped =
		grouped_rows(description, description_columns(attribute, attributes), GROUPED_FOR_ONE);
	GroupOrder order = {.attributes = attributes,
						.rank = palloc(sizeof(int32 *) * Max(attributes, 1))};

	rows->groups = groups;
	rows->attribute = attribute;
	rows->column = dataset_columns_read(
		groups, grouped_rows_select(&grouped, attribute, attributes, NULL, true), attribute, NULL,
		NULL, NULL);
	for (int i = 0; i < attributes; i++)
	{
		dataset_column_finish(rows->column[i], DICTIONARY_BY_TYPE);
		order.rank[i] = dataset_column_rank_by_bytes(rows->column[i]);
	}
	qsort_arg(groups->codes, groups->rows, sizeof(int32) * groups->stride, compare_groups, &order);
	for (int i = 0; i < attributes; i++)
		if (order.rank[i])
			pfree((void *) order.rank[i]);
	return rows;
}

char *
group_query_text(const GroupRows *rows, int attribute, int32 code)
{
	return code == DATASET_NULL ? NULL : dataset_column_text(rows->column[attribute], code);
}

/* A value belongs to the part in which the rows before it end; the first of each part cuts. */
int
group_query_cuts(const GroupRows *rows, int attribute, int parts, char **cut, const Budget *budget)
{
	const Dataset *groups = rows->groups;
	int32 values = groups->values[attribute];
	int64 *count = budget_allocate(budget, values, sizeof(int64), "values of a column");
	double all = 0;
	double before = 0;
	int part = 0;
	int cuts = 0;

	for (int64 group = 0; group < groups->rows; group++)
	{
		const int32 *record = dataset_record(groups, group);

		interrupt_check(group);
		if (record[attribute] == DATASET_NULL)
			continue;
		count[record[attribute]] += dataset_members(groups, record);
		all += (double) dataset_members(groups, record);
	}
	for (int32 code = 0; code < values; code++)
	{
		int here = (int) (before * parts / all);

		interrupt_check(code);
		if (here != part)
			cut[cuts++] = group_query_text(rows, attribute, code);
		part = here;
		before += (double) count[code];
	}
	pfree(count);
	return cuts;
}

/* ---- samples */

static Description *
describe_all(Oid relation, const char *key)
{
	Description *description = description_load_any(relation);

	description->quasi_count = 0;
	for (int i = 0; i < description->attribute_count; i++)
	{
		DescribedAttribute *attribute = &description->attributes[i];

		if (attribute->role != ROLE_IDENTIFIER && comparison_has_order(attribute->type) &&
			!(key && strcmp(attribute->name, key) == 0))
			description->quasi[description->quasi_count++] = attribute;
	}
	return description;
}

Description *
group_query_describe_sample(Oid relation, ArrayType *columns, const char *key)
{
	bool named = columns && ArrayGetNItems(ARR_NDIM(columns), ARR_DIMS(columns)) > 0;
	Description *description =
		named ? description_load(relation, columns) : describe_all(relation, key);

	if (key)
		description_get(description, key);
	if (columns && !named)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("there are no columns to look at"),
						errhint("Name some, or pass NULL for all.")));
	if (description->quasi_count == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("relation %s has no columns to look at", description->name),
				 errdetail("Identifiers and columns whose type has no order are left out.")));
	return description;
}

/* A spool for the keys, which spills before it takes a quarter of the memory limit. */
static TupleSpool *
create_keys(const Budget *budget)
{
	TupleDesc fields = CreateTemplateTupleDesc(1);

	TupleDescInitEntry(fields, 1, "key", TEXTOID, -1, 0);
	return tuple_spool_create(fields, (int) Min(budget->limit / 4096, PG_INT32_MAX));
}

static void
keep_key(void *state, Datum key, bool isnull)
{
	tuple_spool_put(state, &key, &isnull);
}

/* Does the type have a min aggregate of PostgreSQL's own? */
static bool
has_least(Oid type)
{
	const Oid base = getBaseType(type);

	return OidIsValid(
		LookupFuncName(list_make2(makeString("pg_catalog"), makeString("min")), 1, &base, true));
}

Dataset *
group_query_read_sample(const Description *description, const char *key, TupleSpool **keys,
						int64 *rows, Budget *budget)
{
	Dataset *dataset = dataset_create(DATASET_COLUMNS, description->quasi_count, budget);
	GroupedRows grouped = {.relation = description->name};
	const char *expression = NULL;
	const DescribedAttribute *attribute = key ? description_get(description, key) : NULL;
	MemoryContext values;
	MemoryContext previous;
	DatasetColumn **column;
	RowSource *source;

	if (key == NULL ||
		(has_least(attribute->type) && description_quasi(description, attribute) < 0))
		grouped = grouped_rows_with(description, description_quasi_columns(description),
									GROUPED_FOR_ONE, attribute);
	if (key)
	{
		expression = value_text_expression(
			psprintf(grouped.elsewhere ? "min(s.%s)" : "(s.%s)", quote_identifier(key)),
			attribute->type);
		*keys = create_keys(budget);
	}
	values = AllocSetContextCreate(CurrentMemoryContext, "kanon values", CONTEXT_SMALL_SIZES);
	previous = MemoryContextSwitchTo(values);
	source = grouped_rows_select(&grouped, description->quasi, description->quasi_count, expression,
								 grouped.elsewhere);
	column = dataset_columns_read(dataset, source, description->quasi, key ? keep_key : NULL,
								  key ? *keys : NULL, rows);
	for (int i = 0; i < dataset->attributes; i++)
		dataset->values[i] = dataset_column_values(column[i]);
	MemoryContextSwitchTo(previous);
	MemoryContextDelete(values);
	return dataset;
}
