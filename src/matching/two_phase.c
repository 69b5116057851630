/*
 * two_phase.c
 *		Two-phase generalization; see matching.h.
 *
 * Phase one adds k - 1 perfect matchings to the identity, each of least weight on its candidates.
 * The weight of a pair is the growth of the record's cells.
 *
 * Phase two removes a perfect matching from the k-regular graph, the one without which the records
 * lose least, and inserts the one of least weight.  The two differ by alternating cycles; taking
 * the minimum cancels all negative cycles at once instead of one by one.  Loss never grows.  A
 * round does this twice; the second time, the matching just inserted stays.
 *
 * Example: the rows 11, 11, 12, 22, 22 of two attributes, k = 2.  Phase one: records 0 and 1 could
 * cover each other, and so could 3 and 4, at no cost, but then 2 would be left alone.  So 1, 2 and
 * 0 form a cycle (1* for 2 and for the record that covers it), two hidden cells in all.
 */
#include "postgres.h"

#include "matching/matching.h"

#include "base/progress.h"
#include "matching/assignment.h"
#include "matching/candidates.h"

#define PURPOSE "matching of rows"
#define BLOCK_ROWS 100000 /* Murakami, Uno 2017, section 3.2.3 */
#define ROUNDS 3
#define LEAST_GAIN 0.0005 /* as a share of the cost; below it the phase ends */
#define REPAIR_LOOKS 64   /* unmatched rows to choose from */

typedef struct TwoPhase
{
	Block *block;
	Candidates *candidates;
	PairTable pairs;
	Assignment *assignment;
	int32 *removed; /* [record]: in phase two, the row removed */
	int64 begin;    /* number of the block's first row */
	int step;       /* assignments made so far, .. */
	int steps;      /* .. and at most */
} TwoPhase;

/* Reports the assignments made as a share of the block's rows. */
static void
report_step(TwoPhase *phases)
{
	phases->step++;
	progress_done(phases->begin + (int64) phases->block->count * phases->step / phases->steps);
}

/* The unmatched row that costs the record least, among some; its index in "rows" or -1. */
static int32
cheapest(const TwoPhase *phases, int32 record, const int32 *rows, int32 count)
{
	int32 best = -1;
	int32 least = PG_INT32_MAX;

	for (int32 i = 0, looks = 0; i < count && looks < REPAIR_LOOKS; i++)
	{
		int32 growth;

		if (block_covers(phases->block, record, rows[i]))
			continue;
		looks++;
		growth = block_growth(phases->block, record, rows[i]);
		if (growth < least)
			best = i;
		least = Min(least, growth);
	}
	return best;
}

/*
 * The record covers all remaining rows: it takes the row of another record, which takes one of
 * those.  There are always enough other records, because blocks without all pairs have more than 4k
 * rows.
 */
static void
swap_in(TwoPhase *phases, int32 record, int32 row)
{
	Assignment *assignment = phases->assignment;

	for (int32 other = 0; other < assignment->count; other++)
	{
		int32 given = assignment->right_of[other];

		CHECK_FOR_INTERRUPTS();
		if (given < 0 || block_covers(phases->block, other, row) ||
			block_covers(phases->block, record, given))
			continue;
		assignment->right_of[other] = row;
		assignment->right_of[record] = given;
		return;
	}
	elog(ERROR, "no row left to cover");
}

/* Pairs records and rows that no candidates connect with any others. */
static void
repair(TwoPhase *phases, int32 unmatched)
{
	Assignment *assignment = phases->assignment;
	int32 *rows = budget_allocate(phases->block->budget, unmatched, sizeof(int32), PURPOSE);
	int32 count = 0;

	for (int32 row = 0; row < assignment->count; row++)
		if (assignment->left_of[row] < 0)
			rows[count++] = row;
	for (int32 record = 0; record < assignment->count; record++)
	{
		int32 best;

		CHECK_FOR_INTERRUPTS();
		if (assignment->right_of[record] >= 0)
			continue;
		best = cheapest(phases, record, rows, count);
		if (best >= 0)
			assignment->right_of[record] = rows[best];
		else
			swap_in(phases, record, rows[best = 0]);
		rows[best] = rows[--count];
	}
	pfree(rows);
}

static void
cover(Block *block, int32 record, int32 row)
{
	const int32 *code = block->code + (int64) row * block->attributes;
	int32 *cell = block->cell + (int64) record * block->attributes;
	int32 *wide = block->wide + (int64) record * block->attributes;

	for (int a = 0; a < block->attributes; a++)
	{
		const CellTree *tree = block->attribute[a].tree;

		cell[a] = cell_tree_join(tree, cell[a], code[a]);
		if (wide != cell)
			wide[a] = cell_tree_join(tree, wide[a], code[a]);
	}
}

/* Phase one. */
static void
add_matching(TwoPhase *phases)
{
	Block *block = phases->block;
	int32 unmatched;

	candidates_collect(phases->candidates, &phases->pairs);
	unmatched = assignment_solve(phases->assignment, &phases->pairs);
	if (unmatched > 0)
		repair(phases, unmatched);
	for (int32 record = 0; record < block->count; record++)
	{
		int32 row = phases->assignment->right_of[record];

		CHECK_FOR_INTERRUPTS();
		block->covered[(int64) record * block->k + block->matched] = row;
		cover(block, record, row);
	}
	block->matched++;
	report_step(phases);
}

