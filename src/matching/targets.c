/*
 * targets.c
 *		See row_groups.h.
 *
 * The bound of Murakami, Uno 2017, section 4, gives each record the cheapest pattern under which k
 * rows are equal to it, however often a row is covered.  Here a row has a dual price, which a
 * record that covers it pays on top of the cost of the pattern.  Rows wanted by many records become
 * expensive.  Rows wanted by none, far from all others, get negative prices, so that their
 * neighbours widen to meet them.
 *
 * At first all prices are 0: the target is the bound's pattern.  Then every row pays back, to the
 * records that cover it, an equal part of the excess of its own target's cost over the others'; and
 * prices rise and fall by how often the rows are wanted.  The best prices are kept, by the sum of
 * what records pay.
 *
 * Example: 111, 211, 121 and 112, k = 2.  Without prices, all but the first hide one cell and want
 * the first row; nobody wants the others.  The first row becomes so expensive that two of the
 * others hide two cells each and cover each other.
 *
 * Step sizes follow Polyak 1969, by the gain that is still possible: steps right for k = 3 ruin the
 * bound for k = 20.  Without prices, 3 % more cells end up hidden (100,000 rows, k = 5).
 */
#include "postgres.h"

#include "matching/row_groups.h"

#include "base/interrupt.h"

#define PURPOSE "matching of rows"
#define PRICE_GAIN 20 /* gain aimed for: this part of the bound, then half of it, .. */
#define NO_TARGET PG_INT64_MAX

typedef struct Targets
{
	Block *block;
	RowGroups *groups;
	int patterns;  /* patterns that give every record a target */
	int32 lacking; /* records without one so far */
	int32 most;    /* the most that a row can cost or pay */
	int64 cost;    /* relaxed cost under the current prices */
	int64 best;    /* best one so far */
	int32 *best_price;
	int64 *least;  /* [record]: cost of its target plus prices of the rows it would cover */
	int32 *price;  /* [row] */
	int32 *order;  /* rows, cheapest first */
	int32 *wanted; /* [row]: records that would cover it, without itself */
} Targets;

static int
compare_prices(const void *a, const void *b, void *price)
{
	int32 one = *(const int32 *) a;
	int32 other = *(const int32 *) b;
	int32 one_price = ((int32 *) price)[one];
	int32 other_price = ((int32 *) price)[other];

	CHECK_FOR_INTERRUPTS();
	if (one_price != other_price)
		return one_price < other_price ? -1 : 1;
	return one < other ? -1 : one > other;
}

/* The cost of what a record hides under this pattern; the same for all rows equal under it. */
static int64
pattern_cost(const Block *block, int32 record, const uint8 *level)
{
	const int32 *code = block->code + (int64) record * block->attributes;
	int64 cost = 0;

	for (int a = 0; a < block->attributes; a++)
		if (level[a] > 0)
			cost += block->attribute[a].cost[block_node(block, a, code[a], level[a])];
	return cost;
}

/* Offers a pattern to a group of at least k equal rows, cheapest first. */
static void
offer(Targets *targets, const uint8 *level, const int32 *rows, int32 size)
{
	Block *block = targets->block;
	int64 without = pattern_cost(block, rows[0], level) * TARGET_PRICE_UNIT;
	int64 with;

	for (int i = 0; i < block->k - 1; i++)
		without += targets->price[rows[i]];
	with = without + targets->price[rows[block->k - 1]];
	for (int32 i = 0; i < size; i++)
	{
		int32 record = rows[i];
		int64 price = i < block->k - 1 ? with - targets->price[record] : without;
		const int32 *code = block->code + (int64) record * block->attributes;
		int32 *wide = block->wide + (int64) record * block->attributes;
		int32 *covered = block->covered + (int64) record * block->k;

		interrupt_check(i);
		if (price >= targets->least[record])
			continue;
		CHECK_FOR_INTERRUPTS();
		targets->lacking -= targets->least[record] == NO_TARGET;
		targets->least[record] = price;
		for (int a = 0; a < block->attributes; a++)
			wide[a] = block_node(block, a, code[a], level[a]);
		/*
		 * The record wants the k - 1 cheapest without itself; the space for covered rows is still
		 * free.
		 */
		for (int wanted = 1, at = 0; wanted < block->k; at++)
			if (rows[at] != record)
				covered[wanted++] = rows[at];
	}
}

/*
 * Finds the best targets under these prices, among the first patterns.  The first call determines
 * how many patterns give every record a target.
 */
static void
find_least(Targets *targets)
{
	Block *block = targets->block;
	RowGroups *groups = targets->groups;
	bool first = targets->patterns == 0;
	int most = first ? TARGET_PATTERNS : targets->patterns;
	PatternWalk *walk = pattern_walk_create(block, most);
	const uint8 *level;

	for (int32 i = 0; i < block->count; i++)
	{
		interrupt_check(i);
		targets->order[i] = i;
		targets->least[i] = NO_TARGET;
	}
	qsort_arg(targets->order, block->count, sizeof(int32), compare_prices, targets->price);
	row_groups_order(groups, targets->order);
	targets->lacking = block->count;
	targets->patterns = 0;
	while ((level = pattern_walk_next(walk)) != NULL)
	{
		targets->patterns++;
		row_groups_form(groups, level);
		for (int32 begin = 0; begin < block->count; begin = groups->end[begin])
		{
			CHECK_FOR_INTERRUPTS();
			if (groups->end[begin] - begin >= block->k)
				offer(targets, level, groups->row + begin, groups->end[begin] - begin);
		}
		if (first && targets->lacking == 0)
			break;
	}
	pattern_walk_free(walk);
}

