/*
 * record_spill.c
 *		See record_spill.h.
 *
 * Once rows have gone to the tape, the dataset holds a few, which go when it is full.  Any request
 * that exceeds the budget, such as a dictionary's for a new value, may trigger this, even in the
 * middle of a row: that row stays as the first one.
 */
#include "postgres.h"

#include "record/record_spill.h"

#include "local/local.h"
#include "partition/region.h"

#define PURPOSE "partitioning"
#define KEPT_ROWS 256      /* rows kept in memory while others go to a tape */
#define PART_SHARE 8       /* largest fraction of the rows in memory if tapes are requested */
#define COUNTS_SHARE 8     /* fraction of the memory limit for counts of one attribute by places */
#define SPARSE 8           /* places for each row from which on they are sparse */
#define RESERVED_SHARE 8   /* fraction of the memory limit */
#define FINISHING_BYTES 40 /* for each dictionary value while codes are made final */
#define SHAPE_BYTES ((Size) 64 * 1024) /* of what is known of the rows, beside values */
/* For the estimate of memory that would suffice. */
#define PERSON_BYTES 64 /* for each row, if people count */
#define PAIR_BYTES 96   /* .. and for each sensitive column */
#define SLACK 1.5       /* for doubling tables and reserves */
#define OVERHEAD ((Size) 512 * 1024)

#define SAMPLE "sample"

int record_spill_partitioning = PARTITIONING_AUTO;

const struct config_enum_entry record_spill_partitionings[] = {
	{"auto", PARTITIONING_AUTO, false},
	{"memory", PARTITIONING_MEMORY, false},
	{"tree", PARTITIONING_TREE, false},
	{SAMPLE, PARTITIONING_SAMPLE, false},
	{NULL, 0, false}};

PartitioningWay
record_spill_of_release(const char *name)
{
	PartitioningWay way = {.partitioning = PARTITIONING_SAMPLE};

	if (name == NULL)
		way.partitioning = record_spill_partitioning == PARTITIONING_SAMPLE
							   ? PARTITIONING_AUTO
							   : record_spill_partitioning;
	else if (strncmp(name, SAMPLE, strlen(SAMPLE)) != 0 ||
			 !parse_int(name + strlen(SAMPLE), &way.kilobytes, GUC_UNIT_KB, NULL) ||
			 way.kilobytes <= 0)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("unrecognized partitioning \"%s\" of a release", name),
						errhint("The only one that a release names is " SAMPLE
								", with its memory: \"" SAMPLE " 64MB\".")));
	return way;
}

const char *
record_spill_for_release(void)
{
	return record_spill_partitioning == PARTITIONING_SAMPLE ? record_spill_samples() : NULL;
}

const char *
record_spill_samples(void)
{
	return psprintf(SAMPLE " %d kB", budget_kilobytes());
}

void
record_spill_limit(PartitioningWay way, Budget *budget)
{
	Size limit = (Size) way.kilobytes * 1024;

	if (limit > budget->limit)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the samples of a release made within %d kB exceed the memory limit"
						" of %zu kB",
						way.kilobytes, budget->limit / 1024),
				 errdetail("Smaller samples would give other classes."),
				 errhint("Raise \"kanon.memory_limit\" (or \"maintenance_work_mem\", its default)"
						 " to %d kB.%s",
						 way.kilobytes, budget_ceiling_hint(limit))));
	if (limit == 0)
		return;
	budget->limit = limit;
	budget->fixed = true;
}

/* Bytes of rows that are partitioned or recoded in memory: classes are copied. */
static Size
recoding_bytes(const RecordCodes *codes, int64 rows)
{
	const Description *description = codes->description;
	bool regions = codes->request.regions;
	bool plain = false;
	Size of_row;

	for (int i = 0; i < description->quasi_count; i++)
		plain |= description->quasi[i]->plain;
	of_row = partition_row_bytes(regions ? SPLIT_GAIN : codes->request.split,
								 description->demand.columns > 0, plain, false) +
			 sizeof(int32);

	return add_size(mul_size(of_row, rows),
					regions ? local_bytes(rows, codes->dataset->attributes) : 0);
}

/* Bytes to leave free for what becomes of the classes. */
static Size
reserve(const RecordCodes *codes)
{
	return codes->budget->limit / RESERVED_SHARE;
}

static bool
on_tapes(const RecordCodes *codes)
{
	return codes->request.way.partitioning == PARTITIONING_TREE ||
		   codes->request.way.partitioning == PARTITIONING_SAMPLE;
}

/* Will this many rows fit in memory and, if they may leave it, also their partitioning? */
static bool
expects(const RecordCodes *codes, int64 rows)
{
	if (codes->tapes == NULL)
		return budget_fits(codes->budget, mul_size(dataset_row_bytes(codes->dataset), rows));
	return !on_tapes(codes) &&
		   (rows <= KEPT_ROWS ||
			budget_fits(codes->budget, mul_size(dataset_row_bytes(codes->dataset), rows) +
										   recoding_bytes(codes, rows) + reserve(codes)));
}

