/*
 * cohort_night.c
 *		See cohort_night.h.
 *
 * A cell of n people of whom d are not there tonight:
 *
 *	d = 0                    it is shown
 *	d = n                    it is hidden
 *	d >= k and n - d >= k    divided: those who left, hidden | those who are there, divided on
 *	few enough are stale     it is shown, with the rows of people who left ('keep')
 *	d < k and n >= 2k        divided: those who left and so many that they are k, hidden | the rest
 *	else                     it is hidden
 *
 * What was before does not matter: a cell that was hidden is shown again by the same rule.
 *
 * Those who wait are divided by Mondrian, but no part that loses no more than the target.  A part
 * becomes a cell if it loses no more, or if somebody in it has waited long enough, as all have
 * before there is any cell.
 *
 * Example, k = 2, 'keep', a share of 0.25: the cell {a, b, c, d, e} without a and b becomes the
 * cells {a, b}, hidden, and {c, d, e}.  Without e, {c, d, e} is a third stale, and no part of it
 * may be shown, since {d, e} | {c} leaves one alone: it is hidden until e is back.
 */
#include "postgres.h"

#include "cohort/cohort_night.h"

#include "base/interrupt.h"
#include "cohort/cohort_rule.h"
#include "partition/region.h"
#include "utils/memutils.h"

#define PURPOSE "cohorts"
#define FIRST_CELLS 64

static bool
is_there(const CohortNight *night, int32 person)
{
	return night->person[person].row >= 0;
}

/* ---- known cells and their members */

static int
compare_members(const void *a, const void *b, void *arg)
{
	const CohortPerson *person = arg;
	const CohortPerson *x = &person[*(const int32 *) a];
	const CohortPerson *y = &person[*(const int32 *) b];

	CHECK_FOR_INTERRUPTS();
	if (x->cell != y->cell)
		return x->cell < y->cell ? -1 : 1;
	return memcmp(x->digest.byte, y->digest.byte, COHORT_DIGEST);
}

/* People by cell, those who wait first: how many these are.  Cells get their members. */
static int32
gather_members(CohortNight *night, int32 **sorted)
{
	int32 waiting = 0;
	int32 at;

	*sorted = budget_allocate(night->budget, Max(night->people, 1), sizeof(int32), PURPOSE);
	for (int32 i = 0; i < night->people; i++)
		(*sorted)[i] = i;
	qsort_arg(*sorted, night->people, sizeof(int32), compare_members, night->person);
	while (waiting < night->people && night->person[(*sorted)[waiting]].cell == 0)
		waiting++;
	at = waiting;
	for (int32 i = 0; i < night->cells; i++)
	{
		CohortCell *cell = &night->cell[i];

		interrupt_check(i);
		cell->member = *sorted + at;
		while (at < night->people && night->person[(*sorted)[at]].cell == cell->number)
			at++;
		cell->members = (int32) (*sorted + at - cell->member);
	}
	if (at < night->people)
		elog(ERROR, "cohorts have a member of cell " INT64_FORMAT ", which does not exist",
			 night->person[(*sorted)[at]].cell);
	return waiting;
}

/* ---- new cells */

/* With room for so many members. */
static CohortCell *
append_cell(CohortNight *night, int32 members)
{
	CohortCell *cell;

	if (night->cells == night->capacity)
	{
		int32 capacity = Max(night->capacity * 2, FIRST_CELLS);

		night->cell = budget_enlarge(night->budget, night->cell, night->capacity, capacity,
									 sizeof(CohortCell), PURPOSE);
		night->capacity = capacity;
	}
	cell = &night->cell[night->cells++];
	*cell = (CohortCell){.number = ++night->numbers,
						 .member = budget_allocate(night->budget, members, sizeof(int32), PURPOSE),
						 .low = -1,
						 .high = -1,
						 .changed = true};
	return cell;
}

static void
take_member(CohortNight *night, CohortCell *cell, int32 person)
{
	cell->member[cell->members++] = person;
	night->person[person].cell = cell->number;
	night->person[person].changed = true;
}

