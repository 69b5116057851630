/*
 * sample_query.c
 *		See sample_query.h.
 */
#include "postgres.h"

#include "count/sample_query.h"

#include "catalog/pg_type.h"
#include "dimension/dataset_column.h"
#include "executor/executor.h"
#include "executor/tuptable.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "sql/comparison.h"
#include "sql/query.h"
#include "sql/row_query.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/tuplestore.h"

struct SampleKeys
{
	MemoryContext context;
	Tuplestorestate *store; /* one text each */
	TupleDesc desc;
	TupleTableSlot *slot;
};

typedef struct KeyedScan
{
	Dataset *dataset;
	DatasetColumn **column;
	SampleKeys *keys; /* or NULL */
} KeyedScan;

static Description *
describe_all(Oid relation, const char *key)
{
	Description *description = description_load_any(relation);

	description->quasi_count = 0;
	for (int i = 0; i < description->attribute_count; i++)
	{
		const DescribedAttribute *attribute = &description->attributes[i];

		if (attribute->role != ROLE_IDENTIFIER && comparison_has_order(attribute->type) &&
			!(key && strcmp(attribute->name, key) == 0))
			description->quasi[description->quasi_count++] = i;
	}
	return description;
}

Description *
sample_query_describe(Oid relation, ArrayType *columns, const char *key)
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

static char *
select_text(const Description *description, const char *key)
{
	StringInfoData sql;

	initStringInfo(&sql);
	for (int i = 0; i < description->quasi_count; i++)
		appendStringInfo(&sql, "%s s.%s", i > 0 ? "," : "SELECT",
						 quote_identifier(description->attributes[description->quasi[i]].name));
	if (key)
		appendStringInfo(&sql, ", %s",
						 value_text_expression(psprintf("s.%s", quote_identifier(key)),
											   description_get(description, key)->type));
	appendStringInfo(&sql, " FROM %s s", description->name);
	return sql.data;
}

static SampleKeys *
create_keys(void)
{
	SampleKeys *keys = palloc(sizeof(SampleKeys));

	keys->context = CurrentMemoryContext;
	keys->desc = CreateTemplateTupleDesc(1);
	TupleDescInitEntry(keys->desc, 1, "key", TEXTOID, -1, 0);
	keys->store = tuplestore_begin_heap(false, false, work_mem);
	keys->slot = MakeSingleTupleTableSlot(keys->desc, &TTSOpsMinimalTuple);
	return keys;
}

static void
consume_row(void *state, const Datum *values, const bool *nulls, int64 count)
{
	KeyedScan *scan = state;
	int columns = scan->dataset->attributes;

	dataset_append(scan->dataset, count);
	for (int i = 0; i < columns; i++)
		dataset_column_encode(scan->column[i], values[i], nulls[i]);
	if (scan->keys)
		tuplestore_putvalues(scan->keys->store, scan->keys->desc,
							 unconstify(Datum *, &values[columns]),
							 unconstify(bool *, &nulls[columns]));
}

static DatasetColumn **
create_columns(const Description *description, Dataset *dataset)
{
	DatasetColumn **column = palloc(sizeof(DatasetColumn *) * dataset->attributes);

	for (int i = 0; i < dataset->attributes; i++)
	{
		const DescribedAttribute *attribute = &description->attributes[description->quasi[i]];

		column[i] =
			dataset_column_create(dataset, i, attribute->type, attribute->collation, NULL, true);
	}
	return column;
}

Dataset *
sample_query_read(const Description *description, const char *key, SampleKeys **keys,
				  Budget *budget)
{
	Size before = budget->used;
	RowSource *rows = row_query_create(select_text(description, key), false);
	KeyedScan scan = {.dataset = dataset_create(DATASET_COLUMNS, description->quasi_count, budget),
					  .keys = key ? create_keys() : NULL};
	MemoryContext values =
		AllocSetContextCreate(CurrentMemoryContext, "kanon values", ALLOCSET_DEFAULT_SIZES);
	MemoryContext previous = MemoryContextSwitchTo(values);

	scan.column = create_columns(description, scan.dataset);
	MemoryContextSwitchTo(previous);
	rows->scan(rows, consume_row, &scan);
	for (int i = 0; i < scan.dataset->attributes; i++)
		scan.dataset->values[i] = dataset_column_values(scan.column[i]);
	MemoryContextDelete(values);
	budget_give(budget, budget->used - before - dataset_bytes(scan.dataset));
	if (key)
		*keys = scan.keys;
	return scan.dataset;
}

Datum
sample_query_next_key(SampleKeys *keys, bool *isnull)
{
	MemoryContext previous = MemoryContextSwitchTo(keys->context);

	/* What was spilled is read into memory that the slot frees at the next call. */
	if (!tuplestore_gettupleslot(keys->store, true, false, keys->slot))
		elog(ERROR, "there are fewer keys than rows");
	MemoryContextSwitchTo(previous);
	return slot_getattr(keys->slot, 1, isnull);
}

void
sample_query_end_keys(SampleKeys *keys)
{
	ExecDropSingleTupleTableSlot(keys->slot);
	tuplestore_end(keys->store);
}
