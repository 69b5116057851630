/*
 * anchor_top_down.c
 *		J. Xu, W. Wang, J. Pei, X. Wang, B. Shi, A. W.-C. Fu: Utility-Based Anonymization Using
 *		Local Recoding (KDD 2006), the top-down greedy algorithm.
 *
 * A set of rows is divided in two: two rows far apart begin the halves, found by going from a
 * random row to the one furthest from it, from that one to the furthest again, and so on, six
 * times; the other rows, in random order, join the half that then loses less.  Sets of at most
 * k rows are left, and those of which no half has k rows.  In the end a group of fewer than k
 * rows is either filled with the nearest rows of a group that can spare them (2k less the
 * group's own), or merged with the nearest group, whichever loses less.  Written from public
 * descriptions of the algorithm and open implementations' accounts of it; the paper's text was
 * not at hand.  Open there, and tried in all ways:
 * - A row joins the half that shows less with it (NCP of the half with the row), or whose first
 *   row is nearer.  (By the growth of NCP halves are so unequal that the time is O(rows^2); on
 *   Adults with k = 5 it lost more than the second: .0708, not .0685.)
 * - Sets of fewer than 2k rows are divided if a half has k rows, as written, or left alone.
 * Decided here: rows that are all equal are left together, the nearest rows are those with
 * which the small group loses least, and every group counts as a neighbour.
 *
 * O(rows log rows) to divide if halves are about equal; each small group then looks at all rows.
 */
#include "anchor.h"

#include <stdlib.h>
#include <string.h>

#define ROUNDS 6

enum Join
{
	BY_LOSS,
	BY_SEED,
	JOINS
};

typedef struct Group
{
	Label label;
	int *row;
	int rows; /* 0: merged into another */
} Group;

typedef struct Division
{
	const Table *table;
	int k;
	enum Join join;
	int least; /* rows of a set that may be divided */
	int *row;
	int *other; /* scratch, as long */
	Group *group;
	int groups;
} Division;

static Label
label_of_rows(const Table *table, const int *row, int rows)
{
	Label label = label_of_row(table, row[0]);

	for (int i = 1; i < rows; i++)
		label_add_row(table, &label, row[i]);
	return label;
}

static int
furthest_place(const Table *table, const int *row, int rows, int from)
{
	Label label = label_of_row(table, row[from]);
	uint32_t most = 0;
	int found = from;

	for (int i = 0; i < rows; i++)
	{
		uint32_t loss = label_loss_with(table, &label, row[i]);

		if (loss <= most)
			continue;
		most = loss;
		found = i;
	}
	return found;
}

static void
swap(int *one, int *other)
{
	int kept = *one;

	*one = *other;
	*other = kept;
}

/* Does the row join the second half? */
static bool
joins_second(const Division *division, const Label *first, const Label *second, const Label *seeds,
			 int row)
{
	const Table *table = division->table;
	bool by_seed = division->join == BY_SEED;
	int64_t one = label_loss_with(table, by_seed ? &seeds[0] : first, row);
	int64_t other = label_loss_with(table, by_seed ? &seeds[1] : second, row);

	return other < one;
}

/* Rows of the first half come first; how many these are, 0 if all rows are equal. */
static int
divide_rows(Division *division, int *row, int rows)
{
	const Table *table = division->table;
	int one = draw(rows);
	int other = one;
	int firsts = 1;
	int seconds = 1;
	Label seeds[2];
	Label first;
	Label second;

	for (int round = 0; round < ROUNDS; round++)
	{
		one = other;
		other = furthest_place(table, row, rows, one);
	}
	if (one == other)
		return 0;
	swap(&row[0], &row[one]);
	swap(&row[1], &row[other == 0 ? one : other]);
	for (int i = rows - 1; i > 2; i--)
		swap(&row[i], &row[2 + draw(i - 1)]);
	first = seeds[0] = label_of_row(table, row[0]);
	second = seeds[1] = label_of_row(table, row[1]);
	division->other[0] = row[1];
	for (int i = 2; i < rows; i++)
		if (joins_second(division, &first, &second, seeds, row[i]))
		{
			label_add_row(table, &second, row[i]);
			division->other[seconds++] = row[i];
		}
		else
		{
			label_add_row(table, &first, row[i]);
			row[firsts++] = row[i];
		}
	memcpy(row + firsts, division->other, sizeof(int) * seconds);
	return firsts;
}

/* A loop for the larger half, so that no stack grows deep. */
static void
divide(Division *division, int *row, int rows)
{
	while (rows >= division->least)
	{
		int firsts = divide_rows(division, row, rows);

		if (firsts == 0 || (firsts < division->k && rows - firsts < division->k))
			break;
		if (firsts * 2 <= rows)
		{
			divide(division, row, firsts);
			row += firsts;
			rows -= firsts;
		}
		else
		{
			divide(division, row + firsts, rows - firsts);
			rows = firsts;
		}
	}
	division->group[division->groups++] =
		(Group){label_of_rows(division->table, row, rows), row, rows};
}

/* ---- groups of fewer than k rows */

typedef struct Near
{
	uint32_t loss;
	int place; /* among the rows of its group */
} Near;

