/*
 * cohort_night.c
 *		See cohort_night.h.
 *
 * A cell of n people, d of them absent tonight, with a k of its own, which its parts inherit:
 *
 *	d = 0                    shown
 *	d = n                    hidden
 *	d >= k and n - d >= k    divided: the absent, hidden | the present, divided further
 *	few enough are stale     shown, with the rows of people who left ('keep')
 *	d < k and n >= 2k        divided: the absent and enough others to make k, hidden | the rest
 *	otherwise                hidden
 *
 * The digests of their keys draw the others, whatever their quasi-identifiers, so that a hidden
 * part is as mixed as the cell.  The largest part continues as the cell.  Earlier nights do not
 * matter: the same rule shows a hidden cell again.
 *
 * People who wait are divided by Mondrian, by gain and with rest parts, but parts that lose no more
 * than the target are not divided further.  A part becomes a cell if it loses no more than the
 * target, or if somebody in it has waited long enough, which everybody has before there are any
 * cells; after that many nights, also if it is among the parts that lose least.  A label that fewer
 * than k of them have goes along with others: otherwise one old person would keep the ages of all
 * who wait together.
 *
 * Example, k = 2, 'keep', a share of 0.25: the cell {a, b, c, d, e} without a and b becomes the
 * cells {a, b}, hidden, and {c, d, e}.  Without e, {c, d, e} is a third stale, and no part of it
 * may be shown, because {d, e} | {c} leaves one alone: it is hidden until e is back.
 */
#include "postgres.h"

#include "cohort/cohort_night.h"

#include "base/context.h"
#include "base/interrupt.h"
#include "partition/region.h"
#include "utils/memutils.h"

#define PURPOSE "state of cohorts"

static bool
is_there(const CohortNight *night, int32 person)
{
	return night->person[person].row >= 0;
}

/* ---- known cells and their members */

CohortPerson *
cohort_night_next_person(CohortNight *night)
{
	night->person = budget_room(night->budget, night->person, &night->room_for_people,
								night->people + 1, sizeof(CohortPerson), PURPOSE);
	return &night->person[night->people];
}

CohortCell *
cohort_night_next_cell(CohortNight *night)
{
	night->cell = budget_room(night->budget, night->cell, &night->room_for_cells, night->cells + 1,
							  sizeof(CohortCell), PURPOSE);
	return &night->cell[night->cells];
}