/* The codes of people who are there, as a dataset of their own. */
static Dataset *
copy_rows(const CohortNight *night, const int32 *member, int32 count)
{
	const Dataset *from = night->dataset;
	Dataset *rows = dataset_create(DATASET_RECORDS, from->attributes, night->budget);

	memcpy(rows->values, from->values, sizeof(int32) * from->attributes);
	memcpy(rows->has_null, from->has_null, sizeof(bool) * from->attributes);
	dataset_reserve(rows, count);
	for (int32 i = 0; i < count; i++)
	{
		int64 row = dataset_append(rows, 1);

		interrupt_check(i);
		memcpy(dataset_record(rows, row), dataset_record(from, night->person[member[i]].row),
			   sizeof(int32) * from->attributes);
	}
	return rows;
}

static bool
has_waited(const CohortNight *night, const Dataset *rows, const int32 *member, int64 begin,
		   int64 end)
{
	for (int64 at = begin; at < end; at++)
	{
		int32 person = member[dataset_row(rows, dataset_record(rows, at))];

		if (night->night - night->person[person].since >= night->rules.wait)
			return true;
	}
	return false;
}

/*
 * Divides people who are there, k of them or more, into cells that are shown; where they are
 * admitted, which is without a parent, only those parts that may be.
 */
static void
make_cells(CohortNight *night, const int32 *member, int32 count, const CohortCell *parent)
{
	bool admitted = parent == NULL;
	MemoryContext scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon cohort parts", ALLOCSET_SMALL_SIZES);
	MemoryContext result = MemoryContextSwitchTo(scratch);
	Dataset *rows = copy_rows(night, member, count);
	PartitionRequest request = {.k = admitted || cohort_rule_holds("k") ? night->rules.k : 1,
								.column = night->column,
								.stop = &night->stop,
								.of_part = true,
								.places_only = true,
								.budget = night->budget};
	const Recoding *parts = partition_run(rows, &request);
	Region *region = region_create(rows);

	MemoryContextSwitchTo(result);
	for (int32 part = 1; parts && part <= parts->groups; part++)
	{
		int64 begin = parts->class_end[part - 1];
		int64 end = parts->class_end[part];
		CohortCell *cell;

		region_measure(region, rows, begin, end);
		if (admitted &&
			region_loss(region, rows->attributes, night->stop.column, night->stop.weight) >
				night->stop.loss &&
			!has_waited(night, rows, member, begin, end))
			continue;
		cell = append_cell(night, (int32) (end - begin));
		cell->shown = true;
		cell->parent = parent ? parent->number : 0;
		cell->failing = parent && parent->failing;
		for (int64 at = begin; at < end; at++)
		{
			int32 person = member[dataset_row(rows, dataset_record(rows, at))];

			take_member(night, cell, person);
			night->person[person].read |= admitted;
			if (admitted)
				night->person[person].since = night->night;
		}
	}
	MemoryContextDelete(scratch);
}

/* ---- nights of known cells */

static int
compare_codes(const void *a, const void *b, void *arg)
{
	const CohortNight *night = arg;
	const CohortPerson *x = &night->person[*(const int32 *) a];
	const CohortPerson *y = &night->person[*(const int32 *) b];
	const int32 *codes_x = dataset_record(night->dataset, x->row);
	const int32 *codes_y = dataset_record(night->dataset, y->row);

	for (int i = 0; i < night->dataset->attributes; i++)
		if (codes_x[i] != codes_y[i])
			return codes_x[i] < codes_y[i] ? -1 : 1;
	return memcmp(x->digest.byte, y->digest.byte, COHORT_DIGEST);
}

/*
 * The cell becomes one of those who left and so many of those who are there that they are k, which
 * is hidden, and cells of the rest.
 */
