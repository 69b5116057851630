/*
 * matching_names.c
 *		See matching_names.h.
 *
 * Each value of each attribute has 128 bits, unpredictable without the key.  The name of a row is
 * the sum of those of its values: sums of different values are equal only by chance.
 */
#include "postgres.h"

#include "record/matching_names.h"

#include "base/interrupt.h"
#include "port/pg_bswap.h"
#include "sql/query.h"
#include "utils/memutils.h"

#define PURPOSE "drawing of a matching"
#define RESET_EVERY 64

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

/* Adds the bits of one column's values to the names of the rows. */
static void
name_column(const MatchingRows *matching, const MatchingColumn *column, RandomSource *source,
			RowName *name)
{
	const MatchingTable *rows = matching->table;
	MemoryContext scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon names", ALLOCSET_SMALL_SIZES);

	for (int digit = 0; digit < column->count; digit++)
	{
		int attribute = column->first + digit;
		const CellTree *tree = &rows->tree[attribute];
		RowName *of_value = cell_tree_array(tree, sizeof(RowName), rows->budget);
		MemoryContext previous = MemoryContextSwitchTo(scratch);

		for (int32 value = DATASET_NULL; value < tree->values; value++)
		{
			const char *text = NULL;

			CHECK_FOR_INTERRUPTS();
			if (value != DATASET_NULL)
				text = column->digits ? column->digits->letter[digit][value]
									  : dataset_column_text(column->column, value);
			of_value[value] = name_value(source, attribute, text);
			if (value % RESET_EVERY == 0)
				MemoryContextReset(scratch);
		}
		MemoryContextSwitchTo(previous);
		for (int64 row = 0; row < rows->dataset->rows; row++)
		{
			const RowName *value = &of_value[matching_table_codes(rows, row)[attribute]];

			interrupt_check(row);
			name[row].word[0] += value->word[0];
			name[row].word[1] += value->word[1];
		}
		cell_tree_free_array(of_value, sizeof(RowName));
	}
	MemoryContextDelete(scratch);
}

RowName *
matching_names_create(const MatchingRows *matching, RandomSource *source)
{
	const MatchingTable *rows = matching->table;
	RowName *name = budget_allocate(rows->budget, rows->dataset->rows, sizeof(RowName), PURPOSE);
	QueryScope scope = query_begin();

	for (int i = 0; i < matching->columns; i++)
		name_column(matching, &matching->column[i], source, name);
	query_end(scope);
	return name;
}
