/*
 * cohort_judge.c
 *		See cohort_advance.h.
 */
#include "postgres.h"

#include "cohort/cohort_advance.h"

#include "base/interrupt.h"
#include "model/model.h"
#include "model/row_judge.h"
#include "record/sensitive_rows.h"

#define PURPOSE "state of cohorts"
#define NOT_JUDGED (-1)

typedef struct CohortJudge
{
	CohortSource *source;
	Dataset *dataset; /* of those judged, without attributes */
	SensitiveRows *rows;
	int32 *place;  /* [person]: index among the judged, or NOT_JUDGED */
	Datum *values; /* by the attributes' numbers, from 0 */
	bool *nulls;
} CohortJudge;

void
cohort_judge_check(List *models, const CohortRules *rules)
{
	if (rules->together && models != NIL)
		ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
						errmsg("reading => 'together' and models exclude each other"),
						errdetail("Models judge a cell once, by the values it is admitted with.  "
								  "If values that are read again made it fail, hiding them would "
								  "tell which they are."),
						errhint("Write reading => 'frozen', or leave the models out.")));
	foreach_ptr (const Model, model, models)
	{
		if (!model->ops->class_alone)
			ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
							errmsg("cohorts cannot be judged by %s",
								   model_text_write_list(list_make1(unconstify(Model *, model)))),
							errdetail("It compares a cell with the whole table, which changes.")));
	}
}

/* A CohortReading: adds tonight's values, which were read and kept without TOAST. */
static void
add_reading(void *state, int32 person, TupleTableSlot *values)
{
	CohortJudge *judge = state;
	const CohortSource *source = judge->source;

	for (int i = 0; i < source->plain_count; i++)
	{
		const DescribedAttribute *attribute = source->plain[i];
		int at = attribute->number - 1;

		if (at >= 0)
			judge->values[at] = slot_getattr(values, i + 2, &judge->nulls[at]);
	}
	judge->place[person] = (int32) dataset_append(judge->dataset, 1);
	sensitive_rows_add(judge->rows, judge->values, judge->nulls);
}

/* Sets the cell's own k, or lets it fail. */
static void
judge_cell(const CohortJudge *judge, RowJudge *models, CohortCell *cell)
{
	int64 least;

	row_judge_begin(models);
	for (int32 i = 0; i < cell->members; i++)
	{
		int32 place = judge->place[cell->member[i]];

		interrupt_check(i);
		if (place == NOT_JUDGED)
			elog(ERROR, "cohorts have a member without values");
		row_judge_add(models, place);
	}
	row_judge_end(models);
	least = row_judge_least_rows(models, cell->k);
	cell->failing = least > cell->members;
	if (!cell->failing)
		cell->k = (int32) least;
}

/* A broken rule: people to be admitted wait until their values change. */
static void
turn_away(CohortNight *night, int32 place)
{
	const CohortCell *cell = &night->cell[place];

	for (int32 i = 0; i < cell->members; i++)
	{
		night->person[cell->member[i]].cell = 0;
		night->person[cell->member[i]].read = false;
	}
	night->cells--;
	memmove(&night->cell[place], &night->cell[place + 1],
			sizeof(CohortCell) * (night->cells - place));
}

static CohortJudge
begin_judging(CohortSource *source)
{
	const CohortNight *night = &source->night;
	int attributes = source->description->record.fields->natts;
	CohortJudge judge = {.source = source,
						 .dataset = dataset_create(DATASET_RECORDS, 0, night->budget),
						 .values = palloc0(sizeof(Datum) * attributes),
						 .nulls = palloc(sizeof(bool) * attributes)};

	dataset_add_sides(judge.dataset, sensitive_rows_sides(source->description), false);
	judge.rows = sensitive_rows_create(source->description, judge.dataset, 0);
	judge.place = budget_allocate(night->budget, Max(night->people, 1), sizeof(int32), PURPOSE);
	memset(judge.nulls, true, sizeof(bool) * attributes);
	memset(judge.place, NOT_JUDGED, sizeof(int32) * night->people);
	return judge;
}

void
cohort_judge(CohortSource *source)
{
	const CohortState *state = source->state;
	CohortNight *night = &source->night;
	CohortJudge judge;
	const RowModels *models;
	RowJudge *rows;

	if (state->terms.models == NIL)
		return;
	description_demand(source->description, state->terms.models, NULL);
	judge = begin_judging(source);
	cohort_source_each_reading(source, add_reading, &judge);
	models = sensitive_rows_finish(judge.rows, state->terms.rules.k, NULL);
	rows = row_judge_create(models, night->budget);
	for (int32 i = 0; i < night->cells; i++)
	{
		CohortCell *cell = &night->cell[i];

		if (cell->parent >= 0 || cell->number <= state->numbers)
			continue;
		judge_cell(&judge, rows, cell);
		if (cell->failing && !cohort_rule_holds("values"))
			turn_away(night, i--);
	}
}
