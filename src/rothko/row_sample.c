/*
 * row_sample.c
 *		See coded_rows.h.
 *
 * The rows are read twice.  First they are counted by the upper bits of their hashes.  Then it is
 * known which of these buckets hold a row that is wanted, and at which place of it; of those all
 * different rows are gathered with how often they occur.  In each the places are looked up in the
 * order of the hashes.  Buckets are about as many as rows, or as many as memory allows, so that few
 * rows are gathered in vain.
 *
 * Example, 8 rows, 2 of them wanted, those at places 2 and 6 from 0: hashes by bucket
 *
 *		bucket 0: 0.1   bucket 1: 1.3 1.3 1.3 1.3   bucket 2: 2.0   bucket 3: 3.1 3.7
 *
 * Place 2 is in bucket 1, the second row there, 6 in bucket 3, the first: 1.3 and 3.1.
 */
#include "postgres.h"

#include "rothko/coded_rows.h"

#include "base/context.h"
#include "base/interrupt.h"
#include "common/hashfn.h"
#include "port/pg_bitutils.h"
#include "utils/memutils.h"

#define PURPOSE "sample of rows"
#define KEY UINT64CONST(0x726f74686b6f2d73)
#define BUCKETS_SHARE 4 /* fraction of the memory limit */
#define ROWS_SHARE 5    /* .. and for the rows gathered and those of the sample */
#define MOST_BUCKETS (1 << 28)

/* Rows of the same codes. */
typedef struct GatheredRow
{
	uint64 hash;
	int64 times;
	int32 next; /* in the bucket; -1: none */
} GatheredRow;

/* The rows wanted from one bucket. */
typedef struct SampleBucket
{
	int64 before; /* rows in lower buckets */
	int64 first;  /* place in the sample */
	int64 count;
	int32 gathered;
} SampleBucket;

typedef struct RowSample
{
	const CodedRows *rows;
	const CodeBounds *lowest;
	const int *order; /* in which attributes are hashed; NULL: as they stand */
	Budget *budget;
	int64 population;
	int64 sample;
	int bits;      /* of a bucket's number */
	uint32 *index; /* [bucket]: rows; then 1 + the index of the bucket if rows of it are wanted,
					* otherwise 0 */
	SampleBucket *bucket;
	int64 buckets;
	GatheredRow *gathered;
	int32 *tuple; /* [gathered * width] */
	int64 count;
	int64 capacity;
	int64 most;
	int32 *codes;                  /* of a row */
	uint64 hash[CODED_ROWS_CHUNK]; /* hashes of the current chunk */
} RowSample;

static int
bits_of_buckets(const Budget *budget, int64 rows)
{
	int64 most = Min((int64) (budget->limit / BUCKETS_SHARE / sizeof(uint32)), MOST_BUCKETS);

	return pg_leftmost_one_pos64((uint64) Max(2, Min(2 * rows, most)));
}

/* The bytes of a gathered row. */
static Size
gathered_bytes(const RowLayout *layout)
{
	return sizeof(GatheredRow) + sizeof(int32) * layout->width;
}

/* The bytes for a row of the sample and the rows gathered in vain. */
static Size
sample_bytes(const RowLayout *layout, const PartitionRequest *request, int64 rows)
{
	int64 many = 1000000;
	Size loaded =
		(loaded_rows_bytes(layout, request, many) - loaded_rows_bytes(layout, request, 0)) / many;
	int64 with_it = 1 + (rows >> bits_of_buckets(request->budget, rows));

	/* Growing arrays doubles them. */
	return loaded + sizeof(SampleBucket) + (Size) (1 + with_it) * 3 * gathered_bytes(layout) / 2;
}

int64
row_sample_most(const RowLayout *layout, const PartitionRequest *request, int64 rows)
{
	return (int64) (request->budget->limit / ROWS_SHARE / sample_bytes(layout, request, rows));
}

Size
row_sample_bytes(const Budget *budget, int64 rows)
{
	return budget->limit / ROWS_SHARE + (sizeof(uint32) << bits_of_buckets(budget, rows));
}

