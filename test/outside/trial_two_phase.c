/*
 * trial_two_phase.c
 *		Trials of the parts of two-phase generalization, and of the whole against
 *		the least loss there is; see trial.h.
 */
#include "postgres.h"

#include "trial.h"

#include <float.h>
#include <math.h>

#include "matching/assignment.h"
#include "matching/row_groups.h"
#include "metric/loss.h"

/* ---- assignments: as many as can be, and if that is all, of the least weight */

#define FEW 9
#define MANY 60
#define NONE PG_INT64_MAX

typedef struct Assigned
{
	int pairs;
	int64 weight;
} Assigned;

static void
draw_pairs(Trial *trial, Assignment *pairs)
{
	Draw *draw = trial->draw;
	int most = draw_one_in(draw, 3) ? PG_UINT16_MAX : draw_between(draw, 0, 9);
	int density = draw_between(draw, 1, draw_one_in(draw, 2) ? 2 : 6);

	memset(pairs->used, 0, sizeof(int32) * pairs->count);
	for (int left = 0; left < pairs->count; left++)
		for (int right = 0; right < pairs->count && pairs->used[left] < pairs->stride; right++)
		{
			int at = pairs->used[left];

			if (!draw_one_in(draw, density))
				continue;
			assignment_rights(pairs, left)[at] = right;
			assignment_weights(pairs, left)[at] = (uint16) draw_between(draw, 0, most);
			pairs->used[left]++;
		}
}

/* Over all sets of rights that the first lefts may have. */
static Assigned
try_all(const Assignment *pairs)
{
	Assigned *best = palloc0(sizeof(Assigned) << pairs->count);
	Assigned most = {0};

	for (int set = 1; set < 1 << pairs->count; set++)
		best[set].pairs = -1;
	for (int left = 0; left < pairs->count; left++)
		for (int set = (1 << pairs->count) - 1; set >= 0; set--)
			for (int i = 0; i < pairs->used[left]; i++)
			{
				int bit = 1 << assignment_rights(pairs, left)[i];
				Assigned *with = &best[set | bit];
				int64 weight = best[set].weight + assignment_weights(pairs, left)[i];

				if (set & bit || best[set].pairs < 0 ||
					(with->pairs >= 0 && with->weight <= weight))
					continue;
				*with = (Assigned){.pairs = best[set].pairs + 1, .weight = weight};
			}
	for (int set = 0; set < 1 << pairs->count; set++)
		if (best[set].pairs > most.pairs ||
			(best[set].pairs == most.pairs && best[set].weight < most.weight))
			most = best[set];
	pfree(best);
	return most;
}

/* Shortest ways from the lefts that are free, by Bellman and Ford; how the rights are reached. */
static void
find_ways(const Assignment *pairs, const int32 *left_of, int64 *far, int32 *by)
{
	bool changed = true;
	int64 from[MANY];

	for (int i = 0; i < pairs->count; i++)
		far[i] = NONE;
	while (changed)
	{
		changed = false;
		for (int left = 0; left < pairs->count; left++)
			from[left] = 0;
		for (int right = 0; right < pairs->count; right++)
			if (left_of[right] >= 0)
				from[left_of[right]] = NONE;
		for (int right = 0; right < pairs->count; right++)
			for (int i = 0;
				 left_of[right] >= 0 && far[right] < NONE && i < pairs->used[left_of[right]]; i++)
				if (assignment_rights(pairs, left_of[right])[i] == right)
					from[left_of[right]] =
						far[right] - assignment_weights(pairs, left_of[right])[i];
		for (int left = 0; left < pairs->count; left++)
			for (int i = 0; from[left] < NONE && i < pairs->used[left]; i++)
			{
				int right = assignment_rights(pairs, left)[i];
				int64 distance = from[left] + assignment_weights(pairs, left)[i];

				if (left_of[right] == left || distance >= far[right])
					continue;
				far[right] = distance;
				by[right] = left;
				changed = true;
			}
	}
}

