/*
 * record_whole.c
 *		See record_whole.h.
 */
#include "postgres.h"

#include "record/record_whole.h"

#include "base/interrupt.h"
#include "common/int.h"
#include "partition/region.h"
#include "record/record_spill.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/numeric.h"

/* A column of a whole. */
typedef struct WholeColumn
{
	const char *name;
	ValueText reader;
	JsonbContainer *values;
	JsonbContainer *rows;
	int64 count;
} WholeColumn;

pg_noreturn static void
report_shape(const char *name)
{
	ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					errmsg("whole has no values and rows of column \"%s\"", name),
					errhint("kanon_view_whole makes it.")));
}

/* The array of this name in an object. */
static JsonbContainer *
find_array(JsonbContainer *object, const char *key, const char *name)
{
	JsonbValue value;

	if (getKeyJsonValueFromContainer(object, key, (int) strlen(key), &value) == NULL ||
		value.type != jbvBinary || !JsonContainerIsArray(value.val.binary.data))
		report_shape(name);
	return value.val.binary.data;
}

static WholeColumn
open_column(const Jsonb *whole, const DescribedAttribute *attribute)
{
	Oid base = getBaseType(attribute->type);
	WholeColumn column = {.name = attribute->name};
	JsonbValue value;

	if (value_cast_is_checked(base))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("a whole cannot tell values of column \"%s\"", column.name),
				 errdetail(
					 "Values of type %s are checked by code of its owner when they are read back.",
					 format_type_be(base))));
	column.reader = value_text_reader(base);

	if (!JB_ROOT_IS_OBJECT(whole) ||
		getKeyJsonValueFromContainer((JsonbContainer *) &whole->root, column.name,
									 (int) strlen(column.name), &value) == NULL ||
		value.type != jbvBinary || !JsonContainerIsObject(value.val.binary.data))
		report_shape(column.name);
	column.values = find_array(value.val.binary.data, "values", column.name);
	column.rows = find_array(value.val.binary.data, "rows", column.name);
	column.count = JsonContainerSize(column.values);
	if (column.count != JsonContainerSize(column.rows))
		report_shape(column.name);
	return column;
}

/* In scratch memory, which later calls reset. */
static Datum
value_at(const RecordCodes *codes, WholeColumn *column, int64 at, bool *isnull)
{
	MemoryContext previous = MemoryContextSwitchTo(codes->scratch);
	const JsonbValue *value = getIthJsonbValueFromContainer(column->values, (uint32) at);
	Datum read = (Datum) 0;

	*isnull = value->type == jbvNull;
	if (!*isnull && value->type != jbvString)
		report_shape(column->name);
	if (!*isnull)
		read = value_text_read(&column->reader,
							   pnstrdup(value->val.string.val, value->val.string.len));
	MemoryContextSwitchTo(previous);
	return read;
}

static int64
rows_at(const RecordCodes *codes, const WholeColumn *column, int64 at)
{
	MemoryContext previous = MemoryContextSwitchTo(codes->scratch);
	const JsonbValue *rows = getIthJsonbValueFromContainer(column->rows, (uint32) at);
	int64 number;

	if (rows->type != jbvNumeric)
		report_shape(column->name);
	number = DatumGetInt64(DirectFunctionCall1(numeric_int8, NumericGetDatum(rows->val.numeric)));
	MemoryContextSwitchTo(previous);
	if (number < 0)
		report_shape(column->name);
	return number;
}

static void
expect_values(RecordCodes *codes, int number)
{
	WholeColumn column = open_column(codes->request.whole, codes->description->sensitive[number]);
	int64 all = 0;

	for (int64 at = 0; at < column.count; at++)
	{
		bool isnull;
		Datum value = value_at(codes, &column, at, &isnull);
		int64 rows = rows_at(codes, &column, at);

		interrupt_check(at);
		if (pg_add_s64_overflow(all, rows, &all))
			report_shape(column.name);
		sensitive_rows_expect(codes->sensitive, number, value, isnull, rows);
		if (at % RECORD_RESET_EVERY == 0)
			MemoryContextReset(codes->scratch);
	}
}

/* Appends a row with these values of the columns, or with the first of those that have no more. */
static void
append_row(RecordCodes *codes, WholeColumn *column, int64 at)
{
	record_spill_make_room(codes);
	dataset_append(codes->dataset, 1);
	for (int i = 0; i < codes->dataset->attributes; i++)
	{
		bool isnull;
		Datum value = value_at(codes, &column[i], at < column[i].count ? at : 0, &isnull);

		dataset_column_encode(codes->column[i], value, isnull);
	}
}

void
record_whole_begin(RecordCodes *codes)
{
	int attributes = codes->dataset->attributes;
	WholeColumn *column = palloc(sizeof(WholeColumn) * attributes);
	int64 rows = codes->dataset->rows;
	int64 most = 0;

	for (int i = 0; i < attributes; i++)
	{
		column[i] = open_column(codes->request.whole, codes->description->quasi[i]);
		codes->column[i]->real = rows;
		most = Max(most, column[i].count);
	}
	/* Each row has a value in each column, be it NULL. */
	for (int i = 0; i < attributes; i++)
		if (most > 0 && column[i].count == 0)
			report_shape(column[i].name);
	for (int64 at = 0; at < most; at++)
	{
		interrupt_check(at);
		append_row(codes, column, at);
		if (at % RECORD_RESET_EVERY == 0)
			MemoryContextReset(codes->scratch);
	}
	for (int i = 0; codes->sensitive && i < codes->description->demand.columns; i++)
		expect_values(codes, i);
	pfree(column);
}

void
record_whole_end(RecordCodes *codes, int64 rows)
{
	for (int i = 0; i < codes->dataset->attributes; i++)
		dataset_column_leave(codes->column[i], codes->dataset->rows);
	codes->dataset->rows = rows;
}

RecodingColumn *
record_whole_columns(const RecordCodes *codes)
{
	RecodingColumn *whole = palloc(sizeof(RecodingColumn) * codes->dataset->attributes);

	for (int i = 0; i < codes->dataset->attributes; i++)
	{
		const DatasetColumn *column = codes->column[i];

		whole[i] = region_column(&column->codes, column->minimum, column->maximum);
	}
	return whole;
}
