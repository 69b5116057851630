/*
 * mondrian_recoding.c
 *		See mondrian_recoding.h.
 */
#include "postgres.h"

#include "record/mondrian_recoding.h"

#include "partition/region.h"

/* Partitions rows that are all on a tape. */
static Recoding *
divide_on_tapes(const Dataset *dataset, DatasetColumn *const *column, PartitionRequest *partition,
				const RecodeOptions *options, PartitioningWork *work)
{
	RecodingColumn *extent = palloc(sizeof(RecodingColumn) * dataset->attributes);
	CodeBounds *bounds = palloc(sizeof(CodeBounds) * dataset->attributes);
	CodedRows rows = {
		.layout = &dataset->tuple, .tape = dataset->tape, .final_code = dataset->final_code};

	work->way = options->sample ? "sample" : "tree";
	for (int i = 0; i < dataset->attributes; i++)
	{
		bounds[i] = (CodeBounds){.minimum = column[i]->minimum, .maximum = column[i]->maximum};
		extent[i] = region_column(&column[i]->codes, bounds[i].minimum, bounds[i].maximum);
	}
	partition->column = extent;
	return rothko_run(&(RothkoRequest){.partition = partition,
									   .rows = &rows,
									   .bounds = bounds,
									   .tapes = options->tapes,
									   .most = options->most,
									   .sample = options->sample,
									   .work = work});
}

static Recoding *
divide(Dataset *dataset, DatasetColumn *const *column, const RowModels *models,
	   const RecodeOptions *options, bool relaxed)
{
	PartitioningWork *work = partitioning_work_begin();
	PartitionRequest request = {.k = options->k,
								.relaxed = relaxed,
								.split = options->split,
								.target_class =
									options->target_classes > 0 ? dataset->side[0] : NULL,
								.target_classes = options->target_classes,
								.target_value = dataset->target,
								.models = models,
								.nodes = options->nodes,
								.places_only = options->by_class,
								.budget = options->budget};
	Recoding *recoding;

	work->rows = dataset->taped + dataset->rows;
	work->way = "memory";
	if (dataset->tape)
		return divide_on_tapes(dataset, column, &request, options, work);
	request.column = dataset_columns_codes(column, dataset->attributes);
	recoding = partition_run(dataset, &request);
	work->classes = recoding ? recoding->groups : 0;
	return recoding;
}

Recoding *
mondrian_recode(Dataset *dataset, DatasetColumn *const *column, const RowModels *models,
				const RecodeOptions *options)
{
	return divide(dataset, column, models, options, false);
}

Recoding *
relaxed_mondrian_recode(Dataset *dataset, DatasetColumn *const *column, const RowModels *models,
						const RecodeOptions *options)
{
	return divide(dataset, column, models, options, true);
}
