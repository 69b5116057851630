/*
 * row_judge.c
 *		See row_judge.h.
 *
 * Everything is counted by dense numbers: sensitive values by their codes and, with people, also
 * people and pairs of person and value.  The count of a value rises when a pair appears and falls
 * when its last row goes.
 *
 * From cut to cut, the groups change by a few rows only.  So if a group fails a model, the model
 * returns weights of values that refute others, too (ModelOps.refute).  Until the next begin, the
 * sum of these weights over the group is kept up to date.  While it is above 0, the group fails
 * without being judged.  Only failure is inferred this way; a group that satisfies was judged.  The
 * sum carries a bound of its rounding error.
 *
 * Counted numbers are listed, so emptying a group costs what it held, not the size of the table.
 */
#include "postgres.h"

#include "model/row_judge.h"

#include <float.h>
#include <math.h>

#include "base/interrupt.h"
#include "miscadmin.h"

#define PURPOSE "judging classes by privacy models"
#define GROUPS 2
#define SPARSE 8 /* if fewer than one in this many values occurs, sort the values */

/* The count of each number in both groups. */
typedef struct Tally
{
	int32 size;
	int32 *count[GROUPS];
	int32 *listed; /* numbers that occurred in either group since the start */
	int32 length;
	int32 different[GROUPS]; /* distinct numbers that occur now */
} Tally;

/* Why a group fails a model, as long as it does. */
typedef struct Refutation
{
	bool given;
	double *weight; /* [code]: for the codes added */
	double sum;     /* over the group */
	double error;   /* bound of its rounding error */
} Refutation;

struct RowJudge
{
	const RowModels *models;
	Tally *value;                     /* [column] */
	Tally person;                     /* with people */
	Tally *pair;                      /* with people: [column]; of counted people, the values of
									   * the highest rows, "value" those of the lowest */
	int64 lowest[GROUPS];             /* counted people by the lowest of their rows, .. */
	int64 highest[GROUPS];            /* .. and by the highest */
	Histogram **histogram;            /* [column] */
	Refutation (*refutation)[GROUPS]; /* [model] */
	int refutations;                  /* .. in use */
};

static void
tally_create(Tally *tally, int32 size, Budget *budget)
{
	*tally = (Tally){.size = size};
	for (int group = 0; group < GROUPS; group++)
		tally->count[group] = budget_allocate(budget, size, sizeof(int32), PURPOSE);
	tally->listed = budget_allocate(budget, size, sizeof(int32), PURPOSE);
}

static void
tally_empty(Tally *tally)
{
	for (int32 i = 0; i < tally->length; i++)
	{
		interrupt_check(i);
		tally->count[GROUP_REST][tally->listed[i]] = 0;
		tally->count[GROUP_TAKEN][tally->listed[i]] = 0;
	}
	tally->length = 0;
	tally->different[GROUP_REST] = tally->different[GROUP_TAKEN] = 0;
}

/* Adds rows with a number to a group, or removes them.  Did it appear there, or vanish? */
static inline bool
tally_change(Tally *tally, RowGroup group, int32 number, int32 rows)
{
	int32 before = tally->count[group][number];
	int32 after = before + rows;

	tally->count[group][number] = after;
	tally->different[group] += (after > 0) - (before > 0);
	return (after > 0) != (before > 0);
}

/* Adds rows to the rest, and lists the number.  Is it the first of its kind? */
static inline bool
tally_add(Tally *tally, int32 number, int32 rows)
{
	bool first = tally_change(tally, GROUP_REST, number, rows);

	if (first)
		tally->listed[tally->length++] = number;
	return first;
}

/* Call it before anything is taken. */
static void
tally_sort(Tally *tally)
{
	int32 length = 0;

	if (tally->size / SPARSE > tally->length)
	{
		qsort(tally->listed, tally->length, sizeof(int32), interrupt_compare_int32);
		return;
	}
	for (int32 number = 0; number < tally->size; number++)
	{
		interrupt_check(number);
		if (tally->count[GROUP_REST][number] > 0)
			tally->listed[length++] = number;
	}
	Assert(length == tally->length);
}