int32
cohort_night_find_cell(const CohortNight *night, int64 number)
{
	int32 low = 0;
	int32 high = night->cells;

	while (low < high)
	{
		int32 middle = low + (high - low) / 2;

		if (night->cell[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low < night->cells && night->cell[low].number == number ? low : -1;
}

/* The index of a cell that a member names. */
static int32
find_cell(const CohortNight *night, int64 number)
{
	int32 place = cohort_night_find_cell(night, number);

	if (place < 0)
		elog(ERROR, "cohorts have a member of cell " INT64_FORMAT ", which does not exist", number);
	return place;
}

/*
 * Collects the members of all cells, by counting; returns the number of people who wait, listed in
 * *waiting.
 */
static int32
gather_members(CohortNight *night, int32 **waiting)
{
	int32 *place = budget_allocate(night->budget, Max(night->people, 1), sizeof(int32), PURPOSE);
	int32 *member = budget_allocate(night->budget, Max(night->people, 1), sizeof(int32), PURPOSE);
	int32 waits = 0;

	for (int32 i = 0; i < night->people; i++)
	{
		interrupt_check(i);
		place[i] = night->person[i].cell ? find_cell(night, night->person[i].cell) : -1;
		if (place[i] < 0)
			waits++;
		else
			night->cell[place[i]].members++;
	}
	*waiting = member;
	member += waits;
	for (int32 i = 0; i < night->cells; i++)
	{
		interrupt_check(i);
		night->cell[i].member = member;
		member += night->cell[i].members;
		night->cell[i].members = 0;
	}
	waits = 0;
	for (int32 i = 0; i < night->people; i++)
	{
		CohortCell *cell = place[i] < 0 ? NULL : &night->cell[place[i]];

		interrupt_check(i);
		if (cell)
			cell->member[cell->members++] = i;
		else
			(*waiting)[waits++] = i;
	}
	pfree(place);
	return waits;
}

/* The least number of people in each part of a cell. */
static int32
least_part(const CohortNight *night, int32 place)
{
	if (!cohort_rule_holds("k"))
		return 1;
	return cohort_rule_holds("models") ? night->cell[place].k : night->rules.k;
}

/* ---- new cells */

/* Appends a cell with room for this many members and no number yet. */
static CohortCell *
append_cell(CohortNight *night, int32 members, int32 parent)
{
	CohortCell *cell = cohort_night_next_cell(night);

	night->cells++;
	*cell = (CohortCell){.member = budget_allocate(night->budget, members, sizeof(int32), PURPOSE),
						 .low = -1,
						 .high = -1,
						 .changed = true,
						 .k = parent >= 0 ? night->cell[parent].k : night->rules.k,
						 .parent = parent};
	return cell;
}

/* Numbers the cells from "first" on and assigns their people to them. */
static void
number_cells(CohortNight *night, int32 first)
{
	for (int32 i = first; i < night->cells; i++)
	{
		CohortCell *cell = &night->cell[i];

		cell->number = ++night->numbers;
		for (int32 j = 0; j < cell->members; j++)
		{
			interrupt_check(j);
			night->person[cell->member[j]].cell = cell->number;
			night->person[cell->member[j]].changed = true;
		}
	}
}

/*
 * The largest of the cells from "first" on takes the index of the cell that was divided into them.
 */
static void
keep_largest(CohortNight *night, int32 place, int32 first)
{
	int64 number = night->cell[place].number;
	int32 largest = first;

	for (int32 i = first; i < night->cells; i++)
	{
		interrupt_check(i);
		if (night->cell[i].members > night->cell[largest].members)
			largest = i;
	}
	night->cell[place] = night->cell[largest];
	night->cell[place].number = number;
	night->cells--;
	memmove(&night->cell[largest], &night->cell[largest + 1],
			sizeof(CohortCell) * (night->cells - largest));
}

/* The codes of people who are present, as a dataset of its own. */
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

		interrupt_check(at);
		if (night->night - night->person[person].since >= night->rules.wait)
			return true;
	}
	return false;
}

typedef struct PartLoss
{
	double loss;
	int64 rows;
} PartLoss;

static double
part_loss(const CohortNight *night, Region *region, const Dataset *rows, int64 begin, int64 end)
{
	region_measure(region, rows, begin, end);
	return region_loss(region, rows->attributes, night->stop.column, night->stop.weight);
}

/*
 * The loss allowed for parts of people who wait: the target or, once some have waited so long that
 * the number waiting hardly grows, the loss of the best parts, which hold one in "wait" of all who
 * wait.
 */
static double
allowed_loss(const CohortNight *night, Region *region, const Dataset *rows, const Recoding *parts)
{
	int32 wait = night->rules.wait;
	double allowed = night->stop.loss;
	int64 left = wait > 0 && night->night > wait ? rows->rows / wait : 0;
	PartLoss *part = budget_allocate(night->budget, parts->groups, sizeof(PartLoss), PURPOSE);

	for (int32 i = 0; i < parts->groups; i++)
	{
		int64 begin = parts->class_end[i];

		interrupt_check(i);
		part[i].rows = parts->class_end[i + 1] - begin;
		part[i].loss = part_loss(night, region, rows, begin, begin + part[i].rows);
	}
	qsort(part, parts->groups, sizeof(PartLoss), interrupt_compare_double);
	for (int32 i = 0; i < parts->groups && part[i].rows <= left; i++)
	{
		left -= part[i].rows;
		allowed = Max(allowed, part[i].loss);
	}
	pfree(part);
	return allowed;
}

/*
 * Divides at least k present people into cells that are shown, without numbers.  Without a parent
 * they are being admitted, and only allowed parts become cells.
 */
static void
make_cells(CohortNight *night, const int32 *member, int32 count, int32 parent)
{
	bool admitted = parent < 0;
	int32 k = admitted ? night->rules.k : least_part(night, parent);
	MemoryContext scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon cohort parts", CONTEXT_SMALL_SIZES);
	MemoryContext result = MemoryContextSwitchTo(scratch);
	Dataset *rows = copy_rows(night, member, count);
	PartitionRequest request = {.k = k,
								.split = SPLIT_GAIN,
								.rest = true,
								.weight = night->stop.weight,
								.order = night->order,
								.column = night->column,
								.stop = &night->stop,
								.of_part = true,
								.places_only = true,
								.budget = night->budget};
	const Recoding *parts = partition_run(rows, &request);
	Region *region = region_create(rows);
	double allowed = admitted && parts ? allowed_loss(night, region, rows, parts) : 0;

	MemoryContextSwitchTo(result);
	for (int32 part = 1; parts && part <= parts->groups; part++)
	{
		int64 begin = parts->class_end[part - 1];
		int64 end = parts->class_end[part];
		CohortCell *cell;

		interrupt_check(part);
		if (admitted && part_loss(night, region, rows, begin, end) > allowed &&
			!has_waited(night, rows, member, begin, end))
			continue;
		cell = append_cell(night, (int32) (end - begin), parent);
		cell->shown = true;
		for (int64 at = begin; at < end; at++)
		{
			int32 person = member[dataset_row(rows, dataset_record(rows, at))];

			interrupt_check(at);
			cell->member[cell->members++] = person;
			night->person[person].read |= admitted;
			if (admitted)
				night->person[person].since = night->night;
		}
	}
	MemoryContextDelete(scratch);
}

/* ---- nights of known cells */

static int
compare_digests(const void *a, const void *b, void *arg)
{
	const CohortNight *night = arg;

	return memcmp(night->person[*(const int32 *) a].digest.byte,
				  night->person[*(const int32 *) b].digest.byte, RANDOM_NAME);
}

/*
 * Divides a cell into a hidden one, of the absent and enough others to make k, and cells of the
 * rest.  The keyed digests choose the others: a draw among those present that favours nobody.
 */
static void
divide_cell(CohortNight *night, int32 place, int32 gone)
{
	CohortCell cell = night->cell[place];
	int32 withheld = Max(least_part(night, place) - gone, 0);
	int32 *living = budget_allocate(night->budget, cell.members, sizeof(int32), PURPOSE);
	int32 first = night->cells;
	CohortCell *apart;
	int32 count = 0;

	apart = append_cell(night, gone + withheld, place);
	apart->low = cell.low;
	apart->high = cell.high;
	for (int32 i = 0; i < cell.members; i++)
		if (is_there(night, cell.member[i]))
			living[count++] = cell.member[i];
		else
			apart->member[apart->members++] = cell.member[i];
	if (withheld > 0)
		qsort_arg(living, count, sizeof(int32), compare_digests, night);
	for (int32 i = 0; i < withheld; i++)
		apart->member[apart->members++] = living[i];
	make_cells(night, living + withheld, count - withheld, place);
	keep_largest(night, place, first);
	number_cells(night, first);
	pfree(living);
}

/* A broken rule: the present people wait as if they had never been published. */
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

/* Publishes everybody present with tonight's values. */
static void
read_again(CohortNight *night, const CohortCell *cell)
{
	for (int32 i = 0; i < cell->members; i++)
		night->person[cell->member[i]].read = is_there(night, cell->member[i]);
}

/* As no rule allows: the cell is shown, but for the rows of people who are not there. */
static void
show_in_part(CohortNight *night, CohortCell *cell)
{
	cell->changed |= !cell->shown;
	cell->shown = true;
	for (int32 i = 0; i < cell->members; i++)
	{
		CohortPerson *person = &night->person[cell->member[i]];

		person->since = is_there(night, cell->member[i]) ? night->night : -1;
		person->changed = true;
	}
}

static void
judge_cell(CohortNight *night, int32 place)
{
	CohortCell *cell = &night->cell[place];
	const CohortRules *rules = &night->rules;
	int32 k = least_part(night, place);
	int32 members = cell->members;
	int32 gone = 0;
	bool whole;

	if (!cohort_rule_holds("whole"))
	{
		show_in_part(night, cell);
		return;
	}
	for (int32 i = 0; i < members; i++)
		gone += !is_there(night, cell->member[i]);
	if (gone >= k && members - gone >= k)
	{
		divide_cell(night, place, gone);
		return;
	}
	whole = gone == 0 || (rules->keep && gone < members && gone <= rules->stale * members);
	if (!whole && gone < k && k <= members / 2)
	{
		divide_cell(night, place, gone);
		return;
	}
	cell->changed |= whole != cell->shown;
	cell->shown = whole;
	if (!whole && !cohort_rule_holds("for ever"))
		forget_cell(night, cell);
}

/* Admits people who wait and are present; those new tonight begin to wait. */
static void
admit_people(CohortNight *night, int32 *waiting, int32 count)
{
	int32 first = night->cells;
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
	/* On the first night nobody has to wait for others. */
	for (int32 i = 0; night->numbers == 0 && i < there; i++)
	{
		interrupt_check(i);
		night->person[waiting[i]].since = night->night - night->rules.wait;
	}
	if (there >= night->rules.k)
		make_cells(night, waiting, there, -1);
	number_cells(night, first);
}

static void
count_present(const CohortNight *night, CohortCell *cell)
{
	int32 present = 0;

	for (int32 i = 0; i < cell->members; i++)
		present += is_there(night, cell->member[i]);
	cell->changed |= present != cell->present;
	cell->present = present;
}

void
cohort_night_pass(CohortNight *night)
{
	int32 known = night->cells;
	int32 *waiting;
	int32 count = gather_members(night, &waiting);

	for (int32 i = 0; i < known; i++)
	{
		interrupt_check(i);
		judge_cell(night, i);
	}
	admit_people(night, waiting, count);
	for (int32 i = 0; i < night->cells; i++)
	{
		const CohortCell *cell = &night->cell[i];
		bool all = cell->shown;

		interrupt_check(i);
		for (int32 j = 0; all && j < cell->members; j++)
			all = is_there(night, cell->member[j]) || !cohort_rule_holds("together");
		if (all && (night->rules.together || !cohort_rule_holds("together")))
			read_again(night, cell);
		count_present(night, &night->cell[i]);
	}
}
