/*
 * sample_uniques.c
 *		See sample_uniques.h.
 *
 * The sets are the nodes of a tree: the children of a set are it and one column
 * before all of its own.  Visited depth first, the lowest column first, that is
 *
 *		a  b  ba  c  ca  cb  cba  d  da  ..
 *
 * so that all subsets of a set come before it.  (As binary numbers, a = 1, b = 2,
 * c = 4, they come in the order of their size; a subset is a smaller number.)
 *
 * A set keeps its rest: the rows that are not unique on it, class by class (the
 * stripped partition of Huhtala et al. 1999).  A child divides each class of the
 * rest by the codes of its own column.  Rows that are alone then are unique on the
 * child and not on its parent, and the others are the child's rest.  Where the rest
 * is empty nothing is left to be done below.  The largest sets need no rest.
 *
 * Such a row is a minimal sample unique if it was not unique on any of the child's
 * other subsets with one column less; these were visited, and keep the set of their
 * unique rows as a bitmap, which a set shares with its parent if it has no others.
 *
 * Example, rows 0 .. 3: (a, b) = (1, x), (1, y), (2, x), (1, x).
 *
 *		a: row 2 is alone; rest {0, 1, 3}
 *		b: row 1 is alone; rest {0, 2, 3}
 *		ba, from b: of {0, 2, 3} row 2 is alone, and it was unique on a: not
 *		minimal.  Unique on ba are 1, from b, and 2.
 */
#include "postgres.h"

#include "metric/sample_uniques.h"

#include "base/context.h"
#include "base/interrupt.h"
#include "utils/memutils.h"

#define PURPOSE "search of sample uniques"
#define WORD_BITS 64

/* Rows that are not unique on a set, one class after the other. */
typedef struct Rest
{
	int32 *row;
	int32 *end; /* [class]: index behind its last row */
	int32 rows;
	int32 classes;
} Rest;

/* The rows of one code within a class; stale if "turn" is that of another class. */
typedef struct Cell
{
	int64 turn;
	int32 rows;
	int32 next; /* where the next of them goes in the child's rest; -1: not placed yet */
} Cell;

typedef struct Walk
{
	const SampleUniquesRequest *request;
	int64 *below;          /* see sets_below */
	int64 *first;          /* [size]: number of the first set with that size */
	const uint64 **unique; /* [set_number]: bitmap of the rows unique on it; NULL: none */
	int *chosen;           /* [depth]: columns of the current set, descending */
	int *column;           /* the same, ascending */
	int64 *uniques;        /* [depth]: rows unique on the first "depth" columns chosen */
	Rest *rest;            /* [depth]: the other rows */
	const uint64 **other;  /* bitmaps of the subsets with one column less, except the parent's */
	int others;
	Cell *cell;   /* [code], NULL included */
	int64 turn;   /* number of the class being divided */
	int32 *alone; /* rows unique on the current set but not on its parent */
	int32 alone_rows;
} Walk;

int64
sample_uniques_sets(int columns, int size)
{
	int64 sets = 0;
	int64 of_size = 1;

	for (int i = 1; i <= size && sets <= SAMPLE_UNIQUES_MOST_SETS; i++)
	{
		of_size = of_size * (columns - i + 1) / i;
		sets += of_size;
	}
	return sets;
}

void
sample_uniques_check(int columns, int size)
{
	if (sample_uniques_sets(columns, size) > SAMPLE_UNIQUES_MOST_SETS)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("%d columns have more than %d sets of up to %d", columns,
							   SAMPLE_UNIQUES_MOST_SETS, size),
						errhint("Name fewer columns, or ask for a smaller size.")));
}

int32 *
sample_uniques_counters(const SampleUniquesRequest *request)
{
	return budget_allocate(request->budget, mul_size(request->size, request->table->rows),
						   sizeof(int32), PURPOSE);
}

double
sample_uniques_score(int columns, int size, const int32 *minimal)
{
	double score = 0;
	double ways = 1;

	for (int i = size; i >= 1; i--)
	{
		if (i < columns)
			ways *= columns - i;
		score += ways * minimal[i - 1];
	}
	return score;
}