/* The "wanted" rows of a group with which the costs' label loses least, nearest first. */
static void
nearest_rows(const Division *division, const Group *group, const Costs *costs, int wanted,
			 Near *near)
{
	const Table *table = division->table;
	int found = 0;

	for (int i = 0; i < group->rows; i++)
	{
		uint32_t loss = 0;
		int to;

		for (int at = 0; at < table->attributes; at++)
			loss += costs->of[at][table->code[at][group->row[i]]];
		if (found == wanted && loss >= near[found - 1].loss)
			continue;
		if (found < wanted)
			found++;
		for (to = found - 1; to > 0 && near[to - 1].loss > loss; to--)
			near[to] = near[to - 1];
		near[to] = (Near){loss, i};
	}
}

/* The label of the group with these rows of another. */
static Label
label_with(const Division *division, const Group *group, const Group *other, const Near *near,
		   int count)
{
	Label label = group->label;

	for (int i = 0; i < count; i++)
		label_add_row(division->table, &label, other->row[near[i].place]);
	return label;
}

static void
group_take(Division *division, Group *group, Group *other, const Near *near, int count)
{
	int *row = allocate(group->rows + count, sizeof(int));
	bool *taken = allocate(other->rows, sizeof(bool));
	int left = 0;

	memcpy(row, group->row, sizeof(int) * group->rows);
	for (int i = 0; i < count; i++)
	{
		row[group->rows + i] = other->row[near[i].place];
		taken[near[i].place] = true;
	}
	group->row = row;
	group->rows += count;
	for (int i = 0; i < other->rows; i++)
		if (!taken[i])
			other->row[left++] = other->row[i];
	other->rows = left;
	group->label = label_of_rows(division->table, group->row, group->rows);
	if (left > 0)
		other->label = label_of_rows(division->table, other->row, left);
	free(taken);
}

/* By how much the loss grows if the group takes in all of another; INT64_MAX: by more than
 * "least" at any rate. */
static int64_t
merge_growth(const Division *division, const Group *group, const Group *other, const Costs *costs,
			 int64_t least)
{
	const Table *table = division->table;
	int rows = group->rows + other->rows;
	int64_t before =
		(int64_t) group->label.loss * group->rows + (int64_t) other->label.loss * other->rows;
	uint32_t bound = 0;
	Label label;

	for (int at = 0; at < table->attributes; at++)
		bound += costs->of[at][other->label.code[at]];
	if ((int64_t) bound * rows - before >= least)
		return INT64_MAX;
	label = group->label;
	label_add(table, &label, &other->label);
	return (int64_t) label.loss * rows - before;
}

/* Fills the group or merges it, whichever loses less. */
static void
group_mend(Division *division, Group *group, Costs *costs, Near *near, Near *kept)
{
	int wanted = division->k - group->rows;
	int64_t least = INT64_MAX;
	Group *best = NULL;
	bool filled = false;

	costs_fill(costs, division->table, &group->label);
	for (Group *other = division->group; other < division->group + division->groups; other++)
	{
		int64_t growth;

		if (other == group || other->rows == 0)
			continue;
		growth = merge_growth(division, group, other, costs, least);
		if (growth < least)
		{
			least = growth;
			best = other;
			filled = false;
		}
		if (other->rows < 2 * division->k - group->rows)
			continue;
		nearest_rows(division, other, costs, wanted, near);
		growth = (int64_t) near[wanted - 1].loss * division->k -
				 (int64_t) group->label.loss * group->rows - (int64_t) other->label.loss * wanted;
		if (growth >= least)
			continue;
		growth += (int64_t) (label_with(division, group, other, near, wanted).loss -
							 near[wanted - 1].loss) *
				  division->k;
		if (growth >= least)
			continue;
		least = growth;
		best = other;
		filled = true;
		memcpy(kept, near, sizeof(Near) * wanted);
	}
	if (filled)
	{
		group_take(division, group, best, kept, wanted);
		return;
	}
	for (int i = 0; i < best->rows; i++)
		near[i] = (Near){0, i};
	group_take(division, group, best, near, best->rows);
}

const char *
top_down(const Table *table, int k, int reading, int *class_of)
{
	static const char *const names[] = {"by loss", "by seed", "by loss, 2k", "by seed, 2k"};
	Division division = {.table = table, .k = k, .join = reading % JOINS};
	Costs *costs = costs_create(table);
	Near *near = allocate(table->rows, sizeof(Near));
	Near *kept = allocate(table->rows, sizeof(Near));

	if (reading >= 2 * JOINS)
		return NULL;
	division.least = reading < JOINS ? k + 1 : 2 * k;
	division.row = allocate(table->rows, sizeof(int));
	division.other = allocate(table->rows, sizeof(int));
	division.group = allocate(table->rows, sizeof(Group));
	for (int row = 0; row < table->rows; row++)
		division.row[row] = row;
	divide(&division, division.row, table->rows);
	for (int group = 0; group < division.groups; group++)
		while (division.group[group].rows > 0 && division.group[group].rows < k)
			group_mend(&division, &division.group[group], costs, near, kept);
	for (int group = 0; group < division.groups; group++)
		for (int i = 0; i < division.group[group].rows; i++)
			class_of[division.group[group].row[i]] = group;
	return names[reading];
}
