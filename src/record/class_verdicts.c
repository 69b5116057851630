/*
 * class_verdicts.c
 *		See class_verdicts.h.
 *
 * Example, k = 3 and closeness(disease, 0.42): classes {a a a}, {a b b}, {a b b} and three of {a
 * a}. 11/15 of all rows are a; {a a a} has distance 0.27 from that, {a b b} 0.4.  The pairs drop
 * out because of their size. 5/9 of the remaining rows are a; {a a a} has distance 0.44 and drops
 * out. {a b b} remains, at distance 0 from itself.
 *
 * Only some models depend on more than the class.  If s of N members drop out, distributed as P,
 * the distribution Q of all becomes Q + (Q - P) s / (N - s): it moves by at most s / (N - s) in
 * total variation.  A class is judged again when these moves add up to the slack that its models
 * leave it (model/model.h): with closeness, a class at 0.3 with 0.42 allowed after 0.12.  If a
 * value disappears from a domain with rank distances, moves do not add up: then all classes are
 * judged again.
 */
#include "postgres.h"

#include "record/class_verdicts.h"

#include <math.h>

#include "base/interrupt.h"
#include "lib/binaryheap.h"
#include "partition/region.h"
#include "partition/sorted_rows.h"
#include "utils/memutils.h"

#define PURPOSE "judging classes by privacy models"
#define MARGIN 1e-9 /* far above the rounding of distances */

typedef struct VerdictClass
{
	int64 begin; /* its first row, as sorted */
	int64 end;
	int64 people; /* distinct people; 0: rows are counted */
	double until; /* it satisfies until the whole has moved this far */
} VerdictClass;

typedef struct VerdictRun
{
	RecordCodes *codes;
	int64 k;
	Budget *budget;
	const SortedRow *row; /* by class; records are in the order of their numbers */
	bool *left_out;       /* [row number] */
	int32 classes;
	VerdictClass *class;
	int32 *falling; /* classes that fail and are not left out yet */
	int32 falls;
	int32 *again;        /* scratch space for classes to judge again */
	binaryheap *waiting; /* classes that satisfied, the first to fail on top */

	/* From one judge_all to the next, in a context of their own. */
	MemoryContext context;
	const RowModels *models; /* NULL: k alone */
	RowJudge *judge;
	double moved; /* how far the whole has moved, at most */
} VerdictRun;

/* The class that satisfies for the shortest time is on top. */
static int
compare_until(Datum a, Datum b, void *arg)
{
	const VerdictRun *run = arg;
	double x = run->class[DatumGetInt32(a)].until;
	double y = run->class[DatumGetInt32(b)].until;

	return x < y ? 1 : -(x > y);
}

static int64
end_of_class(const VerdictRun *run, int64 begin)
{
	int64 rows = run->codes->dataset->rows;
	int64 end = begin;

	while (end < rows && run->row[end].code == run->row[begin].code)
	{
		interrupt_check(end);
		end++;
	}
	return end;
}

static void
find_classes(VerdictRun *run)
{
	int64 rows = run->codes->dataset->rows;
	int64 end;

	for (int64 begin = 0; begin < rows; begin = end, run->classes++)
		end = end_of_class(run, begin);
	run->class = budget_allocate(run->budget, run->classes, sizeof(VerdictClass), PURPOSE);
	run->falling = budget_allocate(run->budget, run->classes, sizeof(int32), PURPOSE);
	run->again = budget_allocate(run->budget, run->classes, sizeof(int32), PURPOSE);
	budget_check(run->budget, mul_size(run->classes, sizeof(Datum)), PURPOSE);
	run->waiting = binaryheap_allocate(run->classes, compare_until, run);
	end = 0;
	for (int32 i = 0; i < run->classes; i++)
	{
		run->class[i].begin = end;
		run->class[i].end = end = end_of_class(run, end);
	}
}

static bool
class_satisfies(const VerdictRun *run, VerdictClass *class)
{
	if (class->end - class->begin < run->k)
		return false;
	if (run->judge == NULL)
		return true;
	row_judge_begin(run->judge);
	for (int64 i = class->begin; i < class->end; i++)
	{
		interrupt_check(i);
		row_judge_add(run->judge, (int32) run->row[i].place);
	}
	row_judge_end(run->judge);
	class->people = row_judge_people(run->judge, GROUP_REST);
	return row_judge_holds(run->judge, GROUP_REST);
}