/* Collects the rows covered from "first" on, each weighted by the cost without it. */
static void
collect_covered(TwoPhase *phases, int first)
{
	Block *block = phases->block;
	PairTable *pairs = &phases->pairs;
	Size nodes = mul_size(block->attributes, (Size) block->k + 1);
	int32 *after = budget_allocate(block->budget, nodes, sizeof(int32), PURPOSE);

	for (int32 record = 0; record < block->count; record++)
	{
		pairs->used[record] = block->k - first;
		memcpy(pair_table_rights(pairs, record), block->covered + (int64) record * block->k + first,
			   sizeof(int32) * pairs->used[record]);
		block_costs_without(block, record, first, after, pair_table_weights(pairs, record));
	}
	pfree(after);
}

/* Removes one of each record's rows from "first" on and closes the gap. */
static void
take_out(TwoPhase *phases, int first)
{
	Block *block = phases->block;

	block->matched = block->k - 1;
	for (int32 record = 0; record < block->count; record++)
	{
		int32 *covered = block->covered + (int64) record * block->k;
		int32 row = phases->assignment->right_of[record];
		int at = first;

		CHECK_FOR_INTERRUPTS();
		while (covered[at] != row)
			at++;
		covered[at] = covered[block->k - 1];
		phases->removed[record] = row;
		block_find_cells(block, record);
	}
}

/* The row that was removed may come back. */
static void
add_removed(TwoPhase *phases)
{
	for (int32 record = 0; record < phases->pairs.count; record++)
	{
		int32 *rights = pair_table_rights(&phases->pairs, record);
		int32 row = phases->removed[record];
		int32 used = phases->pairs.used[record];
		int32 growth;
		int32 at = 0;

		CHECK_FOR_INTERRUPTS();
		while (at < used && rights[at] != row)
			at++;
		if (at == phases->pairs.stride)
			at--;
		rights[at] = row;
		growth = block_growth(phases->block, record, row);
		pair_table_weights(&phases->pairs, record)[at] = Min(growth, PG_UINT16_MAX);
		phases->pairs.used[record] = Max(used, at + 1);
	}
}

/* Inserts a row at place "first"; the one there goes last. */
static void
put_in(TwoPhase *phases, int first)
{
	Block *block = phases->block;

	for (int32 record = 0; record < block->count; record++)
	{
		int32 *covered = block->covered + (int64) record * block->k;
		int32 row = phases->assignment->right_of[record];

		CHECK_FOR_INTERRUPTS();
		covered[block->k - 1] = covered[first];
		covered[first] = row;
		cover(block, record, row);
	}
	block->matched = block->k;
}

static void
solve_perfectly(TwoPhase *phases)
{
	if (assignment_solve(phases->assignment, &phases->pairs) > 0)
		elog(ERROR, "regular graph without perfect matching");
	report_step(phases);
}

/* Phase two: exchanges one matching; those before "first" stay. */
static void
exchange_matching(TwoPhase *phases, int first)
{
	/* Remove the matching without which the records lose least .. */
	collect_covered(phases, first);
	solve_perfectly(phases);
	take_out(phases, first);
	/* .. and insert the one of least growth, at worst the one removed. */
	candidates_collect(phases->candidates, &phases->pairs);
	add_removed(phases);
	solve_perfectly(phases);
	put_in(phases, first);
}

/* A BlockConsumer. */
static void
match_block(void *state, Block *block, int64 begin)
{
	Matching *matching = state;
	Budget *budget = block->budget;
	int exchanges = Min(block->k - 1, 2);
	TwoPhase phases = {
		.block = block, .begin = begin, .steps = block->k - 1 + ROUNDS * exchanges * 2};

	phases.candidates = candidates_create(block);
	phases.pairs = pair_table_create(block->count, candidates_stride(block), budget);
	phases.assignment = assignment_create(block->count, budget);
	phases.removed = budget_allocate(budget, block->count, sizeof(int32), PURPOSE);
	/* Phase one: k - 1 matchings besides the identity. */
	while (block->matched < block->k)
		add_matching(&phases);
	/* Phase two: better matchings for some of them, as long as that gains enough. */
	block->wide = block->cell;
	for (int round = 0; round < ROUNDS; round++)
	{
		int64 cost = block_total(block);

		for (int first = 1; first <= exchanges; first++)
			exchange_matching(&phases, first);
		if (cost - block_total(block) <= cost * LEAST_GAIN)
			break;
	}
	/* Converts numbers within the block to those of the table. */
	for (int64 i = 0; i < (int64) block->count * block->k; i++)
	{
		interrupt_check(i);
		matching->covered[begin * block->k + i] = (int32) begin + block->covered[i];
	}
}

Matching *
two_phase_run(const MatchingTable *rows, int k)
{
	Matching *matching;
	int64 most = BLOCK_ROWS;

	/* Every record covers every row. */
	if (rows->dataset->rows == k)
		return ring_run(rows, k);
	/*
	 * Enough rows in each block to choose from.  Must not depend on memory, or another limit would
	 * give another release.
	 */
	while (candidates_are_all(k, (int32) Min(most / 2, PG_INT32_MAX)))
		most *= 2;
	matching = matching_create(rows->dataset->rows, k, rows->budget);
	block_each(rows, k, most, match_block, matching);
	return matching;
}
