/*
 * row_classes.c
 *		See row_classes.h.
 *
 * An entry is the row, counted from the first row of its tape, and its number.  Example: the
 * classes of six rows, three in memory at a time; rows 4, 0 are class 1, rows 5, 1, 3, 2 class 2.
 * The first tape has (0, 1), (1, 2), (2, 2), the second (1, 1), (2, 2), (0, 2).
 */
#include "postgres.h"

#include "data/row_classes.h"

#include "base/interrupt.h"

#define LEAST_ROWS 256
#define SHARE 4 /* a tape being read takes at most a quarter of the memory limit */
#define CHUNK 4096
#define PURPOSE "what is known of each row"

typedef struct RowEntry
{
	int32 row;
	int32 number;
} RowEntry;

#define ENTRY_CODES ((int) (sizeof(RowEntry) / sizeof(int32)))

struct RowStore
{
	MemoryContext context;
	Budget *budget;
	CodeTapes *tapes;
	int64 range; /* rows of one tape */
	int count;
	CodeTape **tape; /* NULL: nothing was put yet */
	int64 loaded;    /* the tape in memory; -1: none yet */
	int32 *numbers;  /* its numbers, by row */
	RowEntry *chunk;
};

RowStore *
row_store_create(int64 rows, CodeTapes *tapes, Budget *budget)
{
	RowStore *store = palloc0(sizeof(RowStore));

	store->context = CurrentMemoryContext;
	store->budget = budget;
	store->tapes = tapes;
	store->range = Max((int64) (budget->limit / SHARE / sizeof(int32)), LEAST_ROWS);
	store->range = Min(store->range, Max(rows, 1));
	store->loaded = -1;
	store->count = (int) ((rows + store->range - 1) / store->range);
	store->tape = palloc0(sizeof(CodeTape *) * Max(store->count, 1));
	return store;
}

void
row_store_put(RowStore *store, int32 row, int32 number)
{
	CodeTape **tape = &store->tape[row / store->range];
	RowEntry entry = {.row = (int32) (row % store->range), .number = number};

	if (*tape == NULL)
	{
		budget_check(store->budget, CODE_TAPE_BYTES, PURPOSE);
		*tape = code_tape_create(store->tapes, 1);
	}
	code_tape_append_many(*tape, (const int32 *) &entry, ENTRY_CODES);
}

static void
load(RowStore *store, int64 number)
{
	CodeTape *tape = store->tape[number];
	int64 count;

	if (store->numbers == NULL)
	{
		store->numbers = budget_allocate_in(store->budget, store->context,
											mul_size(sizeof(int32), store->range), PURPOSE);
		store->chunk = MemoryContextAlloc(store->context, sizeof(RowEntry) * CHUNK);
	}
	memset(store->numbers, 0, sizeof(int32) * store->range);
	store->loaded = number;
	if (tape == NULL)
		return;
	code_tape_rewind(tape);
	while ((count = code_tape_read(tape, (int32 *) store->chunk, ENTRY_CODES * CHUNK)) > 0)
		for (int64 i = 0; i < count / ENTRY_CODES; i++)
			store->numbers[store->chunk[i].row] = store->chunk[i].number;
}

int32
row_store_get(RowStore *store, int64 row)
{
	if (row / store->range != store->loaded)
		load(store, row / store->range);
	return store->numbers[row % store->range];
}

static void
free_store(RowStore *store)
{
	for (int i = 0; i < store->count; i++)
		if (store->tape[i])
			code_tape_close(store->tape[i]);
	if (store->numbers)
	{
		pfree(store->numbers);
		pfree(store->chunk);
	}
	pfree(store->tape);
	pfree(store);
}

/* ---- classes */

/*
 * While classes are renumbered, some at a time, those that have a new number are told apart: in
 * memory it is negative, and stays so; on tape it lies in another store.
 */
struct RowClasses
{
	MemoryContext context;
	int64 rows;
	int32 *class_of_row;
	RowStore *store;   /* used instead if the recoding comes in pieces */
	RowStore *renamed; /* NULL: none yet */
	int32 adding;      /* the class being recorded */
	int32 *number;     /* [class - 1]: another number; NULL: it has its own */
};

RowClasses *
row_classes_create(const Recoding *recoding, CodeTapes *tapes, Budget *budget, bool outlive)
{
	RowClasses *classes = palloc0(sizeof(RowClasses));

	classes->context = CurrentMemoryContext;
	classes->rows = recoding->rows;
	classes->class_of_row = unconstify(int32 *, recoding->group_of_row);
	if (recoding->next)
		classes->store = row_store_create(recoding->rows, tapes, budget);
	else if (outlive)
		classes->class_of_row =
			memcpy(budget_allocate(budget, recoding->rows, sizeof(int32), PURPOSE),
				   recoding->group_of_row, sizeof(int32) * recoding->rows);
	return classes;
}

static void
put_class(void *state, int32 row, const int32 *code)
{
	RowClasses *classes = state;

	(void) code;
	row_store_put(classes->store, row, classes->adding);
}

void
row_classes_add(RowClasses *classes, const Recoding *recoding, int32 class)
{
	classes->adding = recoding->groups_before + class;
	if (classes->store)
		recoding->each_row(recoding, class, put_class, classes);
}

int32 *
row_classes_numbers(RowClasses *classes, int32 count, const Budget *budget)
{
	classes->number = budget_allocate_in(budget, classes->context,
										 mul_size(sizeof(int32), Max(count, 1)), PURPOSE);
	return classes->number;
}

/* Keeps the new number of a row. */
static void
rename_row(RowClasses *classes, int64 row, int32 number)
{
	if (classes->store)
		row_store_put(classes->renamed, (int32) row, number);
	else
		classes->class_of_row[row] = -number;
}

void
row_classes_rename(RowClasses *classes, int32 first, int32 count, const int32 *number)
{
	RowStore *store = classes->store;

	if (store && classes->renamed == NULL)
		classes->renamed = row_store_create(classes->rows, store->tapes, store->budget);
	for (int64 row = 0; row < classes->rows; row++)
	{
		int64 place = (store ? row_store_get(store, row) : classes->class_of_row[row]) - first;

		interrupt_check(row);
		if (place >= 0 && place < count)
			rename_row(classes, row, number[place]);
	}
}

void
row_classes_renamed(RowClasses *classes)
{
	if (classes->renamed == NULL)
		return;
	free_store(classes->store);
	classes->store = classes->renamed;
	classes->renamed = NULL;
}

int32
row_classes_get(const RowClasses *classes, int64 row)
{
	int32 class =
		classes->store ? row_store_get(classes->store, row) : abs(classes->class_of_row[row]);

	return classes->number && class > 0 ? classes->number[class - 1] : class;
}