/* One shortest way after the other. */
static Assigned
try_ways(const Assignment *pairs)
{
	Assigned done = {0};
	int32 left_of[MANY];
	int32 right_of[MANY];
	int32 by[MANY];
	int64 far[MANY];

	for (int i = 0; i < pairs->count; i++)
		left_of[i] = right_of[i] = -1;
	for (;;)
	{
		int nearest = -1;

		find_ways(pairs, left_of, far, by);
		for (int right = 0; right < pairs->count; right++)
			if (left_of[right] < 0 && far[right] < NONE &&
				(nearest < 0 || far[right] < far[nearest]))
				nearest = right;
		if (nearest < 0)
			return done;
		done.pairs++;
		done.weight += far[nearest];
		for (int right = nearest; right >= 0;)
		{
			int left = by[right];
			int before = right_of[left];

			right_of[left] = right;
			left_of[right] = left;
			right = before;
		}
	}
}

/* What was assigned, by pairs that there are. */
static Assigned
count_assigned(const Assignment *assignment)
{
	Assigned counted = {0};

	for (int left = 0; left < assignment->count; left++)
	{
		int32 right = assignment->right_of[left];
		int i = 0;

		if (right < 0)
			continue;
		while (i < assignment->used[left] && assignment_rights(assignment, left)[i] != right)
			i++;
		if (i == assignment->used[left] || assignment->left_of[right] != left)
			elog(ERROR, "assigned what is no pair");
		counted.pairs++;
		counted.weight += assignment_weights(assignment, left)[i];
	}
	return counted;
}

static void
try_assignment(Trial *trial)
{
	int count = draw_between(trial->draw, 1, draw_size(trial->draw, (const int[]){FEW, MANY}, 2));
	int stride = draw_one_in(trial->draw, 2) ? count : draw_between(trial->draw, 1, count);
	Assignment *assignment = assignment_create(count, stride, &trial->budget);

	for (int again = 0; again < 3; again++)
	{
		Assigned wanted;
		Assigned found;
		int32 unmatched;

		draw_pairs(trial, assignment);
		wanted = count <= FEW ? try_all(assignment) : try_ways(assignment);
		unmatched = assignment_solve(assignment);
		found = count_assigned(assignment);
		if (found.pairs != wanted.pairs || unmatched != count - wanted.pairs ||
			(unmatched == 0 ? found.weight != wanted.weight : found.weight < wanted.weight))
			elog(ERROR, "assigned %d of %d for " INT64_FORMAT ", not %d for " INT64_FORMAT,
				 found.pairs, count, found.weight, wanted.pairs, wanted.weight);
	}
}

/* ---- blocks: rows alike, patterns in order, costs */

static Block *
draw_block(Trial *trial, const MatchingTable *rows, int k)
{
	Block *block =
		block_create(rows, block_attributes(rows, BLOCK_COST), 0, (int32) rows->dataset->rows, k);

	/* Whatever they cover: here it need not be k-regular. */
	for (int64 i = 0; i < rows->dataset->rows * k; i++)
		if (i % k > 0)
			block->covered[i] = draw_below(trial->draw, (int) rows->dataset->rows);
	block->matched = k;
	return block;
}

static bool
are_alike(const Block *block, const uint8 *level, int32 one, int32 other)
{
	for (int a = 0; a < block->attributes; a++)
		if (block_node(block, a, dataset_record(block->rows->dataset, one)[a], level[a]) !=
			block_node(block, a, dataset_record(block->rows->dataset, other)[a], level[a]))
			return false;
	return true;
}

/* Side by side, in order; who is alike elsewhere has the same key. */
static void
check_groups(const RowGroups *groups, const uint8 *level, const int32 *rank)
{
	int32 count = groups->block->count;

	for (int32 row = 0; row < count; row++)
	{
		int32 place = groups->place[row];

		if (place < 0 || place >= count || groups->row[place] != row ||
			groups->begin[place] > place || groups->end[place] <= place)
			elog(ERROR, "a row is not where it should be");
		if (place > groups->begin[place] && rank[groups->row[place - 1]] >= rank[row])
			elog(ERROR, "a group is not in order");
		for (int32 other = 0; other < count; other++)
		{
			bool grouped = groups->begin[groups->place[other]] == groups->begin[place];
			bool alike = are_alike(groups->block, level, row, other);

			if (grouped != (groups->begin[place] <= groups->place[other] &&
							groups->place[other] < groups->end[place]) ||
				(grouped && !alike) ||
				(groups->key[place] == groups->key[groups->place[other]]) != alike)
				elog(ERROR, "a group of rows is wrong");
		}
	}
}

