/*
 * trial_search.c
 *		Trials of the search algorithms; see trial.h.
 */
#include "postgres.h"

#include "trial.h"

#include <math.h>

#include "lattice/choice.h"
#include "metric/loss.h"
#include "table_source.h"

/* Incognito looks at every subset of the attributes: few are enough for a test. */
#define INCOGNITO_ATTRIBUTES 9
#define INCOGNITO_MOST 30

typedef enum Finds
{
	FINDS_ALL,
	FINDS_LOWEST, /* binary search */
	FINDS_GREEDY  /* datafly */
} Finds;

typedef struct Tried
{
	const SearchAlgorithm *algorithm;
	Finds finds;
	bool subsets; /* of the Incognito family */
} Tried;

static const Tried tried[] = {
	{&two_way, FINDS_ALL, false},
	{&bottom_up_rollup, FINDS_ALL, false},
	{&bottom_up_scan, FINDS_ALL, false},
	{&incognito_basic, FINDS_ALL, true},
	{&incognito_superroots, FINDS_ALL, true},
	{&incognito_cube, FINDS_ALL, true},
	{&binary_search, FINDS_LOWEST, false},
	{&datafly, FINDS_GREEDY, false},
};

/* What Incognito did, to be the same whatever the roots come from. */
typedef struct Work
{
	bool known;
	int iterations;
	SearchIteration iteration[INCOGNITO_ATTRIBUTES];
} Work;

/* Levels to choose from, all levels or fewer. */
typedef struct Bounds
{
	bool given;
	Level lowest[TABLE_ATTRIBUTES];
	Level highest[TABLE_ATTRIBUTES];
} Bounds;

typedef struct Run
{
	Trial *trial;
	const Tried *tried;
	const Bounds *bounds;
	Search search;
	Work *work;
} Run;

/* ---- what the answers should be: marks in wanted[node] */

static bool
is_within(const Run *run, const OracleNode *node)
{
	const Bounds *bounds = run->bounds;

	for (int i = 0; i < run->trial->table->attributes; i++)
		if (node->level[i] < bounds->lowest[i] || node->level[i] > bounds->highest[i])
			return false;
	return true;
}

/* No node one step below, but within the bounds, satisfies. */
static bool
is_minimal(const Run *run, const OracleNode *node)
{
	const Trial *trial = run->trial;
	OracleNode below = *node;

	for (int i = 0; i < trial->table->attributes; i++)
	{
		if (node->level[i] == run->bounds->lowest[i])
			continue;
		below.level[i]--;
		if (trial->oracle->node[oracle_index(trial->table, below.level)].satisfies)
			return false;
		below.level[i]++;
	}
	return true;
}

static void
want_lowest(const Run *run, bool *wanted)
{
	const Oracle *oracle = run->trial->oracle;
	const OracleNode *lowest = NULL;

	for (int n = 0; n < oracle->nodes; n++)
		if (oracle->node[n].satisfies && is_within(run, &oracle->node[n]) &&
			(lowest == NULL || oracle->node[n].height < lowest->height))
			lowest = &oracle->node[n];
	if (lowest)
		wanted[lowest - oracle->node] = true;
}

/* Up by the attribute with the most values, the first of several, until all is well. */
static void
want_greedy(const Run *run, bool *wanted)
{
	const Table *table = run->trial->table;
	const Oracle *oracle = run->trial->oracle;
	int level[TABLE_ATTRIBUTES] = {0};

	for (int i = 0; i < table->attributes; i++)
		level[i] = run->bounds->lowest[i];
	while (!oracle->node[oracle_index(table, level)].satisfies)
	{
		int widest = -1;
		int most = 0;

		for (int i = 0; i < table->attributes; i++)
		{
			int distinct = oracle_distinct(table, i, level[i]);

			if (level[i] == run->bounds->highest[i] || distinct <= most)
				continue;
			widest = i;
			most = distinct;
		}
		if (widest < 0)
			return;
		level[widest]++;
	}
	wanted[oracle_index(table, level)] = true;
}