static void
start_tape(RecordCodes *codes)
{
	codes->dataset->tape = code_tape_create(codes->tapes, codes->dataset->tuple.width);
}

/* Moves all rows but the one being added. */
static void
spill(RecordCodes *codes)
{
	Dataset *dataset = codes->dataset;
	int64 rows = Min(dataset->rows, codes->adding);

	if (dataset->taped + rows > PG_INT32_MAX)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("cannot partition more than %d rows at once", PG_INT32_MAX)));
	codes->spilling = true;
	if (dataset->tape == NULL)
		start_tape(codes);
	for (int i = 0; i < dataset->attributes; i++)
		dataset_column_leave(codes->column[i], rows);
	if (codes->sensitive)
		sensitive_rows_leave_memory(codes->sensitive, rows);
	dataset_spill(dataset, rows, KEPT_ROWS);
	codes->adding = dataset->rows > 0 ? 0 : PG_INT32_MAX;
	codes->spilling = false;
}

/* The budget's callback. */
static bool
relieve(void *relieved)
{
	RecordCodes *codes = relieved;

	if (codes->spilling || codes->dataset->rows <= 1)
		return false;
	spill(codes);
	return true;
}

Size
record_spill_person_bytes(const Description *description)
{
	return description->person ? PERSON_BYTES + PAIR_BYTES * (Size) description->demand.columns : 0;
}

/* Bytes of rows that must stay in memory while they are partitioned. */
static Size
staying_bytes(const RecordCodes *codes, int64 rows)
{
	return add_size(mul_size(dataset_row_bytes(codes->dataset) + codes->request.class_bytes +
								 record_spill_person_bytes(codes->description),
							 rows),
					recoding_bytes(codes, rows));
}

/* The numbers counted with each code of an attribute over all rows. */
static int64
numbers_of_code(const RecordCodes *codes)
{
	return 1 + (codes->classes ? 1 + dictionary_size(codes->classes) : 0) +
		   (codes->dataset->target ? sizeof(SlotValues) / sizeof(int32) : 0) +
		   (codes->sensitive ? sensitive_rows_values(codes->sensitive) : 0);
}

/* Bytes of the counts with which rows on a tape begin, once their codes are final. */
static double
counts_bytes(const RecordCodes *codes)
{
	double most = 0;
	double sum = 0;

	for (int i = 0; codes->final && i < codes->dataset->attributes; i++)
	{
		double codes_between = (double) codes->column[i]->maximum - codes->column[i]->minimum;

		sum += codes_between;
		most = Max(most, codes_between);
	}
	return (codes->request.split == SPLIT_MEDIAN && !codes->request.regions ? most : sum) *
		   numbers_of_code(codes) * sizeof(int32);
}

/* Bytes of the largest region of so many rows on a tape. */
static double
region_bytes(const RecordCodes *codes, int64 rows)
{
	int64 most = Min(rows, LOCAL_REGION_ROWS);

	if (!codes->request.regions)
		return 0;
	return (double) dataset_row_bytes(codes->dataset) * most + recoding_bytes(codes, most);
}

/* The bytes that the budget has given for everything but the rows: dimensions, dictionaries. */
static Size
given_for_values(const RecordCodes *codes)
{
	Size used = budget_used(codes->budget);
	Size rows = mul_size(dataset_row_bytes(codes->dataset), codes->dataset->capacity);

	return used > rows ? used - rows : 0;
}

/*
 * Estimates the memory that all rows need: dictionaries, extrapolated from the rows so far, the
 * rows that stay, and the reserve for classes; at least what is asked for.
 */
static Size
enough(const void *asked, Size bytes)
{
	const RecordCodes *codes = asked;
	int64 so_far = record_codes_rows(codes);
	int64 rows = Max(codes->expected, so_far);
	double values = Max((double) given_for_values(codes) - (double) codes->begun, 0);
	double all;

	if (!codes->final && codes->expected <= 1)
		return 0;
	if (!codes->final && so_far > 0)
		values *= (double) rows / (double) so_far;
	all = codes->begun + values +
		  (codes->tapes ? counts_bytes(codes) + (double) codes->request.class_bytes * rows +
							  region_bytes(codes, rows)
						: staying_bytes(codes, rows));
	return (Size) (Max(all, (double) budget_used(codes->budget) + (double) bytes) * SLACK) +
		   OVERHEAD;
}

int64
record_spill_begin(RecordCodes *codes, int64 rows)
{
	bool fit = expects(codes, rows);

	codes->budget->enough = enough;
	codes->budget->asked = codes;
	if (codes->tapes)
	{
		codes->budget->relieve = relieve;
		codes->budget->relieved = codes;
	}
	if (codes->tapes && !fit)
		start_tape(codes);
	return fit ? rows : KEPT_ROWS;
}