/* NULL: none.  rank: [row], its place in the order. */
static int32 *
draw_order(Trial *trial, int32 count, int32 *rank)
{
	int32 *order = palloc(sizeof(int32) * count);
	bool none = draw_one_in(trial->draw, 3);

	for (int32 i = 0; i < count; i++)
		order[i] = i;
	for (int32 i = 0; i < count && !none; i++)
	{
		int32 other = draw_between(trial->draw, i, count - 1);
		int32 row = order[other];

		order[other] = order[i];
		order[i] = row;
	}
	for (int32 i = 0; i < count; i++)
		rank[order[i]] = i;
	return none ? NULL : order;
}

static void
try_groups(Trial *trial, const Block *block)
{
	RowGroups *groups = row_groups_create(block);
	int32 *rank = palloc(sizeof(int32) * block->count);

	for (int again = 0; again < 4; again++)
	{
		uint8 level[6];

		row_groups_order(groups, draw_order(trial, block->count, rank));
		for (int a = 0; a < block->attributes; a++)
			level[a] = (uint8) draw_below(trial->draw, 4);
		row_groups_form(groups, level);
		check_groups(groups, level, rank);
	}
}

static double
pattern_loss(const Block *block, const int *level)
{
	double loss = 0;

	for (int32 row = 0; row < block->count; row++)
		for (int a = 0; a < block->attributes; a++)
			loss += block->attribute[a].cost[block_node(
				block, a, dataset_record(block->rows->dataset, row)[a], level[a])];
	return loss / block->count;
}

static int
compare_doubles(const void *a, const void *b)
{
	double one = *(const double *) a;
	double other = *(const double *) b;

	return one < other ? -1 : one > other;
}

/* The losses of all patterns, least first; trees have at most 3 levels of nodes. */
static double *
all_losses(const Block *block, int *count)
{
	double *losses = palloc(sizeof(double) * 1000);
	int level[6] = {0};
	int a = 0;

	for (*count = 0; a < block->attributes;)
	{
		losses[(*count)++] = pattern_loss(block, level);
		for (a = 0; a < block->attributes && ++level[a] > block->attribute[a].height; a++)
			level[a] = 0;
	}
	qsort(losses, *count, sizeof(double), compare_doubles);
	return losses;
}

static void
try_walk(Trial *trial, const Block *block)
{
	int count;
	double *losses = all_losses(block, &count);
	int most = draw_one_in(trial->draw, 2) ? 1000 : draw_between(trial->draw, 1, 20);
	PatternWalk *walk = pattern_walk_create(block, most);
	bool seen[4096] = {false};

	for (int i = 0; i < Min(most, count); i++)
	{
		const uint8 *given = pattern_walk_next(walk);
		int level[6];
		int number = 0;

		if (given == NULL)
			elog(ERROR, "%d of %d patterns", i, count);
		for (int a = 0; a < block->attributes; a++)
			number = number * 4 + (level[a] = given[a]);
		if (seen[number] || fabs(pattern_loss(block, level) - losses[i]) > 1e-6)
			elog(ERROR, "pattern %d is not the next one", i);
		seen[number] = true;
	}
	if (pattern_walk_next(walk) != NULL)
		elog(ERROR, "more than %d patterns", Min(most, count));
	pattern_walk_free(walk);
}

static int
compare_numbers(const void *a, const void *b)
{
	int32 one = *(const int32 *) a;
	int32 other = *(const int32 *) b;

	return one < other ? -1 : one > other;
}