static bool *
wanted_nodes(const Run *run)
{
	const Oracle *oracle = run->trial->oracle;
	bool *wanted = palloc0(sizeof(bool) * oracle->nodes);

	if (run->tried->finds == FINDS_LOWEST)
		want_lowest(run, wanted);
	else if (run->tried->finds == FINDS_GREEDY)
		want_greedy(run, wanted);
	else
		for (int n = 0; n < oracle->nodes; n++)
			wanted[n] = oracle->node[n].satisfies && is_within(run, &oracle->node[n]);
	return wanted;
}

/* ---- answers */

static int
answered_node(const Table *table, const Answer *answer, int64 n)
{
	int level[TABLE_ATTRIBUTES];

	for (int i = 0; i < table->attributes; i++)
	{
		level[i] = answer->node[n * table->attributes + i];
		if (level[i] < 0 || level[i] > table->attribute[i].height)
			elog(ERROR, "answered a level that is not there");
	}
	return oracle_index(table, level);
}

/* All that is wanted, nothing else, ordered by height and then by levels. */
static void
check_answer(const Run *run, const Answer *answer)
{
	const Oracle *oracle = run->trial->oracle;
	bool *wanted = wanted_nodes(run);
	int64 count = 0;
	int last = -1;

	for (int n = 0; n < oracle->nodes; n++)
		count += wanted[n];
	if (answer->count != count)
		elog(ERROR, "found " INT64_FORMAT " nodes, " INT64_FORMAT " there are", answer->count,
			 count);
	for (int64 n = 0; n < answer->count; n++)
	{
		int index = answered_node(run->trial->table, answer, n);
		const OracleNode *node = &oracle->node[index];

		if (!wanted[index])
			elog(ERROR, "found a wrong node");
		if (answer->minimal[n] != is_minimal(run, node))
			elog(ERROR, "wrong about a node being minimal");
		if (last >= 0 && (oracle->node[last].height > node->height ||
						  (oracle->node[last].height == node->height && last >= index)))
			elog(ERROR, "nodes are not in order");
		last = index;
	}
	pfree(wanted);
}

static bool
near(double a, double b)
{
	return fabs(a - b) <= 1e-9;
}

static void
check_metrics(const Run *run, const Answer *answer, const ClassMetrics *metrics)
{
	const Table *table = run->trial->table;

	for (int64 n = 0; n < answer->count; n++)
	{
		const OracleNode *node = &run->trial->oracle->node[answered_node(table, answer, n)];
		int64 classes = node->groups - node->small_groups;
		double average =
			classes > 0 ? (double) (table->rows - node->small_rows) / classes / table->k : 0;

		if (metrics[n].classes != classes || metrics[n].smallest != node->smallest ||
			metrics[n].suppressed != node->small_rows ||
			metrics[n].discernibility != node->squares + (double) node->small_rows * table->rows ||
			!near(metrics[n].average_class, average))
			elog(ERROR, "metrics of a node are wrong");
	}
}

/* All nodes come, those that lose least in all first, and of equal ones the first found. */
static void
check_choice(Run *run, const Answer *answer, const LossTable *loss, const ClassMetrics *metrics)
{
	Choice *choice = choice_begin(&run->search, answer, loss);
	bool *chosen = palloc0(sizeof(bool) * answer->count);
	int64 before = -1;

	for (int64 i = 0; i < answer->count; i++)
	{
		int64 n = choice_next(choice);

		if (n < 0 || n >= answer->count || chosen[n])
			elog(ERROR, "chose node " INT64_FORMAT, n);
		if (before >= 0 && (metrics[n].total_loss < metrics[before].total_loss - 1e-12 ||
							(metrics[n].total_loss == metrics[before].total_loss && n < before)))
			elog(ERROR, "chose a node that loses more before another");
		chosen[n] = true;
		before = n;
	}
	if (choice_next(choice) >= 0)
		elog(ERROR, "chose more nodes than there are");
	choice_end(choice);
	pfree(chosen);
}