static uint64
hash_row(const RowSample *sample, const int32 *tuple)
{
	const RowLayout *layout = sample->rows->layout;

	memcpy(sample->codes, tuple, sizeof(int32) * layout->width);
	for (int i = 0; i < layout->attributes; i++)
	{
		int attribute = sample->order ? sample->order[i] : i;
		int32 code = tuple[attribute];

		sample->codes[i] = code == DATASET_NULL ? code : code - sample->lowest[attribute].minimum;
	}
	sample->codes[layout->attributes] = 0;
	return hash_bytes_extended((const unsigned char *) sample->codes,
							   (int) sizeof(int32) * layout->width, KEY);
}

/*
 * Computes hashes before any lookup: buckets are scattered over memory, and the processor overlaps
 * several fetches if nothing comes between.
 */
static void
hash_rows(RowSample *sample, const int32 *tuple, int64 count)
{
	for (int64 i = 0; i < count; i++)
		sample->hash[i] = hash_row(sample, tuple + i * sample->rows->layout->width);
}

/* Compares rows with equal hashes by their codes, without the number. */
static int
compare_rows(const RowLayout *layout, const int32 *one, const int32 *other)
{
	for (int i = 0; i < layout->width; i++)
		if (i != layout->attributes && one[i] != other[i])
			return one[i] < other[i] ? -1 : 1;
	return 0;
}

static void
count_buckets(RowSample *sample)
{
	CodedScan scan = coded_scan_begin(sample->rows);
	int64 count;

	while ((count = coded_scan_chunk(&scan)) > 0)
	{
		hash_rows(sample, scan.tuple, count);
		for (int64 i = 0; i < count; i++)
			sample->index[sample->hash[i] >> (64 - sample->bits)]++;
	}
}

/* The place of a row of the sample among all rows. */
static int64
place_of(const RowSample *sample, int64 number)
{
	return (2 * number + 1) * sample->population / (2 * sample->sample);
}

/* Lists the buckets from which rows are wanted. */
static void
list_buckets(RowSample *sample)
{
	int64 before = 0;
	int64 next = 0;

	for (int64 i = 0; i < INT64CONST(1) << sample->bits; i++)
	{
		SampleBucket bucket = {.before = before, .first = next, .gathered = -1};

		interrupt_check(i);
		before += sample->index[i];
		sample->index[i] = 0;
		while (next < sample->sample && place_of(sample, next) < before)
			next++;
		bucket.count = next - bucket.first;
		if (bucket.count == 0)
			continue;
		sample->bucket[sample->buckets++] = bucket;
		sample->index[i] = (uint32) sample->buckets;
	}
	Assert(next == sample->sample && before == sample->population);
}

static void
enlarge(RowSample *sample)
{
	int width = sample->rows->layout->width;
	int64 capacity = Min(Max(64, sample->capacity + sample->capacity / 2), sample->most);

	sample->gathered = budget_enlarge(sample->budget, sample->gathered, sample->capacity, capacity,
									  sizeof(GatheredRow), PURPOSE);
	sample->tuple = budget_enlarge(sample->budget, sample->tuple, mul_size(sample->capacity, width),
								   mul_size(capacity, width), sizeof(int32), PURPOSE);
	sample->capacity = capacity;
}

/* Adds a row of a bucket; false if there are too many. */
static bool
gather(RowSample *sample, SampleBucket *bucket, uint64 hash, const int32 *tuple)
{
	const RowLayout *layout = sample->rows->layout;
	int steps = 0;

	for (int32 at = bucket->gathered; at >= 0; at = sample->gathered[at].next)
	{
		interrupt_check(steps++);
		if (sample->gathered[at].hash == hash &&
			compare_rows(layout, sample->tuple + (int64) at * layout->width, tuple) == 0)
		{
			sample->gathered[at].times++;
			return true;
		}
	}
	if (sample->count == sample->most)
		return false;
	if (sample->count == sample->capacity)
		enlarge(sample);
	sample->gathered[sample->count] =
		(GatheredRow){.hash = hash, .times = 1, .next = bucket->gathered};
	memcpy(sample->tuple + sample->count * layout->width, tuple, sizeof(int32) * layout->width);
	bucket->gathered = (int32) sample->count++;
	return true;
}

