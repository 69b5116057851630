/*
 * two_way.c
 *		kanon's own search; see search.h.
 *
 * Incognito prunes the generalizations of a node that satisfies, and goes up level by level through
 * all that fail.  But a node that fails rules out all its specializations as well.  So a node that
 * satisfies while none below it does, and one that fails while all above it satisfy, decide the
 * most: these nodes alone, the *border*, decide the lattice.
 *
 * 1.  Each attribute by itself, from its marginal: the lowest level at which it satisfies, its
 * *floor*.  By the subset property, no node below the floors satisfies.  So the ground set is
 * rolled up to them once and dropped.
 *
 * 2.  While a node is undecided: a forecast, learnt from the nodes checked so far, says how many
 * rows would have to be suppressed at each (forecast.h).  From the lowest undecided node, go up
 * through undecided ones by the best forecasts until one is said to satisfy, then down as long as
 * that holds, and check where this ends; or, if none is said to satisfy, at the top.  If the
 * forecast is right, that node lies at the border.  If it is wrong, the answer is the same after
 * some more checks.  A node that satisfies decides all nodes above it, one that fails all nodes
 * below it.
 *
 * 3.  Nearly all time goes into rollups.  A node that is far above the smallest set below it gets
 * that set in steps: a second forecast says how many groups there are between the two, and sets
 * of fewer than half as many groups are kept for the nodes that follow.  So are sets of failed
 * nodes that are much smaller than their source.
 *
 * 4.  With models or people, all this is done first by row counts alone, on sets without carried
 * attributes: what fails so fails.  Then it is done again for the remaining nodes, on joint sets,
 * from the lowest levels of these nodes.  They are few, and they are high, where sets are small.
 *
 * The monotone part of the requirement has both properties used, generalization and subset; see
 * class_judge.h.
 */
#include "postgres.h"

#include "lattice/search.h"

#include <math.h>

#include "base/interrupt.h"
#include "base/progress.h"
#include "lattice/forecast.h"

/* A set on the way to a node has at most this part of its source's groups, or is not worth keeping
 * (found by counting insertions).
 */
#define STEP .4
#define HARDLY_MORE 1e-3 /* log odds */

typedef struct TwoWay
{
	Search *search;
	Lattice *lattice;
	uint8 *state; /* NodeState by node */
	bool joint;   /* sets are joint, and nodes are also judged by models and people */
	List *cache;
	Forecast *failing; /* rows in classes that fail */
	Forecast *groups;
	double enough; /* the log odds of the rows that may be suppressed */
	int64 decided; /* number of nodes decided */
	int64 *stack;  /* nodes to mark */
} TwoWay;

/*
 * Finds the floors of all attributes: the lowest level at which each by itself satisfies by row
 * counts.  False if one satisfies at no level.
 */
static bool
find_floors(Search *search, Level *floor)
{
	SearchIteration *iteration = search->now;
	FrequencySpace *space = search->source->space;
	Level *node = palloc(sizeof(Level) * space->attributes);
	bool possible = true;

	memset(node, LEVEL_ALL, sizeof(Level) * space->attributes);
	for (int i = 0; possible && i < space->quasi; i++)
	{
		FrequencySet *marginal = rollup_marginal(space, i);
		int lowest = frequency_space_lowest(space, i);
		int end = frequency_space_highest(space, i) + 1;

		for (node[i] = lowest; node[i] < end; node[i]++)
			if (search_check(search, NULL, &search->pruning, marginal, node))
				break;
		iteration->attribute_sets++;
		iteration->candidates += end - lowest;
		iteration->satisfying += end - node[i];
		possible = node[i] < end;
		floor[i] = node[i];
		node[i] = LEVEL_ALL;
		frequency_set_free(marginal);
	}
	pfree(node);
	return possible;
}

/*
 * Gives a state to a node and to all undecided nodes above it (direction 1) or below it (direction
 * -1).  Each node is decided once, so all calls together take O(nodes * attributes).
 */
static void
mark(TwoWay *two_way, int64 start, NodeState state, int direction)
{
	const Lattice *lattice = two_way->lattice;
	int64 depth = 0;
	int64 marked = 0;

	two_way->state[start] = (uint8) state;
	two_way->stack[depth++] = start;
	while (depth > 0)
	{
		int64 node = two_way->stack[--depth];

		interrupt_check(++marked);
		two_way->decided++;
		for (int i = 0; i < lattice->attributes; i++)
		{
			int level = lattice_level(lattice, node, i) + direction;
			int64 next = node + direction * lattice->stride[i];

			if (level < lattice->lowest[i] || level > lattice->height[i] ||
				two_way->state[next] != NODE_CANDIDATE)
				continue;
			two_way->state[next] = (uint8) state;
			two_way->stack[depth++] = next;
		}
	}
}

