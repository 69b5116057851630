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

#include "base/context.h"
#include "base/progress.h"
#include "matching/assignment.h"
#include "matching/candidates.h"
#include "matching/chains.h"
#include "utils/memutils.h"

#define PURPOSE "matching of rows"
#define BLOCK_ROWS 100000 /* Murakami, Uno 2017, section 3.2.3 */
#define ROUNDS 3
#define LEAST_GAIN 0.0005 /* as a share of the cost; below it the phase ends */

/* Beyond these, classes are a better beginning than assignments, which take long. */
#define ASSIGNED_K 5
#define ASSIGNED_PAIRS 100000 /* k times the rows of a block */

typedef struct TwoPhase
{
	Block *block;
	Candidates *candidates;
	Assignment *assignment;
	int64 begin; /* number of the block's first row */
	int step;    /* assignments made so far, .. */
	int steps;   /* .. and at most */
} TwoPhase;

/* ---- The two phases. */

/* Reports the assignments made as a share of the block's rows. */
static void
report_step(TwoPhase *phases)
{
	phases->step++;
	progress_done(phases->begin + (int64) phases->block->count * phases->step / phases->steps);
}

/* A PairWeight. */
static int32
weight_of(const void *state, int32 record, int32 row)
{
	const Block *block = state;

	return block_covers(block, record, row) ? -1 : block_growth(block, record, row);
}

/* Phase one. */
static void
add_matching(TwoPhase *phases)
{
	Block *block = phases->block;
	int32 unmatched;

	candidates_collect(phases->candidates, phases->assignment);
	unmatched = assignment_solve(phases->assignment);
	if (unmatched > 0)
		assignment_complete(phases->assignment, unmatched, weight_of, block);
	for (int32 record = 0; record < block->count; record++)
	{
		int32 row = phases->assignment->right_of[record];

		CHECK_FOR_INTERRUPTS();
		block->covered[(int64) record * block->k + block->matched] = row;
		block_cover(block, record, row);
	}
	block->matched++;
	report_step(phases);
}

/* Collects the rows covered from "first" on, each weighted by the cost without it. */
static void
collect_covered(TwoPhase *phases, int first)
{
	Block *block = phases->block;
	const Assignment *pairs = phases->assignment;
	Size nodes = mul_size(block->attributes, (Size) block->k + 1);
	int32 *after = budget_allocate(block->budget, nodes, sizeof(int32), PURPOSE);

	for (int32 record = 0; record < block->count; record++)
	{
		pairs->used[record] = block->k - first;
		memcpy(assignment_rights(pairs, record), block->covered + (int64) record * block->k + first,
			   sizeof(int32) * pairs->used[record]);
		block_costs_without(block, record, first, after, assignment_weights(pairs, record));
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
		block_find_cells(block, record);
	}
}

/* The row that was removed, which is still assigned, may come back. */
static void
add_removed(TwoPhase *phases)
{
	const Assignment *pairs = phases->assignment;

	for (int32 record = 0; record < pairs->count; record++)
	{
		int32 *rights = assignment_rights(pairs, record);
		int32 row = pairs->right_of[record];
		int32 used = pairs->used[record];
		int32 growth;
		int32 at = 0;

		CHECK_FOR_INTERRUPTS();
		while (at < used && rights[at] != row)
			at++;
		if (at == pairs->stride)
			at--;
		rights[at] = row;
		growth = block_growth(phases->block, record, row);
		assignment_weights(pairs, record)[at] = Min(growth, PG_UINT16_MAX);
		pairs->used[record] = Max(used, at + 1);
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
		block_cover(block, record, row);
	}
	block->matched = block->k;
}

static void
solve_perfectly(TwoPhase *phases)
{
	if (assignment_solve(phases->assignment) > 0)
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
	candidates_collect(phases->candidates, phases->assignment);
	add_removed(phases);
	solve_perfectly(phases);
	put_in(phases, first);
}

