/*
 * block.c
 *		See block.h.
 *
 * The assignment's time grows with the number of distinct costs, so costs are few.
 */
#include "postgres.h"

#include "matching/block.h"

#include <math.h>

#include "base/context.h"
#include "base/progress.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#define PURPOSE "matching of rows"

/* ---- Attributes. */

static int32
root_loss(const CellTree *tree)
{
	return tree->loss[tree->nodes - 1];
}

static int32
column_loss(const MatchingTable *rows, int attribute)
{
	const DigitDomain *digits = rows->digits[attribute];

	return root_loss(&rows->tree[attribute]) * (digits ? digits->digits : 1);
}

/*
 * Losses of 0 and 1 stay; with others in between, the greatest becomes "cost".  In between are
 * those of ranges, too, where their ends are known.
 */
static double
cost_scale(const MatchingTable *rows, int cost)
{
	bool flat = true;
	int32 least = PG_INT32_MAX;
	int32 most = 1;

	for (int i = 0; i < rows->dataset->attributes; i++)
	{
		if (rows->digits[i])
			cost = Max(cost, BLOCK_COST_DIGITS);
		flat = flat && !rows->digits[i] && rows->tree[i].nodes == rows->tree[i].values + 1 &&
			   (rows->range[i] == NULL || cost < BLOCK_COST_FINE);
		least = Min(least, root_loss(&rows->tree[i]));
		most = Max(most, column_loss(rows, i));
	}
	return (flat && least == most ? 1 : cost) / (double) most;
}

/* splitmix64: every bit of the argument reaches every bit of the result. */
static uint64
scramble(uint64 value)
{
	value += UINT64CONST(0x9E3779B97F4A7C15);
	value = (value ^ (value >> 30)) * UINT64CONST(0xBF58476D1CE4E5B9);
	value = (value ^ (value >> 27)) * UINT64CONST(0x94D049BB133111EB);
	return value ^ (value >> 31);
}

static void
fill_hashes(BlockAttribute *attribute, int number)
{
	const CellTree *tree = attribute->tree;

	for (int32 value = DATASET_NULL; value < tree->values; value++)
	{
		int32 node = value;
		uint64 own = scramble(((uint64) number << 32) + value);

		CHECK_FOR_INTERRUPTS();
		attribute->hash[value] = own;
		for (int level = 1; level <= attribute->height; level++)
		{
			node = tree->parent[node];
			attribute->hash[(int64) level * (tree->values + 1) + value] =
				scramble(((uint64) number << 32) + node) - own;
		}
	}
}

/* The levels of nodes, and the nodes above each code. */
static void
fill_levels(BlockAttribute *attribute)
{
	const CellTree *tree = attribute->tree;

	for (int32 node = tree->nodes - 1; node >= DATASET_NULL; node--)
	{
		interrupt_check(node);
		attribute->level[node] =
			node == tree->nodes - 1 ? attribute->height : attribute->level[tree->parent[node]] - 1;
	}
	for (int32 code = DATASET_NULL; code < tree->values; code++)
	{
		int32 *up = attribute->up + ((int64) code + 1) * (attribute->height + 1);
		int32 node = code;

		interrupt_check(code);
		for (int level = 0; level <= attribute->height; level++)
		{
			up[level] = level < attribute->level[code] ? NO_NODE : node;
			if (level >= attribute->level[code])
				node = tree->parent[node];
		}
	}
}

static void
fill_averages(BlockAttribute *attribute, const MatchingTable *rows, int number)
{
	attribute->average = palloc0(sizeof(double) * (attribute->height + 1));
	for (int64 row = 0; row < rows->dataset->rows; row++)
	{
		int32 node = dataset_record(rows->dataset, row)[number];

		CHECK_FOR_INTERRUPTS();
		for (int level = 0; level <= attribute->height; level++)
		{
			attribute->average[level] += attribute->cost[node] / (double) rows->dataset->rows;
			node = attribute->tree->parent[node];
		}
	}
}

