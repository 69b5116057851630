/*
 * known.c
 *		See known.h.
 *
 * Example, k = 2, L = 1: (a, x), (a, x), (a, y), (b, y).  By the first column (b, y) fails.
 * Without it, y occurs once, so (a, y) drops out in the next round; two rows of (a, x) remain.
 */
#include "postgres.h"

#include "model/known.h"

#include "base/interrupt.h"
#include "frequency/rollup.h"
#include "miscadmin.h"

/* ---- sets of columns */

KnownSets
known_sets_begin(int columns, int size)
{
	KnownSets sets = {columns, size, palloc(sizeof(int) * Max(size, 1))};

	for (int i = 0; i < size; i++)
		sets.member[i] = i;
	return sets;
}

bool
known_sets_next(KnownSets *sets)
{
	int i = sets->size - 1;

	while (i >= 0 && sets->member[i] == sets->columns - sets->size + i)
		i--;
	if (i < 0)
		return false;
	sets->member[i]++;
	while (++i < sets->size)
		sets->member[i] = sets->member[i - 1] + 1;
	return true;
}

int
known_least_size(const Demand *demand, int columns)
{
	bool asked = known_is_asked(demand, columns);

	for (int i = 0; asked && demand->person && i < demand->models; i++)
		if (!demand->model[i]->ops->monotone_under_inclusion)
			return 1;
	return known_most_size(demand, columns);
}

void
known_check_sets(const Demand *demand, int columns)
{
	double sets = 0;

	if (!known_is_asked(demand, columns))
		return;
	for (int size = known_least_size(demand, columns); size <= demand->known; size++)
	{
		double of_size = 1;

		for (int i = 0; i < size; i++)
			of_size = of_size * (columns - i) / (i + 1);
		sets += of_size;
	}
	if (sets > KNOWN_SETS_MOST)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("too many sets of known columns"),
				 errdetail("%d of %d quasi-identifiers can be known in %.0f ways; the limit is %d.",
						   demand->known, columns, sets, KNOWN_SETS_MOST),
				 errhint("Let fewer columns be known, or all.")));
}

/* ---- judging them */

typedef struct KnownRun
{
	ClassJudge *judge;
	const Requirement *requirement;
	const TallyRequest *request; /* of the node */
	FrequencySet *judged;        /* NULL: what is left */
	FrequencySet *whole;         /* of the node, not to be freed */
	FrequencySet *left;          /* without the rows that dropped out */
	int columns;                 /* those that tell rows apart */
	int *column;                 /* their numbers in a node */
	FrequencyTally sum;          /* losses and small_rows of all rounds, the rest of the last */
	CountTable *failing;         /* keys of the classes that fail by a set */
} KnownRun;

/* A loss function that notes the class. */
static double
note_failing(const void *state, const uint64 *key)
{
	const KnownRun *run = state;
	const int64 one = 1;

	if (!count_table_add_block(run->failing, key, &one, 1))
		budget_exceeded(run->failing->budget, 0, "classes of known columns");
	return 0;
}

/* Copies what is left, but for the rows whose keys at a node are failing. */
static void
drop_failing(KnownRun *run, const Level *node)
{
	FrequencySet *left = frequency_set_create(run->left->space, run->left->node, run->left->held);
	KeyMap map = key_map_create(left->space, left->node, node);
	FrequencyScan scan = frequency_scan_begin(run->left);
	uint64 *key = palloc(sizeof(uint64) * map.words);
	const uint64 *entry;
	int64 entries;

	while ((entries = frequency_scan_next(&scan, &entry)) > 0)
		for (int64 i = 0; i < entries; i++, entry += left->width)
		{
			int64 rows;

			interrupt_check(i);
			key_map_block(&map, entry, 1, key, &rows);
			if (!count_table_has(run->failing, key))
			{
				frequency_set_append(left, entry);
				continue;
			}
			run->sum.small_rows += rows;
			if (run->request->loss)
				frequency_tally_lose(&run->sum, run->request, rows, entry);
		}
	frequency_scan_end(&scan);
	left->partial = run->left->partial;
	key_map_free(&map);
	pfree(key);
	if (run->left != run->whole)
		frequency_set_free(run->left);
	run->left = left;
}

/* Tallies the classes by one set of columns at this node, and notes those that fail. */
static FrequencyTally
tally_set(KnownRun *run, const Level *node)
{
	FrequencySet *judged = run->judged ? run->judged : run->left;
	bool one_decides = run->request->decide && run->requirement->suppressible == 0;
	TallyRequest request = {.threshold = run->requirement->rows,
							.max_groups = run->request->max_groups,
							.decide = one_decides,
							.loss = note_failing,
							.state = run};

	count_table_reset(run->failing);
	if (run->judge)
		return class_judge_tally(run->judge, run->requirement, judged, node, &request);
	return rollup_tally(judged, judged->space, node, &request);
}

