/*
 * local_recoding.c
 *		Local recoding of records.  See record_codes.h.
 */
#include "postgres.h"

#include "record/record_codes.h"

#include "base/interrupt.h"
#include "base/limits.h"
#include "local/local.h"
#include "record/record_spill.h"

/* Does one attribute come before another in ties: with fewer distinct values, or by its name? */
static bool
comes_before(const RecordCodes *codes, int one, int other)
{
	DescribedAttribute *const *quasi = codes->description->quasi;
	int32 values = dataset_cardinality(codes->dataset, one);
	int32 others = dataset_cardinality(codes->dataset, other);

	return values != others ? values < others : strcmp(quasi[one]->name, quasi[other]->name) < 0;
}

/* The order of attributes in ties, which does not depend on their order in the call. */
static int *
order_attributes(const RecordCodes *codes)
{
	int count = codes->dataset->attributes;
	int *order = palloc(sizeof(int) * count);

	for (int i = 0; i < count; i++)
	{
		int place = i;

		for (; place > 0 && comes_before(codes, i, order[place - 1]); place--)
			order[place] = order[place - 1];
		order[place] = i;
	}
	return order;
}

/*
 * Shares of the quasi-identifiers in the loss, summed in that order.  If none has a weight, they
 * count alike.
 */
static double *
share_weights(const Description *description, const int *order)
{
	int count = description->quasi_count;
	double *share = palloc(sizeof(double) * count);
	double sum = 0;

	for (int i = 0; i < count; i++)
		sum += description->quasi[order[i]]->weight;
	for (int i = 0; i < count; i++)
		share[i] = sum > 0 ? description->quasi[i]->weight / sum : 1.0 / count;
	return share;
}

/* Recodes regions that were loaded from a tape. */
static Recoding *
recode_regions(Dataset *rows, const PartitionRequest *partition, void *state)
{
	LocalRequest request = *(const LocalRequest *) state;

	request.models = partition->models;
	request.column = partition->column;
	request.of_part = true;
	request.places_only = true;
	request.budget = partition->budget;
	return local_run(rows, &request);
}

/* Recodes rows that are all on a tape. */
static Recoding *
recode_on_tapes(RecordCodes *codes, const LocalRequest *request, PartitioningWork *work)
{
	int64 rows = record_codes_rows(codes);
	MemoryContext caller = MemoryContextSwitchTo(
		AllocSetContextCreate(CurrentMemoryContext, "kanon regions", ALLOCSET_SMALL_SIZES));
	PartitionRequest *partition = palloc(sizeof(PartitionRequest));
	LocalRequest *local = palloc(sizeof(LocalRequest));
	LocalProgress *progress = palloc(sizeof(LocalProgress));
	RothkoRequest rothko;
	Recoding *recoding;

	*progress = (LocalProgress){.rows = rows};
	*local = *request;
	local->progress = progress;
	*partition = local_region_request(request, rows);
	rothko = record_spill_rows(codes, partition);
	rothko.recode = recode_regions;
	rothko.state = local;
	rothko.bytes = local_bytes(rows, codes->dataset->attributes);
	rothko.work = work;
	work->way = "tree";
	recoding = rothko_run(&rothko);
	MemoryContextSwitchTo(caller);
	return recoding;
}

static LocalRequest
make_request(const RecordCodes *codes, const RecodingColumn *column, int k)
{
	const int *order = order_attributes(codes);

	return (LocalRequest){.k = k,
						  .column = column,
						  .weight = share_weights(codes->description, order),
						  .order = order,
						  .budget = codes->budget};
}

Recoding *
local_recode(RecordCodes *codes, const RowModels *models, const RecodeOptions *options)
{
	Dataset *dataset = codes->dataset;
	PartitioningWork *work = partitioning_work_begin();
	Recoding *recoding;
	LocalRequest request = make_request(codes, NULL, options->k);

	request.models = models;
	request.suppressed = limits_suppressible(options->suppression, record_codes_rows(codes));
	request.places_only = options->by_class;
	work->rows = record_codes_rows(codes);
	work->way = "memory";
	if (dataset->tape)
		return recode_on_tapes(codes, &request, work);
	request.column = dataset_columns_codes(codes->column, dataset->attributes);
	recoding = local_run(dataset, &request);
	work->classes = recoding ? recoding->groups : 0;
	return recoding;
}

const int32 *
local_recoding_classes(RecordCodes *codes, const RecodingColumn *column, int k, int32 *classes)
{
	Dataset *dataset = codes->dataset;
	LocalRequest request = make_request(codes, column, k);
	const Recoding *recoding = local_run(dataset, &request);
	int32 *order = budget_allocate(codes->budget, dataset->rows, sizeof(int32), "matching of rows");

	for (int64 at = 0; at < dataset->rows; at++)
	{
		interrupt_check(at);
		order[dataset_row(dataset, dataset_record(dataset, at))] = (int32) at;
	}
	dataset_arrange(dataset, order);
	pfree(order);
	*classes = recoding->groups;
	return recoding->group_of_row;
}