BlockAttribute *
block_attributes(const MatchingTable *rows, int cost)
{
	BlockAttribute *attributes =
		palloc0(sizeof(BlockAttribute) * Max(rows->dataset->attributes, 1));
	double scale = cost_scale(rows, cost);

	for (int i = 0; i < rows->dataset->attributes; i++)
	{
		BlockAttribute *attribute = &attributes[i];
		const CellTree *tree = &rows->tree[i];
		Size hashes;

		attribute->tree = tree;
		attribute->height = cell_tree_height(tree);
		attribute->cost = cell_tree_array(tree, sizeof(uint16), rows->budget);
		for (int32 node = 0; node < tree->nodes; node++)
		{
			interrupt_check(node);
			if (tree->loss[node] > 0)
				attribute->cost[node] = Max((int) rint(tree->loss[node] * scale), 1);
		}
		hashes = mul_size((Size) tree->values + 1, attribute->height + 1);
		attribute->level = cell_tree_array(tree, sizeof(int16), rows->budget);
		attribute->up = budget_allocate(rows->budget, hashes, sizeof(int32), PURPOSE);
		fill_levels(attribute);
		attribute->hash = budget_allocate(rows->budget, hashes, sizeof(uint64), PURPOSE);
		attribute->hash -= DATASET_NULL;
		fill_hashes(attribute, i);
		fill_averages(attribute, rows, i);
		if (rows->digits[i])
			attribute->digits =
				digit_costs_create(rows->digits[i], column_loss(rows, i) * scale, rows->budget);
	}
	return attributes;
}

/* The values of rows in a column of digits. */
static int32 *
find_values(const Block *block, int attribute)
{
	int32 *value = budget_allocate(block->budget, block->count, sizeof(int32), PURPOSE);

	for (int32 row = 0; row < block->count; row++)
	{
		CHECK_FOR_INTERRUPTS();
		value[row] = digit_costs_value(block->attribute[attribute].digits,
									   block->code + (int64) row * block->attributes + attribute);
	}
	return value;
}

Block *
block_create(const MatchingTable *rows, BlockAttribute *attribute, int64 begin, int32 count, int k)
{
	Block *block = palloc0(sizeof(Block));
	Size cells = mul_size(count, rows->dataset->attributes);

	block->rows = rows;
	block->attributes = rows->dataset->attributes;
	block->attribute = attribute;
	block->k = k;
	block->count = count;
	block->budget = rows->budget;
	block->code = budget_allocate(rows->budget, cells, sizeof(int32), PURPOSE);
	block->covered = budget_allocate(rows->budget, mul_size(count, k), sizeof(int32), PURPOSE);
	block->cell = budget_allocate(rows->budget, cells, sizeof(int32), PURPOSE);
	block->wide = budget_allocate(rows->budget, cells, sizeof(int32), PURPOSE);
	for (int32 row = 0; row < count; row++)
		memcpy(block->code + (int64) row * rows->dataset->attributes,
			   dataset_record(rows->dataset, begin + row),
			   sizeof(int32) * rows->dataset->attributes);
	block->value = palloc0(sizeof(int32 *) * Max(block->attributes, 1));
	for (int a = 0; a < block->attributes; a++)
		if (attribute[a].digits)
			block->value[a] = find_values(block, a);
	memcpy(block->cell, block->code, cells * sizeof(int32));
	memcpy(block->wide, block->code, cells * sizeof(int32));
	for (int32 record = 0; record < count; record++)
		block->covered[(int64) record * k] = record;
	block->matched = 1;
	return block;
}

/* The first place from this one on where a class ends; "class": one that ends there or before. */
static int64
class_border(const MatchingTable *rows, int64 place, int32 *class)
{
	if (rows->class_end == NULL)
		return place;
	while (rows->class_end[*class] < place)
	{
		interrupt_check(*class);
		++*class;
	}
	return rows->class_end[*class];
}

