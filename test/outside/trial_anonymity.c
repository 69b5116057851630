/*
 * trial_anonymity.c
 *		Trials of releases of any kind: the k-d tree, the anonymity graph, its
 *		flow, who is singled out, the bound of the loss; see trial.h.
 */
#include "postgres.h"

#include "trial.h"

#include <math.h>

#include "proof/anonymity_graph.h"

#define ATTRIBUTES 4
#define CODES 8
#define RECORDS 8 /* all sets of them are looked at */
#define ROWS 40

/* ---- graphs */

typedef struct Case
{
	int attributes;
	Dataset *rows;
	Dataset *records;
	const CellCover *cover[ATTRIBUTES];
} Case;

/* Cells of random spans, NULL of all. */
static CellCover *
draw_cover(Draw *draw)
{
	CellCover *cover = palloc(sizeof(CellCover));
	int32 spans = 0;

	cover->cells = draw_between(draw, 0, 5);
	cover->first = palloc(sizeof(int32) * (cover->cells + 2));
	cover->first -= DATASET_NULL;
	cover->span = palloc(sizeof(CodeSpan) * (cover->cells + 1) * CODES);
	cover->first[DATASET_NULL] = spans;
	cover->span[spans++] = CODE_SPAN_ALL;
	for (int32 cell = 0; cell < cover->cells; cell++)
	{
		cover->first[cell] = spans;
		for (int32 from = draw_below(draw, 3); from < CODES;)
		{
			int32 to = from + draw_between(draw, 1, 4);

			cover->span[spans++] = (CodeSpan){.from = from, .to = to};
			from = to + draw_between(draw, 1, 6);
		}
	}
	cover->first[cover->cells] = spans;
	return cover;
}

static Dataset *
draw_groups(Trial *trial, int32 groups, int attributes, const CellCover *const *cover)
{
	Draw *draw = trial->draw;
	Dataset *drawn = dataset_create(DATASET_GROUPS, attributes, &trial->budget);

	for (int32 group = 0; group < groups; group++)
	{
		int64 row = dataset_append(drawn, draw_one_in(draw, 4) ? 3 : 1);

		for (int i = 0; i < attributes; i++)
			dataset_record(drawn, row)[i] =
				draw_below(draw, (cover ? cover[i]->cells : CODES) + 1) + DATASET_NULL;
	}
	return drawn;
}

static Case
draw_case(Trial *trial)
{
	Draw *draw = trial->draw;
	Case drawn = {.attributes = draw_between(draw, 1, ATTRIBUTES)};

	for (int i = 0; i < drawn.attributes; i++)
		drawn.cover[i] = draw_cover(draw);
	drawn.rows = draw_groups(trial, draw_below(draw, draw_one_in(draw, 3) ? ROWS : RECORDS),
							 drawn.attributes, NULL);
	drawn.records = draw_groups(trial, draw_below(draw, RECORDS), drawn.attributes, drawn.cover);
	return drawn;
}

static bool
covers(const Case *drawn, int32 record, int32 row)
{
	for (int i = 0; i < drawn->attributes; i++)
	{
		const CellCover *cover = drawn->cover[i];
		int32 cell = dataset_record(drawn->records, record)[i];
		int32 code = dataset_record(drawn->rows, row)[i];
		bool covered = false;

		for (int32 at = cover->first[cell]; at < cover->first[cell + 1]; at++)
			covered = covered || (cover->span[at].from <= code && code < cover->span[at].to);
		if (!covered)
			return false;
	}
	return true;
}

static void
check_edges(const Case *drawn, const AnonymityGraph *graph)
{
	for (int32 record = 0; record < graph->records; record++)
	{
		int times[ROWS] = {0};

		for (int64 edge = graph->first[record]; edge < graph->first[record + 1]; edge++)
			times[graph->end[edge] - graph->records]++;
		for (int32 row = 0; row < graph->vertices - graph->records; row++)
			if (times[row] != (covers(drawn, record, row) ? 1 : 0))
				elog(ERROR, "record %d and row %d have %d edges", record, row, times[row]);
	}
}

static int64
group_size(const Dataset *groups, int64 group)
{
	return dataset_members(groups, dataset_record(groups, group));
}

/* The least cut, over all sets of records on the source's side. */
static int64
least_cut(const Case *drawn, int k)
{
	int64 least = PG_INT64_MAX;

	for (int set = 0; set < 1 << drawn->records->rows; set++)
	{
		int64 cut = 0;

		for (int32 record = 0; record < drawn->records->rows; record++)
			if (!(set & 1 << record))
				cut += k * group_size(drawn->records, record);
		for (int32 row = 0; row < drawn->rows->rows; row++)
		{
			int64 links = 0;

			for (int32 record = 0; record < drawn->records->rows; record++)
				if (set & 1 << record && covers(drawn, record, row))
					links += group_size(drawn->records, record) * group_size(drawn->rows, row);
			cut += Min(links, k * group_size(drawn->rows, row));
		}
		least = Min(least, cut);
	}
	return least;
}

