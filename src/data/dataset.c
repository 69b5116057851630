/*
 * dataset.c
 *		See dataset.h.
 *
 * Example: ages and zip codes, NULL unknown, dense codes of the ages 25 and 27 and the
 * zip codes 53711 and 53712.  As records, stride = 4:
 *
 *		0, 0, row 0, - | -1, 1, row 1, - | 1, 0, row 2, -
 *
 * As groups, stride = 8, each with its members; as columns: 0, -1, 1 and 0, 1, 0.
 */
#include "postgres.h"

#include "data/dataset.h"

#include "base/interrupt.h"

#define PURPOSE "table of codes"
#define FIRST_CAPACITY 64
#define RECORD_ALIGNMENT 4 /* int32s */
#define MEMBERS_CODES ((int) (sizeof(int64) / sizeof(int32)))

RowLayout
row_layout(int attributes, int sides, bool target)
{
	int of_target = target ? (int) (sizeof(double) / sizeof(int32)) : 0;

	return (RowLayout){.attributes = attributes,
					   .sides = sides,
					   .target = of_target,
					   .width = attributes + 1 + sides + of_target};
}

/* Bytes of this many rows, without their sides. */
static Size
codes_bytes(const Dataset *dataset, int64 rows)
{
	int width = dataset->layout == DATASET_COLUMNS ? dataset->attributes : dataset->stride;

	return mul_size(mul_size(sizeof(int32), width), rows);
}

Size
dataset_row_bytes(const Dataset *dataset)
{
	return codes_bytes(dataset, 1) + sizeof(int32) * (dataset->tuple.sides + dataset->tuple.target);
}

Dataset *
dataset_create(DatasetLayout layout, int attributes, Budget *budget)
{
	Dataset *dataset = palloc0(sizeof(Dataset));
	int behind = 1 + (layout == DATASET_GROUPS ? MEMBERS_CODES : 0);

	dataset->layout = layout;
	dataset->attributes = attributes;
	dataset->stride =
		layout == DATASET_COLUMNS ? 1 : TYPEALIGN(RECORD_ALIGNMENT, attributes + behind);
	dataset->step = 1;
	dataset->values = palloc0(sizeof(int32) * Max(attributes, 1));
	dataset->has_null = palloc0(sizeof(bool) * Max(attributes, 1));
	dataset->budget = budget;
	dataset_add_sides(dataset, 0, false);
	dataset_reserve(dataset, FIRST_CAPACITY);
	return dataset;
}

void
dataset_add_sides(Dataset *dataset, int sides, bool target)
{
	Size rows = Max(dataset->capacity, 1);

	dataset->tuple = row_layout(dataset->attributes, sides, target);
	dataset->final_code = palloc0(sizeof(int32 *) * dataset->tuple.width);
	dataset->side = palloc(sizeof(int32 *) * Max(sides, 1));
	for (int i = 0; i < sides; i++)
		dataset->side[i] = palloc(sizeof(int32) * rows);
	if (target)
		dataset->target = palloc(sizeof(double) * rows);
}

static void *
resize(void *array, Size bytes)
{
	return array ? repalloc_huge(array, bytes) : palloc_extended(bytes, MCXT_ALLOC_HUGE);
}

/* Sets the capacity. */
static void
resize_rows(Dataset *dataset, int64 rows)
{
	dataset->codes = resize(dataset->codes, codes_bytes(dataset, rows));
	for (int i = 0; i < dataset->tuple.sides; i++)
		dataset->side[i] = resize(dataset->side[i], mul_size(sizeof(int32), rows));
	if (dataset->target)
		dataset->target = resize(dataset->target, mul_size(sizeof(double), rows));
	dataset->capacity = rows;
}

/* Moves the columns apart, last one first. */
static void
spread_columns(Dataset *dataset, int64 capacity)
{
	for (int i = dataset->attributes - 1; i > 0; i--)
		memmove(dataset->codes + i * capacity, dataset_codes(dataset, i),
				sizeof(int32) * dataset->rows);
	dataset->step = capacity;
}

