/*
 * class_judge.c
 *		See class_judge.h.
 *
 * A class is a list of entries: codes of its sensitive values, its person, rows.  Without people,
 * the count of a value is the sum over its entries.  With people, it is the number of distinct
 * people: entries are sorted by value, and each person is stamped with the number of the value that
 * last counted it.  Counts of people do not add up when classes are merged, but sets of people do,
 * and a joint set keeps these.
 *
 * If the joint set is an array of all combinations, the cells of a class are adjacent, and no
 * entries are needed.
 *
 * Example: flu of Ada (2 rows), flu of Ben (1), cold of Ben (1), cold of nobody (3).  In rows: flu
 * 3, cold 4, total 7.  In people: flu 2, cold 1, total 2.
 */
#include "postgres.h"

#include "model/class_judge.h"

#include "base/interrupt.h"
#include "base/limits.h"
#include "frequency/class_scan.h"
#include "frequency/rollup.h"

/*
 * ---- The monotone parts of a requirement:
 *
 * - k: merging classes makes no class smaller, and rows in classes of at least k stay in such
 *   classes.  The same holds for people.
 * - Models that are monotone under inclusion: with k, with suppression and with people.
 * - Other models, if nothing may be suppressed and rows are counted: then all classes of a node
 *   satisfy, and so do their unions.  If some classes may fail, they may spoil those they are
 *   merged with.  A person may be in two classes, so that the histogram of the union is not the
 *   sum.
 * - What another model implies (model_least_values): a class that satisfies has at least that many
 *   distinct values, and so does any class that contains it.  With suppression, rows in classes
 *   with enough values stay in such classes.
 */

Requirement
requirement_create(int64 k, double suppression, int64 rows, const Demand *demand)
{
	Requirement requirement = {.k = k, .demand = *demand};

	requirement.rows = Max(k, demand_least_rows(demand));
	requirement.suppressible = limits_suppressible(suppression, rows);
	/* There are at most so many large classes, and each small one costs a row. */
	requirement.max_groups = rows / requirement.rows + requirement.suppressible;
	return requirement;
}

static bool
is_monotone(const Requirement *requirement, const Model *model)
{
	bool disjoint = requirement->suppressible == 0 && !requirement->demand.person;

	return disjoint || model->ops->monotone_under_inclusion;
}

bool
requirement_is_monotone(const Requirement *requirement)
{
	for (int i = 0; i < requirement->demand.models; i++)
		if (!is_monotone(requirement, requirement->demand.model[i]))
			return false;
	return true;
}

/* The monotone part of a model: itself, the number of values that it implies, or NULL for none. */
static const Model *
monotone_model(const Requirement *requirement, const Model *model)
{
	Model *implied;

	if (is_monotone(requirement, model))
		return model;
	if (model_least_values(model) == 0)
		return NULL;
	implied = palloc0(sizeof(Model));
	*implied = (Model){.ops = &distinct_diversity,
					   .column = model->column,
					   .parameter = {model_least_values(model)}};
	return implied;
}

Requirement
requirement_monotone(const Requirement *requirement)
{
	const Demand *whole = &requirement->demand;
	Requirement part = *requirement;
	const Model **model = palloc(sizeof(Model *) * Max(whole->models, 1));
	int *column_of = palloc(sizeof(int) * Max(whole->models, 1));
	int models = 0;

	for (int i = 0; i < whole->models; i++)
	{
		model[models] = monotone_model(requirement, whole->model[i]);
		column_of[models] = whole->column_of[i];
		models += model[models] != NULL;
	}
	part.demand.models = models;
	part.demand.model = model;
	part.demand.column_of = column_of;
	return part;
}

bool
requirement_holds(const Requirement *requirement, const FrequencyTally *tally)
{
	return !tally->too_many && tally->small_rows <= requirement->suppressible;
}

TallyRequest
requirement_request(const Requirement *requirement)
{
	return (TallyRequest){.threshold = requirement->rows,
						  .max_groups = requirement->max_groups,
						  .most_small = requirement->suppressible,
						  .decide = true};
}

/* From this many codes for each value on, sorting the values is faster than scanning all codes. */
#define CODES_PER_VALUE 8
/* A set with more entries is rolled up first, so that its classes fit wherever the node's do. */
#define LARGE_SET 16384
#define PURPOSE "equivalence class"