/* The first prices, which balance the different costs. */
static void
begin_prices(Targets *targets)
{
	const Block *block = targets->block;
	int64 sum = 0;
	int64 most = 0;
	int64 mean;
	int32 known = 0;

	for (int32 row = 0; row < block->count; row++)
	{
		interrupt_check(row);
		if (targets->least[row] == NO_TARGET)
			continue;
		sum += targets->least[row];
		most = Max(most, targets->least[row]);
		known++;
	}
	mean = sum / Max(known, 1);
	for (int32 row = 0; row < block->count; row++)
	{
		int64 least = targets->least[row] == NO_TARGET ? most : targets->least[row];

		interrupt_check(row);
		targets->price[row] = (int32) ((mean - least) / (block->k - 1));
	}
}

static void
count_wanted(Targets *targets)
{
	const Block *block = targets->block;

	memset(targets->wanted, 0, sizeof(int32) * block->count);
	for (int32 record = 0; record < block->count; record++)
	{
		const int32 *covered = block->covered + (int64) record * block->k;

		CHECK_FOR_INTERRUPTS();
		if (targets->least[record] == NO_TARGET)
			continue;
		for (int i = 1; i < block->k; i++)
			targets->wanted[covered[i]]++;
	}
}

/* The number of records too many that would cover a row. */
static int32
excess(const Targets *targets, int32 row)
{
	int32 others = targets->block->k - 1;

	return Min(targets->wanted[row] - others, others);
}

/* The sum of what all records pay minus what rows get that are covered k times: nearly a bound. */
static int64
relaxed_cost(const Targets *targets)
{
	const Block *block = targets->block;
	int64 sum = 0;

	for (int32 i = 0; i < block->count; i++)
	{
		interrupt_check(i);
		if (targets->least[i] != NO_TARGET)
			sum += targets->least[i];
		sum -= (int64) targets->price[i] * (block->k - 1);
	}
	return sum;
}

static void
try_prices(Targets *targets)
{
	find_least(targets);
	targets->cost = relaxed_cost(targets);
	if (targets->cost <= targets->best)
		return;
	targets->best = targets->cost;
	memcpy(targets->best_price, targets->price, sizeof(int32) * targets->block->count);
}

/*
 * Changes prices by a step that gains that much, if the bound continues as it begins (Polyak 1969).
 * In integers, so that every machine makes the same release of the same rows.
 */
static void
adjust_prices(Targets *targets, int turn)
{
	const Block *block = targets->block;
	int64 gain = targets->best / (PRICE_GAIN * turn) + targets->best - targets->cost;
	int64 squares = 0;

	count_wanted(targets);
	for (int32 row = 0; row < block->count; row++)
	{
		interrupt_check(row);
		squares += (int64) excess(targets, row) * excess(targets, row);
	}
	squares = Max(squares, 1);
	for (int32 row = 0; row < block->count; row++)
	{
		int64 price = targets->price[row] + gain / squares * excess(targets, row) +
					  gain % squares * excess(targets, row) / squares;

		interrupt_check(row);
		targets->price[row] = (int32) Max(-targets->most, Min(price, targets->most));
	}
}

void
targets_find(Block *block, RowGroups *groups, int turns, int32 *price)
{
	Budget *budget = block->budget;
	int32 count = block->count;
	Targets targets = {.block = block, .groups = groups, .price = price, .best = PG_INT64_MIN};

	if (block->k == 1)
		return;
	/* No row need cost more: a record that hides everything can choose among all rows. */
	for (int a = 0; a < block->attributes; a++)
	{
		const BlockAttribute *attribute = &block->attribute[a];

		targets.most += attribute->cost[attribute->tree->nodes - 1] * TARGET_PRICE_UNIT;
	}
	targets.least = budget_allocate(budget, count, sizeof(int64), PURPOSE);
	targets.order = budget_allocate(budget, count, sizeof(int32), PURPOSE);
	targets.wanted = budget_allocate(budget, count, sizeof(int32), PURPOSE);
	targets.best_price = budget_allocate(budget, count, sizeof(int32), PURPOSE);
	/* The bound's patterns without prices give the first prices. */
	try_prices(&targets);
	begin_prices(&targets);
	/* Subgradient steps: rows wanted too often become more expensive, others cheaper. */
	for (int turn = 1; turn <= turns; turn++)
	{
		try_prices(&targets);
		if (turn < turns)
			adjust_prices(&targets, turn);
	}
	if (targets.cost != targets.best)
	{
		memcpy(price, targets.best_price, sizeof(int32) * count);
		find_least(&targets);
	}
	pfree(targets.best_price);
	pfree(targets.wanted);
	pfree(targets.order);
	pfree(targets.least);
}
