/*
 * record_whole.c
 *		See record_whole.h.
 */
#include "postgres.h"

#include "record/record_whole.h"

#include "base/context.h"
#include "base/interrupt.h"
#include "common/int.h"
#include "dimension/sensitive_values.h"
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
	int64 first; /* of its values with rows; the number of values if there is none */
} WholeColumn;

pg_noreturn static void
report_shape(const char *name)
{
	ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					errmsg("whole has no values and rows of column \"%s\"", name),
					errhint("kanon_view_whole makes it.")));
}

/* The array of this name in an object; NULL if there is none. */
static JsonbContainer *
array_of(JsonbContainer *object, const char *key)
{
	JsonbValue value;

	if (getKeyJsonValueFromContainer(object, key, (int) strlen(key), &value) == NULL ||
		value.type != jbvBinary || !JsonContainerIsArray(value.val.binary.data))
		return NULL;
	return value.val.binary.data;
}

static JsonbContainer *
find_array(JsonbContainer *object, const char *key, const char *name)
{
	JsonbContainer *found = array_of(object, key);

	if (found == NULL)
		report_shape(name);
	return found;
}

/* The object of a column; NULL if there is none. */
static JsonbContainer *
find_column(const Jsonb *whole, const char *name)
{
	JsonbValue value;

	if (!JB_ROOT_IS_OBJECT(whole) ||
		getKeyJsonValueFromContainer((JsonbContainer *) &whole->root, name, (int) strlen(name),
									 &value) == NULL ||
		value.type != jbvBinary || !JsonContainerIsObject(value.val.binary.data))
		return NULL;
	return value.val.binary.data;
}

static WholeColumn
open_column(const Jsonb *whole, const DescribedAttribute *attribute)
{
	Oid base = getBaseType(attribute->type);
	WholeColumn column = {.name = attribute->name};
	JsonbContainer *object;

	if (value_cast_is_checked(base))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("a whole cannot tell values of column \"%s\"", column.name),
				 errdetail(
					 "Values of type %s are checked by code of its owner when they are read back.",
					 format_type_be(base))));
	column.reader = value_text_reader(base);

	object = find_column(whole, column.name);
	if (object == NULL)
		report_shape(column.name);
	column.values = find_array(object, "values", column.name);
	column.rows = find_array(object, "rows", column.name);
	column.count = JsonContainerSize(column.values);
	if (column.count != JsonContainerSize(column.rows))
		report_shape(column.name);
	return column;
}

/* A text of an array; NULL for null. */
static char *
text_at(const JsonbContainer *array, int64 at, const char *name)
{
	const JsonbValue *value = getIthJsonbValueFromContainer((JsonbContainer *) array, (uint32) at);

	if (value == NULL || (value->type != jbvNull && value->type != jbvString))
		report_shape(name);
	return value->type == jbvNull ? NULL : pnstrdup(value->val.string.val, value->val.string.len);
}