struct ClassJudge
{
	FrequencySpace *space;
	Demand demand;
	MemoryContext context; /* of everything below */
	Histogram **histogram; /* [column] */
	int64 *count;          /* [code], all 0 between columns */
	int32 *value;          /* codes that occur, in order of appearance */
	int32 people;          /* distinct people; higher codes mean nobody */
	uint32 *seen;          /* [person]: stamp of the last set of people it was counted in */
	uint32 stamp;
	int32 *by_value; /* people of a class, sorted by value */
	int64 capacity;
};

/* The verdict on one node. */
typedef struct NodeVerdict
{
	ClassJudge *judge;
	const Requirement *requirement;
	FrequencyTally *tally;
	const TallyRequest *request;
} NodeVerdict;

/* One class, as entries or as cells. */
typedef struct ClassSight
{
	ClassJudge *judge;
	const ClassEntries *entries; /* or NULL */
	const uint32 *cell;          /* [combination of the carried codes]: rows */
	int64 cells;
} ClassSight;

ClassJudge *
class_judge_create(FrequencySpace *space, const Demand *demand)
{
	ClassJudge *judge = palloc0(sizeof(ClassJudge));
	int32 most = 0;

	judge->context = CurrentMemoryContext;
	judge->space = space;
	judge->demand = *demand;
	judge->histogram = palloc(sizeof(Histogram *) * Max(demand->columns, 1));
	for (int i = 0; i < demand->columns; i++)
	{
		most = Max(most, demand->domain[i]->codes);
		judge->histogram[i] = histogram_create(demand->domain[i]->codes, space->budget);
	}
	judge->count = budget_allocate(space->budget, most, sizeof(int64), PURPOSE);
	judge->value = budget_allocate(space->budget, most, sizeof(int32), PURPOSE);
	if (demand->person)
	{
		const Dimension *person = space->dimension[space->attributes - 1];

		judge->people = person->cardinality[0] - (person->has_null ? 1 : 0);
		judge->seen = budget_allocate(space->budget, judge->people, sizeof(uint32), PURPOSE);
	}
	return judge;
}

/* The person of an entry, or -1 for nobody. */
static int32
entry_person(const ClassJudge *judge, const ClassEntries *class, int64 i)
{
	int32 person = class_entries_code(class, i, judge->demand.columns);

	return person < judge->people ? person : -1;
}

/* A stamp that no person has yet. */
static uint32
next_stamp(ClassJudge *judge)
{
	if (judge->stamp == PG_UINT32_MAX)
	{
		memset(judge->seen, 0, sizeof(uint32) * judge->people);
		judge->stamp = 0;
	}
	return ++judge->stamp;
}

static int64
count_people(ClassJudge *judge, const ClassEntries *class)
{
	uint32 stamp = next_stamp(judge);
	int64 people = 0;

	for (int64 i = 0; i < class->entries; i++)
	{
		int32 person = entry_person(judge, class, i);

		interrupt_check(i);
		if (person >= 0 && judge->seen[person] != stamp)
		{
			judge->seen[person] = stamp;
			people++;
		}
	}
	return people;
}

/* Adds to the count of a code; returns the number of distinct codes so far. */
static int32
add_to_code(ClassJudge *judge, int32 code, int64 count, int32 values)
{
	if (judge->count[code] == 0)
		judge->value[values++] = code;
	judge->count[code] += count;
	return values;
}

static int32
count_rows_by_value(ClassJudge *judge, const ClassEntries *class, int column)
{
	int32 values = 0;

	for (int64 i = 0; i < class->entries; i++)
	{
		interrupt_check(i);
		values = add_to_code(judge, class_entries_code(class, i, column),
							 class_entries_count(class, i), values);
	}
	return values;
}

/*
 * Sorts people by value (counting sort); afterwards count[code] is the end of each value's people.
 */
static void
order_by_value(ClassJudge *judge, const ClassEntries *class, int column, int32 values)
{
	int64 end = 0;

	for (int32 i = 0; i < values; i++)
	{
		int64 entries = judge->count[judge->value[i]];

		judge->count[judge->value[i]] = end;
		end += entries;
	}
	for (int64 i = 0; i < class->entries; i++)
	{
		int32 person = entry_person(judge, class, i);

		interrupt_check(i);
		if (person >= 0)
			judge->by_value[judge->count[class_entries_code(class, i, column)]++] = person;
	}
}