/* Bytes of the values of all rows so far, and of the few rows that stay. */
static Size
reckon(const void *asked)
{
	const RecordCodes *codes = asked;
	Size bytes = SHAPE_BYTES + mul_size(dataset_row_bytes(codes->dataset), KEPT_ROWS);

	if (codes->sensitive)
		bytes += sensitive_rows_bytes(codes->sensitive);
	for (int i = 0; i < codes->dataset->attributes; i++)
		bytes += dataset_column_bytes(codes->column[i]);
	if (codes->classes)
		bytes += dictionary_bytes(codes->classes) +
				 FINISHING_BYTES * (Size) dictionary_size(codes->classes);
	return bytes;
}

void
record_spill_ready(RecordCodes *codes)
{
	codes->begun = given_for_values(codes);
	if (codes->tapes && on_tapes(codes))
		codes->budget->reckon = reckon;
}

/*
 * The budget for partitioning the rows on a tape.  If it reckoned, a new one in the current
 * context, over that context and the tapes: beside the values, and what is left free for what
 * becomes of the classes.  The budget of the codes goes by the allocator from now on.
 */
static Budget *
budget_of_parts(RecordCodes *codes)
{
	Budget *budget = codes->budget;

	if (budget->reckon == NULL)
		return budget;
	budget = palloc(sizeof(Budget));
	*budget = *codes->budget;
	budget->elsewhere = budget_used(codes->budget) + reserve(codes);
	budget->reckon = codes->budget->reckon = NULL;
	budget->context = CurrentMemoryContext;
	budget->before = 0;
	budget->apart = codes->tapes->context;
	budget->relieve = NULL;
	budget_check(budget, 0, PURPOSE);
	return budget;
}

/* Relief must not move the rows for which room is made. */
static void
enlarge(RecordCodes *codes)
{
	Dataset *dataset = codes->dataset;
	bool (*relief)(void *relieved) = codes->budget->relieve;

	codes->budget->relieve = NULL;
	dataset_reserve(dataset,
					dataset->rows < PG_INT32_MAX / 2 ? dataset->rows * 2 : dataset->rows + 1);
	codes->budget->relieve = relief;
}

void
record_spill_make_room(RecordCodes *codes)
{
	const Dataset *dataset = codes->dataset;

	codes->adding = PG_INT32_MAX;
	if (dataset->rows == dataset->capacity)
	{
		if (codes->tapes &&
			(dataset->tape ||
			 !budget_fits(codes->budget, mul_size(dataset_row_bytes(dataset), dataset->capacity))))
			spill(codes);
		else
			enlarge(codes);
	}
	codes->adding = dataset->rows;
}

/*
 * All codes between the least and the greatest will be counted, with each value of the sides.  If
 * that takes more than a share of the memory and few of them can occur, a dictionary takes less.
 */
static void
narrow_columns(RecordCodes *codes)
{
	Budget *budget = codes->budget;
	int64 most = (int64) (budget->limit / COUNTS_SHARE / sizeof(int32)) / numbers_of_code(codes);

	for (int i = 0; i < codes->dataset->attributes; i++)
		dataset_column_narrow(codes->column[i], Max(most, SPARSE * codes->dataset->taped));
}

/* Will the rows be partitioned in memory once their codes are final? */
static bool
will_fit(const RecordCodes *codes)
{
	int64 rows = codes->dataset->rows;
	Size bytes = add_size(recoding_bytes(codes, rows), mul_size(codes->request.class_bytes, rows));

	for (int i = 0; i < codes->dataset->attributes; i++)
		bytes += (Size) FINISHING_BYTES * dataset_column_values(codes->column[i]);
	if (codes->sensitive)
		bytes += (Size) FINISHING_BYTES * sensitive_rows_values(codes->sensitive);
	return rows <= KEPT_ROWS || budget_fits(codes->budget, bytes + reserve(codes));
}

void
record_spill_end(RecordCodes *codes)
{
	codes->adding = PG_INT32_MAX;
	if (codes->tapes == NULL)
		return;
	if (codes->dataset->tape || !will_fit(codes))
		spill(codes);
	codes->budget->relieve = NULL;
	if (codes->dataset->tape)
		narrow_columns(codes);
}

RothkoRequest
record_spill_rows(RecordCodes *codes, PartitionRequest *partition)
{
	const Dataset *dataset = codes->dataset;
	RecodingColumn *extent = palloc(sizeof(RecodingColumn) * dataset->attributes);
	CodeBounds *bounds = palloc(sizeof(CodeBounds) * dataset->attributes);
	CodedRows *rows = palloc(sizeof(CodedRows));

	for (int i = 0; i < dataset->attributes; i++)
	{
		const DatasetColumn *column = codes->column[i];

		bounds[i] = (CodeBounds){.minimum = column->minimum, .maximum = column->maximum};
		extent[i] = region_column(&column->codes, column->minimum, column->maximum);
	}
	*rows = (CodedRows){
		.layout = &dataset->tuple, .tape = dataset->tape, .final_code = dataset->final_code};
	partition->column = extent;
	partition->budget = budget_of_parts(codes);
	return (RothkoRequest){.partition = partition,
						   .rows = rows,
						   .bounds = bounds,
						   .tapes = codes->tapes,
						   .most = on_tapes(codes) ? record_codes_rows(codes) / PART_SHARE
												   : PG_INT32_MAX};
}