static void
check_loss(Run *run, const Answer *answer)
{
	const Table *table = run->trial->table;
	LossTable *loss = loss_table_create(run->search.source->space, table->weight);
	ClassMetrics *metrics = class_metrics_compute(&run->search, answer, loss);
	int64 n = draw_below(run->trial->draw, (int) answer->count);
	const Level *node = answer->node + n * table->attributes;
	const int *level = run->trial->oracle->node[answered_node(table, answer, n)].level;

	if (!near(loss_of(loss, node), oracle_loss(table, level)))
		elog(ERROR, "loss is %.17g, not %.17g", loss_of(loss, node), oracle_loss(table, level));
	if (!near(precision_of(loss, node), oracle_precision(table, level)))
		elog(ERROR, "precision is wrong");
	if (!near(metrics[n].total_loss, oracle_total_loss(table, level)))
		elog(ERROR, "total loss is %.17g, not %.17g", metrics[n].total_loss,
			 oracle_total_loss(table, level));
	check_metrics(run, answer, metrics);
	check_choice(run, answer, loss, metrics);
}

/* The last iteration's account, and for Incognito that each variant did the same. */
static void
check_work(const Run *run, const Answer *answer)
{
	const Search *search = &run->search;
	Work *work = run->work;

	/* two_way ends after the first where an attribute satisfies at no level. */
	if (search->iteration[search->iterations - 1].satisfying != answer->count &&
		!(run->tried->algorithm == &two_way && search->iterations == 1 && answer->count == 0))
		elog(ERROR, "the last iteration's account is wrong");
	if (!run->tried->subsets)
		return;
	for (int i = 0; i < search->iterations; i++)
	{
		const SearchIteration *mine = &search->iteration[i];
		const SearchIteration *other = &work->iteration[i];

		if (!work->known)
			work->iteration[i] = *mine;
		else if (mine->checked != other->checked || mine->candidates != other->candidates ||
				 mine->satisfying != other->satisfying ||
				 mine->attribute_sets != other->attribute_sets)
			elog(ERROR, "iteration %d did something else than with other roots", i + 1);
	}
	work->known = true;
}

/*
 * What grows with the data is asked for: memory exceeded the limit only by what
 * the table's source palloc'd for itself, and by buffers of fixed size.
 */
static void
check_memory(const Run *run)
{
	const Table *table = run->trial->table;
	Size entry = sizeof(uint64) * (run->search.source->space->words + 1);
	Size own = (256 * 1024) + (4096 + table->rows) * entry;

	for (int i = 0; i < table->attributes; i++)
		own += sizeof(int64) * 6 * table->attribute[i].domain;
	if (backend_peak() > run->trial->budget.before + run->trial->budget.limit + own)
		elog(ERROR, "%zu bytes were used, and %zu granted", backend_peak(),
			 run->trial->budget.limit);
}

/* The maps between levels that a space has made, which it keeps. */
static Size
kept_maps(const FrequencySpace *space)
{
	Size bytes = 0;

	for (int i = 0; i < space->attributes; i++)
	{
		int levels = space->dimension[i]->height + 1;

		for (int n = 0; n < levels * levels; n++)
			if (space->part[i][n])
				bytes += sizeof(uint64) * space->dimension[i]->cardinality[n / levels];
	}
	return bytes;
}

/* All is given back but the answer and what reading the table alone takes. */
static void
check_given_back(const Run *run, const Answer *answer)
{
	const Table *table = run->trial->table;
	Size used = budget_used(&run->trial->budget);
	Size expected = kept_maps(run->search.source->space);
	Budget alone = trial_budget(ENOUGH_MEMORY);
	FrequencySource *source = table_source_create(table, &alone);

	if (run->tried->finds == FINDS_ALL)
		expected += (sizeof(Level) * table->attributes + sizeof(bool)) * answer->count;
	if (run->tried->algorithm == &incognito_basic || run->tried->algorithm == &incognito_superroots)
		source->read_marginals(source);
	else
		frequency_set_free(source->read_ground(source));
	expected += budget_used(&alone);
	if (used > expected + FIXED_BYTES)
		elog(ERROR, "%zu bytes are taken at the end, not %zu", used, expected);
}