/* The number of sets of "size" among the columns below this one. */
static inline int64 *
sets_below(const Walk *walk, int column, int size)
{
	return &walk->below[column * (walk->request->size + 1) + size];
}

/* Fills Pascal's triangle; its last line says where the sets of each size begin. */
static void
number_sets(Walk *walk)
{
	int columns = walk->request->table->attributes;
	int size = walk->request->size;

	walk->below = budget_allocate(walk->request->budget, (Size) (columns + 1) * (size + 1),
								  sizeof(int64), PURPOSE);
	walk->first = budget_allocate(walk->request->budget, size + 1, sizeof(int64), PURPOSE);
	for (int column = 0; column <= columns; column++)
	{
		*sets_below(walk, column, 0) = 1;
		for (int i = 1; i <= size && column > 0; i++)
			*sets_below(walk, column, i) =
				*sets_below(walk, column - 1, i) + *sets_below(walk, column - 1, i - 1);
	}
	for (int i = 2; i <= size; i++)
		walk->first[i] = walk->first[i - 1] + *sets_below(walk, columns, i - 1);
}

/* The number of the set of the first "depth" columns chosen without the one at "left_out". */
static int64
set_number(const Walk *walk, int depth, int left_out)
{
	int size = 0;
	int64 number = 0;

	for (int i = depth - 1; i >= 0; i--)
		if (i != left_out)
			number += *sets_below(walk, walk->chosen[i], ++size);
	return walk->first[size] + number;
}

/* Divides one class of a rest. child: NULL if its rest is not wanted. */
static void
divide_class(Walk *walk, const int32 *row, int32 rows, const int32 *code, Rest *child)
{
	int64 turn = ++walk->turn;

	for (int32 i = 0; i < rows; i++)
	{
		Cell *cell = &walk->cell[code[row[i]]];

		interrupt_check(i);
		if (cell->turn != turn)
			*cell = (Cell){.turn = turn, .next = -1};
		cell->rows++;
	}
	for (int32 i = 0; i < rows; i++)
	{
		Cell *cell = &walk->cell[code[row[i]]];

		interrupt_check(i);
		if (cell->rows == 1)
			walk->alone[walk->alone_rows++] = row[i];
		else if (child)
		{
			if (cell->next < 0)
			{
				cell->next = child->rows;
				child->rows += cell->rows;
				child->end[child->classes++] = child->rows;
			}
			child->row[cell->next++] = row[i];
		}
	}
}

static void
divide(Walk *walk, const Rest *parent, int column, Rest *child)
{
	const int32 *code = dataset_codes(walk->request->table, column);
	int32 begin = 0;

	walk->alone_rows = 0;
	if (child)
		child->rows = child->classes = 0;
	for (int32 i = 0; i < parent->classes; i++)
	{
		interrupt_check(i);
		divide_class(walk, parent->row + begin, parent->end[i] - begin, code, child);
		begin = parent->end[i];
	}
}

/* Finds the bitmaps of the subsets with one column less, except the parent's. */
static void
find_others(Walk *walk, int depth)
{
	walk->others = 0;
	for (int left_out = 0; left_out < depth - 1; left_out++)
	{
		const uint64 *unique = walk->unique[set_number(walk, depth, left_out)];

		if (unique)
			walk->other[walk->others++] = unique;
	}
}

static inline bool
is_minimal(const Walk *walk, int32 row)
{
	for (int i = 0; i < walk->others; i++)
		if (walk->other[i][row / WORD_BITS] >> (row % WORD_BITS) & 1)
			return false;
	return true;
}

static int64
count_minimal(Walk *walk, int depth)
{
	int32 *of_row = walk->request->minimal_of_row;
	int64 minimal = 0;

	find_others(walk, depth);
	for (int32 i = 0; i < walk->alone_rows; i++)
	{
		interrupt_check(i);
		if (!is_minimal(walk, walk->alone[i]))
			continue;
		minimal++;
		if (of_row)
			of_row[(int64) walk->alone[i] * walk->request->size + depth - 1]++;
	}
	return minimal;
}

