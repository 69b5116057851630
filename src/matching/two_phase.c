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
#include "matching/row_groups.h"

#define PURPOSE "matching of rows"
#define BLOCK_ROWS 100000 /* Murakami, Uno 2017, section 3.2.3 */
#define ROUNDS 3
#define LEAST_GAIN 0.0005 /* as a share of the cost; below it the phase ends */

/*
 * ---- Candidates: the rows that a record might cover, the pairs that an assignment chooses from.
 *
 * Murakami, Uno 2017, section 3.2.1, take the pairs of least Hamming distance in the original rows,
 * once.  Beyond k = 3 it matters more that the rows of a record agree in the same attributes.  So
 * there are two kinds of candidates:
 *
 * - near rows, found once: those equal under the patterns that lose least (a multi-sorting like
 *   Uno's, by patterns instead of blocks of attributes), and the reverse pairs, so that every row
 *   is a candidate;
 * - rows equal under the current pattern of the record's wide cells, or under one that raises one
 *   attribute by one level.
 *
 * In small blocks, all pairs are candidates.
 */

#define NEAR_OWN 32       /* near rows sought for each record */
#define NEAR_ROOM 64      /* .. plus those of the reverse pairs */
#define NEAR_OF_PATTERN 6 /* .. from one pattern */
#define WALKED_PATTERNS 1024
#define GROUPED_PATTERNS 1024
#define ALIKE(k) (16 + (k) / 2) /* rows equal under a record's own pattern */
#define RAISED_SHARE 8          /* this fraction of them under a raised one */
#define RAISED_PATTERNS 16      /* raised patterns that the table of pairs has room for */
#define TARGET_TURNS 6          /* twice as many would hide 0.2 % less */
#define ALL_PAIRS 64            /* rows up to which blocks have all pairs, whatever k */

typedef struct TwoPhase
{
	Block *block;
	bool all;    /* all pairs are candidates */
	int32 *near; /* [record * NEAR_ROOM + i]: rows */
	uint8 *near_used;
	RowGroups *groups;   /* of rows */
	RowGroups *patterns; /* of records whose wide cells have the same levels */
	int32 *stamp;        /* [row]: the last record that got a pair with it */
	int turn;            /* number of times pairs were collected */
	Assignment *assignment;
	int64 begin; /* number of the block's first row */
	int step;    /* assignments made so far, .. */
	int steps;   /* .. and at most */
} TwoPhase;

/* The records whose wide cells have the same levels. */
typedef struct WidePattern
{
	uint64 key;
	int32 begin; /* places in the grouped records */
	int32 end;
} WidePattern;

/* Do blocks with this many rows have all pairs as candidates? */
static bool
candidates_are_all(int k, int32 count)
{
	return count <= ALL_PAIRS || (count - 8) / 4 <= k;
}

/* The most pairs of a record. */
static int
candidates_stride(const Block *block)
{
	int raised = Min(block->attributes, RAISED_PATTERNS);
	int some = NEAR_ROOM + ALIKE(block->k) + raised * (ALIKE(block->k) / RAISED_SHARE + 1);

	return candidates_are_all(block->k, block->count) ? block->count : Max(some, block->k);
}

static void
add_near(TwoPhase *phases, int32 record, int32 row, int most)
{
	if (phases->near_used[record] < most && record != row)
		phases->near[(int64) record * NEAR_ROOM + phases->near_used[record]++] = row;
}

/* Adds the next rows around the record's group. */
static void
add_near_of_group(TwoPhase *phases, int32 record)
{
	const RowGroups *groups = phases->groups;
	int32 place = groups->place[record];
	int32 begin = groups->begin[place];
	int32 end = groups->end[place];
	int32 wanted = Min(NEAR_OF_PATTERN, end - begin - 1);

	for (int32 i = 0; i < wanted; i++)
	{
		if (++place == end)
			place = begin;
		add_near(phases, record, groups->row[place], NEAR_OWN);
	}
}

/* Adds neighbours in row order for records with too few near rows. */
static void
add_neighbours(TwoPhase *phases)
{
	int32 count = phases->block->count;

	for (int32 record = 0; record < count; record++)
	{
		interrupt_check(record);
		for (int32 far = 1; far <= NEAR_OF_PATTERN / 2; far++)
		{
			add_near(phases, record, (record + far) % count, NEAR_OWN + NEAR_OF_PATTERN);
			add_near(phases, record, (record + count - far) % count, NEAR_OWN + NEAR_OF_PATTERN);
		}
	}
}