static bool
is_counted(const RowJudge *judge)
{
	return judge->models->people && judge->models->people->counted;
}

RowJudge *
row_judge_create(const RowModels *models, Budget *budget)
{
	RowJudge *judge = palloc0(sizeof(RowJudge));
	int columns = Max(models->demand.columns, 1);

	judge->models = models;
	judge->value = palloc0(sizeof(Tally) * columns);
	judge->pair = palloc0(sizeof(Tally) * columns);
	judge->histogram = palloc0(sizeof(Histogram *) * columns);
	for (int i = 0; i < models->demand.columns; i++)
	{
		tally_create(&judge->value[i], models->demand.domain[i]->codes, budget);
		judge->histogram[i] = histogram_create(models->demand.domain[i]->codes, budget);
		if (models->people)
			tally_create(&judge->pair[i],
						 is_counted(judge) ? models->demand.domain[i]->codes
										   : models->people->pairs[i],
						 budget);
	}
	if (models->people)
		tally_create(&judge->person, models->people->people, budget);
	judge->refutation = palloc0(sizeof(judge->refutation[0]) * Max(models->demand.models, 1));
	for (int i = 0; i < models->demand.models; i++)
		for (int group = 0; models->demand.model[i]->ops->refute && group < GROUPS; group++)
			judge->refutation[i][group].weight =
				budget_allocate(budget, models->demand.domain[models->demand.column_of[i]]->codes,
								sizeof(double), PURPOSE);
	return judge;
}

/* Adds (or, if negative, removes) rows with a weight. */
static inline void
refutation_weigh(Refutation *refutation, int32 code, double rows)
{
	double weight = rows * refutation->weight[code];

	refutation->sum += weight;
	refutation->error += (fabs(refutation->sum) + 2 * fabs(weight)) * DBL_EPSILON;
}

/* Adds rows with a sensitive value to a group, or removes them, and updates its sums. */
static inline void
change_value(RowJudge *judge, RowGroup group, int column, int32 code, int32 rows)
{
	tally_change(&judge->value[column], group, code, rows);
	for (int i = 0; judge->refutations > 0 && i < judge->models->demand.models; i++)
		if (judge->refutation[i][group].given && judge->models->demand.column_of[i] == column)
			refutation_weigh(&judge->refutation[i][group], code, rows);
}

/* Both tallies of a column's values have the same list. */
static void
share_list(RowJudge *judge, int column)
{
	const Tally *value = &judge->value[column];
	Tally *pair = &judge->pair[column];

	memcpy(pair->listed, value->listed, sizeof(int32) * value->length);
	pair->length = value->length;
}

void
row_judge_begin(RowJudge *judge)
{
	for (RowGroup group = GROUP_REST; group <= GROUP_TAKEN; group++)
		judge->lowest[group] = judge->highest[group] = 0;
	for (int i = 0; i < judge->models->demand.columns; i++)
	{
		if (is_counted(judge))
			share_list(judge, i);
		tally_empty(&judge->value[i]);
		if (judge->models->people)
			tally_empty(&judge->pair[i]);
	}
	if (judge->models->people)
		tally_empty(&judge->person);
	for (int i = 0; i < judge->models->demand.models; i++)
		for (int group = 0; group < GROUPS; group++)
			judge->refutation[i][group].given = false;
	judge->refutations = 0;
}

void
row_judge_add(RowJudge *judge, int32 row)
{
	const RowModels *models = judge->models;
	const RowPeople *people = models->people;

	if (people && people->person[row] == ROW_NOBODY)
		return;
	if (people)
		tally_add(&judge->person, people->person[row], 1);
	for (int i = 0; i < models->demand.columns; i++)
		if (people == NULL || tally_add(&judge->pair[i], people->pair[i][row], 1))
			tally_add(&judge->value[i], models->code[i][row], 1);
}

