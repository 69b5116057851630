/*
 * cut_space.c
 *		See cut_space.h.
 *
 * Prices of a tree: whoever leaves the cut of a label publishes that label for all rows below it,
 * and then needs no cut below.  So rows below a label may not be charged more than that in all,
 * whichever cut below it they are charged with: a row is charged along the path.
 *
 * Prices of intervals: whoever leaves the cuts between several cells loses, for each row, at least
 * the widths of all cells but its own, and so at least what the cuts on both sides of its cell
 * would cost it alone.  NULL hides everything once it is joined, which is no sum of widths; there
 * only what NULL itself loses is charged.
 */
#include "postgres.h"

#include "single/cut_space.h"

#include <math.h>

#include "base/interrupt.h"
#include "metric/loss.h"

#define PURPOSE "single-dimension recoding"

static int32
weighted(const CutAttribute *attribute, double loss)
{
	return (int32) rint(attribute->weight * loss * SINGLE_UNIT);
}

static int32
loss_of_node(const CutAttribute *attribute, const RecodedCell *cell)
{
	return weighted(attribute, loss_of_cell(attribute->column, cell));
}

/* ---- trees */

int
single_root(const RecodingColumn *column)
{
	if (column->dimension == NULL)
		return 1;
	return column->dimension->height + (column->dimension->single_top ? 0 : 1);
}

RecodedCell
single_cell(const RecodingColumn *column, int level, int32 code, bool is_null)
{
	const Dimension *dimension = column->dimension;

	if (level > (dimension ? dimension->height : 0))
		return (RecodedCell){.kind = RECODED_ALL, .level = level};
	if (is_null && level < single_root(column))
		return (RecodedCell){.kind = recoding_null(column), .level = level};
	if (dimension == NULL)
		return (RecodedCell){.kind = RECODED_SPAN, .low = code, .high = code};
	return (RecodedCell){.kind = RECODED_LABEL, .level = level, .low = is_null ? 0 : code};
}

RecodedCell
single_interval(const RecodingColumn *column, int32 from, int32 to, int32 null)
{
	if (from == null)
		return (RecodedCell){.kind = recoding_null(column)};
	if (to == null)
		return (RecodedCell){.kind = RECODED_ALL};
	return (RecodedCell){.kind = RECODED_SPAN, .low = from, .high = to};
}

/* The label for everything stands for NULL as well, wherever there is one. */
RecodedCell
single_interval_label(const RecodingColumn *column, int32 from, int32 to, int32 null)
{
	const Dimension *dimension = column->dimension;
	int32 leaves;
	int level;

	if (dimension == NULL || from == null || to == null)
		return single_interval(column, from, to, null);
	leaves = (int32) (column->position[to] - column->position[from]) + 1;
	level = dimension_common_level(dimension, from, to);
	if (level >= single_root(column)
			? null < 0 && leaves == dimension->domain
			: leaves == dimension->leaves[level][dimension->ancestor[level][from]])
		return single_cell(column, level, from, false);
	return single_interval(column, from, to, null);
}

/* The code of an attribute's NULLs; -1: it has none. */
static int32
null_of(const CutSpace *space, int attribute)
{
	return space->table->has_null[attribute] ? space->table->codes[attribute] - 1 : -1;
}

/* Where the label that begins with a code ends; a column without dimension has values alone. */
static int32
end_of_label(const CutSpace *space, int attribute, int level, int32 first, int32 last)
{
	const Dimension *dimension = space->attribute[attribute].column->dimension;
	int32 end = first;

	if (dimension == NULL)
		return first;
	if (level > dimension->height)
		return last;
	while (end < last && dimension->ancestor[level][end + 1] == dimension->ancestor[level][first])
	{
		interrupt_check(end);
		end++;
	}
	return end;
}

/* Adds the node for these codes and, in preorder, all below it. */
static void
add_node(CutSpace *space, int attribute, int level, int32 first, int32 last, int32 needs)
{
	CutAttribute *to = &space->attribute[attribute];
	CutNode *node = &to->node[to->nodes++];
	int highest = level;

	CHECK_FOR_INTERRUPTS();
	check_stack_depth();
	while (level > 0 && end_of_label(space, attribute, level - 1, first, last) == last)
		level--;
	*node =
		(CutNode){.first = first,
				  .last = last,
				  .cut = -1,
				  .cell = single_cell(to->column, level, first, null_of(space, attribute) == first),
				  .highest = highest};
	node->loss = loss_of_node(to, &node->cell);
	if (level > 0)
	{
		node->cut = space->cuts++;
		space->needs[node->cut] = needs;
		for (int32 begin = first, end; begin <= last; begin = end + 1)
		{
			end = end_of_label(space, attribute, level - 1, begin, last);
			add_node(space, attribute, level - 1, begin, end, node->cut);
		}
	}
	node->end = to->nodes;
}

