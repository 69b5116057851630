/*
 * chains.c
 *		See chains.h.
 *
 * A cell shrinks only if all rows leave that need it.  So a record tries, for each attribute, the
 * next lower cell on the way to its own value: it lets go of all rows outside.  Each of these needs
 * another record, and this record another row instead.  That is a chain: it takes a row nearby, one
 * of whose records lets go of that and takes another, and so on, until one takes the row that was
 * left.  Chains are found in the order of their growth, the least first; those that end in a record
 * whose cells cover the row already cost nothing.  If all chains together cost as much as the
 * smaller cell saves, everything is put back.
 *
 * Example: k = 2, classes a1 a2 and a3 b3 with the labels a* and *3.  Record a1 shows a* as it
 * covers a2, .. no chain helps.  With a further class a1 c1 (*1): the first record takes the other
 * row a1, whose record c1 takes a2 at *: a1 shows a1, c1 hides both.  That saves a* and costs one
 * more hidden cell.
 */
#include "postgres.h"

#include "matching/chains.h"

#include "base/progress.h"

#define PURPOSE "matching of rows"
#define ROUNDS 6
#define LEAST_GAIN 0.001  /* as a share of the cost; below it the rounds end */
#define STEPS_MOST 8192   /* of one search */
#define EXPANDED_MOST 40  /* .. of these */
#define WORK_OF_ROW 30000 /* pairs weighed for each row, at most */
#define STRIDE 7919       /* from one record to the next: neighbours do not come one by one */

/* A record that lets go of a row that the record of the step before takes. */
typedef struct Step
{
	int32 record;
	int32 row;
	int32 before; /* -1: none, this is the record that shrinks */
	int32 cost;   /* growth so far */
} Step;

/* A record covers another row, or a row is covered by another record, instead. */
typedef struct Change
{
	int32 *list; /* k of them, or k - 1 */
	int32 old;
	int32 new;
	int32 record;
} Change;

typedef struct Chains
{
	Block *block;
	const Candidates *candidates;
	int32 *covering;     /* [row * k + i]: records */
	int32 *cost;         /* [record] */
	int32 *record_stamp; /* the last search that visited it */
	int32 *row_stamp;
	int32 stamp;
	bool *leaving; /* [row]: the record that shrinks lets go of it */
	int32 *left;   /* .. these rows */
	Step *step;    /* of a search */
	int32 steps;
	int32 *heap; /* of steps, the cheapest on top */
	int32 heaped;
	int32 best;  /* the step that ends the cheapest chain; -1: none */
	int32 least; /* .. its cost */
	int32 *cell; /* scratch */
	Change *change;
	int64 changes;
	int64 room;
	int64 work;
} Chains;

static inline int32 *
covered_by(const Chains *chains, int32 record)
{
	return chains->block->covered + (int64) record * chains->block->k;
}

static inline const int32 *
code_of(const Chains *chains, int32 row)
{
	return chains->block->code + (int64) row * chains->block->attributes;
}

static inline int32 *
cell_of(const Chains *chains, int32 record)
{
	return chains->block->cell + (int64) record * chains->block->attributes;
}

/* ---- The heap. */