void
row_judge_add_rows(RowJudge *judge, int column, int32 code, int32 rows)
{
	tally_add(&judge->value[column], code, rows);
}

void
row_judge_take_rows(RowJudge *judge, int column, int32 code, int32 rows)
{
	change_value(judge, GROUP_REST, column, code, -rows);
	change_value(judge, GROUP_TAKEN, column, code, rows);
}

void
row_judge_add_people(RowJudge *judge, int32 lowest, int32 highest)
{
	judge->lowest[GROUP_REST] += lowest;
	judge->highest[GROUP_REST] += highest;
}

void
row_judge_take_people(RowJudge *judge, int32 lowest, int32 highest)
{
	row_judge_add_people(judge, -lowest, -highest);
	judge->lowest[GROUP_TAKEN] += lowest;
	judge->highest[GROUP_TAKEN] += highest;
}

void
row_judge_add_members(RowJudge *judge, int column, int32 code, int32 lowest, int32 highest)
{
	Tally *value = &judge->value[column];
	Tally *pair = &judge->pair[column];

	if (value->count[GROUP_REST][code] == 0 && pair->count[GROUP_REST][code] == 0)
		value->listed[value->length++] = code;
	tally_change(value, GROUP_REST, code, lowest);
	tally_change(pair, GROUP_REST, code, highest);
}

void
row_judge_take_members(RowJudge *judge, int column, int32 code, int32 lowest, int32 highest)
{
	for (RowGroup group = GROUP_REST; group <= GROUP_TAKEN; group++)
	{
		int32 sign = group == GROUP_REST ? -1 : 1;

		tally_change(&judge->value[column], group, code, sign * lowest);
		tally_change(&judge->pair[column], group, code, sign * highest);
	}
}

void
row_judge_end(RowJudge *judge)
{
	for (int i = 0; i < judge->models->demand.columns; i++)
		if (is_counted(judge))
			qsort(judge->value[i].listed, judge->value[i].length, sizeof(int32),
				  interrupt_compare_int32);
		else
			tally_sort(&judge->value[i]);
}

void
row_judge_take(RowJudge *judge, int32 row)
{
	const RowModels *models = judge->models;
	const RowPeople *people = models->people;

	if (people && people->person[row] == ROW_NOBODY)
		return;
	for (RowGroup group = GROUP_REST; group <= GROUP_TAKEN; group++)
	{
		int32 rows = group == GROUP_REST ? -1 : 1;

		if (people)
			tally_change(&judge->person, group, people->person[row], rows);
		for (int i = 0; i < models->demand.columns; i++)
			if (people == NULL || tally_change(&judge->pair[i], group, people->pair[i][row], rows))
				change_value(judge, group, i, models->code[i][row], rows);
	}
}

/* A group of the judge. */
typedef struct GroupSight
{
	const RowJudge *judge;
	RowGroup group;
} GroupSight;

/* A ClassHistogram. */
static const Histogram *
group_histogram(void *state, int column)
{
	const GroupSight *sight = state;
	const RowJudge *judge = sight->judge;
	const Tally *value = &judge->value[column];
	Histogram *histogram = judge->histogram[column];

	histogram_reset(histogram);
	for (int32 i = 0; i < value->length; i++)
	{
		int32 count = value->count[sight->group][value->listed[i]];

		interrupt_check(i);
		if (is_counted(judge))
			count = Max(count, judge->pair[column].count[sight->group][value->listed[i]]);
		if (count > 0)
			histogram_add(histogram, value->listed[i], count);
	}
	histogram_finish(histogram);
	return histogram;
}

/* Too few people or values decide without the distribution. */
static bool
has_enough(const RowJudge *judge, RowGroup group)
{
	const RowModels *models = judge->models;

	if (models->people && row_judge_people(judge, group) < models->people->k)
		return false;
	for (int i = 0; i < models->demand.models; i++)
	{
		int column = models->demand.column_of[i];
		int64 values = judge->value[column].different[group];

		if (is_counted(judge))
			values = Max(values, judge->pair[column].different[group]);
		if (values < model_least_values(models->demand.model[i]))
			return false;
	}
	return true;
}

