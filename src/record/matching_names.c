/*
 * matching_names.c
 *		See matching_names.h.
 *
 * Each value of each attribute has 128 bits of its own, which nobody can foretell who does not
 * know the key.  The name of a row is the sum of those of its values: sums of other values
 * are equal by chance only.
 */
#include "postgres.h"

#include "record/matching_names.h"

#include "base/interrupt.h"
#include "port/pg_bswap.h"
#include "sql/query.h"
#include "sql/value_text.h"
#include "utils/memutils.h"

#define PURPOSE "drawing of a matching"
#define RESET_EVERY 64

/* Writes the values of one attribute. */
typedef struct ValueWriter
{
	const MatchingColumn *column;
	int digit; /* of the column */
	ValueText text;
} ValueWriter;

/* The text of a value; NULL for NULL. */
static const char *
write_value(ValueWriter *writer, int32 value)
{
	const MatchingColumn *column = writer->column;
	const MaskedDigits *masked = column->digits;

	if (value == DATASET_NULL)
		return NULL;
	if (masked)
		return masked->letter[writer->digit][value];
	if (column->domain)
		return value_text_write(
			&writer->text,
			dictionary_value(column->domain->ground, column->domain->value_of_code[value]));
	return value_text_write(&writer->text, dataset_column_value(column->column, value));
}

static RowName
name_value(RandomSource *source, int attribute, const char *text)
{
	uint32 number = pg_hton32((uint32) attribute);
	RandomKey key;
	RowName name;

	random_source_add(source, "value", sizeof("value"));
	random_source_add(source, &number, sizeof(number));
	if (text)
		random_source_add(source, text, strlen(text) + 1);
	key = random_source_key(source);
	memcpy(name.word, key.byte, sizeof(name.word));
	for (int i = 0; i < 2; i++)
		name.word[i] = pg_ntoh64(name.word[i]);
	return name;
}

/* [code]; the texts lie in the current context, which is emptied now and then. */
static void
name_values(ValueWriter *writer, RandomSource *source, int attribute, int32 values, RowName *name)
{
	for (int32 value = DATASET_NULL; value < values; value++)
	{
		CHECK_FOR_INTERRUPTS();
		name[value] = name_value(source, attribute, write_value(writer, value));
		if (value % RESET_EVERY == 0)
			MemoryContextReset(CurrentMemoryContext);
	}
}

static void
add_names(const MatchingTable *rows, int attribute, const RowName *of_value, RowName *name)
{
	for (int64 row = 0; row < rows->dataset->rows; row++)
	{
		const RowName *value = &of_value[matching_table_codes(rows, row)[attribute]];

		interrupt_check(row);
		name[row].word[0] += value->word[0];
		name[row].word[1] += value->word[1];
	}
}

static void
name_column(const MatchingRows *matching, const MatchingColumn *column, RandomSource *source,
			RowName *name)
{
	const MatchingTable *rows = matching->rows;
	ValueWriter writer = {.column = column,
						  .text = value_text_writer(dataset_column_type(column->column))};
	MemoryContext scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon names", ALLOCSET_SMALL_SIZES);

	for (; writer.digit < column->count; writer.digit++)
	{
		int attribute = column->first + writer.digit;
		const CellTree *tree = &rows->tree[attribute];
		RowName *of_value = cell_tree_array(tree, sizeof(RowName), rows->budget);
		MemoryContext previous = MemoryContextSwitchTo(scratch);

		name_values(&writer, source, attribute, tree->values, of_value);
		MemoryContextSwitchTo(previous);
		add_names(rows, attribute, of_value, name);
		cell_tree_free_array(of_value, sizeof(RowName));
	}
	MemoryContextDelete(scratch);
}

RowName *
matching_names_create(const MatchingRows *matching, RandomSource *source)
{
	const MatchingTable *rows = matching->rows;
	RowName *name = budget_allocate(rows->budget, rows->dataset->rows, sizeof(RowName), PURPOSE);
	QueryScope scope = query_begin();

	for (int i = 0; i < matching->columns; i++)
		name_column(matching, &matching->column[i], source, name);
	query_end(scope);
	return name;
}
