/*
 * sorted_rows.c
 *		See sorted_rows.h.
 *
 * Radix sort by the distance from the minimum, least significant digit first, with as many digits
 * as the range of codes needs.  Few rows are sorted by insertion: deep in the tree, clearing a
 * digit's counts would cost more.
 */
#include "postgres.h"

#include "partition/sorted_rows.h"

#include "base/interrupt.h"

#define DIGIT_BITS 11
#define DIGITS (1 << DIGIT_BITS)
#define FEW 64

struct SortedRows
{
	SortedRow *row;   /* [rows] */
	SortedRow *other; /* [rows] */
	uint32 next[DIGITS];
};

SortedRows *
sorted_rows_create(int64 rows, Budget *budget)
{
	SortedRows *sorted = palloc(sizeof(SortedRows));

	sorted->row = budget_allocate(budget, rows, sizeof(SortedRow), "partitioning");
	sorted->other = budget_allocate(budget, rows, sizeof(SortedRow), "partitioning");
	return sorted;
}

static void
insert_few(SortedRow *row, int64 count)
{
	for (int64 i = 1; i < count; i++)
	{
		SortedRow one = row[i];
		int64 at = i;

		for (; at > 0 && row[at - 1].code > one.code; at--)
			row[at] = row[at - 1];
		row[at] = one;
	}
}

static inline uint32
digit_of(SortedRow row, int32 minimum, int shift)
{
	return (((uint32) row.code - (uint32) minimum) >> shift) & (DIGITS - 1);
}

static void
sort_by_digit(SortedRows *sorted, int64 count, int32 minimum, int shift)
{
	SortedRow *from = sorted->row;
	uint32 begin = 0;

	memset(sorted->next, 0, sizeof(sorted->next));
	for (int64 i = 0; i < count; i++)
	{
		interrupt_check(i);
		sorted->next[digit_of(from[i], minimum, shift)]++;
	}
	/* Turns the counts of each digit into positions. */
	for (int digit = 0; digit < DIGITS; digit++)
	{
		uint32 rows = sorted->next[digit];

		sorted->next[digit] = begin;
		begin += rows;
	}
	for (int64 i = 0; i < count; i++)
	{
		interrupt_check(i);
		sorted->other[sorted->next[digit_of(from[i], minimum, shift)]++] = from[i];
	}
	sorted->row = sorted->other;
	sorted->other = from;
}

const SortedRow *
sorted_rows_sort(SortedRows *sorted, const Dataset *dataset, int64 begin, int64 end, int attribute,
				 int32 minimum, int32 maximum)
{
	uint32 range = (uint32) maximum - (uint32) minimum;

	for (int64 at = begin; at < end; at++)
	{
		interrupt_check(at);
		sorted->row[at - begin] = (SortedRow){.place = (uint32) (at - begin),
											  .code = dataset_record(dataset, at)[attribute]};
	}
	if (end - begin <= FEW)
		insert_few(sorted->row, end - begin);
	else
		for (int shift = 0; shift < 32 && (range >> shift) > 0; shift += DIGIT_BITS)
			sort_by_digit(sorted, end - begin, minimum, shift);
	return sorted->row;
}