static void
add_tree(CutSpace *space, int attribute)
{
	CutAttribute *to = &space->attribute[attribute];
	int32 codes = space->table->codes[attribute];

	to->node = budget_allocate(space->table->budget, 2 * (Size) codes, sizeof(CutNode), PURPOSE);
	if (codes > 0)
		add_node(space, attribute, single_root(to->column), 0, codes - 1, -1);
}

static int64
rows_below(const CutSpace *space, int attribute, const CutNode *node)
{
	const int64 *before = space->attribute[attribute].rows;

	return before[node->last + 1] - before[node->first];
}

/* The losses that the cut of a label takes from all rows below it, and the rows of its children
 * that have fewer than k. */
static int64
gain_of_node(const CutSpace *space, int attribute, const CutNode *node, int64 k, int64 *small)
{
	const CutAttribute *of = &space->attribute[attribute];
	int64 gain = 0;

	*small = 0;
	for (const CutNode *child = node + 1; child < of->node + node->end;
		 child = of->node + child->end)
	{
		int64 rows = rows_below(space, attribute, child);

		gain += rows * (node->loss - child->loss);
		*small += rows < k ? rows : 0;
	}
	return gain;
}

/* ---- intervals, [from, to] */

static int64
loss_of_interval(const CutSpace *space, int attribute, int32 from, int32 to)
{
	const CutAttribute *of = &space->attribute[attribute];
	RecodedCell cell = single_interval(of->column, from, to, null_of(space, attribute));

	return loss_of_node(of, &cell);
}

/* The last code of the interval that begins with a code. */
static int32
end_of_interval(const CutSpace *space, const uint8 *mark, bool finest, int attribute, int32 from)
{
	const uint8 *cut = mark + space->attribute[attribute].first;
	int32 last = space->table->codes[attribute] - 1;

	while (from < last && (finest ? cut[from] == CUT_LEFT : cut[from] != CUT_MADE))
		from++;
	return from;
}

static void
leave_hopeless(CutSpace *space, int attribute, int64 k, int64 suppressible)
{
	const CutAttribute *of = &space->attribute[attribute];

	for (int32 i = 0; i < of->nodes; i++)
	{
		int64 small;

		interrupt_check(i);
		if (of->node[i].cut < 0)
			continue;
		(void) gain_of_node(space, attribute, &of->node[i], k, &small);
		if (small > suppressible)
			space->mark[of->node[i].cut] = CUT_LEFT;
	}
	for (int32 code = 0; !space->tree && code < space->table->codes[attribute] - 1; code++)
	{
		int64 below = of->rows[code + 1];
		int64 above = space->table->rows - below;

		interrupt_check(code);
		if ((below < k ? below : 0) + (above < k ? above : 0) > suppressible)
			space->mark[of->first + code] = CUT_LEFT;
	}
}

void
cut_space_leave(CutSpace *space, int64 k, int64 suppressible)
{
	memset(space->mark, CUT_OPEN, space->cuts);
	for (int i = 0; i < space->table->attributes; i++)
		leave_hopeless(space, i, k, suppressible);
}

static void
sum_rows(CutSpace *space, int attribute)
{
	int32 codes = space->table->codes[attribute];
	int64 *before = budget_allocate(space->table->budget, (Size) codes + 1, sizeof(int64), PURPOSE);

	for (int32 code = 0; code < codes; code++)
		before[code + 1] = before[code] + space->table->rows_of[attribute][code];
	space->attribute[attribute].rows = before;
}

CutSpace *
cut_space_create(const Dataset *dataset, bool tree, const RecodingColumn *column,
				 const double *weight, const int *order)
{
	CutSpace *space = palloc0(sizeof(CutSpace));
	int count = dataset->attributes;
	int32 *cells = palloc0(sizeof(int32) * Max(count, 1));
	int64 most = 0;

	for (int i = 0; i < count; i++)
	{
		cells[i] = 2 * dataset_cardinality(dataset, i);
		most += dataset_cardinality(dataset, i);
	}
	space->table = single_table_create(dataset, cells, order);
	space->tree = tree;
	space->order = order;
	space->attribute = palloc0(sizeof(CutAttribute) * Max(count, 1));
	space->needs = budget_allocate(dataset->budget, most, sizeof(int32), PURPOSE);
	space->mark = budget_allocate(dataset->budget, most, sizeof(uint8), PURPOSE);
	for (int i = 0; i < count; i++)
	{
		CutAttribute *attribute = &space->attribute[order[i]];

		*attribute = (CutAttribute){
			.column = &column[order[i]], .first = space->cuts, .weight = weight[order[i]]};
		sum_rows(space, order[i]);
		if (tree)
			add_tree(space, order[i]);
		for (int32 cut = 1; !tree && cut < space->table->codes[order[i]]; cut++)
			space->needs[space->cuts++] = -1;
	}
	return space;
}