/* Of a record under a pattern, with the cheapest others that look alike; NONE: fewer than k do. */
static int64
priced_cost(const Block *block, const uint8 *level, int32 record, const int32 *price)
{
	int32 *others = palloc(sizeof(int32) * block->count);
	int32 count = 0;
	int64 cost = 0;

	for (int32 row = 0; row < block->count; row++)
		if (row != record && are_alike(block, level, record, row))
			others[count++] = price[row];
	if (count < block->k - 1)
		return NONE;
	qsort(others, count, sizeof(int32), compare_numbers);
	for (int a = 0; a < block->attributes; a++)
		cost += block->attribute[a].cost[block_node(
			block, a, dataset_record(block->rows->dataset, record)[a], level[a])];
	cost *= TARGET_PRICE_UNIT;
	for (int i = 0; i < block->k - 1; i++)
		cost += others[i];
	return cost;
}

/* No pattern up to the first that leaves no record without one is better than the target. */
static void
check_target(const Block *block, int32 record, const int32 *price, int patterns)
{
	PatternWalk *walk = pattern_walk_create(block, patterns);
	const uint8 *level;
	int64 least = NONE;
	int64 found = NONE;

	while ((level = pattern_walk_next(walk)) != NULL)
	{
		int64 cost = priced_cost(block, level, record, price);
		bool wide = true;

		for (int a = 0; a < block->attributes; a++)
			wide = wide && block->wide[record * block->attributes + a] ==
							   block_node(block, a, dataset_record(block->rows->dataset, record)[a],
										  level[a]);
		/* NULL has the same node at several levels, but not the same rows beside it. */
		if (wide)
			found = Min(found, cost);
		least = Min(least, cost);
	}
	pattern_walk_free(walk);
	if (found != least)
		elog(ERROR, "target costs " INT64_FORMAT ", not " INT64_FORMAT, found, least);
}

/* Has a group come in pieces, as seldom happens? */
static bool
is_in_pieces(const RowGroups *groups)
{
	int32 count = groups->block->count;

	for (int32 one = 0; one < count; one++)
		for (int32 other = groups->end[one]; other < count; other++)
			if (groups->key[one] == groups->key[other])
				return true;
	return false;
}

/* Patterns until each record has k rows that look like it; 0: with groups in pieces. */
static int
patterns_needed(const Block *block, RowGroups *groups)
{
	PatternWalk *walk = pattern_walk_create(block, TARGET_PATTERNS);
	bool *known = palloc0(sizeof(bool) * block->count);
	const uint8 *level;
	int32 wanting = block->count;
	int patterns = 0;

	row_groups_order(groups, NULL);
	while (wanting > 0 && (level = pattern_walk_next(walk)) != NULL)
	{
		patterns++;
		row_groups_form(groups, level);
		if (is_in_pieces(groups))
			return 0;
		for (int32 place = 0; place < block->count; place++)
			if (!known[groups->row[place]] && groups->end[place] - groups->begin[place] >= block->k)
			{
				known[groups->row[place]] = true;
				wanting--;
			}
	}
	pattern_walk_free(walk);
	return patterns;
}

static void
try_targets(Trial *trial, const MatchingTable *rows, int k)
{
	Block *block =
		block_create(rows, block_attributes(rows, BLOCK_COST), 0, (int32) rows->dataset->rows, k);
	RowGroups *groups = row_groups_create(block);
	int32 *price = palloc0(sizeof(int32) * block->count);
	int patterns;

	if (block->count < k)
		return;
	targets_find(block, groups, draw_between(trial->draw, 1, 10), price);
	patterns = patterns_needed(block, groups);
	for (int32 record = 0; record < block->count && patterns > 0; record++)
		check_target(block, record, price, patterns);
}

/* Columns of digits cost by which digits differ among the covered rows, all others by their cells.
 */