static int32
count_people_by_value(ClassJudge *judge, const ClassEntries *class, int column)
{
	int32 values = 0;
	int64 at = 0;

	if (class->entries > judge->capacity)
	{
		if (judge->by_value)
			pfree(judge->by_value);
		judge->by_value = budget_allocate_in(judge->space->budget, judge->context,
											 mul_size(sizeof(int32), class->entries), PURPOSE);
		judge->capacity = class->entries;
	}
	for (int64 i = 0; i < class->entries; i++)
	{
		interrupt_check(i);
		if (entry_person(judge, class, i) >= 0)
			values = add_to_code(judge, class_entries_code(class, i, column), 1, values);
	}
	order_by_value(judge, class, column, values);
	for (int32 i = 0; i < values; i++)
	{
		uint32 stamp = next_stamp(judge);
		int64 end = judge->count[judge->value[i]];
		int64 people = 0;

		for (; at < end; at++)
		{
			interrupt_check(at);
			people += judge->seen[judge->by_value[at]] != stamp;
			judge->seen[judge->by_value[at]] = stamp;
		}
		judge->count[judge->value[i]] = people;
	}
	return values;
}

/* Adds the rows of each cell to the column's code there. */
static int32
count_cells_by_value(ClassJudge *judge, const ClassSight *class, int column)
{
	int64 codes = judge->demand.domain[column]->codes;
	int64 stride = 1;
	int32 values = 0;

	for (int i = column + 1; i < judge->demand.columns; i++)
		stride *= judge->demand.domain[i]->codes;
	for (int64 i = 0; i < class->cells; i++)
	{
		interrupt_check(i);
		if (class->cell[i] > 0)
			values = add_to_code(judge, (int32) (i / stride % codes), class->cell[i], values);
	}
	return values;
}

/* Moves the counts to the histogram in code order and clears them. */
static void
fill_histogram(ClassJudge *judge, int column, int32 values)
{
	Histogram *histogram = judge->histogram[column];
	int32 codes = judge->demand.domain[column]->codes;
	bool sort = values < codes / CODES_PER_VALUE;
	int32 looked_at = sort ? values : codes;

	histogram_reset(histogram);
	for (int32 i = 0; i < looked_at; i++)
	{
		int32 code = sort ? judge->value[i] : i;

		interrupt_check(i);
		if (judge->count[code] > 0)
			histogram_add(histogram, code, judge->count[code]);
		judge->count[code] = 0;
	}
	if (sort)
		histogram_finish(histogram);
}

/* A ClassHistogram. */
static const Histogram *
class_histogram(void *state, int column)
{
	const ClassSight *class = state;
	ClassJudge *judge = class->judge;
	int32 values;

	if (class->entries == NULL)
		values = count_cells_by_value(judge, class, column);
	else if (judge->demand.person)
		values = count_people_by_value(judge, class->entries, column);
	else
		values = count_rows_by_value(judge, class->entries, column);
	fill_histogram(judge, column, values);
	return judge->histogram[column];
}

/* Adds a class to the tally; false if the node is decided.  key: for the losses, if asked for. */
static bool
tally_class(const NodeVerdict *verdict, int64 rows, int64 members, bool holds, const uint64 *key)
{
	FrequencyTally *tally = verdict->tally;

	tally->groups++;
	frequency_tally_add(tally, rows, members, !holds);
	if (!holds && verdict->request->loss)
		frequency_tally_lose(tally, verdict->request, rows, key);
	return !verdict->request->decide || tally->small_rows <= verdict->requirement->suppressible;
}

static bool
judge_entries(void *state, const ClassEntries *class)
{
	const NodeVerdict *verdict = state;
	const Requirement *requirement = verdict->requirement;
	ClassSight sight = {.judge = verdict->judge, .entries = class};
	int64 members = requirement->demand.person && class->entries > 0
						? count_people(verdict->judge, class)
						: class->rows;

	return tally_class(verdict, class->rows, members,
					   class->entries > 0 && members >= requirement->k &&
						   demand_failed(&requirement->demand, NULL, class_histogram, &sight) < 0,
					   class->key);
}

