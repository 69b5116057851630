/*
 * anchor_k_member.c
 *		J.-W. Byun, A. Kamra, E. Bertino, N. Li: Efficient k-Anonymization Using Clustering
 *		Techniques (DASFAA 2007), the greedy algorithm for k-member clustering.
 *
 * While k records are left: the one furthest from the last record begins a cluster; k - 1
 * times, the record that raises the cluster's loss least joins it.  Records left over join the
 * cluster whose loss they raise least.  Written from the abstract and public descriptions of
 * the algorithm; the paper's text was not at hand.  Open there, and decided here:
 * - The paper takes distance and loss of a category by heights in the taxonomy; here both are
 *   NCP by leaves, by which the result is judged.
 * - "The furthest record" is that from the record which joined the last cluster last.
 * - Ties go to the record that comes first in the table.
 *
 * Each cluster's step looks at all records that are left, so the time is O(rows^2); records
 * with equal values are looked at once, and a search ends at a record that costs nothing more.
 */
#include "anchor.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK 4096

/* Records that are left: distinct tuples in the order of their first rows, with their rows. */
typedef struct Left
{
	const Table *table;
	int tuples;
	int gone; /* tuples without rows, which are squeezed out now and then */
	int64_t rows;
	uint16_t *code[MOST_ATTRIBUTES];
	int *count; /* rows left of each tuple */
	int *next;  /* a place in row_of */
	int *row_of;
} Left;

static const Table *sorted_table;

static int
row_compare(const void *a, const void *b)
{
	int one = *(const int *) a;
	int other = *(const int *) b;

	for (int at = 0; at < sorted_table->attributes; at++)
		if (sorted_table->code[at][one] != sorted_table->code[at][other])
			return sorted_table->code[at][one] - sorted_table->code[at][other];
	return one - other;
}

static int
begin_compare(const void *a, const void *b)
{
	return ((const int *) a)[0] - ((const int *) b)[0];
}

static bool
rows_equal(const Table *table, int one, int other)
{
	for (int at = 0; at < table->attributes; at++)
		if (table->code[at][one] != table->code[at][other])
			return false;
	return true;
}

static Left
left_create(const Table *table)
{
	Left left = {.table = table, .rows = table->rows};
	int(*begin)[2] = allocate(table->rows, sizeof(int[2])); /* first row, place in row_of */

	left.row_of = allocate(table->rows, sizeof(int));
	left.count = allocate(table->rows, sizeof(int));
	left.next = allocate(table->rows, sizeof(int));
	for (int row = 0; row < table->rows; row++)
		left.row_of[row] = row;
	sorted_table = table;
	qsort(left.row_of, table->rows, sizeof(int), row_compare);
	for (int i = 0; i < table->rows; i++)
		if (i == 0 || !rows_equal(table, left.row_of[i - 1], left.row_of[i]))
		{
			begin[left.tuples][0] = left.row_of[i];
			begin[left.tuples++][1] = i;
		}
	qsort(begin, left.tuples, sizeof(int[2]), begin_compare);
	for (int at = 0; at < table->attributes; at++)
		left.code[at] = allocate(left.tuples, sizeof(uint16_t));
	for (int tuple = 0; tuple < left.tuples; tuple++)
	{
		int i = begin[tuple][1];

		left.next[tuple] = i;
		while (i < table->rows && rows_equal(table, begin[tuple][0], left.row_of[i]))
			i++;
		left.count[tuple] = i - left.next[tuple];
		for (int at = 0; at < table->attributes; at++)
			left.code[at][tuple] = table->code[at][begin[tuple][0]];
	}
	free(begin);
	return left;
}

static void
left_squeeze(Left *left)
{
	int to = 0;

	for (int tuple = 0; tuple < left->tuples; tuple++)
	{
		if (left->count[tuple] == 0)
			continue;
		for (int at = 0; at < left->table->attributes; at++)
			left->code[at][to] = left->code[at][tuple];
		left->count[to] = left->count[tuple];
		left->next[to++] = left->next[tuple];
	}
	left->tuples = to;
	left->gone = 0;
}

static int
left_take(Left *left, int tuple)
{
	int row = left->row_of[left->next[tuple]++];

	left->rows--;
	if (--left->count[tuple] == 0)
		left->gone++;
	return row;
}

/* What the label would lose with each tuple of a block. */
static void
block_costs(const Left *left, const Costs *costs, int first, int count, uint32_t *sum)
{
	memset(sum, 0, sizeof(uint32_t) * count);
	for (int at = 0; at < left->table->attributes; at++)
	{
		const uint32_t *cost = costs->of[at];
		const uint16_t *code = left->code[at] + first;

		for (int i = 0; i < count; i++)
			sum[i] += cost[code[i]];
	}
}

/* The tuple with which the label loses least, or most. */
static int
left_find(const Left *left, const Costs *costs, bool furthest)
{
	uint32_t sum[BLOCK];
	uint32_t best = furthest ? 0 : UINT32_MAX;
	int found = -1;

	for (int first = 0; first < left->tuples; first += BLOCK)
	{
		int count = left->tuples - first < BLOCK ? left->tuples - first : BLOCK;

		block_costs(left, costs, first, count, sum);
		for (int i = 0; i < count; i++)
			if ((furthest ? sum[i] > best || found < 0 : sum[i] < best) &&
				left->count[first + i] > 0)
			{
				best = sum[i];
				found = first + i;
			}
		if (!furthest && best == costs->label.loss)
			break;
	}
	return found;
}

/* The cluster whose loss the row raises least. */
static int
cluster_of_least_growth(const Table *table, const Label *labels, const int *sizes, int clusters,
						int row)
{
	int64_t least = INT64_MAX;
	int found = 0;

	for (int cluster = 0; cluster < clusters; cluster++)
	{
		int64_t growth =
			(int64_t) label_loss_with(table, &labels[cluster], row) * (sizes[cluster] + 1) -
			(int64_t) labels[cluster].loss * sizes[cluster];

		if (growth >= least)
			continue;
		least = growth;
		found = cluster;
	}
	return found;
}

const char *
k_member(const Table *table, int k, int reading, int *class_of)
{
	Left left;
	Costs *costs = costs_create(table);
	Label *labels = allocate(table->rows / k + 1, sizeof(Label));
	int *sizes = allocate(table->rows / k + 1, sizeof(int));
	int clusters = 0;
	int row = draw(table->rows);

	if (reading > 0)
		return NULL;
	left = left_create(table);
	while (left.rows >= k)
	{
		Label *label = &labels[clusters];

		*label = label_of_row(table, row);
		costs_fill(costs, table, label);
		row = left_take(&left, left_find(&left, costs, true));
		class_of[row] = clusters;
		*label = label_of_row(table, row);
		for (sizes[clusters] = 1; sizes[clusters] < k; sizes[clusters]++)
		{
			costs_fill(costs, table, label);
			row = left_take(&left, left_find(&left, costs, false));
			class_of[row] = clusters;
			label_add_row(table, label, row);
		}
		clusters++;
		if (left.gone > left.tuples / 16)
			left_squeeze(&left);
	}
	for (int tuple = 0; tuple < left.tuples; tuple++)
		while (left.count[tuple] > 0)
		{
			int cluster;

			row = left_take(&left, tuple);
			cluster = cluster_of_least_growth(table, labels, sizes, clusters, row);
			class_of[row] = cluster;
			label_add_row(table, &labels[cluster], row);
			sizes[cluster]++;
		}
	return "as described";
}
