/*
 * single_recoding.c
 *		See single_recoding.h.
 */
#include "postgres.h"

#include "record/single_recoding.h"

#include "base/context.h"
#include "base/interrupt.h"
#include "base/limits.h"
#include "partition/region_classes.h"
#include "record/class_verdicts.h"
#include "record/single_rule.h"
#include "single/single_levels.h"
#include "single/single_search.h"
#include "utils/memutils.h"

#define PURPOSE "single-dimension recoding"

typedef enum SingleKind
{
	SINGLE_SUBTREE,
	SINGLE_UNRESTRICTED,
	SINGLE_ORDERED
} SingleKind;

typedef struct SingleRun
{
	RecordCodes *codes;
	const RecodeOptions *options;
	SingleKind kind;
	const int *order;
	RecodingColumn *column;   /* what cells mean, .. */
	RecodingColumn *measured; /* .. and what they lose */
	SingleLevels *levels;     /* to begin with; NULL: not asked for yet */
} SingleRun;

typedef struct SingleClasses
{
	RegionClasses classes; /* first */
	SingleCells cells;
} SingleClasses;

/* ---- searching */

/* By the judge of published classes, which asks again for the rest if some drop out. */
static int64
count_failing(void *state, const SingleTable *table, int64 k, bool *fails)
{
	SingleRun *run = state;
	int64 rows = table->rows;
	MemoryContext scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon judged map", CONTEXT_SMALL_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(scratch);
	SortedRow *row = budget_allocate(table->budget, rows, sizeof(SortedRow), PURPOSE);
	int64 *next = budget_allocate(table->budget, table->classes + 1, sizeof(int64), PURPOSE);
	ClassVerdicts verdicts;

	for (int32 group = 0; group < table->groups; group++)
		next[table->class[group] + 1] += table->members[group];
	for (int64 i = 1; i <= table->classes; i++)
		next[i] += next[i - 1];
	for (int64 i = 0; i < rows; i++)
	{
		int32 class = table->class[table->group[i]];

		interrupt_check(i);
		row[next[class]++] = (SortedRow){.place = (uint32) i, .code = class};
	}
	verdicts = class_verdicts_sorted(run->codes, row, k);
	for (int64 i = 0; i < rows; i++)
	{
		interrupt_check(i);
		fails[table->group[i]] = !verdicts.satisfies[i];
	}
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(scratch);
	return rows - verdicts.rows;
}

static bool
next_levels(void *state, const CutSpace *space, uint8 *mark)
{
	SingleRun *run = state;

	if (run->levels == NULL)
		run->levels = single_levels_begin(space, run->options->k, run->options->suppression);
	return single_levels_next(run->levels, mark);
}

/* The text of the best rule, in the caller's context; NULL if none satisfies. */
static FoundRule
find_rule(SingleRun *run, const RowModels *models)
{
	const RecodeOptions *options = run->options;
	MemoryContext scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon rule search", CONTEXT_SMALL_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(scratch);
	SingleRequest request = {
		.k = options->k,
		.suppressible = limits_suppressible(options->suppression, run->codes->dataset->rows),
		.effort = options->effort,
		.discernibility = options->discernibility,
		.failing = models ? count_failing : NULL,
		.begin_with = run->kind == SINGLE_ORDERED ? NULL : next_levels,
		.state = run};
	CutSpace *space =
		cut_space_create(run->codes->dataset, run->kind != SINGLE_ORDERED, run->measured,
						 record_codes_weights(run->codes, run->order), run->order);
	SingleAnswer *answer = single_search_run(space, &request);
	FoundRule found = {0};

	if (answer && run->kind == SINGLE_UNRESTRICTED)
		single_search_free(space, &request, answer);
	MemoryContextSwitchTo(caller);
	if (answer)
		found = (FoundRule){
			.rule = single_rule_write(run->codes, space, answer, run->kind == SINGLE_UNRESTRICTED),
			.cost = answer->cost,
			.bound = answer->bound,
			.looked = answer->looked};
	MemoryContextDelete(scratch);
	return found;
}

/* ---- publishing */

static void
class_cells(const Recoding *base, int32 class, RecodedCell *cell)
{
	const SingleClasses *classes = (const SingleClasses *) base;
	const int32 *record = dataset_record(base->dataset, base->class_end[class - 1]);

	for (int i = 0; i < base->columns; i++)
		cell[i] = classes->cells
					  .cell[i][record[i] == DATASET_NULL ? base->dataset->values[i] : record[i]];
}

static bool
same_class(const Dataset *dataset, const SingleCells *cells, int32 one, int32 other)
{
	for (int i = 0; i < dataset->attributes; i++)
	{
		int32 a = *dataset_code(dataset, one, i);
		int32 b = *dataset_code(dataset, other, i);

		if (cells->number[i][a == DATASET_NULL ? dataset->values[i] : a] !=
			cells->number[i][b == DATASET_NULL ? dataset->values[i] : b])
			return false;
	}
	return true;
}

