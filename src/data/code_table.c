/*
 * code_table.c
 *		See code_table.h.
 *
 * Example: the rows (25, 'f'), (NULL, 'm'), (25, NULL) become the columns
 * 1, 0, 1 and 1, 2, 0.
 */
#include "postgres.h"

#include "data/code_table.h"

#include "utils/memutils.h"

#define FIRST_CAPACITY 64
#define NULL_CODE 0 /* values follow in order of appearance */
#define PURPOSE "table of codes"

static Size
column_bytes(int64 rows)
{
	return mul_size(sizeof(int32), rows);
}

CodeTable *
code_table_create(int columns, const ValueType *types, Budget *budget)
{
	CodeTable *table = palloc0(sizeof(CodeTable));
	MemoryContext previous;

	table->columns = columns;
	table->budget = budget;
	table->before = budget->used;
	table->capacity = FIRST_CAPACITY;
	table->code = palloc(sizeof(int32 *) * columns);
	table->codes = palloc0(sizeof(int32) * columns);
	table->dictionaries = palloc(sizeof(Dictionary *) * columns);
	table->values =
		AllocSetContextCreate(CurrentMemoryContext, "kanon values", ALLOCSET_DEFAULT_SIZES);
	budget_take(budget, mul_size(column_bytes(FIRST_CAPACITY), columns), PURPOSE);
	for (int i = 0; i < columns; i++)
		table->code[i] = palloc(column_bytes(FIRST_CAPACITY));
	previous = MemoryContextSwitchTo(table->values);
	for (int i = 0; i < columns; i++)
		table->dictionaries[i] = dictionary_create(&types[i], budget);
	MemoryContextSwitchTo(previous);
	return table;
}

static void
grow(CodeTable *table)
{
	int64 capacity = Min(table->capacity * 2, (int64) PG_INT32_MAX);

	if (table->capacity == PG_INT32_MAX)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("cannot hold more than %d rows at once", PG_INT32_MAX)));
	budget_take(table->budget, mul_size(column_bytes(capacity - table->capacity), table->columns),
				PURPOSE);
	for (int i = 0; i < table->columns; i++)
		table->code[i] = repalloc_huge(table->code[i], column_bytes(capacity));
	table->capacity = capacity;
}

void
code_table_add(CodeTable *table, const Datum *values, const bool *nulls)
{
	if (table->rows == table->capacity)
		grow(table);
	for (int i = 0; i < table->columns; i++)
		table->code[i][table->rows] =
			nulls[i] ? NULL_CODE
					 : NULL_CODE + 1 + dictionary_encode(table->dictionaries[i], values[i]);
	table->rows++;
}

void
code_table_finish(CodeTable *table)
{
	Size kept = mul_size(column_bytes(table->capacity), table->columns);

	for (int i = 0; i < table->columns; i++)
		table->codes[i] = NULL_CODE + 1 + dictionary_size(table->dictionaries[i]);
	MemoryContextDelete(table->values);
	table->dictionaries = NULL;
	budget_give(table->budget, table->budget->used - table->before - kept);
}