static void
push(Chains *chains, int32 step)
{
	int32 *heap = chains->heap;
	int32 at = chains->heaped++;

	while (at > 0 && chains->step[heap[(at - 1) / 2]].cost > chains->step[step].cost)
	{
		heap[at] = heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	heap[at] = step;
}

static int32
pop(Chains *chains)
{
	int32 *heap = chains->heap;
	int32 top = heap[0];
	int32 last = heap[--chains->heaped];
	int32 at = 0;

	for (;;)
	{
		int32 child = 2 * at + 1;

		if (child >= chains->heaped)
			break;
		if (child + 1 < chains->heaped &&
			chains->step[heap[child + 1]].cost < chains->step[heap[child]].cost)
			child++;
		if (chains->step[heap[child]].cost >= chains->step[last].cost)
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = last;
	return top;
}

/* ---- Search for a chain. */

/* The cells of a record without one row, and without rows that leave; -1: only without these. */
static void
find_cells(const Chains *chains, int32 record, int32 without, bool leaves, int32 *cell)
{
	const Block *block = chains->block;
	const int32 *covered = covered_by(chains, record);

	memcpy(cell, code_of(chains, record), sizeof(int32) * block->attributes);
	for (int i = 1; i < block->k; i++)
		if (covered[i] != without && !(leaves && chains->leaving[covered[i]]))
			block_join(block, cell, code_of(chains, covered[i]), cell);
}

static bool
is_on_chain(const Chains *chains, int32 step, int32 record, int32 row)
{
	for (; step >= 0; step = chains->step[step].before)
		if (chains->step[step].record == record || chains->step[step].row == row)
			return true;
	return false;
}

static void
offer_end(Chains *chains, int32 step, int32 cost)
{
	if (cost >= chains->least)
		return;
	chains->least = cost;
	chains->best = step;
}

/* The records that cover a row which the step's record could take at this cost. */
static void
add_steps(Chains *chains, int32 before, int32 row, int32 cost, bool free, int32 wanted)
{
	const Block *block = chains->block;
	const int32 *covering = chains->covering + (int64) row * block->k;

	for (int i = 0; i < block->k && chains->steps < STEPS_MOST && cost < chains->least; i++)
	{
		int32 record = covering[i];

		chains->work++;
		if (record == row || chains->record_stamp[record] == chains->stamp ||
			is_on_chain(chains, before, record, row))
			continue;
		chains->step[chains->steps] =
			(Step){.record = record, .row = row, .before = before, .cost = cost};
		if (free)
			chains->record_stamp[record] = chains->stamp;
		if (block_cells_cover(block, cell_of(chains, record), wanted) &&
			!block_covers(block, record, wanted))
			offer_end(chains, chains->steps, cost);
		else
			push(chains, chains->steps);
		chains->steps++;
	}
}

/* Goes on from a step. "wanted": the row that needs a record. */
static void
expand(Chains *chains, int32 number, int32 wanted)
{
	const Block *block = chains->block;
	Step step = chains->step[number];
	int32 *cell = chains->cell;
	int32 count =
		chains->candidates->all ? block->count : chains->candidates->near_used[step.record];
	const int32 *near = chains->candidates->near + (int64) step.record * chains->candidates->room;

	find_cells(chains, step.record, step.row, step.before < 0, cell);
	chains->work += block->k;
	if (step.before >= 0)
	{
		step.cost += block_cells_cost(block, step.record, cell) - chains->cost[step.record];
		if (!block_covers(block, step.record, wanted))
			offer_end(chains, number,
					  step.cost + block_cells_growth(block, step.record, cell, wanted,
													 chains->least - step.cost));
	}
	for (int32 i = 0; i < count; i++)
	{
		int32 row = chains->candidates->all ? i : near[i];
		int32 growth;

		if (row == wanted || chains->row_stamp[row] == chains->stamp)
			continue;
		chains->work++;
		growth = block_cells_growth(block, step.record, cell, row, chains->least - step.cost);
		if (step.cost + growth >= chains->least || block_covers(block, step.record, row))
			continue;
		if (growth == 0)
			chains->row_stamp[row] = chains->stamp;
		add_steps(chains, number, row, step.cost + growth, growth == 0, wanted);
	}
}

/* Finds the cheapest chain that costs less than "most". */
static bool
find_chain(Chains *chains, int32 record, int32 wanted, int32 most)
{
	chains->stamp++;
	chains->steps = 0;
	chains->heaped = 0;
	chains->best = -1;
	chains->least = most;
	chains->step[chains->steps] = (Step){.record = record, .row = -1, .before = -1};
	chains->record_stamp[record] = chains->stamp;
	push(chains, chains->steps++);
	for (int expanded = 0; expanded < EXPANDED_MOST && chains->heaped > 0; expanded++)
	{
		int32 next = pop(chains);

		CHECK_FOR_INTERRUPTS();
		if (chains->step[next].cost >= chains->least)
			break;
		expand(chains, next, wanted);
	}
	return chains->best >= 0;
}

/* ---- Changes of what is covered. */

static void
replace(int32 *list, int32 old, int32 new)
{
	while (*list != old)
		list++;
	*list = new;
}

static void
change(Chains *chains, int32 *list, int32 old, int32 new, int32 record)
{
	chains->change = budget_room(chains->block->budget, chains->change, &chains->room,
								 chains->changes + 1, sizeof(Change), PURPOSE);
	chains->change[chains->changes++] =
		(Change){.list = list, .old = old, .new = new, .record = record};
	replace(list, old, new);
}

/* Sets the cells of a record and their cost; returns by how much it grew. */
static int32
set_cells(Chains *chains, int32 record, bool leaves)
{
	int32 before = chains->cost[record];
	int32 *cell = cell_of(chains, record);

	find_cells(chains, record, -1, leaves, cell);
	chains->cost[record] = block_cells_cost(chains->block, record, cell);
	return chains->cost[record] - before;
}

/* Follows the chain found; returns its cost. */
static int32
follow(Chains *chains, int32 record, int32 wanted)
{
	int k = chains->block->k;
	int32 cost = 0;
	int32 row = wanted;
	int32 loser = record;

	chains->leaving[wanted] = false;
	for (int32 at = chains->best; at >= 0; at = chains->step[at].before)
	{
		const Step *step = &chains->step[at];
		int32 drops = step->before < 0 ? wanted : step->row;

		change(chains, covered_by(chains, step->record) + 1, drops, row, step->record);
		change(chains, chains->covering + (int64) row * k, loser, step->record, step->record);
		cost += set_cells(chains, step->record, step->before < 0);
		row = drops;
		loser = step->record;
	}
	return cost;
}

static void
undo(Chains *chains, int32 record)
{
	for (int64 i = chains->changes - 1; i >= 0; i--)
		replace(chains->change[i].list, chains->change[i].new, chains->change[i].old);
	for (int64 i = 0; i < chains->changes; i++)
		set_cells(chains, chains->change[i].record, false);
	set_cells(chains, record, false);
}

/* The rows that the record covers outside the cell below its own; their number. */
static int
find_leaving(Chains *chains, int32 record, int attribute)
{
	const Block *block = chains->block;
	const int32 *covered = covered_by(chains, record);
	int32 cell = cell_of(chains, record)[attribute];
	int32 own = code_of(chains, record)[attribute];
	int count = 0;

	for (int i = 1; i < block->k; i++)
		if (block_code_needs(block, attribute, code_of(chains, covered[i])[attribute], cell, own))
			chains->left[count++] = covered[i];
	return count;
}

/* Tries to show more of a record in this attribute. */
static bool
shrink(Chains *chains, int32 record, int attribute)
{
	int leaving = find_leaving(chains, record, attribute);
	int32 cost;

	for (int i = 0; i < leaving; i++)
		chains->leaving[chains->left[i]] = true;
	chains->changes = 0;
	cost = set_cells(chains, record, true);
	for (int i = 0; i < leaving && cost < 0; i++)
	{
		if (!find_chain(chains, record, chains->left[i], -cost))
			cost = 0;
		else
			cost += follow(chains, record, chains->left[i]);
	}
	for (int i = 0; i < leaving; i++)
		chains->leaving[chains->left[i]] = false;
	if (cost < 0)
		return true;
	undo(chains, record);
	return false;
}

static void
improve_record(Chains *chains, int32 record)
{
	const Block *block = chains->block;
	bool again = chains->cost[record] > 0;

	while (again)
	{
		again = false;
		for (int a = 0; a < block->attributes; a++)
			if (cell_of(chains, record)[a] != code_of(chains, record)[a])
				again = shrink(chains, record, a) || again;
	}
}

static Chains *
begin_chains(Block *block, const Candidates *candidates)
{
	Chains *chains = palloc0(sizeof(Chains));
	Budget *budget = block->budget;
	int32 count = block->count;
	int32 *used = budget_allocate(budget, count, sizeof(int32), PURPOSE);

	chains->block = block;
	chains->candidates = candidates;
	chains->covering = budget_allocate(budget, mul_size(count, block->k), sizeof(int32), PURPOSE);
	chains->cost = budget_allocate(budget, count, sizeof(int32), PURPOSE);
	chains->record_stamp = budget_allocate(budget, count, sizeof(int32), PURPOSE);
	chains->row_stamp = budget_allocate(budget, count, sizeof(int32), PURPOSE);
	chains->leaving = budget_allocate(budget, count, sizeof(bool), PURPOSE);
	chains->left = budget_allocate(budget, block->k, sizeof(int32), PURPOSE);
	chains->step = budget_allocate(budget, STEPS_MOST, sizeof(Step), PURPOSE);
	chains->heap = budget_allocate(budget, STEPS_MOST, sizeof(int32), PURPOSE);
	chains->cell = palloc(sizeof(int32) * Max(block->attributes, 1));
	for (int32 record = 0; record < count; record++)
	{
		CHECK_FOR_INTERRUPTS();
		set_cells(chains, record, false);
		for (int i = 0; i < block->k; i++)
		{
			int32 row = covered_by(chains, record)[i];

			chains->covering[(int64) row * block->k + used[row]++] = record;
		}
	}
	pfree(used);
	return chains;
}

static void
end_chains(Chains *chains)
{
	if (chains->change)
		pfree(chains->change);
	pfree(chains->covering);
	pfree(chains->cost);
	pfree(chains->record_stamp);
	pfree(chains->row_stamp);
	pfree(chains->leaving);
	pfree(chains->left);
	pfree(chains->step);
	pfree(chains->heap);
	pfree(chains->cell);
	pfree(chains);
}

void
chains_run(Block *block, const Candidates *candidates)
{
	Chains *chains = begin_chains(block, candidates);
	int64 most = (int64) block->count * WORK_OF_ROW;
	int32 stride = block->count % STRIDE == 0 ? 1 : STRIDE % block->count;

	for (int round = 0; round < ROUNDS; round++)
	{
		int64 cost = block_total(block);

		for (int32 i = 0; i < block->count && chains->work < most; i++)
		{
			CHECK_FOR_INTERRUPTS();
			progress_still();
			improve_record(chains, (int32) ((int64) i * stride % block->count));
		}
		if (cost - block_total(block) <= cost * LEAST_GAIN)
			break;
	}
	end_chains(chains);
}
