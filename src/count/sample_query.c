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
#include "miscadmin.h"
#include "nodes/value.h"
#include "parser/parse_func.h"
#include "relation/grouped_rows.h"
#include "sql/comparison.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/tuplestore.h"

struct SampleKeys
{
	MemoryContext context;
	Tuplestorestate *store; /* one text each */
	TupleDesc desc;
	TupleTableSlot *slot;
};

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

static SampleKeys *
create_keys(const Budget *budget)
{
	SampleKeys *keys = palloc(sizeof(SampleKeys));

	keys->context = CurrentMemoryContext;
	keys->desc = CreateTemplateTupleDesc(1);
	TupleDescInitEntry(keys->desc, 1, "key", TEXTOID, -1, 0);
	keys->store =
		tuplestore_begin_heap(false, false, (int) Min((Size) work_mem, budget->limit / 4096));
	keys->slot = MakeSingleTupleTableSlot(keys->desc, &TTSOpsMinimalTuple);
	return keys;
}

static void
keep_key(void *state, Datum key, bool isnull)
{
	SampleKeys *keys = state;

	tuplestore_putvalues(keys->store, keys->desc, &key, &isnull);
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
sample_query_read(const Description *description, const char *key, SampleKeys **keys, int64 *rows,
				  Budget *budget)
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
		grouped = grouped_rows_with(description, description_quasi_columns(description), attribute);
	if (key)
	{
		expression = value_text_expression(
			psprintf(grouped.elsewhere ? "min(s.%s)" : "(s.%s)", quote_identifier(key)),
			attribute->type);
		*keys = create_keys(budget);
	}
	values = AllocSetContextCreate(CurrentMemoryContext, "kanon values", ALLOCSET_SMALL_SIZES);
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

Datum
sample_query_next_key(SampleKeys *keys, bool *isnull)
{
	MemoryContext previous = MemoryContextSwitchTo(keys->context);

	/* A spilled tuple is read into memory that the slot frees at the next call. */
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