/* Adds the reverse of near pairs, first for rows with the highest prices. */
static void
add_reverse(TwoPhase *phases, const int32 *price)
{
	const Block *block = phases->block;
	uint8 *own = budget_allocate(block->budget, block->count, sizeof(uint8), PURPOSE);
	int32 lowest = 0;

	memcpy(own, phases->near_used, block->count);
	for (int32 record = 0; record < block->count; record++)
	{
		interrupt_check(record);
		lowest = Min(lowest, price[record]);
	}
	for (int pass = 0; pass < 2; pass++)
		for (int32 record = 0; record < block->count; record++)
		{
			interrupt_check(record);
			if ((price[record] <= lowest / 2) != (pass == 0))
				continue;
			for (int i = 0; i < own[record]; i++)
				add_near(phases, phases->near[(int64) record * NEAR_ROOM + i], record, NEAR_ROOM);
		}
	pfree(own);
}

static void
find_near(TwoPhase *phases, const int32 *price)
{
	PatternWalk *walk = pattern_walk_create(phases->block, WALKED_PATTERNS);
	const uint8 *level;
	int32 wanting = phases->block->count;

	/* Goes from pattern to pattern until every record has enough of its own. */
	while (wanting > 0 && (level = pattern_walk_next(walk)) != NULL)
	{
		wanting = 0;
		row_groups_form(phases->groups, level);
		for (int32 record = 0; record < phases->block->count; record++)
		{
			CHECK_FOR_INTERRUPTS();
			if (phases->near_used[record] < NEAR_OWN)
				add_near_of_group(phases, record);
			if (phases->near_used[record] < NEAR_OWN)
				wanting++;
		}
	}
	pattern_walk_free(walk);
	add_neighbours(phases);
	add_reverse(phases, price);
}

/* Finds the near rows, and sets the block's wide cells to the targets (row_groups.h). */
static void
begin_candidates(TwoPhase *phases)
{
	Block *block = phases->block;
	Budget *budget = block->budget;
	int32 *price;

	phases->all = candidates_are_all(block->k, block->count);
	phases->stamp = budget_allocate(budget, block->count, sizeof(int32), PURPOSE);
	phases->groups = row_groups_create(block);
	phases->patterns = row_groups_create(block);
	phases->near =
		budget_allocate(budget, mul_size(block->count, NEAR_ROOM), sizeof(int32), PURPOSE);
	phases->near_used = budget_allocate(budget, block->count, sizeof(uint8), PURPOSE);
	price = budget_allocate(budget, block->count, sizeof(int32), PURPOSE);
	targets_find(block, phases->groups, TARGET_TURNS, price);
	/* Near rows are useless if all rows are candidates. */
	if (!phases->all)
	{
		row_groups_order(phases->groups, NULL);
		find_near(phases, price);
	}
	pfree(price);
}

static uint64
mix(uint64 a, uint64 b)
{
	uint64 value = (a ^ (b * UINT64CONST(0x9E3779B97F4A7C15))) * UINT64CONST(0xBF58476D1CE4E5B9);

	return value ^ (value >> 31);
}

static uint64
level_key(int attribute, int level)
{
	return level == 0 ? 0 : mix(mix(attribute + 1, level), 1);
}

/* The levels of the record's wide cells above its codes. */
static void
wide_levels(const Block *block, int32 record, uint8 *level)
{
	const int32 *code = block->code + (int64) record * block->attributes;
	const int32 *wide = block->wide + (int64) record * block->attributes;

	for (int a = 0; a < block->attributes; a++)
	{
		const CellTree *tree = block->attribute[a].tree;

		level[a] = 0;
		for (int32 node = code[a]; node != wide[a] && level[a] < PG_UINT8_MAX;
			 node = tree->parent[node])
			level[a]++;
	}
}

static void
add_pair(TwoPhase *phases, int32 record, int32 row)
{
	Assignment *pairs = phases->assignment;

	if (pairs->used[record] < pairs->stride)
		assignment_rights(pairs, record)[pairs->used[record]++] = row;
}

/* Adds some rows of the record's group, different ones each turn. */
static void
add_alike(TwoPhase *phases, int32 record, int wanted)
{
	const RowGroups *groups = phases->groups;
	int32 place = groups->place[record];
	int32 begin = groups->begin[place];
	int32 size = groups->end[place] - begin;
	int32 at = begin + (int32) (mix(record, phases->turn) % size);

	for (int32 i = 0; i < Min(wanted, size); i++)
	{
		if (groups->row[at] != record)
			add_pair(phases, record, groups->row[at]);
		if (++at == begin + size)
			at = begin;
	}
}

static int
compare_keys(const void *a, const void *b)
{
	uint64 one = ((const WidePattern *) a)->key;
	uint64 other = ((const WidePattern *) b)->key;

	return one < other ? -1 : one > other;
}

static int
compare_sizes(const void *a, const void *b)
{
	const WidePattern *one = *(WidePattern *const *) a;
	const WidePattern *other = *(WidePattern *const *) b;
	int32 difference = (other->end - other->begin) - (one->end - one->begin);

	return difference != 0 ? difference : compare_keys(one, other);
}

