/*
 * class_verdicts.c
 *		See class_verdicts.h.
 *
 * Example, k = 3 and closeness(disease, 0.42): classes {a a a}, {a b b}, {a b b} and three
 * of {a a}.  Of all rows 11/15 are a; {a a a} lies at 0.27 from that and {a b b} at 0.4.
 * The pairs fall out for their size.  Of what is left 5/9 are a; {a a a} lies at 0.44
 * and falls out.  {a b b} is left, and lies at 0 from itself.
 */
#include "postgres.h"

#include "io/class_verdicts.h"

#include "base/interrupt.h"
#include "partition/region.h"
#include "partition/sorted_rows.h"
#include "utils/memutils.h"

#define PURPOSE "judging classes by privacy models"

typedef struct VerdictRun
{
	RecordCodes *codes;
	int64 k;
	const SortedRow *row; /* by class; records lie in the order of their numbers */
	bool *left_out;       /* [row number] */
	RowJudge *judge;      /* of this round; NULL: k alone */
} VerdictRun;

static int64
end_of_class(const VerdictRun *run, int64 begin)
{
	int64 rows = run->codes->dataset->rows;
	int64 end = begin;

	while (end < rows && run->row[end].code == run->row[begin].code)
		end++;
	return end;
}

static bool
class_satisfies(const VerdictRun *run, int64 begin, int64 end)
{
	if (end - begin < run->k)
		return false;
	if (run->judge == NULL)
		return true;
	row_judge_begin(run->judge);
	for (int64 i = begin; i < end; i++)
	{
		interrupt_check(i);
		row_judge_add(run->judge, (int32) run->row[i].place);
	}
	row_judge_end(run->judge);
	return row_judge_holds(run->judge, GROUP_REST);
}

/* Does any class fall out that was there until now? */
static bool
judge_classes(VerdictRun *run)
{
	int64 rows = run->codes->dataset->rows;
	bool fell = false;
	int64 end;

	for (int64 begin = 0; begin < rows; begin = end)
	{
		CHECK_FOR_INTERRUPTS();
		end = end_of_class(run, begin);
		if (run->left_out[run->row[begin].place] || class_satisfies(run, begin, end))
			continue;
		for (int64 i = begin; i < end; i++)
		{
			interrupt_check(i);
			run->left_out[run->row[i].place] = true;
		}
		fell = true;
	}
	return fell;
}

static bool
judge_round(VerdictRun *run, Budget *budget)
{
	Size used = budget->used;
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "kanon verdict round", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	const RowModels *models = record_codes_models(run->codes, run->k, run->left_out);
	bool fell;

	run->judge = models ? row_judge_create(models, budget) : NULL;
	fell = judge_classes(run);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
	budget_give(budget, budget->used - used);
	return fell && models;
}

bool *
class_verdicts(RecordCodes *codes, int64 k, Budget *budget)
{
	Dataset *dataset = codes->dataset;
	VerdictRun run = {.codes = codes, .k = k};
	MemoryContext scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon verdicts", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller;
	Region *region;
	Size used;

	run.left_out = budget_allocate(budget, dataset->rows, sizeof(bool), PURPOSE);
	used = budget->used;
	caller = MemoryContextSwitchTo(scratch);
	region = region_create(dataset);
	region_measure(region, dataset, 0, dataset->rows);
	run.row = sorted_rows_sort(sorted_rows_create(dataset->rows, budget), dataset, 0, dataset->rows,
							   0, region->minimum[0], region->maximum[0]);
	while (judge_round(&run, budget))
		CHECK_FOR_INTERRUPTS();
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(scratch);
	budget_give(budget, budget->used - used);
	for (int64 row = 0; row < dataset->rows; row++)
	{
		interrupt_check(row);
		run.left_out[row] = !run.left_out[row];
	}
	return run.left_out;
}
