/*
 * cohort_judge.c
 *		See cohort_judge.h.
 */
#include "postgres.h"

#include "cohort/cohort_judge.h"

#include "base/interrupt.h"
#include "catalog/pg_type.h"
#include "cohort/cohort_rule.h"
#include "executor/tuptable.h"
#include "model/model_text.h"
#include "model/row_judge.h"
#include "record/sensitive_rows.h"
#include "sql/value_text.h"
#include "utils/builtins.h"

#define PURPOSE "cohorts"
#define NOT_JUDGED (-1)

typedef struct CohortJudge
{
	CohortSource *source;
	CohortNight *night;
	SensitiveColumns columns;
	SensitiveRows *rows;
	int32 *place; /* [person]: index among the judged, or NOT_JUDGED */
	int32 count;
	Datum *values; /* by the attributes' numbers, from 0 */
	bool *nulls;
	ValueReader *reader; /* [plain column] */
	MemoryContext scratch;
} CohortJudge;

void
cohort_judge_check(List *models)
{
	ListCell *cell;

	foreach (cell, models)
	{
		const Model *model = lfirst(cell);

		if (!model->ops->class_alone)
			ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
							errmsg("cohorts cannot be judged by %s",
								   model_text_write_list(list_make1(unconstify(Model *, model)))),
							errdetail("It compares a cell with the whole table, which changes.")));
	}
}

/* Judged are new cells and those read again, unless they failed before. */
static bool
is_judged(const CohortState *state, const CohortNight *night, const CohortCell *cell)
{
	return !cell->failing && (cell->parent >= 0 || cell->number > state->numbers ||
							  night->person[cell->member[0]].read);
}

static void
add_person(CohortJudge *judge, int32 person)
{
	judge->place[person] = judge->count++;
	sensitive_rows_add(judge->rows, judge->values, judge->nulls);
	MemoryContextReset(judge->scratch);
}

/* A CohortReading: adds tonight's values. */
static void
add_reading(void *state, int32 person)
{
	CohortJudge *judge = state;
	const CohortSource *source = judge->source;
	MemoryContext previous = MemoryContextSwitchTo(judge->scratch);

	for (int i = 0; i < source->plain_count; i++)
	{
		const DescribedAttribute *attribute = source->plain[i];
		int at = attribute->number - 1;

		if (at < 0)
			continue;
		judge->values[at] = slot_getattr(source->slot, i + 2, &judge->nulls[at]);
		if (!judge->nulls[at] &&
			TupleDescAttr(source->slot->tts_tupleDescriptor, i + 1)->attlen == -1)
			judge->values[at] = PointerGetDatum(PG_DETOAST_DATUM_PACKED(judge->values[at]));
	}
	MemoryContextSwitchTo(previous);
	add_person(judge, person);
}

/* Adds a person whose values were read before, from the state. */
static void
add_known(void *state, const Datum *values, const bool *nulls, int64 count)
{
	CohortJudge *judge = state;
	const CohortSource *source = judge->source;
	int32 person = cohort_source_find(source, values[0]);
	MemoryContext previous;
	Datum *texts;
	bool *text_nulls;
	int columns;

	(void) count;
	CHECK_FOR_INTERRUPTS();
	if (nulls[1] || judge->night->person[person].read)
		return;
	previous = MemoryContextSwitchTo(judge->scratch);
	deconstruct_array(DatumGetArrayTypeP(values[1]), TEXTOID, -1, false, TYPALIGN_INT, &texts,
					  &text_nulls, &columns);
	for (int i = 0; i < columns && i < source->plain_count; i++)
	{
		int at = source->plain[i]->number - 1;

		if (at < 0)
			continue;
		judge->nulls[at] = text_nulls[i];
		if (!text_nulls[i])
			judge->values[at] = value_text_read(&judge->reader[i], TextDatumGetCString(texts[i]));
	}
	MemoryContextSwitchTo(previous);
	add_person(judge, person);
}

static bool
satisfies(const CohortJudge *judge, RowJudge *models, const CohortCell *cell)
{
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
	return row_judge_holds(models, GROUP_REST);
}

/* Spreads a failure to all parts of a divided cell, through the one that keeps its index. */
static void
spread_failures(CohortNight *night)
{
	for (int32 i = 0; i < night->cells; i++)
		if (night->cell[i].parent >= 0)
			night->cell[night->cell[i].parent].failing |= night->cell[i].failing;
	for (int32 i = 0; i < night->cells; i++)
		if (night->cell[i].parent >= 0)
			night->cell[i].failing = night->cell[night->cell[i].parent].failing;
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
begin_judging(const CohortState *state, CohortSource *source, CohortNight *night)
{
	const Description *description = source->shape->description;
	int attributes = source->shape->record.fields->natts;
	CohortJudge judge = {
		.source = source,
		.night = night,
		.columns =
			sensitive_columns_find(description, model_text_read_list(state->terms.models), NULL),
		.place = budget_allocate(source->budget, Max(source->people, 1), sizeof(int32), PURPOSE),
		.values = palloc0(sizeof(Datum) * attributes),
		.nulls = palloc(sizeof(bool) * attributes),
		.reader = palloc(sizeof(ValueReader) * Max(source->plain_count, 1))};

	memset(judge.nulls, true, sizeof(bool) * attributes);
	memset(judge.place, NOT_JUDGED, sizeof(int32) * source->people);
	for (int i = 0; i < source->plain_count; i++)
		judge.reader[i] = value_text_reader(source->plain[i]->type);
	judge.scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon cohort judge", ALLOCSET_SMALL_SIZES);
	return judge;
}

void
cohort_judge(const CohortState *state, CohortSource *source, CohortNight *night)
{
	CohortJudge judge;
	RowJudge *models;

	if (state->terms.models[0] == '\0')
		return;
	judge = begin_judging(state, source, night);
	judge.rows = sensitive_rows_create(&judge.columns, 1, source->budget);
	cohort_source_each_reading(judge.source, add_reading, &judge);
	cohort_state_scan_divided(state, night, add_known, &judge);
	models = row_judge_create(sensitive_rows_finish(judge.rows, state->terms.rules.k, NULL),
							  source->budget);
	for (int32 i = 0; i < night->cells; i++)
	{
		CohortCell *cell = &night->cell[i];

		if (!is_judged(state, night, cell) || satisfies(&judge, models, cell))
			continue;
		cell->failing = cell->changed = true;
		if (!cohort_rule_holds("values") && cell->parent < 0 && cell->number > state->numbers)
			turn_away(night, i--);
	}
	spread_failures(night);
	MemoryContextDelete(judge.scratch);
}