static void
map_range(SingleMap *map, int attribute, int32 first, int32 last, int32 cell, int32 loss)
{
	for (int32 code = first; code <= last; code++)
	{
		map->cell[attribute][code] = cell;
		map->loss[attribute][code] = loss;
	}
}

static void
map_tree(const CutSpace *space, const uint8 *mark, bool finest, int attribute, SingleMap *map)
{
	const CutAttribute *of = &space->attribute[attribute];

	for (int32 i = 0; i < of->nodes;)
	{
		const CutNode *node = &of->node[i];

		interrupt_check(i);
		if (node->cut >= 0 && (finest ? mark[node->cut] != CUT_LEFT : mark[node->cut] == CUT_MADE))
		{
			i++;
			continue;
		}
		map_range(map, attribute, node->first, node->last, i, node->loss);
		i = node->end;
	}
}

void
cut_space_map(const CutSpace *space, const uint8 *mark, bool finest, SingleMap *map)
{
	for (int i = 0; i < space->table->attributes; i++)
	{
		if (space->tree)
			map_tree(space, mark, finest, i, map);
		for (int32 from = 0, to; !space->tree && from < space->table->codes[i]; from = to + 1)
		{
			interrupt_check(from);
			to = end_of_interval(space, mark, finest, i, from);
			map_range(map, i, from, to, from, (int32) loss_of_interval(space, i, from, to));
		}
	}
}

int64
cut_space_small(const CutSpace *space, const SingleMap *map, int32 cut, int64 k, int64 most)
{
	SingleLeaving leaving = {.apart = true, .rest = !space->tree};
	const CutAttribute *of;
	int32 node = 0;
	int64 small = 0;

	for (int i = 0; i < space->table->attributes; i++)
		if (space->attribute[space->order[i]].first <= cut)
			leaving.attribute = space->order[i];
	of = &space->attribute[leaving.attribute];
	if (!space->tree)
	{
		leaving.to = cut - of->first;
		leaving.from = map->cell[leaving.attribute][leaving.to];
		return single_table_small(space->table, &leaving, k);
	}
	while (of->node[node].cut != cut)
		node++;
	for (int32 child = node + 1; child < of->node[node].end && small <= most;
		 child = of->node[child].end)
	{
		leaving.from = of->node[child].first;
		leaving.to = of->node[child].last;
		small += single_table_small(space->table, &leaving, k);
	}
	return small;
}

static void
gains_of_tree(const CutSpace *space, const uint8 *mark, int attribute, int64 *gain)
{
	const CutAttribute *of = &space->attribute[attribute];
	int64 small;

	for (int32 i = 0; i < of->nodes; i++)
		if (of->node[i].cut >= 0 && cut_space_is_next(space, mark, of->node[i].cut))
			gain[of->node[i].cut] = gain_of_node(space, attribute, &of->node[i], 0, &small);
}

static void
gains_of_intervals(const CutSpace *space, const uint8 *mark, int attribute, int64 *gain)
{
	const CutAttribute *of = &space->attribute[attribute];

	for (int32 from = 0, to; from < space->table->codes[attribute]; from = to + 1)
	{
		int64 loss;

		to = end_of_interval(space, mark, false, attribute, from);
		loss = loss_of_interval(space, attribute, from, to);
		for (int32 at = from; at < to; at++)
		{
			interrupt_check(at);
			gain[of->first + at] = (of->rows[at + 1] - of->rows[from]) *
									   (loss - loss_of_interval(space, attribute, from, at)) +
								   (of->rows[to + 1] - of->rows[at + 1]) *
									   (loss - loss_of_interval(space, attribute, at + 1, to));
		}
	}
}

void
cut_space_gains(const CutSpace *space, const uint8 *mark, int64 *gain)
{
	for (int i = 0; i < space->table->attributes; i++)
		if (space->tree)
			gains_of_tree(space, mark, i, gain);
		else
			gains_of_intervals(space, mark, i, gain);
}