void
dataset_reserve(Dataset *dataset, int64 rows)
{
	if (rows <= dataset->capacity)
		return;
	if (rows > PG_INT32_MAX)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("cannot hold more than %d rows at once", PG_INT32_MAX)));
	budget_check(dataset->budget, mul_size(dataset_row_bytes(dataset), rows - dataset->capacity),
				 PURPOSE);
	resize_rows(dataset, rows);
	if (dataset->layout == DATASET_COLUMNS)
		spread_columns(dataset, rows);
}

int64
dataset_append(Dataset *dataset, int64 members)
{
	int64 row = dataset->rows;

	if (row == dataset->capacity)
		dataset_reserve(dataset,
						row < PG_INT32_MAX / 2 ? row * 2 : Max(row + 1, (int64) PG_INT32_MAX));
	if (dataset->layout != DATASET_COLUMNS)
	{
		int32 *record = dataset_record(dataset, row);

		/* Padding is compared and measured along with the codes. */
		memset(record + dataset->attributes, 0,
			   sizeof(int32) * (dataset->stride - dataset->attributes));
		record[dataset->attributes] = (int32) row;
		if (dataset->layout == DATASET_GROUPS)
			memcpy(record + dataset->stride - MEMBERS_CODES, &members, sizeof(members));
	}
	dataset->members += members;
	return dataset->rows++;
}

/* Writes a row as a tuple of the tape. */
static void
write_row(const Dataset *dataset, int64 row, int32 *tuple)
{
	const RowLayout *layout = &dataset->tuple;

	memcpy(tuple, dataset_record(dataset, row), sizeof(int32) * layout->attributes);
	tuple += layout->attributes;
	*tuple++ = (int32) (dataset->taped + row);
	for (int i = 0; i < layout->sides; i++)
		*tuple++ = dataset->side[i][row];
	if (dataset->target)
		memcpy(tuple, &dataset->target[row], sizeof(double));
}

void
dataset_spill(Dataset *dataset, int64 rows, int64 capacity)
{
	int32 *tuple = palloc(sizeof(int32) * dataset->tuple.width);
	int64 left = dataset->rows - rows;

	Assert(dataset->layout == DATASET_RECORDS);
	for (int64 row = 0; row < rows; row++)
	{
		write_row(dataset, row, tuple);
		code_tape_append(dataset->tape, tuple);
	}
	pfree(tuple);
	memmove(dataset->codes, dataset_record(dataset, rows), codes_bytes(dataset, left));
	for (int i = 0; i < dataset->tuple.sides; i++)
		memmove(dataset->side[i], dataset->side[i] + rows, sizeof(int32) * left);
	if (dataset->target)
		memmove(dataset->target, dataset->target + rows, sizeof(double) * left);
	dataset->taped += rows;
	dataset->rows = left;
	dataset->members -= rows;
	resize_rows(dataset, Max(left, capacity));
}

void
dataset_recode(Dataset *dataset, int attribute, const int32 *code_of)
{
	if (dataset->tape)
		dataset->final_code[attribute] = code_of;
	for (int64 row = 0; row < dataset->rows; row++)
	{
		int32 *code = dataset_code(dataset, row, attribute);

		interrupt_check(row);
		if (*code != DATASET_NULL)
			*code = code_of[*code];
	}
}

int32 *
dataset_rank(Dataset *dataset, int attribute, const Dictionary *dictionary, DictionaryOrder order)
{
	int32 values = dictionary_size(dictionary);
	int32 *by_rank = dictionary_order(dictionary, order);
	int32 *rank = budget_allocate(dataset->budget, values, sizeof(int32), PURPOSE);

	for (int32 i = 0; i < values; i++)
	{
		interrupt_check(i);
		rank[by_rank[i]] = i;
	}
	dataset_recode(dataset, attribute, rank);
	dataset->values[attribute] = values;
	if (dataset->tape == NULL)
		pfree(rank);
	return by_rank;
}