/* Judges them, and drops the rows in those that fail. */
static void
judge_set(KnownRun *run, const KnownSets *sets, Level *node)
{
	const FrequencySet *whole = run->whole;
	FrequencyTally *sum = &run->sum;
	FrequencyTally tally;

	memcpy(node, whole->node, sizeof(Level) * whole->space->attributes);
	memset(node, LEVEL_ALL, sizeof(Level) * whole->space->quasi);
	for (int i = 0; i < sets->size; i++)
		node[run->column[sets->member[i]]] = whole->node[run->column[sets->member[i]]];
	tally = tally_set(run, node);
	sum->too_many = run->request->decide && (tally.too_many || sum->small_rows + tally.small_rows >
																   run->requirement->suppressible);
	if (sum->too_many)
		return;
	sum->groups += tally.groups;
	sum->small_groups += tally.small_groups;
	if (tally.smallest > 0 && (sum->smallest == 0 || tally.smallest < sum->smallest))
		sum->smallest = tally.smallest;
	frequency_space_drop_carried(whole->space, node);
	if (tally.small_groups > 0)
		drop_failing(run, node);
}

/* Judges all sets once.  With "decide", stops at a no. */
static void
judge_sets(KnownRun *run)
{
	const Demand *demand = &run->requirement->demand;
	int most = known_most_size(demand, run->columns);
	Level *node = palloc(sizeof(Level) * run->whole->space->attributes);

	run->sum.groups = run->sum.small_groups = run->sum.smallest = 0;
	for (int size = known_least_size(demand, run->columns); !run->sum.too_many && size <= most;
		 size++)
	{
		KnownSets sets = known_sets_begin(run->columns, size);

		do
		{
			CHECK_FOR_INTERRUPTS();
			judge_set(run, &sets, node);
		} while (!run->sum.too_many && known_sets_next(&sets));
		pfree(sets.member);
	}
	pfree(node);
}

/* constant: with the columns that have one value at the node. */
static KnownRun
begin(ClassJudge *judge, const Requirement *requirement, FrequencySet *whole,
	  const TallyRequest *request, bool constant)
{
	const FrequencySpace *space = whole->space;
	KnownRun run = {.judge = judge,
					.requirement = requirement,
					.request = request,
					.whole = whole,
					.left = whole,
					.column = palloc(sizeof(int) * Max(space->quasi, 1)),
					.failing = count_table_create(space->words, space->budget, 0)};

	for (int i = 0; i < space->quasi; i++)
		if (whole->node[i] != LEVEL_ALL &&
			(constant || space->dimension[i]->cardinality[whole->node[i]] > 1))
			run.column[run.columns++] = i;
	return run;
}

static void
end(KnownRun *run)
{
	if (run->left != run->whole)
		frequency_set_free(run->left);
	count_table_free(run->failing);
	pfree(run->column);
}

FrequencyTally
known_tally_sets(ClassJudge *judge, const Requirement *requirement, FrequencySet *set)
{
	const TallyRequest request = {.max_groups = -1};
	KnownRun run = begin(judge, requirement, set, &request, true);

	run.judged = set;
	judge_sets(&run);
	end(&run);
	return run.sum;
}

bool
known_applies(const Requirement *requirement, const FrequencySpace *space, const Level *node)
{
	int columns = 0;

	for (int i = 0; i < space->quasi; i++)
		columns += node[i] != LEVEL_ALL && space->dimension[i]->cardinality[node[i]] > 1;
	return known_is_asked(&requirement->demand, columns);
}

/* The classes of all columns, before and after rows dropped out. */
static void
count_classes(KnownRun *run)
{
	const FrequencySpace *space = run->whole->space;
	Level *node = frequency_space_copy(space, run->whole->node);
	const TallyRequest all = {.max_groups = -1};
	FrequencyTally left;

	frequency_space_drop_carried(space, node);
	run->sum.groups = rollup_tally(run->whole, run->whole->space, node, &all).groups;
	left = rollup_tally(run->left, run->whole->space, node, &all);
	run->sum.small_groups = run->sum.groups - left.groups;
	run->sum.squares = left.squares;
	pfree(node);
}

FrequencyTally
known_tally(ClassJudge *judge, const Requirement *requirement, FrequencySet *source,
			const Level *node, const TallyRequest *request)
{
	FrequencySpace *space = source->space;
	bool same = memcmp(source->node, node, sizeof(Level) * space->attributes) == 0;
	FrequencySet *whole = same ? source : rollup(source, space, node);
	KnownRun run = begin(judge, requirement, whole, request, false);
	int64 dropped;

	do
	{
		dropped = run.sum.small_rows;
		judge_sets(&run);
	} while (!run.sum.too_many && run.sum.small_rows > dropped);
	if (request->decide)
		run.sum.groups = whole->entries;
	else
		count_classes(&run);
	end(&run);
	if (!same && whole->tape == NULL && !whole->partial &&
		tally_keeps(request, &run.sum, source, whole->entries))
		run.sum.kept = whole;
	else if (!same)
		frequency_set_free(whole);
	return run.sum;
}