/* A node in the form that the current sets have. */
static void
current_node(const TwoWay *two_way, int64 index, Level *node)
{
	lattice_node(two_way->lattice, index, node);
	if (!two_way->joint)
		frequency_space_drop_carried(two_way->search->source->space, node);
}

/* Nodes at or above the floors are candidates; all others fail. */
static void
mark_by_floors(TwoWay *two_way, const Level *floor)
{
	const Lattice *lattice = two_way->lattice;
	Level *node = palloc(sizeof(Level) * lattice->width);

	for (int64 index = 0; index < lattice->nodes; index++)
	{
		interrupt_check(index);
		current_node(two_way, index, node);
		two_way->state[index] =
			node_generalizes(lattice->width, node, floor) ? NODE_CANDIDATE : NODE_FAILS;
	}
	pfree(node);
}

/*
 * What lowering a level of a node is worth: how much more nodes lie above it for the groups that
 * this is said to add; negative if there would be more than "few" (log odds).
 */
static double
worth_of_lowering(const TwoWay *two_way, Level *node, int attribute, double few)
{
	double before = forecast_at(two_way->groups, node);
	int levels = two_way->lattice->height[attribute] - node[attribute] + 1;
	double after;

	node[attribute]--;
	after = forecast_at(two_way->groups, node);
	node[attribute]++;
	if (after > few)
		return -1;
	return log((levels + 1.0) / levels) / Max(after - before, HARDLY_MORE);
}

/* Lowers the level that is worth it most by one, not below a set's; false if there is none. */
static bool
lower_step(const TwoWay *two_way, const FrequencySet *source, double few, Level *step)
{
	double most = 0;
	int best = -1;

	for (int i = 0; i < two_way->search->source->space->quasi; i++)
	{
		double worth = step[i] == source->node[i] ? -1 : worth_of_lowering(two_way, step, i, few);

		if (worth <= most)
			continue;
		most = worth;
		best = i;
	}
	if (best >= 0)
		step[best]--;
	return best >= 0;
}

/*
 * A node below this one, as low as it can be with so few groups that it is worth keeping, so that
 * many nodes lie above it.  False if that is this node, or none.
 */
static bool
find_step(const TwoWay *two_way, const FrequencySet *source, const Level *node, Level *step)
{
	double few = forecast_odds(two_way->groups, (double) source->entries * STEP);
	bool lowered = false;

	memcpy(step, node, sizeof(Level) * two_way->search->source->space->attributes);
	if (forecast_at(two_way->groups, node) > few)
		return false;
	while (lower_step(two_way, source, few, step))
		lowered = true;
	return lowered;
}

static int64
forecast_groups(const TwoWay *two_way, const Level *node)
{
	double odds = forecast_at(two_way->groups, node);

	return (int64) ((double) two_way->search->source->space->rows / (1 + exp(-odds)));
}

/* Goes toward a node from the smallest set below it, in steps that are kept. */
static void
approach(TwoWay *two_way, const Level *node)
{
	FrequencySpace *space = two_way->search->source->space;
	TallyRequest request = {.max_groups = -1, .keep = TALLY_KEEP, .decide = true};
	Level *step = palloc(sizeof(Level) * space->attributes);
	bool smaller = true;

	while (smaller)
	{
		FrequencySet *source = set_cache_best(two_way->cache, node);
		FrequencyTally tally;

		if (source->entries <= SET_CACHE_SMALL || !find_step(two_way, source, node, step))
			break;
		CHECK_FOR_INTERRUPTS();
		request.expected = forecast_groups(two_way, step);
		if (!frequency_set_fits(space, request.expected))
			break;
		tally = rollup_tally(source, space, step, &request);
		two_way->search->now->rollups++;
		forecast_learn(two_way->groups, step, forecast_odds(two_way->groups, tally.groups));
		smaller = tally.kept != NULL && tally.groups * 4 <= source->entries * 3;
		if (smaller)
			two_way->cache = lappend(two_way->cache, tally.kept);
		else if (tally.kept)
			frequency_set_free(tally.kept);
	}
	pfree(step);
}

