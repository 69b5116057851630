/*
 * trial_judge.c
 *		Trials of joint frequency sets and their judge; see trial.h.
 *
 * The last attributes of the table are taken for sensitive columns, and for the
 * person.  A node's classes are found again by comparing labels row by row.
 */
#include "postgres.h"

#include "trial.h"

#include "model/class_judge.h"
#include "table_source.h"
#include "utils/memutils.h"

/* The oracle compares each row with each. */
#define NODES 4
#define ROWS 2500

typedef struct Case
{
	Trial *trial;
	FrequencySource *source;
	Requirement requirement;
	int *class_of; /* [row]: the first row of its class */
} Case;

/* ---- drawing */

/* What is asked: up to two columns and a person, from the end of the table. */
static void
draw_demand(Trial *trial, FrequencySpace *space, Demand *demand)
{
	Draw *draw = trial->draw;
	int carried = draw_below(draw, Min(space->attributes, 4));
	Model *model;
	int *column_of;

	*demand = (Demand){.person = carried > 0 && (carried > 2 || draw_one_in(draw, 3))};
	demand->columns = carried - demand->person;
	demand->models = demand->columns;
	space->quasi = space->attributes - carried;
	model = palloc0(sizeof(Model) * 2);
	column_of = palloc0(sizeof(int) * 2);
	demand->model = palloc0(sizeof(Model *) * 2);
	demand->domain = palloc0(sizeof(SensitiveDomain *) * 2);
	demand->column_of = column_of;
	for (int i = 0; i < demand->columns; i++)
	{
		SensitiveDomain *domain = palloc0(sizeof(SensitiveDomain));

		domain->codes = space->dimension[space->quasi + i]->cardinality[0];
		demand->domain[i] = domain;
		column_of[i] = i;
		model[i] = (Model){
			.ops = model_find("distinct"), .column = "s", .parameter = {draw_between(draw, 1, 3)}};
		demand->model[i] = &model[i];
	}
}

/* Often near the top, where an array of all combinations pays. */
static void
draw_node(Draw *draw, const FrequencySpace *space, const Level *from, Level *node)
{
	bool high = draw_one_in(draw, 2);

	memset(node, 0, sizeof(Level) * space->attributes);
	for (int i = 0; i < space->quasi; i++)
	{
		int height = space->dimension[i]->height;

		node[i] = (Level) draw_between(draw, high ? Max(from[i], height - 1) : from[i], height);
	}
}

/* ---- the oracle */

static bool
same_class(const Table *table, const FrequencySpace *space, const Level *node, int a, int b)
{
	for (int i = 0; i < space->quasi; i++)
		if (table_label(table, a, i, node[i]) != table_label(table, b, i, node[i]))
			return false;
	return true;
}

static int
cell(const Table *table, int row, int attribute)
{
	return table->cell[row * table->attributes + attribute];
}

/* Does the row belong to somebody? */
static bool
is_somebodys(const Case *one, int row)
{
	const Table *table = one->trial->table;

	return !one->requirement.demand.person || cell(table, row, table->attributes - 1) != CELL_NULL;
}

/* Different values of an attribute among the rows of a class that belong to somebody. */
static int
count_different(const Case *one, int class, int attribute)
{
	const Table *table = one->trial->table;
	int count = 0;

	for (int row = class; row < table->rows; row++)
	{
		bool is_new = one->class_of[row] == class && is_somebodys(one, row);

		for (int before = class; is_new && before < row; before++)
			is_new = one->class_of[before] != class || !is_somebodys(one, before) ||
					 cell(table, before, attribute) != cell(table, row, attribute);
		count += is_new;
	}
	return count;
}

static void
add_class(const Case *one, int class, FrequencyTally *tally)
{
	const Table *table = one->trial->table;
	const Demand *demand = &one->requirement.demand;
	int64 rows = 0;
	int64 members;
	bool holds;

	for (int row = class; row < table->rows; row++)
		rows += one->class_of[row] == class;
	members = demand->person ? count_different(one, class, table->attributes - 1) : rows;
	holds = members >= one->requirement.k;
	for (int i = 0; i < demand->models; i++)
		holds = holds && count_different(one, class, one->source->space->quasi + i) >=
							 demand->model[i]->parameter[0];
	tally->groups++;
	if (holds)
	{
		tally->squares += (double) rows * (double) rows;
		tally->smallest = tally->smallest == 0 ? members : Min(tally->smallest, members);
	}
	else
	{
		tally->small_groups++;
		tally->small_rows += rows;
	}
}

