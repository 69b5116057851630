/*
 * person.c
 *		The aggregate kanon_view_person, by which workers bring the rows of a person together before
 *		they add up where rows and people count in a growing partition tree.
 *
 * Its input is what kanon_view_node says of each row: the node, the size of the counts, and the
 * places.  These are, for each attribute, that of the row, two of the person, for the lowest and
 * the highest of her rows, and two for each sensitive value, likewise (part_list_sides).  Rows of a
 * node whose values are the same have places that ascend with their codes; and their distance from
 * the place of the row tells values apart.
 *
 * Rows of nobody, whose person is NULL, count as rows alone.
 *
 * Example: of two rows of a node with the places 10, 11, 12 and 16, 17, 18, a person counts at 10
 * and 16 for the rows, at 11 for the lowest and at 18 for the highest.
 */
#include "postgres.h"

#include "api/argument.h"
#include "api/result.h"
#include "base/interrupt.h"
#include "catalog/pg_type.h"
#include "sql/name_array.h"
#include "utils/array.h"
#include "utils/memutils.h"

#define NODE 0
#define SIZE 1
#define FIRST 2 /* of the places */

/* The rows of a person. */
typedef struct PersonRows
{
	MemoryContext context;
	int attributes;
	int numbers; /* of a row that counts somewhere */
	int64 size;
	bool somebody; /* they are those of a person */
	int32 count;
	int32 room;
	int32 *number; /* [row][numbers] */
} PersonRows;

pg_noreturn static void
report_places(void)
{
	ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("malformed places")));
}

/* The state, which the aggregate owns. */
static PersonRows *
state_of(FunctionCallInfo fcinfo)
{
	MemoryContext owner;
	PersonRows *rows;

	if (!AggCheckCallContext(fcinfo, &owner))
		elog(ERROR, "not called as an aggregate");
	if (!PG_ARGISNULL(0))
		return (PersonRows *) PG_GETARG_POINTER(0);
	rows = MemoryContextAllocZero(owner, sizeof(PersonRows));
	rows->context = owner;
	return rows;
}

/* The numbers of the places of one attribute. */
static int
width_of(const PersonRows *rows)
{
	return (rows->numbers - FIRST) / rows->attributes;
}

static void
add_row(PersonRows *rows, const int32 *numbers, int count)
{
	if (rows->count > 0 && rows->numbers != count)
		report_places();
	rows->numbers = count;
	if ((count - FIRST) % rows->attributes != 0 || width_of(rows) % 2 == 0)
		report_places();
	if (rows->count == rows->room)
	{
		Size bytes;

		rows->room = Max(1, rows->room * 2);
		bytes = mul_size(sizeof(int32) * count, rows->room);
		rows->number = rows->number ? repalloc_huge(rows->number, bytes)
									: MemoryContextAllocHuge(rows->context, bytes);
	}
	memcpy(rows->number + (Size) rows->count++ * count, numbers, sizeof(int32) * count);
}

SQL_FUNCTION(kanon_view_person_row)
{
	PersonRows *rows = state_of(fcinfo);
	const int32 *numbers;
	ArrayType *array;
	int count;

	if (PG_ARGISNULL(1) || PG_ARGISNULL(2) || PG_ARGISNULL(3) || PG_GETARG_INT32(2) <= 0)
		report_places();
	array = PG_GETARG_ARRAYTYPE_P(1);
	if (ARR_HASNULL(array) || ARR_NDIM(array) != 1)
		report_places();
	numbers = (const int32 *) ARR_DATA_PTR(array);
	count = ARR_DIMS(array)[0];
	if (count < FIRST || (rows->count > 0 && rows->attributes != PG_GETARG_INT32(2)))
		report_places();
	rows->attributes = PG_GETARG_INT32(2);
	rows->size = numbers[SIZE];
	rows->somebody = PG_GETARG_BOOL(3);
	if (count > FIRST)
		add_row(rows, numbers, count);
	PG_RETURN_POINTER(rows);
}

/* Which rows count once: those of a node that have the same value at a side; 0: any value. */
typedef struct Sameness
{
	const PersonRows *rows;
	int side; /* from 1 */
} Sameness;

static inline int64
value_of(const int32 *number, int side)
{
	return (int64) number[FIRST + side] - number[FIRST];
}

static int
compare(const Sameness *same, const int32 *x, const int32 *y)
{
	int64 of_x = value_of(x, same->side);
	int64 of_y = value_of(y, same->side);

	if (x[NODE] != y[NODE])
		return x[NODE] < y[NODE] ? -1 : 1;
	return of_x < of_y ? -1 : of_x > of_y;
}

static int
compare_rows(const void *a, const void *b, void *arg)
{
	const Sameness *same = arg;
	const int32 *number = same->rows->number;

	CHECK_FOR_INTERRUPTS();
	return compare(same, number + (Size) * (const int32 *) a * same->rows->numbers,
				   number + (Size) * (const int32 *) b * same->rows->numbers);
}

/* Adds the places of some rows that count once: the lowest at a side, the highest at the next. */
static int32 *
add_once(const PersonRows *rows, const int32 *row, int32 count, int side, int32 *place)
{
	for (int i = 0; i < rows->attributes; i++)
	{
		int at = FIRST + i * width_of(rows) + side;
		int32 lowest = PG_INT32_MAX;
		int32 highest = PG_INT32_MIN;

		for (int32 n = 0; n < count; n++)
		{
			const int32 *number = rows->number + (Size) row[n] * rows->numbers;

			interrupt_check(n);
			lowest = Min(lowest, number[at]);
			highest = Max(highest, number[at + 1]);
		}
		*place++ = lowest;
		*place++ = highest;
	}
	return place;
}

/* .. of all rows, for two sides. */
static int32 *
add_side(const PersonRows *rows, int32 *order, int side, int32 *place)
{
	Sameness same = {.rows = rows, .side = side};
	int32 end;

	qsort_arg(order, rows->count, sizeof(int32), compare_rows, &same);
	for (int32 begin = 0; begin < rows->count; begin = end)
	{
		end = begin + 1;
		while (end < rows->count && compare_rows(&order[begin], &order[end], &same) == 0)
			end++;
		place = add_once(rows, order + begin, end - begin, side, place);
	}
	return place;
}

SQL_FUNCTION(kanon_view_person_places)
{
	const PersonRows *rows = state_of(fcinfo);
	Size most = FIRST + mul_size(rows->count, Max(rows->numbers - FIRST, 0));
	int32 *numbers;
	int32 *place;
	int32 *order;

	if (most > MaxAllocSize / sizeof(int32) / 2)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("a person has too many rows: %d", rows->count)));
	numbers = palloc(sizeof(int32) * most);
	numbers[NODE] = 0;
	numbers[SIZE] = (int32) rows->size;
	place = numbers + FIRST;
	order = palloc(sizeof(int32) * Max(rows->count, 1));
	for (int32 row = 0; row < rows->count; row++)
	{
		interrupt_check(row);
		order[row] = row;
		for (int i = 0; i < rows->attributes; i++)
			*place++ = rows->number[(Size) row * rows->numbers + FIRST + i * width_of(rows)];
	}
	for (int side = 1; rows->somebody && rows->count > 0 && side < width_of(rows); side += 2)
		place = add_side(rows, order, side, place);
	PG_RETURN_POINTER(int_array_of(numbers, (int) (place - numbers)));
}