/* Learns from a node's tally.  If that stopped early, it only says that too many rows fail. */
static void
learn(TwoWay *two_way, const Level *node, const FrequencyTally *tally)
{
	int64 enough = two_way->search->pruning.suppressible;
	double odds = forecast_odds(two_way->failing, (double) tally->small_rows);

	if (!tally->too_many && !two_way->joint)
		forecast_learn(two_way->groups, node,
					   forecast_odds(two_way->groups, (double) tally->groups));
	if (tally->too_many)
		odds = Max(
			forecast_at(two_way->failing, node),
			forecast_odds(two_way->failing,
						  Min(2.0 * enough + 1, (double) two_way->search->source->space->rows)));
	forecast_learn(two_way->failing, node, odds);
}

/* Checks a node and marks what that decides. */
static void
decide(TwoWay *two_way, int64 index)
{
	Search *search = two_way->search;
	TallyRequest request = requirement_request(&search->pruning);
	Level *node = palloc(sizeof(Level) * two_way->lattice->width);
	FrequencyTally tally;

	CHECK_FOR_INTERRUPTS();
	current_node(two_way, index, node);
	approach(two_way, node);
	request.keep = TALLY_KEEP | TALLY_KEEP_ONLY_FAILED | TALLY_KEEP_ONLY_SMALL;
	request.expected = two_way->joint ? 0 : forecast_groups(two_way, node);
	tally = set_cache_tally(&two_way->cache, two_way->joint ? search->judge : NULL,
							&search->pruning, node, request);
	search->now->checked++;
	search->now->rollups++;
	learn(two_way, node, &tally);
	if (requirement_holds(&search->pruning, &tally))
		mark(two_way, index, NODE_SATISFIES, 1);
	else
		mark(two_way, index, NODE_FAILS, -1);
	progress_done(two_way->decided);
	pfree(node);
}

/*
 * The undecided node one step above (direction 1) or below (-1) where the fewest rows are said to
 * fail, and that forecast; or -1.
 */
static int64
best_step(const TwoWay *two_way, int64 index, int direction, double *forecast)
{
	const Lattice *lattice = two_way->lattice;
	Level *node = palloc(sizeof(Level) * lattice->width);
	int64 best = -1;

	lattice_node(lattice, index, node);
	for (int i = 0; i < lattice->attributes; i++)
	{
		int64 next = index + direction * lattice->stride[i];
		int end = direction > 0 ? lattice->height[i] : lattice->lowest[i];
		double odds;

		if (lattice_level(lattice, index, i) == end || two_way->state[next] != NODE_CANDIDATE)
			continue;
		node[lattice->attribute[i]] += direction;
		odds = forecast_at(two_way->failing, node);
		node[lattice->attribute[i]] -= direction;
		if (best >= 0 && odds >= *forecast)
			continue;
		best = next;
		*forecast = odds;
	}
	pfree(node);
	return best;
}

static double
forecast_of(const TwoWay *two_way, int64 index)
{
	Level *node = palloc(sizeof(Level) * two_way->lattice->width);
	double odds;

	lattice_node(two_way->lattice, index, node);
	odds = forecast_at(two_way->failing, node);
	pfree(node);
	return odds;
}

/* From the lowest undecided node to one that lies at the border, as far as the forecast knows. */
static int64
find_border(const TwoWay *two_way, int64 index)
{
	double odds = forecast_of(two_way, index);
	int64 next;

	while (odds > two_way->enough && (next = best_step(two_way, index, 1, &odds)) >= 0)
		index = next;
	if (odds > two_way->enough)
		return index;
	while ((next = best_step(two_way, index, -1, &odds)) >= 0 && odds <= two_way->enough)
		index = next;
	return index;
}

/* The first check tells the forecast the most in the middle. */
static void
decide_middle(TwoWay *two_way, const int64 *order)
{
	for (int64 i = two_way->lattice->nodes / 2; i < two_way->lattice->nodes; i++)
	{
		interrupt_check(i);
		if (two_way->state[order[i]] != NODE_CANDIDATE)
			continue;
		decide(two_way, order[i]);
		return;
	}
}

static void
decide_all(TwoWay *two_way)
{
	const Lattice *lattice = two_way->lattice;
	int64 *order = lattice_order(lattice);

	decide_middle(two_way, order);
	for (int64 i = 0; i < lattice->nodes; i++)
	{
		interrupt_check(i);
		while (two_way->state[order[i]] == NODE_CANDIDATE)
			decide(two_way, find_border(two_way, order[i]));
	}
	pfree(order);
}

