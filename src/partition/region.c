/*
 * region.c
 *		See region.h.
 *
 * The ranges of all attributes are found in one pass: four int32 at a time,
 * the row's number and the padding along with them, since to leave them out
 * costs more.  Records need not be aligned.  The processor is asked for SSE 4.1,
 * which has the minimum of int32.
 *
 * Example: ages 25, 26, 40 of 20 .. 80 in the whole: width (40 - 25) / (80 -
 * 20) = 0.25.  Zip codes 53706 and 53711 of a hierarchy with 3 of its 9 leaves
 * under their least common ancestor 537**: width (3 - 1) / (9 - 1) = 0.25.
 */
#include "postgres.h"

#include "partition/region.h"

#include "base/interrupt.h"

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

static bool
has_sse4(void)
{
	return __builtin_cpu_supports("sse4.1");
}

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
	if (has_sse4())
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

/* Rows that stay in the nearest cache while their lanes are taken in turn. */
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

static double
position(const PartitionAttribute *attribute, int32 code)
{
	return attribute->position ? attribute->position[code] : (double) code;
}

int32
region_find_lowest(const Dataset *dataset, int64 begin, int64 end, int attribute)
{
	int32 low = PG_INT32_MAX;

	for (int64 row = begin; row < end; row++)
	{
		int32 code = dataset_record(dataset, row)[attribute];

		interrupt_check(row);
		if (code != DATASET_NULL)
			low = Min(low, code);
	}
	return low;
}

double *
region_whole(Region *region, const Dataset *dataset, const PartitionAttribute *attribute)
{
	double *whole = palloc(sizeof(double) * dataset->attributes);

	region_measure(region, dataset, 0, dataset->rows);
	for (int i = 0; i < dataset->attributes; i++)
	{
		int32 minimum = region_lowest_value(region, dataset, 0, dataset->rows, i);

		if (attribute[i].dimension)
			whole[i] = (double) attribute[i].dimension->domain - 1;
		else if (region_is_point(region, i))
			whole[i] = 0;
		else
			whole[i] =
				position(&attribute[i], region->maximum[i]) - position(&attribute[i], minimum);
	}
	return whole;
}

int
region_common_level(const Dimension *dimension, int32 one, int32 other)
{
	int level = 0;

	while (level <= dimension->height &&
		   dimension->ancestor[level][one] != dimension->ancestor[level][other])
		level++;
	return level;
}

static double
hierarchical_extent(const Dimension *dimension, int32 minimum, int32 maximum)
{
	int level = region_common_level(dimension, minimum, maximum);

	if (level > dimension->height)
		return (double) dimension->domain - 1;
	return (double) dimension->leaves[level][dimension->ancestor[level][minimum]] - 1;
}

double
region_width(const PartitionAttribute *attribute, double whole, int32 minimum, int32 maximum)
{
	double extent;

	if (minimum == maximum)
		return 0;
	if (attribute->dimension)
		extent = hierarchical_extent(attribute->dimension, minimum, maximum);
	else
		extent = position(attribute, maximum) - position(attribute, minimum);
	/* Different values may lie at one position. */
	return extent > 0 ? extent / whole : 0;
}
