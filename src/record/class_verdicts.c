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
 *
 * If only so many columns are known, each set of these makes classes of its own.  One set after the
 * other is judged so, without the rows that dropped out before, until all leave every row.
 */
#include "postgres.h"

#include "record/class_verdicts.h"

#include <math.h>

#include "base/context.h"
#include "base/interrupt.h"
#include "lib/binaryheap.h"
#include "model/known.h"
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
	bool *left_out; /* [row number]; records are in the order of these numbers */
	int64 dropped;  /* rows left out */
	int64 people;   /* distinct people in a class that remains, at least */

	int64 remaining; /* classes that remain, of the set judged last */

	const int32 *number; /* [row number]: its class, if classes are given; NULL: by columns */

	/* From one set of columns to the next. */
	const int32 *row; /* numbers of the rows not left out before, by class */
	int64 rows;
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

/* Puts the rows that are not left out in the order of one column, which has any codes. */
static int64
sort_by_column(const VerdictRun *run, int column, int32 *row)
{
	const Dataset *dataset = run->codes->dataset;
	Region *region = region_create(dataset);
	const SortedRow *sorted;
	int64 rows = 0;

	region_measure(region, dataset, 0, dataset->rows);
	sorted =
		sorted_rows_sort(sorted_rows_create(dataset->rows, run->budget), dataset, 0, dataset->rows,
						 column, region->minimum[column], region->maximum[column]);
	for (int64 i = 0; i < dataset->rows; i++)
	{
		interrupt_check(i);
		if (!run->left_out[sorted[i].place])
			row[rows++] = (int32) sorted[i].place;
	}
	return rows;
}

/* Sorts them by a further column, whose codes are dense; stable. */
static void
sort_further(const VerdictRun *run, int column, int32 *row, int32 *scratch)
{
	const Dataset *dataset = run->codes->dataset;
	int64 *end = budget_allocate(run->budget, dataset->values[column] + 2, sizeof(int64), PURPOSE);

	for (int64 i = 0; i < run->rows; i++)
	{
		interrupt_check(i);
		end[*dataset_code(dataset, row[i], column) + 2]++;
	}
	for (int32 code = 1; code < dataset->values[column] + 2; code++)
		end[code] += end[code - 1];
	for (int64 i = 0; i < run->rows; i++)
	{
		interrupt_check(i);
		scratch[end[*dataset_code(dataset, row[i], column) + 1]++] = row[i];
	}
	memcpy(row, scratch, sizeof(int32) * run->rows);
	pfree(end);
}

/* Finds the rows by these columns. */
static void
sort_rows(VerdictRun *run, const KnownSets *sets)
{
	int64 rows = run->codes->dataset->rows;
	int32 *row = budget_allocate(run->budget, rows, sizeof(int32), PURPOSE);
	int32 *scratch =
		sets->size > 1 ? budget_allocate(run->budget, rows, sizeof(int32), PURPOSE) : NULL;

	run->rows = sort_by_column(run, sets->member[0], row);
	for (int i = 1; i < sets->size; i++)
		sort_further(run, sets->member[i], row, scratch);
	run->row = row;
}

static int64
end_of_class(const VerdictRun *run, const KnownSets *sets, int64 begin)
{
	const Dataset *dataset = run->codes->dataset;
	int64 end = begin;
	bool same = true;

	while (same && ++end < run->rows)
	{
		interrupt_check(end);
		if (run->number)
			same = run->number[run->row[begin]] == run->number[run->row[end]];
		for (int i = 0; run->number == NULL && same && i < sets->size; i++)
			same = *dataset_code(dataset, run->row[begin], sets->member[i]) ==
				   *dataset_code(dataset, run->row[end], sets->member[i]);
	}
	return end;
}