static int32
cost_without(const Block *block, int32 record, int without)
{
	int32 cost = 0;
	uint32 hidden = 0;
	int first = 0; /* attribute of the column's first digit */

	for (int a = 0; a < block->attributes; a++)
	{
		int32 own = dataset_record(block->rows->dataset, record)[a];
		int32 cell = own;
		bool differs = false;

		for (int i = 1; i < block->k; i++)
			if (i != without)
			{
				int32 code =
					dataset_record(block->rows->dataset, block->covered[record * block->k + i])[a];

				cell = cell_tree_join(&block->rows->tree[a], cell, code);
				differs |= code != own;
			}
		if (block->value[a])
		{
			first = a;
			hidden = 0;
		}
		if (block->value[first] == NULL || a >= first + block->rows->digits[first]->digits)
		{
			cost += block->attribute[a].cost[cell];
			continue;
		}
		hidden |= differs ? 1U << (a - first) : 0;
		if (a + 1 == first + block->rows->digits[first]->digits)
			cost +=
				digit_costs_of(block->attribute[first].digits, block->value[first][record], hidden);
	}
	return cost;
}

static void
check_costs(Block *block, int first)
{
	int32 *after = palloc(sizeof(int32) * (block->k + 1) * block->attributes);
	uint16 *cost = palloc(sizeof(uint16) * (block->k - first));

	for (int32 record = 0; record < block->count; record++)
	{
		block_costs_without(block, record, first, after, cost);
		for (int i = first; i < block->k; i++)
			if (cost[i - first] != cost_without(block, record, i))
				elog(ERROR, "cost without %d is %d", i, cost[i - first]);
		block_find_cells(block, record);
		if (block_cost(block, record) != cost_without(block, record, block->k))
			elog(ERROR, "cost is wrong");
	}
}

static void
try_block(Trial *trial)
{
	MatchingTable *rows = trial_draw_rows(trial, 40);
	int k = draw_between(trial->draw, 2, 7);
	Block *block = draw_block(trial, rows, k);

	try_groups(trial, block);
	try_walk(trial, block);
	check_costs(block, draw_between(trial->draw, 1, k - 1));
	try_targets(trial, rows, k);
}

/* ---- the whole: many blocks */

/* So little memory makes up to six of them. */
static void
try_blocks(Trial *trial)
{
	MatchingTable *rows =
		trial_draw_rows(trial, draw_size(trial->draw, (const int[]){24, 1200, 1200}, 3));
	int k = draw_between(trial->draw, 1, (int) Min(rows->dataset->rows, 6));
	Size before = budget_used(&trial->budget);
	Matching *matching;

	if (before > 128 * 1024)
		elog(ERROR, "rows take %zu bytes", before);
	trial->budget.limit = 800 * 1024 + before;
	matching = two_phase_run(rows, k);
	trial->budget.limit = ENOUGH_MEMORY;
	matching_verify(matching, &trial->budget);
	trial_check_kept(trial, before, sizeof(int32) * rows->dataset->rows * k, "two_phase");
}

/* ---- the least loss of few rows */

#define TINY 8

/* The units of a column of digits, 0 of other attributes. */
static int64
column_units(const MatchingTable *rows, int attribute)
{
	int first = trial_digits_first(rows);

	if (!trial_is_digit(rows, attribute))
		return 0;
	return (int64) rows->digits[first]->digits *
		   rows->tree[attribute].loss[rows->tree[attribute].values];
}

/* From the least to the greatest value. */
static double
range_loss(const Matching *matching, const MatchingTable *rows, int64 record, int attribute)
{
	const CellTree *tree = &rows->tree[attribute];
	const int32 *covered = matching_covered(matching, record);
	int32 low = PG_INT32_MAX;
	int32 high = DATASET_NULL;

	for (int i = 0; i < matching->k; i++)
	{
		int32 code = dataset_record(rows->dataset, covered[i])[attribute];

		low = Min(low, code);
		high = Max(high, code);
	}
	if (low == high)
		return 0;
	return tree->loss[tree->nodes - 1] *
		   (low == DATASET_NULL ? 1
								: loss_of_part(recoding_place(rows->range[attribute], high) -
												   recoding_place(rows->range[attribute], low),
											   rows->range[attribute]->whole));
}