/* Both phases, for records that cover only themselves. */
static void
assign(TwoPhase *phases)
{
	Block *block = phases->block;
	int exchanges = Min(block->k - 1, 2);

	phases->steps = block->k - 1 + ROUNDS * exchanges * 2;
	phases->assignment = assignment_create(block->count, candidates_stride(block), block->budget);
	/* Phase one: k - 1 matchings besides the identity. */
	while (block->matched < block->k)
		add_matching(phases);
	/* Phase two: better matchings for some of them, as long as that gains enough. */
	block->wide = block->cell;
	for (int round = 0; round < ROUNDS; round++)
	{
		int64 cost = block_total(block);

		for (int first = 1; first <= exchanges; first++)
			exchange_matching(phases, first);
		if (cost - block_total(block) <= cost * LEAST_GAIN)
			break;
	}
}

/* ---- The beginnings, and the better of them. */

typedef struct TwoPhaseResult
{
	Matching *matching;   /* the rings of the classes, until a block has better records */
	BlockAttribute *fine; /* costs with which beginnings are improved and compared */
	int attributes;       /* .. their number */
} TwoPhaseResult;

/* Finds the cells of what the records cover; returns their cost. */
static int64
find_cost(Block *fine)
{
	for (int32 record = 0; record < fine->count; record++)
		block_find_cells(fine, record);
	return block_total(fine);
}

/* Numbers within the block are those of the table from "begin" on. */
static void
take_rings(const TwoPhaseResult *result, Block *block, int64 begin)
{
	const int32 *covered = matching_covered(result->matching, begin);

	block->matched = block->k;
	for (int64 i = 0; i < (int64) block->count * block->k; i++)
	{
		interrupt_check(i);
		block->covered[i] = covered[i] - (int32) begin;
	}
}

static void
store(const TwoPhaseResult *result, const Block *block, int64 begin)
{
	int32 *covered = matching_covered(result->matching, begin);

	for (int64 i = 0; i < (int64) block->count * block->k; i++)
	{
		interrupt_check(i);
		covered[i] = (int32) begin + block->covered[i];
	}
}

/* What both phases find, for records that cover only themselves; its memory is freed. */
static void
begin_assigned(TwoPhase *phases)
{
	MemoryContext scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon assignments", CONTEXT_SMALL_SIZES);
	MemoryContext previous = MemoryContextSwitchTo(scratch);

	phases->candidates = candidates_create(phases->block, NEAR_ROOM, true);
	assign(phases);
	MemoryContextSwitchTo(previous);
	MemoryContextDelete(scratch);
}

/* A BlockConsumer. */
static void
match_block(void *state, Block *block, int64 begin)
{
	const TwoPhaseResult *result = state;
	Size bytes = mul_size(sizeof(int32), mul_size(block->count, block->k));
	bool assigns = block->k <= ASSIGNED_K || (int64) block->count * block->k <= ASSIGNED_PAIRS;
	int32 *assigned = NULL;
	int64 cost = 0;
	Block fine;

	/* Every record covers every row. */
	if (block->count == block->k)
		return;
	if (assigns)
	{
		TwoPhase phases = {.block = block, .begin = begin};

		begin_assigned(&phases);
		assigned = budget_allocate(block->budget, bytes, 1, PURPOSE);
		memcpy(assigned, block->covered, bytes);
	}
	fine = block_refine(block, result->fine, result->attributes);
	if (assigns)
		cost = find_cost(&fine);
	take_rings(result, block, begin);
	if (assigns && find_cost(&fine) > cost)
		memcpy(block->covered, assigned, bytes);
	if (assigns)
		pfree(assigned);
	chains_run(&fine, candidates_create(block, candidates_room(block), false));
	store(result, block, begin);
}

Matching *
two_phase_run(const MatchingTable *rows, int k)
{
	TwoPhaseResult result = {.matching = ring_run(rows, k)};
	int64 most = BLOCK_ROWS;
	MemoryContext costs =
		AllocSetContextCreate(CurrentMemoryContext, "kanon costs", CONTEXT_SMALL_SIZES);
	MemoryContext previous;

	/*
	 * Enough rows in each block to choose from.  Must not depend on memory, or another limit would
	 * give another release.
	 */
	while (candidates_are_all(k, (int32) Min(most / 2, PG_INT32_MAX)))
		most *= 2;
	previous = MemoryContextSwitchTo(costs);
	result.fine = block_attributes_refined(rows, BLOCK_COST_FINE, &result.attributes);
	MemoryContextSwitchTo(previous);
	block_each(rows, k, most, match_block, &result);
	MemoryContextDelete(costs);
	return result.matching;
}
