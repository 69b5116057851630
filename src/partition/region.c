/*
 * region.c
 *		See region.h.
 *
 * One pass finds the ranges of all attributes, four int32 at a time, including the row's number and
 * the padding, because skipping them would cost more.  Records need not be aligned.  The code is
 * compiled for SSE 4.1, too, which has the minimum of int32.
 *
 * Example: ages 25, 26, 40: the span from 25 to 40.  Zip codes 53706 and 53711: their least common
 * ancestor, 537**.
 */
#include "postgres.h"

#include "partition/region.h"

#include "base/interrupt.h"
#include "metric/loss.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define REGION_SSE4
#include <smmintrin.h>
#endif

#define LANES 4

Region *
region_create(const Dataset *dataset)
{
	Region *region = palloc(sizeof(Region));

	region->minimum = palloc(sizeof(int32) * dataset->stride);
	region->maximum = palloc(sizeof(int32) * dataset->stride);
	return region;
}

#ifdef REGION_SSE4

__attribute__((target("sse4.1"))) static void
widen_lanes_sse4(const int32 *record, const int32 *end, int stride, int32 *minimum, int32 *maximum)
{
	__m128i low = _mm_loadu_si128((const __m128i *) minimum);
	__m128i high = _mm_loadu_si128((const __m128i *) maximum);

	for (; record < end; record += stride)
	{
		__m128i codes = _mm_loadu_si128((const __m128i *) record);

		low = _mm_min_epi32(low, codes);
		high = _mm_max_epi32(high, codes);
	}
	_mm_storeu_si128((__m128i *) minimum, low);
	_mm_storeu_si128((__m128i *) maximum, high);
}

#endif

static void
widen_lanes(const int32 *record, const int32 *end, int stride, int32 *minimum, int32 *maximum)
{
#ifdef REGION_SSE4
	if (__builtin_cpu_supports("sse4.1"))
	{
		widen_lanes_sse4(record, end, stride, minimum, maximum);
		return;
	}
#endif
	for (; record < end; record += stride)
		for (int lane = 0; lane < LANES; lane++)
		{
			minimum[lane] = Min(minimum[lane], record[lane]);
			maximum[lane] = Max(maximum[lane], record[lane]);
		}
}

/* Rows that fit in the L1 cache while their lanes are processed in turn. */
#define BLOCK_BYTES 16384

void
region_measure(Region *region, const Dataset *dataset, int64 begin, int64 end)
{
	int stride = dataset->stride;
	int64 block = Max(BLOCK_BYTES / (int64) sizeof(int32) / stride, 1);

	memcpy(region->minimum, dataset_record(dataset, begin), sizeof(int32) * stride);
	memcpy(region->maximum, dataset_record(dataset, begin), sizeof(int32) * stride);
	for (int64 from = begin; from < end; from += block)
	{
		const int32 *first = dataset_record(dataset, from);
		const int32 *last = dataset_record(dataset, Min(from + block, end));

		for (int lane = 0; lane < stride; lane += LANES)
			widen_lanes(first + lane, last + lane, stride, region->minimum + lane,
						region->maximum + lane);
		CHECK_FOR_INTERRUPTS();
	}
}

int32
region_lowest_value(const Region *region, const Dataset *dataset, int64 begin, int64 end,
					int attribute)
{
	int32 low = PG_INT32_MAX;

	if (!region_is_mixed(region, attribute))
		return region->minimum[attribute];
	for (int64 row = begin; row < end; row++)
	{
		int32 code = dataset_record(dataset, row)[attribute];

		interrupt_check(row);
		if (code != DATASET_NULL)
			low = Min(low, code);
	}
	return low;
}

RecodingColumn
region_column(const RecodingColumn *described, int32 lowest, int32 maximum)
{
	RecodingColumn column = *described;

	column.spans = true;
	if (column.dimension == NULL && maximum != DATASET_NULL)
		column.whole = recoding_place(&column, maximum) - recoding_place(&column, lowest);
	return column;
}

RecodingColumn *
region_columns(const Dataset *dataset, const RecodingColumn *described)
{
	Region *region = region_create(dataset);
	RecodingColumn *column = palloc(sizeof(RecodingColumn) * dataset->attributes);

	region_measure(region, dataset, 0, dataset->rows);
	for (int i = 0; i < dataset->attributes; i++)
		column[i] =
			region_column(&described[i], region_lowest_value(region, dataset, 0, dataset->rows, i),
						  region->maximum[i]);
	return column;
}

RecodedCell
region_cell(const RecodingColumn *column, int32 minimum, int32 maximum)
{
	const Dimension *dimension = column->dimension;
	RecodedCell cell = {.kind = RECODED_SPAN, .low = minimum, .high = maximum};

	if (maximum == DATASET_NULL)
		cell.kind = recoding_null(column);
	else if (dimension)
	{
		bool mixed = minimum == DATASET_NULL;

		cell.kind = RECODED_LABEL;
		cell.low = mixed ? maximum : minimum;
		cell.level = mixed ? dimension->height + (dimension->single_top ? 0 : 1)
						   : dimension_common_level(dimension, minimum, maximum);
		if (cell.level > dimension->height)
			cell.kind = RECODED_ALL;
	}
	else if (minimum == DATASET_NULL || (column->plain && minimum != maximum))
		cell.kind = RECODED_ALL;
	return cell;
}

double
region_loss(const Region *region, int attributes, const RecodingColumn *column,
			const double *weight)
{
	double loss = 0;

	for (int i = 0; i < attributes; i++)
	{
		RecodedCell cell = region_cell(&column[i], region->minimum[i], region->maximum[i]);

		loss += weight[i] * loss_of_cell(&column[i], &cell);
	}
	return loss;
}