void
block_each(const MatchingTable *rows, int k, int64 most, BlockConsumer consumer, void *state)
{
	int64 blocks = (rows->dataset->rows + most - 1) / most;
	int64 begin = 0;
	int32 class = 0;
	MemoryContext of_all =
		AllocSetContextCreate(CurrentMemoryContext, "kanon blocks", CONTEXT_SMALL_SIZES);
	MemoryContext of_one = AllocSetContextCreate(of_all, "kanon block", CONTEXT_SMALL_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(of_all);
	BlockAttribute *attributes = block_attributes(rows, BLOCK_COST);

	MemoryContextSwitchTo(of_one);
	progress_phase("matching rows", rows->dataset->rows);
	for (int64 block = 0; block < blocks; block++)
	{
		int64 end = class_border(rows, rows->dataset->rows * (block + 1) / blocks, &class);

		if (begin == end)
			continue;
		progress_done(begin);
		consumer(state, block_create(rows, attributes, begin, (int32) (end - begin), k), begin);
		MemoryContextReset(of_one);
		begin = end;
	}
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(of_all);
}

/* The lowest node above both, which is the cell itself if that covers the code. */
static inline int32
join(const BlockAttribute *attribute, int32 cell, int32 code)
{
	const int32 *up = attribute->up + ((int64) code + 1) * (attribute->height + 1);
	int level;

	if (attribute->place)
		return attribute->upper > 0 ? Min(cell, code) : Max(cell, code);
	level = attribute->level[cell];
	while (up[level] != cell)
	{
		cell = attribute->tree->parent[cell];
		level++;
	}
	return cell;
}

/* The cost of a range between these ends. */
static inline int32
range_cost(const BlockAttribute *attribute, int32 lower, int32 upper)
{
	if (lower == upper)
		return 0;
	return lower == DATASET_NULL ? attribute->all
								 : attribute->place[upper] - attribute->place[lower];
}

/* By what a range grows, or, of the upper end, 0: it counts with the lower one. */
static inline int32
range_growth(const BlockAttribute *attribute, int number, const int32 *cell, const int32 *code)
{
	int upper = attribute->upper;

	if (upper == 0)
		return 0;
	return range_cost(attribute, Min(cell[number], code[number]), Max(cell[upper], code[upper])) -
		   range_cost(attribute, cell[number], cell[upper]);
}

/*
 * The digits of a column that a record's cells hide if they also cover a row with these codes,
 * which may be its own: a cell that hides a digit differs from any code.
 */
static uint32
hidden_digits(const Block *block, int attribute, const int32 *cell, const int32 *code)
{
	int digits = block->rows->digits[attribute]->digits;
	uint32 hidden = 0;

	for (int i = 0; i < digits; i++)
		hidden |= cell[attribute + i] != code[attribute + i] ? 1U << i : 0;
	return hidden;
}

static int32
digits_growth(const Block *block, int32 record, int attribute, const int32 *cell, const int32 *code)
{
	const int32 *own = block->code + (int64) record * block->attributes;
	DigitCosts *costs = block->attribute[attribute].digits;
	int32 value = block->value[attribute][record];
	uint32 before = hidden_digits(block, attribute, cell, own);
	uint32 after = hidden_digits(block, attribute, cell, code);

	return after == before
			   ? 0
			   : digit_costs_of(costs, value, after) - digit_costs_of(costs, value, before);
}

int32
block_cells_growth(const Block *block, int32 record, const int32 *cell, int32 row, int32 most)
{
	const int32 *code = block->code + (int64) row * block->attributes;
	int32 growth = 0;

	for (int i = 0; i < block->attributes && growth < most; i++)
	{
		const BlockAttribute *attribute = &block->attribute[i];

		if (block->value[i])
		{
			growth += digits_growth(block, record, i, cell, code);
			i += block->rows->digits[i]->digits - 1;
			continue;
		}
		if (attribute->place)
			growth += range_growth(attribute, i, cell, code);
		else
			growth += attribute->cost[join(attribute, cell[i], code[i])] - attribute->cost[cell[i]];
	}
	return growth;
}

int32
block_growth(const Block *block, int32 record, int32 row)
{
	const int32 *cell = block->cell + (int64) record * block->attributes;
	const int32 *wide = block->wide + (int64) record * block->attributes;
	int32 growth = block_cells_growth(block, record, cell, row, PG_INT32_MAX);

	if (wide != cell)
		growth += block_cells_growth(block, record, wide, row, PG_INT32_MAX);
	return growth;
}

bool
block_cells_cover(const Block *block, const int32 *cell, int32 row)
{
	const int32 *code = block->code + (int64) row * block->attributes;

	for (int i = 0; i < block->attributes; i++)
		if (join(&block->attribute[i], cell[i], code[i]) != cell[i])
			return false;
	return true;
}

bool
block_code_needs(const Block *block, int attribute, int32 code, int32 cell, int32 own)
{
	const CellTree *tree = block->attribute[attribute].tree;

	if (block->attribute[attribute].place)
		return own == DATASET_NULL ? code != own : code == cell;
	while (tree->parent[own] != cell)
		own = tree->parent[own];
	return cell_tree_join(tree, code, own) != own;
}

int32
block_cells_cost(const Block *block, int32 record, const int32 *cell)
{
	const int32 *own = block->code + (int64) record * block->attributes;
	int32 cost = 0;

	for (int i = 0; i < block->attributes; i++)
		if (block->value[i])
		{
			cost += digit_costs_of(block->attribute[i].digits, block->value[i][record],
								   hidden_digits(block, i, cell, own));
			i += block->rows->digits[i]->digits - 1;
		}
		else if (block->attribute[i].place == NULL)
			cost += block->attribute[i].cost[cell[i]];
		else if (block->attribute[i].upper > 0)
			cost += range_cost(&block->attribute[i], cell[i], cell[block->attribute[i].upper]);
	return cost;
}

int32
block_cost(const Block *block, int32 record)
{
	return block_cells_cost(block, record, block->cell + (int64) record * block->attributes);
}

int64
block_total(const Block *block)
{
	int64 total = 0;

	for (int32 record = 0; record < block->count; record++)
	{
		CHECK_FOR_INTERRUPTS();
		total += block_cost(block, record);
	}
	return total;
}

static const int32 *
covered_code(const Block *block, int32 record, int i)
{
	int32 row = block->covered[(int64) record * block->k + i];

	return block->code + (int64) row * block->attributes;
}

void
block_join(const Block *block, const int32 *from, const int32 *code, int32 *to)
{
	for (int a = 0; a < block->attributes; a++)
		to[a] = join(&block->attribute[a], from[a], code[a]);
}

void
block_cover(Block *block, int32 record, int32 row)
{
	const int32 *code = block->code + (int64) row * block->attributes;
	int64 cells = (int64) record * block->attributes;

	block_join(block, block->cell + cells, code, block->cell + cells);
	if (block->wide != block->cell)
		block_join(block, block->wide + cells, code, block->wide + cells);
}

void
block_find_cells(Block *block, int32 record)
{
	int32 *cell = block->cell + (int64) record * block->attributes;

	memcpy(cell, covered_code(block, record, 0), sizeof(int32) * block->attributes);
	for (int i = 1; i < block->matched; i++)
	{
		CHECK_FOR_INTERRUPTS();
		block_join(block, cell, covered_code(block, record, i), cell);
	}
}

/* The lowest cells above some and others. */
static void
join_cells(const Block *block, const int32 *one, const int32 *other, int32 *to)
{
	for (int a = 0; a < block->attributes; a++)
		to[a] = cell_tree_join(block->attribute[a].tree, one[a], other[a]);
}

/*
 * after[i]: the cells with the rows from the i-th on; the record's cells grow by the rows before
 * it.  after[0], which nobody needs, has those without the i-th.
 */
void
block_costs_without(Block *block, int32 record, int first, int32 *after, uint16 *cost)
{
	int attributes = block->attributes;
	int32 *cell = block->cell + (int64) record * attributes;
	Size bytes = sizeof(int32) * attributes;

	memcpy(after + (int64) block->k * attributes, covered_code(block, record, 0), bytes);
	for (int i = block->k - 1; i >= first; i--)
		block_join(block, after + (int64) (i + 1) * attributes, covered_code(block, record, i),
				   after + (int64) i * attributes);
	memcpy(cell, covered_code(block, record, 0), bytes);
	for (int i = 1; i < block->k; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (i >= first)
		{
			int32 joined;

			join_cells(block, cell, after + (int64) (i + 1) * attributes, after);
			joined = block_cells_cost(block, record, after);
			cost[i - first] = Min(joined, PG_UINT16_MAX);
		}
		block_join(block, cell, covered_code(block, record, i), cell);
	}
}

bool
block_covers(const Block *block, int32 record, int32 row)
{
	const int32 *covered = block->covered + (int64) record * block->k;

	for (int i = 0; i < block->matched; i++)
		if (covered[i] == row)
			return true;
	return false;
}
