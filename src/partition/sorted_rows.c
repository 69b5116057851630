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

/*
 * ---- The code at a rank, without sorting.
 *
 * A histogram of at most BUCKETS buckets over [minimum, maximum], each a power of two wide, finds
 * the bucket of the wanted code.  If buckets are one code wide, that is the answer.  Otherwise the
 * codes of that bucket are kept and examined again, in a smaller range.  A few codes are sorted.
 * So there is no bad case, and the time does not depend on the order of the rows.
 *
 * Example: codes 3, 17, 18, 40, 61 in [0, 63], rank 2, four buckets 16 wide: counts 1, 2, 1, 1.
 * Rank 2 falls into the second bucket, [16, 31], as rank 1 within it.  Its codes 17, 18 are sorted:
 * the answer is 18 with two codes below it.
 */

#define BUCKETS 4096
#define FEW_RANKED 24

struct RankSelect
{
	int32 *codes; /* [rows] */
	int32 counts[BUCKETS];
};

/* The codes still in question. */
typedef struct OpenCodes
{
	const int32 *code; /* every stride-th one */
	int stride;
	int64 count;
	int32 minimum;
	int32 maximum;
} OpenCodes;

RankSelect *
rank_select_create(int64 rows, Budget *budget)
{
	RankSelect *select = palloc(sizeof(RankSelect));

	select->codes = budget_allocate(budget, rows, sizeof(int32), "partitioning");
	return select;
}

static inline uint32
distance(int32 code, int32 minimum)
{
	return (uint32) code - (uint32) minimum;
}

static RankedCode
sort_few(const OpenCodes *candidates, int64 rank)
{
	int32 sorted[FEW_RANKED];
	int count = (int) candidates->count;
	RankedCode found = {.below = rank, .equal = 0};

	for (int i = 0; i < count; i++)
	{
		int32 code = candidates->code[i * candidates->stride];
		int at = i;

		for (; at > 0 && sorted[at - 1] > code; at--)
			sorted[at] = sorted[at - 1];
		sorted[at] = code;
	}
	found.code = sorted[rank];
	while (found.below > 0 && sorted[found.below - 1] == found.code)
		found.below--;
	while (found.below + found.equal < count && sorted[found.below + found.equal] == found.code)
		found.equal++;
	return found;
}

/* Use at most as many buckets as codes, or clearing them would cost more than counting. */
static int
bucket_shift(const OpenCodes *candidates)
{
	uint32 range = distance(candidates->maximum, candidates->minimum);
	uint32 most = candidates->count < BUCKETS ? (uint32) candidates->count : BUCKETS;
	int shift = 0;

	while ((range >> shift) >= most)
		shift++;
	return shift;
}

static void
count_buckets(RankSelect *select, const OpenCodes *candidates, int shift)
{
	uint32 range = distance(candidates->maximum, candidates->minimum);
	const int32 *code = candidates->code;

	memset(select->counts, 0, sizeof(int32) * ((range >> shift) + 1));
	for (int64 from = 0; from < candidates->count; from += INTERRUPT_ROUNDS)
	{
		int64 to = Min(from + INTERRUPT_ROUNDS, candidates->count);

		for (int64 i = from; i < to; i++, code += candidates->stride)
			select->counts[distance(*code, candidates->minimum) >> shift]++;
		CHECK_FOR_INTERRUPTS();
	}
}

/* Keeps the codes of one bucket; they may already lie in the scratch space. */
static OpenCodes
keep_bucket(RankSelect *select, const OpenCodes *candidates, uint32 bucket, int shift)
{
	OpenCodes kept = {.code = select->codes, .stride = 1};
	const int32 *code = candidates->code;

	kept.minimum = (int32) ((uint32) candidates->minimum + (bucket << shift));
	kept.maximum = (int32) ((uint32) kept.minimum + (((uint32) 1 << shift) - 1));
	for (int64 from = 0; from < candidates->count; from += INTERRUPT_ROUNDS)
	{
		int64 to = Min(from + INTERRUPT_ROUNDS, candidates->count);

		for (int64 i = from; i < to; i++, code += candidates->stride)
		{
			uint32 off = distance(*code, candidates->minimum);

			select->codes[kept.count] = *code;
			kept.count += (off >> shift) == bucket;
		}
		CHECK_FOR_INTERRUPTS();
	}
	return kept;
}

RankedCode
rank_select_find(RankSelect *select, const Dataset *dataset, int64 begin, int64 end, int attribute,
				 int32 minimum, int32 maximum, int64 rank)
{
	OpenCodes candidates = {.code = dataset_record(dataset, begin) + attribute,
							.stride = dataset->stride,
							.count = end - begin,
							.minimum = minimum,
							.maximum = maximum};
	int64 lower = 0; /* rows below all candidates */
	RankedCode found;

	while (candidates.count > FEW_RANKED)
	{
		int shift = bucket_shift(&candidates);
		uint32 bucket = 0;

		count_buckets(select, &candidates, shift);
		while (lower + select->counts[bucket] <= rank)
			lower += select->counts[bucket++];
		if (shift == 0)
			return (RankedCode){.code = (int32) ((uint32) candidates.minimum + bucket),
								.below = lower,
								.equal = select->counts[bucket]};
		candidates = keep_bucket(select, &candidates, bucket, shift);
	}
	found = sort_few(&candidates, rank - lower);
	found.below += lower;
	return found;
}

CodesBeside
codes_beside(const Dataset *dataset, int64 begin, int64 end, int attribute, int32 threshold)
{
	CodesBeside beside = {.below = PG_INT32_MIN, .above = PG_INT32_MAX};
	const int32 *code = dataset_record(dataset, begin) + attribute;

	for (int64 from = begin; from < end; from += INTERRUPT_ROUNDS)
	{
		int64 to = Min(from + INTERRUPT_ROUNDS, end);

		for (int64 i = from; i < to; i++, code += dataset->stride)
		{
			beside.below = Max(beside.below, *code <= threshold ? *code : PG_INT32_MIN);
			beside.above = Min(beside.above, *code > threshold ? *code : PG_INT32_MAX);
		}
		CHECK_FOR_INTERRUPTS();
	}
	return beside;
}
