/*
 * block_ranges.c
 *		Blocks whose records know the ends of their ranges.  See block.h.
 *
 * Example: ages and zip codes are the attributes 0 and 1.  Refined, 0 has the least age that a
 * record covers, 1 the node of its zip codes, and 2 the greatest age.
 */
#include "postgres.h"

#include "matching/block.h"

#include <math.h>

#include "base/interrupt.h"
#include "metric/loss.h"

#define PURPOSE "matching of rows"

/* [value]: what the range from the least value to it costs. */
static int32 *
range_places(const MatchingTable *rows, int attribute, int32 all)
{
	const CellTree *tree = &rows->tree[attribute];
	RecodedCell cell = {.kind = RECODED_SPAN};
	int32 *place = budget_allocate(rows->budget, tree->values, sizeof(int32), PURPOSE);

	for (int32 value = 0; value < tree->values; value++)
	{
		interrupt_check(value);
		cell.high = value;
		place[value] = (int32) rint(all * loss_of_cell(rows->range[attribute], &cell));
	}
	return place;
}

BlockAttribute *
block_attributes_refined(const MatchingTable *rows, int cost, int *count)
{
	int attributes = rows->dataset->attributes;
	BlockAttribute *refined = block_attributes(rows, cost);

	*count = attributes;
	refined = repalloc(refined, sizeof(BlockAttribute) * Max(2 * attributes, 1));
	for (int i = 0; i < attributes; i++)
		if (rows->range[i])
		{
			refined[i].all = refined[i].cost[rows->tree[i].nodes - 1];
			refined[i].place = range_places(rows, i, refined[i].all);
			refined[*count] = refined[i];
			refined[i].upper = (*count)++;
		}
	return refined;
}

Block
block_refine(const Block *block, BlockAttribute *attribute, int count)
{
	Block refined = *block;
	int whole = block->attributes;
	Size cells = mul_size(block->count, count);

	refined.attribute = attribute;
	refined.attributes = count;
	refined.matched = block->k;
	if (count > whole)
	{
		refined.code = budget_allocate(block->budget, cells, sizeof(int32), PURPOSE);
		refined.cell = budget_allocate(block->budget, cells, sizeof(int32), PURPOSE);
		refined.value = palloc0(sizeof(int32 *) * count);
		memcpy(refined.value, block->value, sizeof(int32 *) * whole);
	}
	refined.wide = refined.cell;
	for (int32 row = 0; row < block->count && count > whole; row++)
	{
		int32 *code = refined.code + (int64) row * count;

		interrupt_check(row);
		memcpy(code, block->code + (int64) row * whole, sizeof(int32) * whole);
		for (int a = 0; a < whole; a++)
			if (attribute[a].upper > 0)
				code[attribute[a].upper] = code[a];
	}
	return refined;
}