/* By leaves: what digits lose together is not what they lose one by one. */
static double
record_loss(const Matching *matching, const MatchingTable *rows, int64 record)
{
	double loss = 0;

	for (int a = 0; a < rows->dataset->attributes; a++)
		if (rows->range[a])
			loss += range_loss(matching, rows, record, a);
		else if (column_units(rows, a) == 0)
			loss += rows->tree[a].loss[matching_cell(matching, rows, record, a)];
	if (trial_digits_first(rows) >= 0)
		loss += (double) column_units(rows, trial_digits_first(rows)) *
				trial_digits_loss(matching, rows, record);
	return loss;
}

static double
whole_loss(const Matching *matching, const MatchingTable *rows)
{
	double loss = 0;

	for (int64 record = 0; record < rows->dataset->rows; record++)
		loss += record_loss(matching, rows, record);
	return loss;
}

/*
 * Each record covers its own row and a set of k - 1 others; each row is covered as
 * often.  Over all ways in which the first records can leave the rows covered, in
 * digits of base k.
 */
static double
least_loss(const MatchingTable *rows, int k)
{
	Matching one = {.rows = rows->dataset->rows, .k = k};
	int count = (int) rows->dataset->rows;
	int ways = (int) pow(k, count);
	double *best = palloc(sizeof(double) * ways);
	double *next = palloc(sizeof(double) * ways);
	int32 covered[TINY * TINY];

	one.covered = covered;
	for (int way = 0; way < ways; way++)
		best[way] = way == 0 ? 0 : DBL_MAX;
	for (int record = 0; record < count; record++)
	{
		for (int way = 0; way < ways; way++)
			next[way] = DBL_MAX;
		for (int set = 0; set < 1 << count; set++)
		{
			int step = 0;
			int members = 0;
			double loss;

			covered[record * k] = record;
			if (set & 1 << record || __builtin_popcount(set) != k - 1)
				continue;
			for (int row = 0, digit = 1; row < count; row++, digit *= k)
				if (set & 1 << row)
				{
					covered[record * k + ++members] = row;
					step += digit;
				}
			loss = record_loss(&one, rows, record);
			for (int way = 0; way + step < ways; way++)
			{
				bool full = best[way] == DBL_MAX;

				for (int row = 0, digits = way; row < count && !full; row++, digits /= k)
					full = set & 1 << row && digits % k == k - 1;
				if (!full)
					next[way + step] = Min(next[way + step], best[way] + loss);
			}
		}
		memcpy(best, next, sizeof(int64) * ways);
	}
	return best[ways - 1];
}

/* Sums over tables of shares of the cells. */
static struct
{
	int tables;
	double least;
	double ring;
	double two_phase;
	double worst_ring; /* differences */
	double worst_two_phase;
} found;

void
trial_two_phase_report(void)
{
	printf("least losses %d %.9f %.9f %.9f %.9f %.9f\n", found.tables, found.least, found.ring,
		   found.two_phase, found.worst_ring, found.worst_two_phase);
}

static double
share_lost(const MatchingTable *rows, double loss)
{
	int64 all = 0;

	for (int i = 0; i < rows->dataset->attributes; i++)
		all += rows->dataset->rows * rows->tree[i].loss[rows->tree[i].nodes - 1];
	return all > 0 ? loss / (double) all : 0;
}

static void
check_bound(double bound, double least)
{
	if (bound > least + 1e-9)
		elog(ERROR, "%g is no bound, %g can be lost", bound, least);
}

/* For each row the least that a record loses which covers it and k - 1 others, whichever. */
static double
exact_bound(const MatchingTable *rows, int k)
{
	int32 covered[TINY * TINY];
	Matching one = {.rows = rows->dataset->rows, .k = k, .covered = covered};
	double sum = 0;

	for (int record = 0; record < (int) rows->dataset->rows; record++)
	{
		double least = DBL_MAX;

		for (int set = 0; set < 1 << rows->dataset->rows; set++)
		{
			int members = 0;
			double loss;

			if (set & 1 << record || __builtin_popcount(set) != k - 1)
				continue;
			covered[record * k] = record;
			for (int row = 0; row < (int) rows->dataset->rows; row++)
				if (set & 1 << row)
					covered[record * k + ++members] = row;
			loss = record_loss(&one, rows, record);
			least = Min(least, loss);
		}
		sum += least;
	}
	return share_lost(rows, sum);
}