/* Groups the records; returns the patterns sorted by key, palloc'd against the budget. */
static WidePattern *
find_patterns(TwoPhase *phases, int32 *count)
{
	const Block *block = phases->block;
	const RowGroups *records = phases->patterns;
	uint8 *level = palloc(Max(block->attributes, 1));
	WidePattern *patterns =
		budget_allocate(block->budget, block->count, sizeof(WidePattern), PURPOSE);

	for (int32 record = 0; record < block->count; record++)
	{
		CHECK_FOR_INTERRUPTS();
		wide_levels(block, record, level);
		records->key[record] = 0;
		for (int a = 0; a < block->attributes; a++)
			records->key[record] += level_key(a, level[a]);
	}
	pfree(level);
	row_groups_form_by_key(phases->patterns);
	*count = 0;
	for (int32 place = 0; place < block->count; place = records->end[place])
		patterns[(*count)++] =
			(WidePattern){.key = records->key[place], .begin = place, .end = records->end[place]};
	qsort(patterns, *count, sizeof(WidePattern), compare_keys);
	return patterns;
}

/* Adds pairs for all records of a pattern, given groups of rows under it or under a raised one. */
static void
add_records(TwoPhase *phases, const WidePattern *pattern, int wanted)
{
	for (int32 place = pattern->begin; place < pattern->end; place++)
	{
		CHECK_FOR_INTERRUPTS();
		add_alike(phases, phases->patterns->row[place], wanted);
	}
}

static void
add_pattern_pairs(TwoPhase *phases, const WidePattern *pattern, const WidePattern *patterns,
				  int32 count)
{
	const Block *block = phases->block;
	int wanted = ALIKE(block->k);
	uint8 *level = palloc(Max(block->attributes, 1));

	wide_levels(block, phases->patterns->row[pattern->begin], level);
	row_groups_form(phases->groups, level);
	add_records(phases, pattern, wanted);
	for (int a = 0; a < block->attributes; a++)
	{
		WidePattern lower = {.key = pattern->key};
		const WidePattern *found;

		if (level[a] == 0)
			continue;
		lower.key += level_key(a, level[a] - 1) - level_key(a, level[a]);
		found = bsearch(&lower, patterns, count, sizeof(WidePattern), compare_keys);
		if (found)
			add_records(phases, found, wanted / RAISED_SHARE + 1);
	}
	pfree(level);
}

static void
add_patterns(TwoPhase *phases)
{
	Budget *budget = phases->block->budget;
	int32 count;
	WidePattern *patterns = find_patterns(phases, &count);
	WidePattern **frequent = budget_allocate(budget, count, sizeof(WidePattern *), PURPOSE);

	for (int32 i = 0; i < count; i++)
		frequent[i] = &patterns[i];
	qsort(frequent, count, sizeof(WidePattern *), compare_sizes);
	for (int32 i = 0; i < Min(count, GROUPED_PATTERNS); i++)
		add_pattern_pairs(phases, frequent[i], patterns, count);
	pfree(frequent);
	pfree(patterns);
}

/* Keeps each row once, drops those that the record covers, and weighs the pairs. */
static void
weigh(TwoPhase *phases, int32 record)
{
	const Block *block = phases->block;
	const Assignment *pairs = phases->assignment;
	const int32 *covered = block->covered + (int64) record * block->k;
	int32 *rights = assignment_rights(pairs, record);
	uint16 *weights = assignment_weights(pairs, record);
	int32 kept = 0;

	for (int i = 0; i < block->matched; i++)
		phases->stamp[covered[i]] = record + 1;
	for (int32 pair = 0; pair < pairs->used[record]; pair++)
	{
		int32 row = rights[pair];
		int32 growth;

		if (phases->stamp[row] == record + 1)
			continue;
		phases->stamp[row] = record + 1;
		rights[kept] = row;
		growth = block_growth(block, record, row);
		weights[kept++] = Min(growth, PG_UINT16_MAX);
	}
	pairs->used[record] = kept;
}

/*
 * Collects the pairs of all records with rows that they do not cover, weighted by block_growth.
 * O(records * stride * attributes + patterns * rows).
 */
static void
collect_candidates(TwoPhase *phases)
{
	const Assignment *pairs = phases->assignment;

	phases->turn++;
	memset(pairs->used, 0, sizeof(int32) * pairs->count);
	for (int32 record = 0; record < pairs->count; record++)
	{
		int rows = phases->all ? pairs->count : phases->near_used[record];
		const int32 *near = phases->near + (int64) record * NEAR_ROOM;

		CHECK_FOR_INTERRUPTS();
		progress_still();
		for (int i = 0; i < rows; i++)
			add_pair(phases, record, phases->all ? i : near[i]);
	}
	if (!phases->all)
		add_patterns(phases);
	memset(phases->stamp, 0, sizeof(int32) * pairs->count);
	for (int32 record = 0; record < pairs->count; record++)
	{
		CHECK_FOR_INTERRUPTS();
		weigh(phases, record);
	}
}

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

	collect_candidates(phases);
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
	collect_candidates(phases);
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

	begin_candidates(&phases);
	phases.assignment = assignment_create(block->count, candidates_stride(block), budget);
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