/* Decides all candidates, from the base and the sets kept. */
static void
search_candidates(TwoWay *two_way, FrequencySet *base)
{
	SearchIteration *iteration = two_way->search->now;
	const FrequencySpace *space = two_way->search->source->space;

	iteration->attribute_sets = 1;
	iteration->candidates = lattice_count(two_way->lattice, two_way->state, NODE_CANDIDATE);
	iteration->rollups++;
	two_way->decided = 0;
	two_way->failing = forecast_create(space);
	two_way->groups = forecast_create(space);
	two_way->enough =
		forecast_odds(two_way->failing, (double) two_way->search->pruning.suppressible + 0.25);
	forecast_learn(two_way->groups, base->node,
				   forecast_odds(two_way->groups, (double) base->entries));
	progress_phase("deciding generalizations", iteration->candidates);
	two_way->cache = list_make1(base);
	decide_all(two_way);
	set_cache_free(two_way->cache);
	forecast_free(two_way->failing);
	forecast_free(two_way->groups);
	iteration->satisfying = lattice_count(two_way->lattice, two_way->state, NODE_SATISFIES);
}

/*
 * By row counts, at and above the floors.  The ground set is rolled up to them; unless the space
 * carries anything, it is then no longer needed.
 */
static void
search_rows(TwoWay *two_way, FrequencySet **ground, Level *floor)
{
	Search *search = two_way->search;
	FrequencySet *base;

	frequency_space_drop_carried(search->source->space, floor);
	mark_by_floors(two_way, floor);
	base = rollup(*ground, search->source->space, floor);
	if (search->judge == NULL)
	{
		frequency_set_free(*ground);
		*ground = NULL;
	}
	search_candidates(two_way, base);
	frequency_set_free(base);
}

/*
 * Decides the remaining nodes by joint sets.  Replaces the ground set by a set rolled up from it.
 */
static void
search_joint(TwoWay *two_way, FrequencySet **ground)
{
	Search *search = two_way->search;
	Level *lowest = palloc(sizeof(Level) * two_way->lattice->width);
	FrequencySet *base;

	if (lattice_lowest(two_way->lattice, two_way->state, NODE_SATISFIES, lowest))
	{
		search_iteration_end(search);
		two_way->joint = true;
		search_iteration_begin(search, two_way->lattice->attributes);
		for (int64 node = 0; node < two_way->lattice->nodes; node++)
		{
			interrupt_check(node);
			if (two_way->state[node] == NODE_SATISFIES)
				two_way->state[node] = NODE_CANDIDATE;
		}
		base = rollup(*ground, search->source->space, lowest);
		frequency_set_free(*ground);
		*ground = base;
		search_candidates(two_way, base);
	}
	pfree(lowest);
}

static Answer *
search_above(Search *search, FrequencySet *ground, Level *floor)
{
	TwoWay two_way = {.search = search};
	Answer *answer;

	search_iteration_begin(search, search->source->space->quasi);
	two_way.lattice = lattice_create(search->source->space, NULL, search->source->space->quasi);
	two_way.state = lattice_allocate(two_way.lattice, sizeof(uint8));
	two_way.stack = lattice_allocate(two_way.lattice, sizeof(int64));
	search_rows(&two_way, &ground, floor);
	if (!requirement_is_plain(&search->pruning))
		search_joint(&two_way, &ground);
	answer = search_answer(search, two_way.lattice, two_way.state, ground);
	if (ground)
		frequency_set_free(ground);
	pfree(two_way.state);
	pfree(two_way.stack);
	lattice_free(two_way.lattice);
	return answer;
}

static Answer *
run_two_way(Search *search, RootSource roots)
{
	SearchIteration *iteration = search_iteration_begin(search, 1);
	FrequencySet *ground = search_read_ground(search);
	FrequencySpace *space = search->source->space;
	Level *floor = frequency_space_ground(space);
	bool possible;

	(void) roots;
	iteration->table_scans++;
	possible = find_floors(search, floor);
	search_iteration_end(search);
	if (possible)
		return search_above(search, ground, floor);
	frequency_set_free(ground);
	return answer_of_one(space, NULL, false);
}

const SearchAlgorithm two_way = {.name = "two_way", .run = run_two_way};