/* ---- runs */

static void
run_search(void *argument)
{
	Run *run = argument;
	Trial *trial = run->trial;
	const Table *table = trial->table;
	Answer *answer;

	run->search.source = table_source_create(table, &trial->budget);
	answer = run->tried->algorithm->run(&run->search, run->tried->algorithm->roots);
	check_memory(run);
	if (table->k > table->rows)
		elog(ERROR, "did not see that k exceeds the rows");
	if (run->tried->subsets && table->attributes > INCOGNITO_MOST)
		elog(ERROR, "did not see that there are too many attributes");
	check_answer(run, answer);
	check_work(run, answer);
	if (draw_one_in(trial->draw, 4))
		check_given_back(run, answer);
	if (answer->count > 0)
		check_loss(run, answer);
	if (backend_tapes() != 0)
		elog(ERROR, "%d temporary files are left open", backend_tapes());
}

/* Errors that this run had to expect, its algorithm's own. */
static bool
was_expected(const Run *run, const BackendError *error)
{
	const Table *table = run->trial->table;

	if (table->k > table->rows && error->sqlstate == ERRCODE_INVALID_PARAMETER_VALUE &&
		strncmp(error->message, "k is greater", 12) == 0)
		return true;
	return run->tried->subsets && table->attributes > INCOGNITO_MOST &&
		   error->sqlstate == ERRCODE_PROGRAM_LIMIT_EXCEEDED &&
		   strstr(error->message, "too many quasi-identifiers");
}

static void
try_algorithm(Trial *trial, const Tried *one, const Bounds *bounds, Work *work)
{
	const Table *table = trial->table;
	Run run = {.trial = trial, .tried = one, .bounds = bounds, .work = work};
	BackendError error;

	trial->budget = trial_budget(table->limit);
	run.search = (Search){.relation = "t",
						  .k = table->k,
						  .suppression = table->suppression,
						  .lowest = bounds->given ? bounds->lowest : NULL,
						  .highest = bounds->given ? bounds->highest : NULL,
						  .budget = &trial->budget};
	backend_cancel_after(table->cancel_after);
	if (!backend_try(run_search, &run, &error) && !was_expected(&run, &error) &&
		!trial_may_end(trial, &error))
		elog(ERROR, "%s: %s", one->algorithm->name, error.message);
	backend_forget();
}

static Bounds
draw_bounds(Trial *trial)
{
	const Table *table = trial->table;
	Bounds bounds = {.given = draw_one_in(trial->draw, 4)};

	for (int i = 0; i < table->attributes; i++)
	{
		int height = table->attribute[i].height;
		int lowest = bounds.given ? draw_below(trial->draw, height + 1) : 0;

		bounds.lowest[i] = (Level) lowest;
		bounds.highest[i] =
			(Level) (bounds.given ? draw_between(trial->draw, lowest, height) : height);
	}
	return bounds;
}

void
trial_search(Trial *trial)
{
	Bounds bounds = draw_bounds(trial);
	Work work = {0};

	/* All that check the same nodes one after the other, or, of a fuzzer's many, any one. */
	if (DRAW_SELDOM > 1 && !draw_one_in(trial->draw, 8))
	{
		try_algorithm(trial, &tried[draw_below(trial->draw, lengthof(tried))], &bounds, &work);
		return;
	}
	for (int i = 0; i < (int) lengthof(tried); i++)
	{
		int attributes = trial->table->attributes;

		if (tried[i].subsets && attributes > INCOGNITO_ATTRIBUTES && attributes <= INCOGNITO_MOST)
			continue;
		try_algorithm(trial, &tried[i], &bounds, &work);
	}
}