static bool
has_ranges(const MatchingTable *rows)
{
	for (int i = 0; i < rows->dataset->attributes; i++)
		if (rows->range[i])
			return true;
	return false;
}

/* What all rows lose at least, whatever they are said to cost. */
static void
check_bounds(Trial *trial, const MatchingTable *rows, int k, double least)
{
	double **loss = palloc(sizeof(double *) * Max(rows->dataset->attributes, 1));
	double *price = palloc(sizeof(double) * rows->dataset->rows);
	Size used;
	double *found_price;
	double exact;

	for (int a = 0; a < rows->dataset->attributes; a++)
	{
		loss[a] = cell_tree_array(&rows->tree[a], sizeof(double), &trial->budget);
		for (int32 node = DATASET_NULL; node < rows->tree[a].nodes; node++)
		{
			double lost = rows->tree[a].loss[node];

			/* The first digit stands for the column. */
			if (column_units(rows, a) > 0 && node == rows->tree[a].values)
				lost = a == trial_digits_first(rows) ? (double) column_units(rows, a) : 0;
			loss[a][node] = share_lost(rows, lost * (double) rows->dataset->rows);
		}
	}
	for (int64 row = 0; row < rows->dataset->rows; row++)
		price[row] = draw_between(trial->draw, -100, 100) * 0.004;
	exact = matching_bound_run(rows, k, (const double *const *) loss, NULL);
	check_bound(exact, exact_bound(rows, k));
	/* .. and of all but ranges, as much. */
	if (!has_ranges(rows) && exact < exact_bound(rows, k) - 1e-9)
		elog(ERROR, "the bound is %g, not %g", exact, exact_bound(rows, k));
	check_bound(exact, least);
	check_bound(matching_bound_run(rows, k, (const double *const *) loss, price), least);
	used = budget_used(&trial->budget);
	found_price = matching_bound_prices(rows, k, (const double *const *) loss);
	check_bound(matching_bound_run(rows, k, (const double *const *) loss, found_price), least);
	trial_check_kept(trial, used, sizeof(double) * rows->dataset->rows, "the bound");
}

static void
try_tiny(Trial *trial)
{
	MatchingTable *rows = trial_draw_rows(trial, TINY);
	int k = draw_between(trial->draw, 1, (int) Min(rows->dataset->rows, 4));
	double least = share_lost(rows, least_loss(rows, k));
	double ring = share_lost(rows, whole_loss(ring_run(rows, k), rows));
	double two_phase = share_lost(rows, whole_loss(two_phase_run(rows, k), rows));

	/* The cost of digits and of trees, as it is searched by, is another than their loss. */
	if (has_ranges(rows) && trial_digits_first(rows) < 0 && two_phase > ring + 1e-3)
		elog(ERROR, "two_phase loses %g, ring only %g", two_phase, ring);
	if (ring < least - 1e-9 || two_phase < least - 1e-9)
		elog(ERROR, "ring loses %g, two_phase %g, less than %g", ring, two_phase, least);
	check_bounds(trial, rows, k, least);
	found.tables++;
	found.least += least;
	found.ring += ring;
	found.two_phase += two_phase;
	found.worst_ring = Max(found.worst_ring, ring - least);
	found.worst_two_phase = Max(found.worst_two_phase, two_phase - least);
}

/* Without the least loss of all, which takes long. */
static void
try_bounds(Trial *trial)
{
	for (int turn = 0; turn < 10; turn++)
	{
		MatchingTable *rows = trial_draw_rows(trial, TINY);

		check_bounds(trial, rows, draw_between(trial->draw, 1, (int) Min(rows->dataset->rows, 4)),
					 DBL_MAX);
	}
}

void
trial_two_phase(Trial *trial)
{
	int kind = draw_below(trial->draw, 9);

	trial->budget = trial_budget(ENOUGH_MEMORY);
	if (kind == 0)
		try_blocks(trial);
	else if (kind <= 2)
		try_block(trial);
	else if (kind <= 4)
		try_assignment(trial);
	else if (kind <= 5)
		try_bounds(trial);
	else
		try_tiny(trial);
}