static void
judge_class(VerdictRun *run, int32 number)
{
	VerdictClass *class = &run->class[number];

	CHECK_FOR_INTERRUPTS();
	if (!class_satisfies(run, class))
	{
		run->falling[run->falls++] = number;
		return;
	}
	class->until = INFINITY;
	if (run->judge)
		class->until = run->moved + row_judge_slack(run->judge, GROUP_REST) - MARGIN;
	if (!isinf(class->until))
		binaryheap_add(run->waiting, Int32GetDatum(number));
}

/* Judges all classes that are not left out. */
static void
judge_all(VerdictRun *run)
{
	MemoryContext caller = MemoryContextSwitchTo(run->context);

	MemoryContextReset(run->context);
	run->models = record_codes_models(run->codes, run->k, run->left_out);
	run->judge = run->models ? row_judge_create(run->models, run->budget) : NULL;
	run->moved = 0;
	binaryheap_reset(run->waiting);
	for (int32 i = 0; i < run->classes; i++)
		if (!run->left_out[run->row[run->class[i].begin].place])
			judge_class(run, i);
	MemoryContextSwitchTo(caller);
}

/* Leaves out the classes that failed; false: all others must be judged again. */
static bool
drop_falling(VerdictRun *run)
{
	bool same_ranks = true;

	for (int32 i = 0; i < run->falls; i++)
	{
		const VerdictClass *class = &run->class[run->falling[i]];

		for (int64 at = class->begin; at < class->end; at++)
		{
			int64 row = run->row[at].place;

			interrupt_check(at);
			run->left_out[row] = true;
			if (run->models && !sensitive_rows_leave(run->codes->sensitive, row))
				same_ranks = false;
		}
	}
	run->falls = 0;
	return same_ranks;
}

/* Judges the classes that may fail since the whole has moved. */
static void
judge_again(VerdictRun *run)
{
	int32 again = 0;

	run->moved += sensitive_rows_settle(run->codes->sensitive);
	while (!binaryheap_empty(run->waiting) &&
		   run->class[DatumGetInt32(binaryheap_first(run->waiting))].until < run->moved)
	{
		interrupt_check(again);
		run->again[again++] = DatumGetInt32(binaryheap_remove_first(run->waiting));
	}
	for (int32 i = 0; i < again; i++)
		judge_class(run, run->again[i]);
}

static void
judge_until_none_falls(VerdictRun *run)
{
	judge_all(run);
	while (run->falls > 0)
	{
		CHECK_FOR_INTERRUPTS();
		if (!drop_falling(run))
			judge_all(run);
		else if (!binaryheap_empty(run->waiting))
			judge_again(run);
	}
}

/* Counts what was not left out. */
static void
sum_up(const VerdictRun *run, ClassVerdicts *verdicts)
{
	for (int32 i = 0; i < run->classes; i++)
	{
		const VerdictClass *class = &run->class[i];

		interrupt_check(i);
		if (run->left_out[run->row[class->begin].place])
			continue;
		verdicts->rows += class->end - class->begin;
		verdicts->people =
			verdicts->classes++ > 0 ? Min(verdicts->people, class->people) : class->people;
	}
}

ClassVerdicts
class_verdicts(RecordCodes *codes, int64 k)
{
	Dataset *dataset = codes->dataset;
	Budget *budget = dataset->budget;
	VerdictRun run = {.codes = codes, .k = k, .budget = budget};
	MemoryContext scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon verdicts", ALLOCSET_SMALL_SIZES);
	ClassVerdicts verdicts = {0};
	MemoryContext caller;
	Region *region;

	run.left_out = budget_allocate(budget, dataset->rows, sizeof(bool), PURPOSE);
	caller = MemoryContextSwitchTo(scratch);
	run.context = AllocSetContextCreate(scratch, "kanon verdict round", ALLOCSET_SMALL_SIZES);
	region = region_create(dataset);
	region_measure(region, dataset, 0, dataset->rows);
	run.row = sorted_rows_sort(sorted_rows_create(dataset->rows, budget), dataset, 0, dataset->rows,
							   0, region->minimum[0], region->maximum[0]);
	find_classes(&run);
	judge_until_none_falls(&run);
	sum_up(&run, &verdicts);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(scratch);
	for (int64 row = 0; row < dataset->rows; row++)
	{
		interrupt_check(row);
		run.left_out[row] = !run.left_out[row];
	}
	verdicts.satisfies = run.left_out;
	return verdicts;
}
