/*
 * row_classes.c
 *		See row_classes.h.
 *
 * Example: six rows, three in memory at a time; rows 4, 0 are class 1, rows 5, 1, 3, 2 class 2.
 * The first tape has (0, 1), (1, 2), (2, 2), the second one (1, 1), (2, 2), (0, 2).
 */
#include "postgres.h"

#include "data/row_classes.h"

#define LEAST_ROWS 4096
#define SHARE 16 /* of the memory limit */
#define CHUNK 512
#define PURPOSE "class of each row"

enum
{
	PAIR_ROW, /* from the first of its tape */
	PAIR_CLASS,
	PAIR_WIDTH
};

struct RowClasses
{
	MemoryContext context;
	Budget *budget;
	int64 rows;
	int64 range; /* rows of a tape */
	CodeTape **tape;
	int64 loaded;        /* number of the tape, -1: none yet */
	int32 *class_number; /* [row of it] */
};

RowClasses *
row_classes_create(int64 rows, CodeTapes *tapes, Budget *budget)
{
	RowClasses *classes = palloc0(sizeof(RowClasses));
	int64 count;

	classes->context = CurrentMemoryContext;
	classes->budget = budget;
	classes->rows = rows;
	classes->range = Max(LEAST_ROWS, (int64) (budget->limit / SHARE / sizeof(int32)));
	classes->loaded = -1;
	count = (rows + classes->range - 1) / classes->range;
	classes->tape = palloc(sizeof(CodeTape *) * Max(count, 1));
	for (int64 i = 0; i < count; i++)
	{
		budget_check(budget, CODE_TAPE_BYTES, PURPOSE);
		classes->tape[i] = code_tape_create(tapes, PAIR_WIDTH);
	}
	return classes;
}

void
row_classes_put(RowClasses *classes, int32 row, int32 class_number)
{
	int32 pair[PAIR_WIDTH] = {
		[PAIR_ROW] = (int32) (row % classes->range), [PAIR_CLASS] = class_number};

	code_tape_append(classes->tape[row / classes->range], pair);
}

static void
load(RowClasses *classes, int64 number)
{
	Size bytes = mul_size(sizeof(int32), Min(classes->range, classes->rows));
	CodeTape *tape = classes->tape[number];
	int32 pair[CHUNK * PAIR_WIDTH];
	int64 count;

	if (classes->class_number == NULL)
		classes->class_number =
			budget_allocate_in(classes->budget, classes->context, bytes, PURPOSE);
	memset(classes->class_number, 0, bytes);
	code_tape_rewind(tape);
	while ((count = code_tape_read(tape, pair, CHUNK)) > 0)
		for (int64 i = 0; i < count; i++)
			classes->class_number[pair[i * PAIR_WIDTH + PAIR_ROW]] =
				pair[i * PAIR_WIDTH + PAIR_CLASS];
	classes->loaded = number;
}

int32
row_classes_get(RowClasses *classes, int64 row)
{
	if (row / classes->range != classes->loaded)
		load(classes, row / classes->range);
	return classes->class_number[row % classes->range];
}
