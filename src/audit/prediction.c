/*
 * prediction.c
 *		See prediction.h.
 */
#include "postgres.h"

#include "audit/prediction.h"

#include "base/context.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "cell/recoding_cells.h"
#include "count/class_query.h"
#include "metric/loss.h"
#include "partition/partition.h"
#include "portability/instr_time.h"
#include "record/matching_recoding.h"
#include "record/record_reader.h"
#include "release/release_full_domain.h"
#include "utils/memutils.h"

static void
measure_levels(const ReleaseRequest *request, Description *description, PredictedRelease *compared)
{
	int *levels = palloc(sizeof(int) * description->quasi_count);
	ClassMetrics metrics;

	release_models_describe(description, &request->demand);
	if (!release_full_domain_search(request, description, levels, &compared->loss, &metrics))
		return;
	compared->rows = compared->missing - metrics.suppressed;
	compared->missing = metrics.suppressed;
	compared->classes = metrics.classes;
	compared->smallest = metrics.smallest;
}

static double
weighted_loss(const RecodingFigures *figures, const Description *description)
{
	double mean[RECORD_ROLES_MOST];
	double weight[RECORD_ROLES_MOST];

	if (!recoding_figures_loss(figures, description->quasi_count, mean))
		return 0;
	for (int i = 0; i < description->quasi_count; i++)
		weight[i] = description->quasi[i]->weight;
	return recoding_figures_weigh(mean, weight, description->quasi_count);
}

static void
measure_recoding(const ReleaseRequest *request, bool told, PredictedRelease *compared)
{
	RecordRequest rows = release_request_records(request, told);
	Budget budget = budget_begin();
	RecordCodes *codes = record_reader_relation(request->relation, &rows, &budget);
	RecodingFigures figures;
	Recoding *recoding;

	recoding =
		record_codes_recode(codes, request->recoding->recode, release_request_recode(request));
	if (recoding == NULL)
		return;
	figures = recoding_figures_measure(recoding, codes);
	compared->classes = figures.classes;
	compared->smallest = figures.smallest;
	compared->loss = weighted_loss(&figures, codes->description);
	compared->rows = figures.rows;
	compared->missing -= figures.rows;
}

bool
prediction_is_possible(const RecodingOps *recoding)
{
	return recoding->recode || (recoding->takes & RECODING_LEVELS);
}

PredictedRelease
prediction_make(const ReleaseRequest *request, bool *told)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "kanon prediction", CONTEXT_SMALL_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	Description *description = description_load(request->relation, request->quasi_identifiers);
	PredictedRelease compared = {.missing = class_query_count(description)};
	instr_time begun;
	instr_time spent;

	description->told = *told;
	progress_task(psprintf("%s, k = %d", request->recoding->name, request->demand.k));
	INSTR_TIME_SET_CURRENT(begun);
	PG_TRY();
	{
		if (compared.missing < request->demand.k)
			;
		else if (request->recoding->recode)
			measure_recoding(request, *told, &compared);
		else
			measure_levels(request, description, &compared);
	}
	PG_FINALLY();
	{
		progress_task("");
	}
	PG_END_TRY();
	*told = *told || compared.rows + compared.missing >= request->demand.k;
	INSTR_TIME_SET_CURRENT(spent);
	INSTR_TIME_SUBTRACT(spent, begun);
	compared.milliseconds = INSTR_TIME_GET_MILLISEC(spent);
	if (compared.rows > 0)
		compared.risk = request->recoding->has_classes
							? (double) compared.classes / (double) compared.rows
							: 1.0 / request->demand.k;
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
	return compared;
}

/* ---- the least loss of matchings */

/*
 * [node] of a tree: the loss of a cell, as a share of the loss of all columns together.  The bound
 * takes a column's weight from its first digit; its other digits weigh nothing.
 */
static double *
cell_losses(const MatchingColumn *column, const MatchingTable *rows, int part, double share)
{
	const CellTree *tree = &rows->tree[column->first + part];
	double *loss = cell_tree_array(tree, sizeof(double), rows->budget);

	for (int32 node = tree->values; node < tree->nodes; node++)
	{
		interrupt_check(node);
		if (column->digits)
			loss[node] = part == 0 ? share : 0;
		else if (column->recoded.dimension == NULL)
			loss[node] =
				share * loss_of_all(dataset_cardinality(rows->dataset, column->first), false);
		else
		{
			RecodedCell cell = matching_rows_cell(column, tree, node);

			loss[node] = share * loss_of_cell(&column->recoded, &cell);
		}
	}
	return loss;
}

bool
prediction_bound(Oid relation, ArrayType *quasi_identifiers, int k, bool priced, int8 ranges,
				 double *bound)
{
	RecordRequest request = {
		.roles = {.quasi_identifiers = quasi_identifiers, .plain = ranges == NEITHER},
		.ranks = true,
		.spans = ranges != false};
	Budget budget = budget_begin();
	RecordCodes *codes = record_reader_relation(relation, &request, &budget);
	DescribedAttribute *const *quasi = codes->description->quasi;
	MatchingRows *rows;
	const double **loss;
	double weights = 0;

	if (record_codes_rows(codes) < k)
		return false;
	record_codes_finish(codes);
	rows = matching_rows_create(codes, 0);
	loss = palloc(sizeof(double *) * rows->table->dataset->attributes);
	for (int i = 0; i < rows->columns; i++)
		weights += quasi[rows->order[i]]->weight;
	for (int i = 0; i < rows->columns; i++)
		for (int part = 0; part < rows->column[i].count; part++)
			loss[rows->column[i].first + part] = cell_losses(
				&rows->column[i], rows->table, part, weights > 0 ? quasi[i]->weight / weights : 0);
	*bound = matching_bound_run(rows->table, k, loss, NULL);
	/* Prices are a heuristic, so the bound without them may be better. */
	if (priced)
	{
		const double *price = matching_bound_prices(rows->table, k, loss);
		double sharper = price ? matching_bound_run(rows->table, k, loss, price) : 0;

		*bound = Max(*bound, sharper);
	}
	return true;
}