/* The rows, by their numbers, sorted by class; sets the places of their records likewise. */
static SortedRow *
sort_classes(const SingleRun *run, const SingleCells *cells, int32 **place)
{
	const Dataset *dataset = run->codes->dataset;
	SortedRow *row = budget_allocate(dataset->budget, dataset->rows, sizeof(SortedRow), PURPOSE);
	int32 class = 0;

	*place = single_table_sort(dataset, cells->number, cells->numbers, run->order);
	for (int64 i = 0; i < dataset->rows; i++)
	{
		interrupt_check(i);
		if (i > 0 && !same_class(dataset, cells, (*place)[i - 1], (*place)[i]))
			class ++;
		row[i] = (SortedRow){
			.place = (uint32) dataset_row(dataset, dataset_record(dataset, (*place)[i])),
			.code = class};
	}
	return row;
}

/* Moves the records of classes that satisfy to the front, and adds these to the result. */
static void
add_classes(RegionClasses *classes, Dataset *dataset, const SortedRow *row, int32 *place,
			const bool *satisfies)
{
	int32 *order = budget_allocate(dataset->budget, dataset->rows, sizeof(int32), PURPOSE);
	int64 published = 0;
	int64 behind = dataset->rows;

	for (int64 i = 0; i < dataset->rows; i++)
	{
		interrupt_check(i);
		if (!satisfies[row[i].place])
		{
			order[--behind] = place[i];
			continue;
		}
		if (classes->base.groups == 0 || row[i].code != row[i - 1].code)
			classes->base.groups++;
		order[published++] = place[i];
		classes->class_end[classes->base.groups] = (int32) published;
		if (classes->class_of_row)
			classes->class_of_row[row[i].place] = classes->base.groups;
	}
	dataset_arrange(dataset, order);
	pfree(order);
}

/* Applies a rule to the records, and leaves out the classes that do not satisfy. */
static Recoding *
publish(SingleRun *run, const char *rule)
{
	Dataset *dataset = run->codes->dataset;
	SingleClasses *single = palloc0(sizeof(SingleClasses));
	ClassVerdicts verdicts;
	SortedRow *row;
	int32 *place;

	single->cells = single_rule_apply(run->codes, run->column, rule, run->kind == SINGLE_ORDERED);
	row = sort_classes(run, &single->cells, &place);
	verdicts = class_verdicts_sorted(run->codes, row, run->options->k);
	single->classes = *region_classes_create(dataset, run->column, true, run->options->k,
											 run->options->by_class, run->codes->budget, PURPOSE);
	single->classes.base.cells = class_cells;
	single->classes.base.people = verdicts.people;
	add_classes(&single->classes, dataset, row, place, verdicts.satisfies);
	pfree(row);
	pfree(place);
	return single->classes.base.groups > 0 ? &single->classes.base : NULL;
}

static Recoding *
recode(RecordCodes *codes, const RowModels *models, const RecodeOptions *options, SingleKind kind)
{
	Dataset *dataset = codes->dataset;
	SingleRun run = {
		.codes = codes, .options = options, .kind = kind, .order = record_codes_order(codes)};
	FoundRule found = {.rule = unconstify(char *, options->rule)};

	run.column = dataset_columns_codes(codes->column, dataset->attributes);
	if (kind == SINGLE_ORDERED)
		run.column = region_columns(dataset, run.column);
	for (int i = 0; kind == SINGLE_ORDERED && i < dataset->attributes; i++)
		if (codes->column[i]->hierarchical)
			dataset_column_span(codes->column[i], &run.column[i]);
	run.measured = palloc(sizeof(RecodingColumn) * Max(dataset->attributes, 1));
	for (int i = 0; i < dataset->attributes; i++)
		run.measured[i] = dataset_column_measured(codes->column[i], &run.column[i]);
	if (found.rule == NULL)
		found = find_rule(&run, models);
	if (options->found)
		*options->found = found;
	return found.rule ? publish(&run, found.rule) : NULL;
}

Recoding *
subtree_recode(RecordCodes *codes, const RowModels *models, const RecodeOptions *options)
{
	return recode(codes, models, options, SINGLE_SUBTREE);
}

Recoding *
unrestricted_recode(RecordCodes *codes, const RowModels *models, const RecodeOptions *options)
{
	return recode(codes, models, options, SINGLE_UNRESTRICTED);
}

Recoding *
ordered_recode(RecordCodes *codes, const RowModels *models, const RecodeOptions *options)
{
	return recode(codes, models, options, SINGLE_ORDERED);
}
