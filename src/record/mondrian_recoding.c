/*
 * mondrian_recoding.c
 *		See record_codes.h.
 */
#include "postgres.h"

#include "record/record_codes.h"

#include "base/context.h"
#include "record/record_spill.h"
#include "record/record_whole.h"

#define PURPOSE "partitioning"

/* The classes of the target in an order of the values, independent of the rows' order. */
static const int32 *
order_classes(const RecordCodes *codes)
{
	int32 *order = dictionary_order(codes->classes, DICTIONARY_BY_TYPE);
	int32 classes = dictionary_size(codes->classes);
	int32 *rank = budget_allocate(codes->budget, 1 + classes, sizeof(int32), PURPOSE);

	for (int32 i = 0; i < classes; i++)
		rank[1 + order[i]] = 1 + i;
	pfree(order);
	return rank;
}

/* Partitions rows that are all on a tape. */
static Recoding *
divide_on_tapes(RecordCodes *codes, PartitionRequest *partition, PartitioningWork *work)
{
	const Dataset *dataset = codes->dataset;
	bool sample = codes->request.way.partitioning == PARTITIONING_SAMPLE;
	RothkoRequest request;
	MemoryContext caller;
	Recoding *recoding;

	if (codes->classes && sample)
		dataset->final_code[dataset->attributes + 1] = order_classes(codes);
	caller = MemoryContextSwitchTo(
		AllocSetContextCreate(CurrentMemoryContext, "kanon parts", CONTEXT_SMALL_SIZES));
	request = record_spill_rows(codes, partition);
	request.sample = sample;
	request.work = work;
	work->way = sample ? "sample" : "tree";
	recoding = rothko_run(&request);
	MemoryContextSwitchTo(caller);
	return recoding;
}

static PartitionRequest
make_request(RecordCodes *codes, const RowModels *models, const RecodeOptions *options, bool strict)
{
	const Dataset *dataset = codes->dataset;
	PartitionRequest request = {
		.k = options->k,
		.split = codes->request.split,
		.rest = !strict && codes->request.split != SPLIT_MEDIAN,
		.order = strict || codes->request.split == SPLIT_MEDIAN ? NULL : record_codes_order(codes),
		.target_value = dataset->target,
		.models = models,
		.nodes = options->nodes,
		.places_only = options->by_class,
		.budget = codes->budget};

	if (request.rest)
		request.weight = record_codes_weights(codes, request.order);
	if (codes->classes)
	{
		request.target_class = dataset->side[0];
		request.target_classes = 1 + dictionary_size(codes->classes);
	}
	return request;
}

static Recoding *
divide(RecordCodes *codes, const RowModels *models, const RecodeOptions *options, bool strict,
	   bool relaxed)
{
	Dataset *dataset = codes->dataset;
	PartitioningWork *work = partitioning_work_begin();
	PartitionRequest request = make_request(codes, models, options, strict);
	Recoding *recoding;

	request.relaxed = relaxed;
	work->rows = dataset->taped + dataset->rows;
	work->way = "memory";
	if (dataset->tape)
		return divide_on_tapes(codes, &request, work);
	/* Rows that somebody says are a node. */
	request.of_part = request.unjudged = codes->request.whole != NULL;
	request.column = request.of_part ? record_whole_columns(codes)
									 : dataset_columns_codes(codes->column, dataset->attributes);
	recoding = partition_run(dataset, &request);
	work->classes = recoding ? recoding->groups : 0;
	return recoding;
}

PartitionRequest
mondrian_nodes(RecordCodes *codes, const RowModels *models, const RecodeOptions *options)
{
	return make_request(codes, models, options, false);
}

PartitionRequest
strict_mondrian_nodes(RecordCodes *codes, const RowModels *models, const RecodeOptions *options)
{
	return make_request(codes, models, options, true);
}

Recoding *
mondrian_recode(RecordCodes *codes, const RowModels *models, const RecodeOptions *options)
{
	return divide(codes, models, options, false, false);
}

Recoding *
strict_mondrian_recode(RecordCodes *codes, const RowModels *models, const RecodeOptions *options)
{
	return divide(codes, models, options, true, false);
}

Recoding *
relaxed_mondrian_recode(RecordCodes *codes, const RowModels *models, const RecodeOptions *options)
{
	return divide(codes, models, options, true, true);
}