static void
find_classes(VerdictRun *run, const KnownSets *sets)
{
	int64 end;

	run->classes = run->falls = 0;
	for (int64 begin = 0; begin < run->rows; begin = end, run->classes++)
		end = end_of_class(run, sets, begin);
	run->class = budget_allocate(run->budget, run->classes, sizeof(VerdictClass), PURPOSE);
	run->falling = budget_allocate(run->budget, run->classes, sizeof(int32), PURPOSE);
	run->again = budget_allocate(run->budget, run->classes, sizeof(int32), PURPOSE);
	budget_check(run->budget, mul_size(run->classes, sizeof(Datum)), PURPOSE);
	run->waiting = binaryheap_allocate(run->classes, compare_until, run);
	end = 0;
	for (int32 i = 0; i < run->classes; i++)
	{
		run->class[i].begin = end;
		run->class[i].end = end = end_of_class(run, sets, end);
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
		row_judge_add(run->judge, run->row[i]);
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
		if (!run->left_out[run->row[run->class[i].begin]])
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
			int32 row = run->row[at];

			interrupt_check(at);
			run->left_out[row] = true;
			run->dropped++;
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

/* Counts the classes that were not left out, and the people in the one with fewest. */
static void
count_remaining(VerdictRun *run)
{
	run->remaining = 0;
	for (int32 i = 0; i < run->classes; i++)
	{
		const VerdictClass *class = &run->class[i];

		interrupt_check(i);
		if (run->left_out[run->row[class->begin]])
			continue;
		run->remaining++;
		if (run->people == 0 || class->people < run->people)
			run->people = class->people;
	}
}

/* Judges the classes of one set of columns. */
static void
judge_set(VerdictRun *run, const KnownSets *sets)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "kanon verdict set", CONTEXT_SMALL_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);

	sort_rows(run, sets);
	find_classes(run, sets);
	judge_until_none_falls(run);
	count_remaining(run);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
}

/* Judges all sets, until every row that remains satisfies by each of them. */
static void
judge_sets(VerdictRun *run, const Demand *demand)
{
	int columns = run->codes->dataset->attributes;
	int most = known_most_size(demand, columns);
	int64 dropped;

	do
	{
		dropped = run->dropped;
		run->people = 0;
		for (int size = known_least_size(demand, columns); size <= most; size++)
		{
			KnownSets sets = known_sets_begin(columns, size);

			do
				judge_set(run, &sets);
			while (known_sets_next(&sets));
			pfree(sets.member);
		}
	} while (most < columns && run->dropped > dropped);
}

/* The number of classes of all columns. */
static int64
count_classes(VerdictRun *run)
{
	KnownSets all =
		known_sets_begin(run->codes->dataset->attributes, run->codes->dataset->attributes);
	int64 classes = 0;

	sort_rows(run, &all);
	for (int64 begin = 0; begin < run->rows; classes++)
		begin = end_of_class(run, &all, begin);
	return classes;
}

/* Judges classes that are given. */
static void
judge_given(VerdictRun *run, const SortedRow *given)
{
	int64 rows = run->codes->dataset->rows;
	int32 *row = budget_allocate(run->budget, rows, sizeof(int32), PURPOSE);
	int32 *number = budget_allocate(run->budget, rows, sizeof(int32), PURPOSE);

	for (int64 i = 0; i < rows; i++)
	{
		interrupt_check(i);
		row[i] = (int32) given[i].place;
		number[given[i].place] = given[i].code;
	}
	run->row = row;
	run->rows = rows;
	run->number = number;
	find_classes(run, NULL);
	judge_until_none_falls(run);
	count_remaining(run);
}

/* Judges classes that are given or, if that is NULL, those of the quasi-identifiers. */
static ClassVerdicts
judge_classes(RecordCodes *codes, const SortedRow *given, int64 k)
{
	Dataset *dataset = codes->dataset;
	Budget *budget = dataset->budget;
	VerdictRun run = {.codes = codes, .k = k, .budget = budget};
	MemoryContext scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon verdicts", CONTEXT_SMALL_SIZES);
	ClassVerdicts verdicts = {0};
	MemoryContext caller;

	run.left_out = budget_allocate(budget, dataset->rows, sizeof(bool), PURPOSE);
	caller = MemoryContextSwitchTo(scratch);
	run.context = AllocSetContextCreate(scratch, "kanon verdict round", CONTEXT_SMALL_SIZES);
	if (given)
		judge_given(&run, given);
	else
		judge_sets(&run, &codes->description->demand);
	/* Unless only some columns are known, those judged are the classes of all columns. */
	verdicts.classes = given || !known_is_asked(&codes->description->demand, dataset->attributes)
						   ? run.remaining
						   : count_classes(&run);
	verdicts.rows = dataset->rows - run.dropped;
	verdicts.people = run.people;
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

ClassVerdicts
class_verdicts(RecordCodes *codes, int64 k)
{
	known_check_sets(&codes->description->demand, codes->dataset->attributes);
	return judge_classes(codes, NULL, k);
}

ClassVerdicts
class_verdicts_sorted(RecordCodes *codes, const SortedRow *row, int64 k)
{
	return judge_classes(codes, row, k);
}