/* The first model that the group fails, -1 if none.  The histogram is then that of its column. */
static int
failed_model(const RowJudge *judge, RowGroup group)
{
	return demand_failed(&judge->models->demand, judge->models->test, group_histogram,
						 &(GroupSight){judge, group});
}

bool
row_judge_holds(RowJudge *judge, RowGroup group)
{
	return has_enough(judge, group) && failed_model(judge, group) < 0;
}

int64
row_judge_least_rows(const RowJudge *judge, int64 least)
{
	const RowModels *models = judge->models;
	GroupSight rest = {judge, GROUP_REST};

	Assert(models->people == NULL && models->test == NULL);
	for (int i = 0; i < models->demand.models; i++)
	{
		int column = models->demand.column_of[i];

		least = model_least_members(models->demand.model[i], group_histogram(&rest, column),
									models->demand.domain[column], least);
	}
	return least;
}

static bool
is_refuted(const RowJudge *judge, RowGroup group)
{
	for (int i = 0; judge->refutations > 0 && i < judge->models->demand.models; i++)
	{
		const Refutation *refutation = &judge->refutation[i][group];

		if (refutation->given && refutation->sum > 2 * refutation->error)
			return true;
	}
	return false;
}

/* Computes a refutation for a group that fails the model. */
static void
refute(RowJudge *judge, RowGroup group, int model)
{
	const RowModels *models = judge->models;
	int column = models->demand.column_of[model];
	const Histogram *class = judge->histogram[column];
	Refutation *refutation = &judge->refutation[model][group];

	/*
	 * A group that fails a sample's test may still satisfy, which refutes nothing; nor do counts of
	 * people, which do not add up.
	 */
	if (models->test || is_counted(judge) || models->demand.model[model]->ops->refute == NULL)
		return;
	models->demand.model[model]->ops->refute(
		models->demand.model[model], class, models->demand.domain[column],
		judge->value[column].listed, judge->value[column].length, refutation->weight);
	judge->refutations += !refutation->given;
	refutation->given = true;
	refutation->sum = refutation->error = 0;
	for (int32 i = 0; i < class->values; i++)
	{
		interrupt_check(i);
		refutation_weigh(refutation, class->entry[i].code, (double) class->entry[i].count);
	}
}

bool
row_judge_both_hold(RowJudge *judge)
{
	for (RowGroup group = GROUP_REST; group <= GROUP_TAKEN; group++)
		if (!has_enough(judge, group) || is_refuted(judge, group))
			return false;
	for (RowGroup group = GROUP_REST; group <= GROUP_TAKEN; group++)
	{
		int failed = failed_model(judge, group);

		if (failed >= 0)
		{
			refute(judge, group, failed);
			return false;
		}
	}
	return true;
}

int64
row_judge_people(const RowJudge *judge, RowGroup group)
{
	return is_counted(judge) ? Max(judge->lowest[group], judge->highest[group])
							 : judge->person.different[group];
}

double
row_judge_slack(RowJudge *judge, RowGroup group)
{
	const RowModels *models = judge->models;
	GroupSight sight = {judge, group};
	double slack = INFINITY;

	for (int i = 0; i < models->demand.models; i++)
	{
		const Model *model = models->demand.model[i];
		int column = models->demand.column_of[i];

		if (!model->ops->class_alone)
			slack = Min(slack, model_slack(model, group_histogram(&sight, column),
										   models->demand.domain[column]));
	}
	return slack;
}

int
row_judge_compare(const RowJudge *judge, int32 one, int32 other)
{
	const RowModels *models = judge->models;

	for (int i = 0; i < models->demand.columns; i++)
	{
		int32 x = models->code[i][one];
		int32 y = models->code[i][other];

		if (x != y)
			return x < y ? -1 : 1;
	}
	if (models->people && models->people->person[one] != models->people->person[other])
		return models->people->person[one] < models->people->person[other] ? -1 : 1;
	return 0;
}