/* Gathers the rows of the listed buckets; false if there are too many. */
static bool
gather_rows(RowSample *sample)
{
	int width = sample->rows->layout->width;
	CodedScan scan = coded_scan_begin(sample->rows);
	int64 count;

	while ((count = coded_scan_chunk(&scan)) > 0)
	{
		hash_rows(sample, scan.tuple, count);
		for (int64 i = 0; i < count; i++)
		{
			uint32 number = sample->index[sample->hash[i] >> (64 - sample->bits)];

			if (number > 0 && !gather(sample, &sample->bucket[number - 1], sample->hash[i],
									  scan.tuple + i * width))
				return false;
		}
	}
	return true;
}

static int
compare_gathered(const void *a, const void *b, void *arg)
{
	const RowSample *sample = arg;
	const RowLayout *layout = sample->rows->layout;
	int32 one = *(const int32 *) a;
	int32 other = *(const int32 *) b;
	uint64 x = sample->gathered[one].hash;
	uint64 y = sample->gathered[other].hash;

	CHECK_FOR_INTERRUPTS();
	if (x != y)
		return x < y ? -1 : 1;
	return compare_rows(layout, sample->tuple + (int64) one * layout->width,
						sample->tuple + (int64) other * layout->width);
}

/* Takes the wanted rows of a bucket; "order" has room for its rows. */
static void
take_rows(RowSample *sample, const SampleBucket *bucket, int32 *order, LoadedRows *loaded)
{
	const RowLayout *layout = sample->rows->layout;
	int64 rows = bucket->before;
	int32 different = 0;
	int32 at = -1;

	for (int32 i = bucket->gathered; i >= 0; i = sample->gathered[i].next)
		order[different++] = i;
	qsort_arg(order, different, sizeof(int32), compare_gathered, sample);
	for (int64 i = bucket->first; i < bucket->first + bucket->count; i++)
	{
		interrupt_check(i);
		while (rows <= place_of(sample, i))
			rows += sample->gathered[order[++at]].times;
		loaded_rows_add(loaded, layout, sample->tuple + (int64) order[at] * layout->width);
	}
}

/* Returns false if the wanted buckets have too many rows. */
static bool
gather_sample(RowSample *sample)
{
	memset(sample->index, 0, sizeof(uint32) << sample->bits);
	sample->buckets = sample->count = 0;
	count_buckets(sample);
	list_buckets(sample);
	return gather_rows(sample);
}

LoadedRows *
row_sample_take(const CodedRows *rows, const CodeBounds *lowest, const PartitionRequest *request,
				int64 wanted)
{
	MemoryContext scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon sample", CONTEXT_SMALL_SIZES);
	MemoryContext previous = MemoryContextSwitchTo(scratch);
	int64 population = code_tape_tuples(rows->tape);
	Budget *budget = request->budget;
	RowSample sample = {.rows = rows,
						.lowest = lowest,
						.order = request->order,
						.budget = budget,
						.population = population,
						.sample = Min(wanted, population),
						.bits = bits_of_buckets(budget, population),
						.codes = palloc(sizeof(int32) * rows->layout->width)};
	LoadedRows *loaded;
	int32 *order;

	sample.most = (int64) (budget->limit / ROWS_SHARE / gathered_bytes(rows->layout)) + 1;
	sample.index = budget_allocate(budget, (Size) 1 << sample.bits, sizeof(uint32), PURPOSE);
	sample.bucket = budget_allocate(budget, sample.sample, sizeof(SampleBucket), PURPOSE);
	while (!gather_sample(&sample))
		sample.sample = Max(1, sample.sample / 2);
	pfree(sample.index);
	order = budget_allocate(budget, sample.count, sizeof(int32), PURPOSE);
	MemoryContextSwitchTo(previous);
	loaded = loaded_rows_room(rows->layout, request, sample.sample);
	for (int64 i = 0; i < sample.buckets; i++)
		take_rows(&sample, &sample.bucket[i], order, loaded);
	MemoryContextDelete(scratch);
	return loaded;
}