/* The loss of all rows of each label, as published, beyond that of the finest map. */
static void
prices_of_tree(const CutSpace *space, const uint8 *mark, const SingleMap *finest, int attribute,
			   const int64 *rows, int32 *beside, int64 *price)
{
	const CutAttribute *of = &space->attribute[attribute];

	for (int32 i = 0; i < of->nodes; i++)
	{
		const CutNode *node = &of->node[i];

		interrupt_check(i);
		if (node->cut < 0 || mark[node->cut] != CUT_OPEN)
			continue;
		price[node->cut] = 0;
		/* Preorder: the lowest open label above a code is written last. */
		for (int32 code = node->first; code <= node->last; code++)
		{
			price[node->cut] += rows[code] * (node->loss - finest->loss[attribute][code]);
			if (finest->cell[attribute][code] > i)
				beside[2 * code] = node->cut;
		}
	}
}

static int64
sum_of(const int64 *rows, int32 from, int32 to)
{
	int64 sum = 0;

	for (int32 code = from; code <= to; code++)
		sum += rows[code];
	return sum;
}

static void
prices_of_intervals(const CutSpace *space, const uint8 *mark, int attribute, const int64 *rows,
					int32 *beside, int64 *price)
{
	const CutAttribute *of = &space->attribute[attribute];
	int32 last = space->table->codes[attribute] - 1;
	int32 null = null_of(space, attribute);

	for (int32 from = 0, to, end; from <= last; from = to + 1)
	{
		int32 cut = -1;

		to = end_of_interval(space, mark, true, attribute, from);
		end = to < last ? end_of_interval(space, mark, true, attribute, to + 1) : to;
		if (to < last && mark[of->first + to] == CUT_OPEN)
			cut = of->first + to;
		if (cut >= 0 && end == null)
			price[cut] = to + 1 < null
							 ? 0
							 : rows[null] * (loss_of_interval(space, attribute, from, null) -
											 loss_of_interval(space, attribute, null, null));
		else if (cut >= 0)
			price[cut] =
				sum_of(rows, from, end) * loss_of_interval(space, attribute, from, end) -
				sum_of(rows, from, to) * loss_of_interval(space, attribute, from, to) -
				sum_of(rows, to + 1, end) * loss_of_interval(space, attribute, to + 1, end);
		for (int32 code = from; code <= to; code++)
		{
			interrupt_check(code);
			beside[2 * code] =
				from > 0 && mark[of->first + from - 1] == CUT_OPEN ? of->first + from - 1 : -1;
			beside[2 * code + 1] = cut;
		}
	}
}

void
cut_space_prices(const CutSpace *space, const uint8 *mark, const SingleMap *finest,
				 int64 *const *rows, int32 **beside, int64 *price)
{
	for (int i = 0; i < space->table->attributes; i++)
	{
		memset(beside[i], 0xFF, sizeof(int32) * 2 * space->table->codes[i]);
		if (space->tree)
			prices_of_tree(space, mark, finest, i, rows[i], beside[i], price);
		else
			prices_of_intervals(space, mark, i, rows[i], beside[i], price);
	}
}

/* Pairs of rows from one code to another in different cells of the finest map. */
static int64
pairs_of(const CutSpace *space, const SingleMap *finest, int attribute, int32 from, int32 to)
{
	const int64 *rows = space->table->rows_of[attribute];
	const int32 *cell = finest->cell[attribute];
	int64 before = 0;
	int64 pairs = 0;

	for (int32 end; from <= to; from = end + 1)
	{
		int64 own;

		interrupt_check(from);
		for (end = from; end < to && cell[end + 1] == cell[from];)
			end++;
		own = sum_of(rows, from, end);
		pairs += own * before;
		before += own;
	}
	return pairs;
}

void
cut_space_pairs(const CutSpace *space, const uint8 *mark, const SingleMap *finest, int64 *pairs)
{
	for (int i = 0; i < space->table->attributes; i++)
	{
		const CutAttribute *of = &space->attribute[i];
		int32 last = space->table->codes[i] - 1;

		for (int32 j = 0; j < of->nodes; j++)
			if (of->node[j].cut >= 0 && mark[of->node[j].cut] == CUT_OPEN)
				pairs[of->node[j].cut] =
					pairs_of(space, finest, i, of->node[j].first, of->node[j].last);
		for (int32 code = 0; !space->tree && code < last; code++)
			if (mark[of->first + code] == CUT_OPEN)
				pairs[of->first + code] = pairs_of(space, finest, i, finest->cell[i][code],
												   end_of_interval(space, mark, true, i, code + 1));
	}
}
