/*
 * local_recoding.c
 *		Local recoding of records.  See record_codes.h.
 */
#include "postgres.h"

#include "record/record_codes.h"

#include "base/context.h"
#include "base/interrupt.h"
#include "base/limits.h"
#include "local/local.h"
#include "record/record_spill.h"
#include "record/record_whole.h"

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
		AllocSetContextCreate(CurrentMemoryContext, "kanon regions", CONTEXT_SMALL_SIZES));
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
	const int *order = record_codes_order(codes);

	return (LocalRequest){.k = k,
						  .column = column,
						  .weight = record_codes_weights(codes, order),
						  .order = order,
						  .budget = codes->budget};
}

PartitionRequest
local_nodes(RecordCodes *codes, const RowModels *models, const RecodeOptions *options)
{
	LocalRequest request = make_request(codes, NULL, options->k);

	request.models = models;
	request.places_only = true;
	return local_region_request(&request, record_whole_rows(codes));
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
	/* Rows that somebody says are a node. */
	request.of_part = request.unjudged = codes->request.whole != NULL;
	request.column = request.of_part ? record_whole_columns(codes)
									 : dataset_columns_codes(codes->column, dataset->attributes);
	recoding = local_run(dataset, &request);
	work->classes = recoding ? recoding->groups : 0;
	return recoding;
}

const int32 *
local_recoding_classes(RecordCodes *codes, const RecodingColumn *column, const RowModels *models,
					   int k, int32 *classes)
{
	Dataset *dataset = codes->dataset;
	LocalRequest request = make_request(codes, column, k);
	const Recoding *recoding;
	int32 *order;

	request.models = models;
	recoding = local_run(dataset, &request);
	if (recoding == NULL)
		return NULL;
	order = budget_allocate(codes->budget, dataset->rows, sizeof(int32), "matching of rows");
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