/* In scratch memory, which later calls reset. */
static Datum
value_at(const RecordCodes *codes, WholeColumn *column, int64 at, bool *isnull)
{
	MemoryContext previous = MemoryContextSwitchTo(codes->scratch);
	char *text = text_at(column->values, at, column->name);
	Datum read = (Datum) 0;

	*isnull = text == NULL;
	if (text)
		read = value_text_read(&column->reader, text);
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

/* Sets the first value that has rows. */
static void
find_first(const RecordCodes *codes, WholeColumn *column)
{
	while (column->first < column->count && rows_at(codes, column, column->first) == 0)
	{
		interrupt_check(column->first);
		column->first++;
	}
}

/* The value of a column in a row that has the values at a place: its own, or else its first. */
static int64
place_of_value(const RecordCodes *codes, const WholeColumn *column, int64 at)
{
	return at < column->count && rows_at(codes, column, at) > 0 ? at : column->first;
}

/* Encodes these values of the columns, or the first of those that have no more. */
static void
encode_row(RecordCodes *codes, WholeColumn *column, int64 at)
{
	dataset_append(codes->dataset, 1);
	for (int i = 0; i < codes->dataset->attributes; i++)
	{
		bool isnull;
		Datum value = value_at(codes, &column[i], place_of_value(codes, &column[i], at), &isnull);

		dataset_column_encode(codes->column[i], value, isnull);
	}
	for (int i = 0; i < codes->dataset->attributes; i++)
		dataset_column_leave(codes->column[i], 1);
	codes->dataset->rows = 0;
}

void
record_whole_tell(RecordCodes *codes)
{
	int attributes = codes->dataset->attributes;
	WholeColumn *column = palloc(sizeof(WholeColumn) * attributes);
	int64 most = 0;

	for (int i = 0; i < attributes; i++)
	{
		column[i] = open_column(codes->request.whole, codes->description->quasi[i]);
		find_first(codes, &column[i]);
		if (column[i].first < column[i].count)
			most = Max(most, column[i].count);
	}
	/* Each row has a value in each column, be it NULL. */
	for (int i = 0; i < attributes; i++)
		if (most > 0 && column[i].first == column[i].count)
			report_shape(column[i].name);
	record_spill_make_room(codes);
	for (int64 at = 0; at < most; at++)
	{
		interrupt_check(at);
		encode_row(codes, column, at);
		if (at % RECORD_RESET_EVERY == 0)
			MemoryContextReset(codes->scratch);
	}
	for (int i = 0; i < attributes; i++)
		dataset_column_know(codes->column[i]);
	for (int i = 0; codes->sensitive && i < codes->description->demand.columns; i++)
		expect_values(codes, i);
	pfree(column);
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

RecordCodes *
record_whole_codes(const Description *description, const RecordRequest *request, Budget *budget)
{
	RecordCodes *codes = record_codes_create(description, request, 0, NULL, budget);

	record_codes_finish(codes);
	return codes;
}

int64
record_whole_rows(const RecordCodes *codes)
{
	WholeColumn column = open_column(codes->request.whole, codes->description->quasi[0]);
	int64 rows = 0;

	for (int64 at = 0; at < column.count; at++)
	{
		interrupt_check(at);
		if (pg_add_s64_overflow(rows, rows_at(codes, &column, at), &rows))
			report_shape(column.name);
	}
	MemoryContextReset(codes->scratch);
	return rows;
}

/* ---- labels */

bool
record_whole_has_labels(const Jsonb *whole, const DescribedAttribute *attribute)
{
	JsonbContainer *column = find_column(whole, attribute->name);

	return column && array_of(column, "labels");
}

/* The texts at one place of each of these arrays, [1 ..]; fewer are an error. */
static char **
texts_at(JsonbContainer *const *array, int count, int64 at, const char *name)
{
	char **texts = palloc(sizeof(char *) * (count + 1));

	for (int i = 1; i <= count; i++)
		if ((texts[i] = text_at(array[i], at, name)) == NULL)
			report_shape(name);
	return texts;
}

/* The arrays of labels, [1 ..]: as many as there are levels, of the same length. */
static JsonbContainer **
label_arrays(JsonbContainer *labels, int height, const char *name)
{
	JsonbContainer **array = palloc(sizeof(JsonbContainer *) * (height + 1));

	for (int i = 1; i <= height; i++)
	{
		const JsonbValue *level = getIthJsonbValueFromContainer(labels, (uint32) (i - 1));

		if (level->type != jbvBinary || !JsonContainerIsArray(level->val.binary.data))
			report_shape(name);
		array[i] = level->val.binary.data;
		if (JsonContainerSize(array[i]) != JsonContainerSize(array[1]))
			report_shape(name);
	}
	return array;
}

/* Hands all values that have labels to a domain. */
static void
hand_values(AttributeDomain *domain, WholeColumn *column, JsonbContainer *const *level)
{
	MemoryContext scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon labels", CONTEXT_SMALL_SIZES);

	if (domain->height > 0 && JsonContainerSize(level[1]) > column->count)
		report_shape(column->name);
	for (int64 at = 0; at < (int64) (domain->height > 0 ? JsonContainerSize(level[1]) : 0); at++)
	{
		MemoryContext previous = MemoryContextSwitchTo(scratch);
		char **label = texts_at(level, domain->height, at, column->name);
		char *value = text_at(column->values, at, column->name);
		Datum read;

		interrupt_check(at);
		if (value == NULL)
			report_shape(column->name);
		read = value_text_read(&column->reader, value);
		MemoryContextSwitchTo(previous);
		if (!dimension_query_hand(domain, read, label))
			report_shape(column->name);
		MemoryContextReset(scratch);
	}
	MemoryContextDelete(scratch);
}

AttributeDomain *
record_whole_domain(const Jsonb *whole, const Description *description,
					const DescribedAttribute *attribute, UnknownValues unknown_values,
					Budget *budget)
{
	JsonbContainer *object = find_column(whole, attribute->name);
	WholeColumn column = open_column(whole, attribute);
	JsonbContainer *labels = find_array(object, "labels", column.name);
	JsonbContainer *unknown = find_array(object, "unknown", column.name);
	int height = (int) JsonContainerSize(labels);
	char **other = palloc(sizeof(char *) * (height + 1));
	AttributeDomain *domain;

	if (height > DIMENSION_MAX_LEVELS || (int) JsonContainerSize(unknown) != height)
		report_shape(column.name);
	domain = dimension_query_empty(description, attribute, unknown_values, height, budget);
	hand_values(domain, &column, label_arrays(labels, height, column.name));
	for (int i = 1; i <= height; i++)
		other[i] = text_at(unknown, i - 1, column.name);
	dimension_query_handed(domain, other);
	return domain;
}

/* Puts an array of texts into an object, or of numbers. */
static void
begin_array(JsonbParseState **state, const char *key)
{
	JsonbValue name = {.type = jbvString,
					   .val.string = {.val = unconstify(char *, key), .len = (int) strlen(key)}};

	if (key[0] != '\0')
		(void) pushJsonbValue(state, WJB_KEY, &name);
	(void) pushJsonbValue(state, WJB_BEGIN_ARRAY, NULL);
}

static void
push_text(JsonbParseState **state, char *text)
{
	JsonbValue value = {.type = jbvNull};

	if (text)
		value =
			(JsonbValue){.type = jbvString, .val.string = {.val = text, .len = (int) strlen(text)}};
	(void) pushJsonbValue(state, WJB_ELEM, &value);
}

static void
push_number(JsonbParseState **state, int64 number)
{
	JsonbValue value = {.type = jbvNumeric, .val.numeric = int64_to_numeric(number)};

	(void) pushJsonbValue(state, WJB_ELEM, &value);
}

/* The members of a value; 1 if it has the code of NULL, with others. */
static int64
members_of(const AttributeDomain *domain, int32 value)
{
	int32 code = domain->final_code[value + 1];

	if (code < 0)
		return value < domain->declared ? 0 : 1;
	return domain->marginal[code];
}

/*
 * The values of a column with a dimension: those with labels, in their order, then the others, then
 * NULL.
 */
static void
push_domain(JsonbParseState **state, AttributeDomain *domain)
{
	const int32 *order = dimension_query_declared(domain);
	int32 values = dictionary_size(domain->ground);
	int64 nulls = domain->dimension->has_null ? domain->marginal[domain->final_code[0]] : 0;

	begin_array(state, "values");
	for (int32 i = 0; i < values; i++)
		push_text(state, dimension_query_text(domain, 0, i < domain->declared ? order[i] : i));
	if (nulls)
		push_text(state, NULL);
	(void) pushJsonbValue(state, WJB_END_ARRAY, NULL);
	begin_array(state, "rows");
	for (int32 i = 0; i < values; i++)
	{
		interrupt_check(i);
		push_number(state, members_of(domain, i < domain->declared ? order[i] : i));
	}
	if (nulls)
		push_number(state, nulls);
	(void) pushJsonbValue(state, WJB_END_ARRAY, NULL);
	begin_array(state, "labels");
	for (int level = 1; level <= domain->height; level++)
	{
		begin_array(state, "");
		for (int32 i = 0; i < domain->declared; i++)
			push_text(state, dimension_query_text(domain, level, order[i]));
		(void) pushJsonbValue(state, WJB_END_ARRAY, NULL);
	}
	(void) pushJsonbValue(state, WJB_END_ARRAY, NULL);
	begin_array(state, "unknown");
	for (int level = 1; level <= domain->height; level++)
		push_text(state, dimension_query_unknown_label(domain, level));
	(void) pushJsonbValue(state, WJB_END_ARRAY, NULL);
}

static bool
is_named(const DescribedAttribute *attribute, const JsonbValue *key)
{
	return strncmp(attribute->name, key->val.string.val, key->val.string.len) == 0 &&
		   attribute->name[key->val.string.len] == '\0';
}

/* The domain, with labels, of the column that a whole calls so; NULL if it has no dimension. */
static AttributeDomain *
domain_of_key(const RecordCodes *codes, const JsonbValue *key)
{
	const Description *description = codes->description;

	for (int i = 0; i < codes->dataset->attributes; i++)
		if (codes->column[i]->hierarchical && is_named(codes->column[i]->attribute, key))
			return codes->column[i]->domain;
	for (int i = 0; i < description->demand.columns; i++)
		if (sensitive_values_has_levels(description->sensitive[i]) &&
			is_named(description->sensitive[i], key))
			return description->sensitive[i]->domain;
	return NULL;
}

Jsonb *
record_whole_with_labels(const RecordCodes *codes)
{
	JsonbIterator *from = JsonbIteratorInit((JsonbContainer *) &codes->request.whole->root);
	JsonbParseState *state = NULL;
	JsonbValue value;
	JsonbValue *made = pushJsonbValue(&state, JsonbIteratorNext(&from, &value, true), NULL);
	JsonbIteratorToken token;

	while ((token = JsonbIteratorNext(&from, &value, true)) != WJB_DONE)
	{
		AttributeDomain *domain = token == WJB_KEY ? domain_of_key(codes, &value) : NULL;

		made = pushJsonbValue(&state, token, token < WJB_BEGIN_ARRAY ? &value : NULL);
		if (domain == NULL)
			continue;
		/* Its object, as it was, is skipped. */
		(void) JsonbIteratorNext(&from, &value, true);
		(void) pushJsonbValue(&state, WJB_BEGIN_OBJECT, NULL);
		push_domain(&state, domain);
		(void) pushJsonbValue(&state, WJB_END_OBJECT, NULL);
	}
	return JsonbValueToJsonb(made);
}