static void
divide_cell(CohortNight *night, int32 number, int32 gone)
{
	CohortCell cell = night->cell[number];
	int32 withheld = Max(night->rules.k - gone, 0);
	int32 *living = palloc(sizeof(int32) * cell.members);
	CohortCell *apart;
	int32 count = 0;

	if (!cohort_rule_holds("k"))
		withheld = 0;
	night->cell[number].divided = true;
	apart = append_cell(night, gone + withheld);
	apart->parent = cell.number;
	apart->failing = cell.failing;
	apart->low = cell.low;
	apart->high = cell.high;
	for (int32 i = 0; i < cell.members; i++)
		if (is_there(night, cell.member[i]))
			living[count++] = cell.member[i];
		else
			take_member(night, apart, cell.member[i]);
	qsort_arg(living, count, sizeof(int32), compare_codes, night);
	for (int32 i = 0; i < withheld; i++)
		take_member(night, apart, living[i]);
	make_cells(night, living + withheld, count - withheld, &cell);
	pfree(living);
}

/* As no rule allows: those who are there wait as if they had never been published. */
static void
forget_cell(CohortNight *night, CohortCell *cell)
{
	for (int32 i = 0; i < cell->members; i++)
		if (is_there(night, cell->member[i]))
		{
			night->person[cell->member[i]].cell = 0;
			night->person[cell->member[i]].since = night->night;
			night->person[cell->member[i]].changed = true;
		}
}

/* Whoever is there is published, and with the values of tonight. */
static void
read_again(CohortNight *night, const CohortCell *cell)
{
	for (int32 i = 0; i < cell->members; i++)
		night->person[cell->member[i]].read = is_there(night, cell->member[i]);
}

static void
judge_cell(CohortNight *night, int32 number)
{
	CohortCell *cell = &night->cell[number];
	const CohortRules *rules = &night->rules;
	int32 members = cell->members;
	int32 gone = 0;
	bool whole;

	for (int32 i = 0; i < members; i++)
		gone += !is_there(night, cell->member[i]);
	if (gone > 0 && gone < members &&
		(!cohort_rule_holds("k") || (gone >= rules->k && members - gone >= rules->k)))
	{
		divide_cell(night, number, gone);
		return;
	}
	whole = gone == 0 || (rules->keep && gone < members && gone <= rules->stale * members);
	if (!whole && gone < rules->k && members >= 2 * rules->k)
	{
		divide_cell(night, number, gone);
		return;
	}
	cell->changed |= whole != cell->shown;
	cell->shown = whole;
	if (!whole && !cohort_rule_holds("for ever"))
		forget_cell(night, cell);
}

/* Those who wait and are there, since tonight if they have not waited. */
static void
admit_people(CohortNight *night, int32 *waiting, int32 count)
{
	int32 there = 0;

	for (int32 i = 0; i < count; i++)
	{
		CohortPerson *person = &night->person[waiting[i]];

		interrupt_check(i);
		if (!is_there(night, waiting[i]))
			continue;
		if (!person->known)
		{
			person->since = night->night;
			person->changed = true;
		}
		waiting[there++] = waiting[i];
	}
	/* Those of the first night have nobody to wait for. */
	for (int32 i = 0; night->numbers == 0 && i < there; i++)
		night->person[waiting[i]].since = night->night - night->rules.wait;
	if (there >= night->rules.k)
		make_cells(night, waiting, there, NULL);
}

void
cohort_night_pass(CohortNight *night)
{
	int32 known = night->cells;
	int32 *sorted;
	int32 waiting = gather_members(night, &sorted);

	for (int32 i = 0; i < known; i++)
	{
		interrupt_check(i);
		judge_cell(night, i);
	}
	admit_people(night, sorted, waiting);
	for (int32 i = 0; i < night->cells; i++)
	{
		const CohortCell *cell = &night->cell[i];
		bool all = cell->shown && !cell->divided;

		for (int32 j = 0; all && j < cell->members; j++)
			all = is_there(night, cell->member[j]) || !cohort_rule_holds("together");
		if (all && (night->rules.together || !cohort_rule_holds("together")))
			read_again(night, cell);
	}
}