static FrequencyTally
count_classes(Case *one, const Level *node)
{
	const Table *table = one->trial->table;
	FrequencyTally tally = {0};

	for (int row = 0; row < table->rows; row++)
	{
		one->class_of[row] = 0;
		while (!same_class(table, one->source->space, node, one->class_of[row], row))
			one->class_of[row]++;
	}
	for (int row = 0; row < table->rows; row++)
		if (one->class_of[row] == row)
			add_class(one, row, &tally);
	return tally;
}

/* ---- the trial */

static void
check_tally(const FrequencyTally *tally, const FrequencyTally *expected)
{
	if (tally->too_many || tally->groups != expected->groups ||
		tally->small_groups != expected->small_groups ||
		tally->small_rows != expected->small_rows || tally->smallest != expected->smallest ||
		tally->squares != expected->squares)
		elog(ERROR,
			 "judged " INT64_FORMAT " of " INT64_FORMAT " classes to fail, not " INT64_FORMAT
			 " of " INT64_FORMAT,
			 tally->small_groups, tally->groups, expected->small_groups, expected->groups);
}

static void
check_node(Case *one, ClassJudge *judge, FrequencySet *source)
{
	Draw *draw = one->trial->draw;
	FrequencySpace *space = one->source->space;
	Level *node = palloc(sizeof(Level) * space->attributes);
	TallyRequest measure = {.max_groups = -1, .keep = draw_below(draw, 8)};
	TallyRequest decide = requirement_request(&one->requirement);
	Requirement monotone;
	FrequencyTally expected;
	FrequencyTally tally;

	draw_node(draw, space, source->node, node);
	expected = count_classes(one, node);
	tally = class_judge_tally(judge, &one->requirement, source, node, &measure);
	check_tally(&tally, &expected);
	if (tally.kept)
	{
		FrequencySet *kept = tally.kept;

		tally = class_judge_tally(judge, &one->requirement, kept, node, &measure);
		check_tally(&tally, &expected);
		if (tally.kept)
			elog(ERROR, "a set was kept of a node that has it");
		frequency_set_free(kept);
	}
	tally = class_judge_tally(judge, &one->requirement, source, node, &decide);
	if (requirement_holds(&one->requirement, &tally) !=
		requirement_holds(&one->requirement, &expected))
		elog(ERROR, "decided wrongly");
	monotone = requirement_monotone(&one->requirement);
	tally = class_judge_tally(judge, &monotone, source, node, &decide);
	if (requirement_holds(&one->requirement, &expected) && !requirement_holds(&monotone, &tally))
		elog(ERROR, "a node satisfies the whole and not its monotone part");
	pfree(node);
}

void
trial_judge(Trial *trial)
{
	const Table *table = trial->table;
	Case one = {.trial = trial};
	FrequencySet *ground;
	FrequencySet *source;
	FrequencySpace *space;
	Demand demand;
	Level *node;

	if (table->rows > ROWS)
		return;
	backend_cancel_after(table->cancel_after);
	trial->budget = trial_budget(draw_one_in(trial->draw, 2) ? table->limit : ENOUGH_MEMORY);
	one.source = table_source_create(table, &trial->budget);
	ground = one.source->read_ground(one.source);
	space = one.source->space;
	draw_demand(trial, space, &demand);
	one.class_of = palloc(sizeof(int) * table->rows);
	one.requirement = requirement_create(table->k, table->suppression, table->rows, &demand);
	if (requirement_is_plain(&one.requirement))
		return;
	node = palloc(sizeof(Level) * space->attributes);
	draw_node(trial->draw, space, ground->node, node);
	source = draw_one_in(trial->draw, 2) ? ground : rollup(ground, space, node);
	for (int i = 0; i < NODES; i++)
	{
		MemoryContext scratch =
			AllocSetContextCreate(CurrentMemoryContext, "trial judge", ALLOCSET_SMALL_SIZES);
		MemoryContext caller = MemoryContextSwitchTo(scratch);
		ClassJudge *judge = class_judge_create(space, &demand);

		MemoryContextSwitchTo(caller);
		check_node(&one, judge, source);
		MemoryContextDelete(scratch);
	}
}