/* Returns false if it stopped early. */
static bool
judge_cells(const NodeVerdict *verdict, const DenseTable *table)
{
	int64 max_groups = verdict->request->max_groups;
	uint64 *key = palloc(sizeof(uint64) * table->space->words);
	ClassJudge *judge = verdict->judge;
	const Requirement *requirement = verdict->requirement;
	ClassSight class = {.judge = judge, .cells = 1};
	bool going = true;

	for (int i = 0; i < judge->demand.columns; i++)
		class.cells *= judge->demand.domain[i]->codes;
	for (int64 cell = 0; going && cell < table->cells; cell += class.cells)
	{
		int64 rows = 0;

		interrupt_check(cell / class.cells);
		class.cell = table->counts + cell;
		for (int64 i = 0; i < class.cells; i++)
			rows += class.cell[i];
		if (rows == 0)
			continue;
		CHECK_FOR_INTERRUPTS();
		if (verdict->request->loss)
			dense_table_key(table, cell, key);
		going = tally_class(verdict, rows, rows,
							rows >= requirement->rows && demand_failed(&requirement->demand, NULL,
																	   class_histogram, &class) < 0,
							key) &&
				(max_groups < 0 || verdict->tally->groups <= max_groups);
	}
	pfree(key);
	return going;
}

/* Judges the classes by row counts alone. */
static void
tally_rows(FrequencySpace *space, FrequencySet *source, const Level *node,
		   const Requirement *requirement, const TallyRequest *request, FrequencyTally *tally)
{
	TallyRequest rows = {.threshold = requirement->rows,
						 .max_groups = request->max_groups,
						 .loss = request->loss,
						 .state = request->state};
	Level *classes = frequency_space_copy(space, node);

	frequency_space_drop_carried(space, classes);
	*tally = rollup_tally(source, space, classes, &rows);
	pfree(classes);
}

/*
 * The test by row counts, which most nodes fail, comes first.  If the node fails, the tally says
 * so.
 */
static bool
fails_by_rows(const NodeVerdict *verdict, FrequencySet *source, const Level *node,
			  const TallyRequest *request)
{
	FrequencyTally rows;

	tally_rows(verdict->judge->space, source, node, verdict->requirement, request, &rows);
	if (requirement_holds(verdict->requirement, &rows))
		return false;
	verdict->tally->too_many = true;
	return true;
}

static void
tally_entries(const NodeVerdict *verdict, FrequencySet *source, const Level *node,
			  const TallyRequest *request)
{
	FrequencySpace *space = verdict->judge->space;
	FrequencyTally *tally = verdict->tally;
	bool same = memcmp(source->node, node, sizeof(Level) * space->attributes) == 0;
	bool large = !same && source->entries > LARGE_SET;
	FrequencySet *set = source;
	ClassScanRequest scan = {.threshold = verdict->requirement->rows,
							 .max_classes = request->max_groups,
							 .consume = judge_entries,
							 .state = unconstify(NodeVerdict *, verdict)};

	if (large && request->decide && !request->keep && fails_by_rows(verdict, source, node, request))
		return;
	if (large || (request->keep && !same))
		set = rollup(source, space, node);
	if (requirement_is_plain(verdict->requirement))
		tally_rows(space, set, node, verdict->requirement, request, tally);
	else
		tally->too_many = !class_scan(set, space, node, &scan);
	if (set == source)
		return;
	if (tally_keeps(request, tally, source, set->entries))
		tally->kept = set;
	else
		frequency_set_free(set);
}

FrequencyTally
class_judge_tally(ClassJudge *judge, const Requirement *requirement, FrequencySet *source,
				  const Level *node, const TallyRequest *request)
{
	FrequencyTally tally = {0};
	NodeVerdict verdict = {
		.judge = judge, .requirement = requirement, .tally = &tally, .request = request};
	DenseTable *table = judge->demand.person ? NULL : dense_table_count(source, judge->space, node);

	if (table)
	{
		tally.too_many = !judge_cells(&verdict, table);
		/* Counting the groups takes a pass, so ask first whether any set is kept. */
		if (tally_keeps(request, &tally, source, 0) &&
			tally_keeps(request, &tally, source, dense_table_groups(table)))
			tally.kept = dense_table_set(table);
		dense_table_free(table);
	}
	else
		tally_entries(&verdict, source, node, request);
	return tally;
}