static void
check_verdict(const Case *drawn, const MatchingVerdict *verdict, int k)
{
	int64 flow = least_cut(drawn, k);
	bool fits = least_cut(drawn, 1) == drawn->records->members;

	if (verdict->flow != flow || verdict->needed != k * drawn->records->members)
		elog(ERROR, "flow is " INT64_FORMAT ", not " INT64_FORMAT, verdict->flow, flow);
	if ((verdict->reason == MATCHING_SATISFIED) != (flow == verdict->needed) ||
		(verdict->reason == MATCHING_MISFIT) != !fits)
		elog(ERROR, "the reason is %d", verdict->reason);
	if (verdict->row >= 0 && !covers(drawn, verdict->record, verdict->row))
		elog(ERROR, "record %d cannot be row %d", verdict->record, verdict->row);
	if ((verdict->reason == MATCHING_FEW_RECORDS || verdict->reason == MATCHING_FEW_ROWS) &&
		(verdict->row < 0 || verdict->links < 1 || verdict->links >= k))
		elog(ERROR, INT64_FORMAT " links are not few", verdict->links);
	if (verdict->reason == MATCHING_TRUE_LINKS &&
		(verdict->row < 0 || verdict->links < 1 || verdict->of >= k * verdict->links))
		elog(ERROR, "of " INT64_FORMAT " links " INT64_FORMAT " are not many", verdict->of,
			 verdict->links);
}

static void
try_graph(Trial *trial)
{
	Case drawn = draw_case(trial);
	AnonymityGraph *graph =
		anonymity_graph_create(drawn.rows, drawn.records, drawn.cover, &trial->budget);
	int k = draw_between(trial->draw, 1, 4);
	MatchingVerdict verdict;

	check_edges(&drawn, graph);
	verdict = matching_check(graph, k);
	check_verdict(&drawn, &verdict, k);
}

/* ---- the bound */

static double
least_loss(const MatchingTable *rows, int64 row, int k, const double *const *loss)
{
	double least = INFINITY;

	for (int hidden = 0; hidden < 1 << rows->dataset->attributes; hidden++)
	{
		double lost = 0;
		int alike = 0;

		for (int i = 0; i < rows->dataset->attributes; i++)
			if (hidden & 1 << i)
				lost += loss[i][rows->tree[i].nodes - 1];
		for (int64 other = 0; other < rows->dataset->rows; other++)
		{
			bool same = true;

			for (int i = 0; i < rows->dataset->attributes; i++)
				same = same && (hidden & 1 << i || dataset_record(rows->dataset, row)[i] ==
													   dataset_record(rows->dataset, other)[i]);
			alike += same;
		}
		if (alike >= k)
			least = Min(least, lost);
	}
	return least;
}

static void
try_bound(Trial *trial)
{
	Draw *draw = trial->draw;
	int attributes = draw_between(draw, 1, 6);
	MatchingTable *rows =
		matching_table_create(trial_draw_records(trial, attributes, draw_between(draw, 1, 25), 5));
	double **loss = palloc(sizeof(double *) * attributes);
	int k = draw_between(draw, 1, (int) Min(rows->dataset->rows, 5));
	double least = 0;
	Size before;
	double bound;

	for (int i = 0; i < attributes; i++)
	{
		int32 values = rows->dataset->values[i];

		rows->tree[i] = cell_tree_flat(values, 1, &trial->budget);
		loss[i] = cell_tree_array(&rows->tree[i], sizeof(double), &trial->budget);
		loss[i][values] = draw_below(draw, 4);
	}
	before = budget_used(&trial->budget);
	bound = matching_bound_run(rows, k, (const double *const *) loss, NULL);
	trial_check_kept(trial, before, 0, "the bound");
	for (int64 row = 0; row < rows->dataset->rows; row++)
		least +=
			least_loss(rows, row, k, (const double *const *) loss) / (double) rows->dataset->rows;
	if (fabs(bound - least) > 1e-9)
		elog(ERROR, "bound is %g, not %g", bound, least);
}

void
trial_anonymity(Trial *trial)
{
	trial->budget = trial_budget(ENOUGH_MEMORY);
	if (draw_one_in(trial->draw, 8))
		trial->budget.limit = (Size) draw_below(trial->draw, 16 * 1024);
	if (draw_one_in(trial->draw, 3))
		try_bound(trial);
	else
		try_graph(trial);
}