/* Keeps the bitmap of the first "depth" columns chosen: the parent's rows and those in "alone". */
static void
keep_unique(Walk *walk, int depth)
{
	Size words = walk->request->table->rows / WORD_BITS + 1;
	const uint64 *parent = depth > 1 ? walk->unique[set_number(walk, depth - 1, -1)] : NULL;
	uint64 *unique;

	walk->unique[set_number(walk, depth, -1)] = parent;
	if (walk->alone_rows == 0)
		return;
	unique = budget_allocate(walk->request->budget, words, sizeof(uint64), PURPOSE);
	if (parent)
		memcpy(unique, parent, words * sizeof(uint64));
	for (int32 i = 0; i < walk->alone_rows; i++)
	{
		interrupt_check(i);
		unique[walk->alone[i] / WORD_BITS] |= UINT64CONST(1) << (walk->alone[i] % WORD_BITS);
	}
	walk->unique[set_number(walk, depth, -1)] = unique;
}

/* Visits all proper supersets that begin with the "depth" columns chosen. */
static void
visit(Walk *walk, int depth)
{
	int below = depth > 0 ? walk->chosen[depth - 1] : walk->request->table->attributes;
	bool largest = depth + 1 == walk->request->size;

	for (int column = 0; column < below; column++)
	{
		int64 minimal;

		CHECK_FOR_INTERRUPTS();
		walk->chosen[depth] = column;
		divide(walk, &walk->rest[depth], column, largest ? NULL : &walk->rest[depth + 1]);
		walk->uniques[depth + 1] = walk->uniques[depth] + walk->alone_rows;
		minimal = count_minimal(walk, depth + 1);
		if (walk->request->consumer)
		{
			SampleUniques set = {.column = walk->column,
								 .size = depth + 1,
								 .uniques = walk->uniques[depth + 1],
								 .minimal = minimal};

			for (int i = 0; i <= depth; i++)
				walk->column[i] = walk->chosen[depth - i];
			walk->request->consumer(walk->request->state, &set);
		}
		if (largest)
			continue;
		keep_unique(walk, depth + 1);
		visit(walk, depth + 1);
	}
}

static Walk
begin_walk(const SampleUniquesRequest *request)
{
	Walk walk = {.request = request};
	int64 rows = request->table->rows;
	int32 values = 0;

	for (int i = 0; i < request->table->attributes; i++)
		values = Max(values, request->table->values[i]);
	number_sets(&walk);
	walk.unique =
		budget_allocate(request->budget, walk.first[request->size], sizeof(uint64 *), PURPOSE);
	walk.chosen = budget_allocate(request->budget, request->size, sizeof(int), PURPOSE);
	walk.column = budget_allocate(request->budget, request->size, sizeof(int), PURPOSE);
	walk.uniques = budget_allocate(request->budget, request->size + 1, sizeof(int64), PURPOSE);
	walk.other = budget_allocate(request->budget, request->size, sizeof(uint64 *), PURPOSE);
	walk.cell = budget_allocate(request->budget, (Size) values + 1, sizeof(Cell), PURPOSE);
	walk.cell -= DATASET_NULL;
	walk.alone = budget_allocate(request->budget, rows, sizeof(int32), PURPOSE);
	walk.rest = budget_allocate(request->budget, request->size, sizeof(Rest), PURPOSE);
	for (int depth = 0; depth < request->size; depth++)
	{
		walk.rest[depth].row = budget_allocate(request->budget, rows, sizeof(int32), PURPOSE);
		walk.rest[depth].end =
			budget_allocate(request->budget, rows / 2 + 1, sizeof(int32), PURPOSE);
	}
	/* All rows are one class, even a single row. */
	for (int32 i = 0; i < rows; i++)
	{
		interrupt_check(i);
		walk.rest->row[i] = i;
	}
	walk.rest->rows = walk.rest->end[0] = (int32) rows;
	walk.rest->classes = rows > 0 ? 1 : 0;
	return walk;
}

void
sample_uniques_find(const SampleUniquesRequest *request)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "kanon sample uniques", CONTEXT_SMALL_SIZES);
	MemoryContext previous = MemoryContextSwitchTo(context);
	Walk walk = begin_walk(request);

	visit(&walk, 0);
	MemoryContextSwitchTo(previous);
	MemoryContextDelete(context);
}