int *
dataset_by_cardinality(const Dataset *dataset)
{
	int *sorted = palloc(sizeof(int) * Max(dataset->attributes, 1));

	for (int i = 0; i < dataset->attributes; i++)
	{
		int at = i;

		if (dataset->values[i] < 0)
			elog(ERROR, "the codes of attribute %d are places, not ranks", i + 1);
		for (; at > 0 &&
			   dataset_cardinality(dataset, sorted[at - 1]) > dataset_cardinality(dataset, i);
			 at--)
			sorted[at] = sorted[at - 1];
		sorted[at] = i;
	}
	return sorted;
}

/*
 * A counting sort: writes the rows of "from" to "to" in the order of one attribute, NULL last;
 * stable. next: [code].
 */
static void
sort_by_attribute(const Dataset *dataset, int attribute, const int32 *from, int32 *to, int32 *next)
{
	int32 before = 0;

	memset(next + DATASET_NULL, 0, sizeof(int32) * ((Size) dataset->values[attribute] + 1));
	for (int64 at = 0; at < dataset->rows; at++)
	{
		interrupt_check(at);
		next[*dataset_code(dataset, at, attribute)]++;
	}
	for (int32 code = 0; code < dataset->values[attribute]; code++)
	{
		int32 count = next[code];

		next[code] = before;
		before += count;
	}
	next[DATASET_NULL] = before;
	for (int64 at = 0; at < dataset->rows; at++)
	{
		interrupt_check(at);
		to[next[*dataset_code(dataset, from[at], attribute)]++] = from[at];
	}
}

/* The positions of the records in sorted order: a radix sort, least significant attribute first. */
static int32 *
sorted_positions(const Dataset *dataset)
{
	Budget *budget = dataset->budget;
	int *attribute = dataset_by_cardinality(dataset);
	int32 *order = budget_allocate(budget, dataset->rows, sizeof(int32), PURPOSE);
	int32 *other = budget_allocate(budget, dataset->rows, sizeof(int32), PURPOSE);
	int32 most = 0;
	int32 *next;

	for (int i = 0; i < dataset->attributes; i++)
		most = Max(most, dataset->values[i]);
	next = budget_allocate(budget, (Size) most + 1, sizeof(int32), PURPOSE);
	for (int64 row = 0; row < dataset->rows; row++)
		order[row] = (int32) row;
	for (int i = dataset->attributes - 1; i >= 0; i--)
	{
		int32 *sorted_so_far = order;

		sort_by_attribute(dataset, attribute[i], order, other, next - DATASET_NULL);
		order = other;
		other = sorted_so_far;
	}
	pfree(other);
	pfree(next);
	pfree(attribute);
	return order;
}

void
dataset_arrange(Dataset *dataset, const int32 *order)
{
	int32 *arranged;

	budget_check(dataset->budget, codes_bytes(dataset, dataset->rows), PURPOSE);
	arranged = palloc_extended(codes_bytes(dataset, Max(dataset->rows, 1)), MCXT_ALLOC_HUGE);
	for (int64 at = 0; at < dataset->rows; at++)
	{
		interrupt_check(at);
		memcpy(arranged + at * dataset->stride, dataset_record(dataset, order[at]),
			   sizeof(int32) * dataset->stride);
	}
	pfree(dataset->codes);
	dataset->codes = arranged;
	dataset->capacity = dataset->rows;
}

void
dataset_sort(Dataset *dataset)
{
	int32 *order = sorted_positions(dataset);

	dataset_arrange(dataset, order);
	pfree(order);
}

void
dataset_free(Dataset *dataset)
{
	for (int i = 0; i < dataset->tuple.sides; i++)
		pfree(dataset->side[i]);
	if (dataset->target)
		pfree(dataset->target);
	pfree(dataset->side);
	pfree(dataset->codes);
	pfree(dataset->values);
	pfree(dataset->has_null);
	pfree(dataset->final_code);
	pfree(dataset);
}
