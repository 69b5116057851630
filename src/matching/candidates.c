/*
 * candidates.c
 *		See candidates.h.
 */
#include "postgres.h"

#include "matching/candidates.h"

#include "base/progress.h"

#define PURPOSE "matching of rows"

#define NEAR_BYTES (INT64CONST(25) << 20)
#define NEAR_OWN(room) ((room) / 2)         /* near rows sought for each record */
#define NEAR_OF_PATTERN(room) ((room) / 10) /* .. from one pattern */
#define NEIGHBOURS 3                        /* .. on each side */
#define WALKED_PATTERNS 1024
#define GROUPED_PATTERNS 1024
#define ALIKE(k) (16 + (k) / 2) /* rows equal under a record's own pattern */
#define RAISED_SHARE 8          /* this fraction of them under a raised one */
#define RAISED_PATTERNS 16      /* raised patterns that the table of pairs has room for */
#define TARGET_TURNS 6          /* twice as many would hide 0.2 % less */
#define ALL_PAIRS 64            /* rows up to which blocks have all pairs, whatever k */

/* The records whose wide cells have the same levels. */
typedef struct WidePattern
{
	uint64 key;
	int32 begin; /* places in the grouped records */
	int32 end;
} WidePattern;

bool
candidates_are_all(int k, int32 count)
{
	return count <= ALL_PAIRS || (count - 8) / 4 <= k;
}

int
candidates_stride(const Block *block)
{
	int raised = Min(block->attributes, RAISED_PATTERNS);
	int some = NEAR_ROOM + ALIKE(block->k) + raised * (ALIKE(block->k) / RAISED_SHARE + 1);

	return candidates_are_all(block->k, block->count) ? block->count : Max(some, block->k);
}

static void
add_near(Candidates *candidates, int32 record, int32 row, int most)
{
	if (candidates->near_used[record] < most && record != row)
		candidates->near[(int64) record * candidates->room + candidates->near_used[record]++] = row;
}

/* Adds the next rows around the record's group. */
static void
add_near_of_group(Candidates *candidates, int32 record)
{
	const RowGroups *groups = candidates->groups;
	int32 place = groups->place[record];
	int32 begin = groups->begin[place];
	int32 end = groups->end[place];
	int32 wanted = Min(NEAR_OF_PATTERN(candidates->room), end - begin - 1);

	for (int32 i = 0; i < wanted; i++)
	{
		if (++place == end)
			place = begin;
		add_near(candidates, record, groups->row[place], NEAR_OWN(candidates->room));
	}
}

/* Adds neighbours in row order for records with too few near rows. */
static void
add_neighbours(Candidates *candidates)
{
	int32 count = candidates->block->count;
	int most = NEAR_OWN(candidates->room) + 2 * NEIGHBOURS;

	for (int32 record = 0; record < count; record++)
	{
		interrupt_check(record);
		for (int32 far = 1; far <= NEIGHBOURS; far++)
		{
			add_near(candidates, record, (record + far) % count, most);
			add_near(candidates, record, (record + count - far) % count, most);
		}
	}
}

/* Adds the reverse of near pairs, first for rows with the highest prices. */
static void
add_reverse(Candidates *candidates, const int32 *price)
{
	const Block *block = candidates->block;
	uint8 *own = budget_allocate(block->budget, block->count, sizeof(uint8), PURPOSE);
	int32 lowest = 0;

	memcpy(own, candidates->near_used, block->count);
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
				add_near(candidates, candidates->near[(int64) record * candidates->room + i],
						 record, candidates->room);
		}
	pfree(own);
}

static void
find_near(Candidates *candidates, const int32 *price)
{
	PatternWalk *walk = pattern_walk_create(candidates->block, WALKED_PATTERNS);
	const uint8 *level;
	int own = NEAR_OWN(candidates->room);
	int32 wanting = candidates->block->count;

	/* Goes from pattern to pattern until every record has enough of its own. */
	while (wanting > 0 && (level = pattern_walk_next(walk)) != NULL)
	{
		wanting = 0;
		row_groups_form(candidates->groups, level);
		for (int32 record = 0; record < candidates->block->count; record++)
		{
			CHECK_FOR_INTERRUPTS();
			if (candidates->near_used[record] < own)
				add_near_of_group(candidates, record);
			if (candidates->near_used[record] < own)
				wanting++;
		}
	}
	pattern_walk_free(walk);
	add_neighbours(candidates);
	add_reverse(candidates, price);
}

int
candidates_room(const Block *block)
{
	int64 fits = NEAR_BYTES / sizeof(int32) / block->count;

	return (int) Max(NEAR_ROOM, Min(NEAR_ROOM_MOST, fits));
}

Candidates *
candidates_create(Block *block, int room, bool targets)
{
	Candidates *candidates = palloc0(sizeof(Candidates));
	Budget *budget = block->budget;
	int32 *price = budget_allocate(budget, block->count, sizeof(int32), PURPOSE);

	candidates->block = block;
	candidates->all = candidates_are_all(block->k, block->count);
	candidates->room = room;
	candidates->stamp = budget_allocate(budget, block->count, sizeof(int32), PURPOSE);
	candidates->groups = row_groups_create(block);
	candidates->patterns = row_groups_create(block);
	if (targets)
		targets_find(block, candidates->groups, TARGET_TURNS, price);
	/* Near rows are useless if all rows are candidates. */
	if (!candidates->all)
	{
		candidates->near =
			budget_allocate(budget, mul_size(block->count, room), sizeof(int32), PURPOSE);
		candidates->near_used = budget_allocate(budget, block->count, sizeof(uint8), PURPOSE);
		row_groups_order(candidates->groups, NULL);
		find_near(candidates, price);
	}
	pfree(price);
	return candidates;
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
add_pair(Candidates *candidates, int32 record, int32 row)
{
	Assignment *pairs = candidates->pairs;

	if (pairs->used[record] < pairs->stride)
		assignment_rights(pairs, record)[pairs->used[record]++] = row;
}

/* Adds some rows of the record's group, different ones each turn. */
static void
add_alike(Candidates *candidates, int32 record, int wanted)
{
	const RowGroups *groups = candidates->groups;
	int32 place = groups->place[record];
	int32 begin = groups->begin[place];
	int32 size = groups->end[place] - begin;
	int32 at = begin + (int32) (mix(record, candidates->turn) % size);

	for (int32 i = 0; i < Min(wanted, size); i++)
	{
		if (groups->row[at] != record)
			add_pair(candidates, record, groups->row[at]);
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
find_patterns(Candidates *candidates, int32 *count)
{
	const Block *block = candidates->block;
	const RowGroups *records = candidates->patterns;
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
	row_groups_form_by_key(candidates->patterns);
	*count = 0;
	for (int32 place = 0; place < block->count; place = records->end[place])
		patterns[(*count)++] =
			(WidePattern){.key = records->key[place], .begin = place, .end = records->end[place]};
	qsort(patterns, *count, sizeof(WidePattern), compare_keys);
	return patterns;
}

/* Adds pairs for all records of a pattern, given groups of rows under it or under a raised one. */
static void
add_records(Candidates *candidates, const WidePattern *pattern, int wanted)
{
	for (int32 place = pattern->begin; place < pattern->end; place++)
	{
		CHECK_FOR_INTERRUPTS();
		add_alike(candidates, candidates->patterns->row[place], wanted);
	}
}

static void
add_pattern_pairs(Candidates *candidates, const WidePattern *pattern, const WidePattern *patterns,
				  int32 count)
{
	const Block *block = candidates->block;
	int wanted = ALIKE(block->k);
	uint8 *level = palloc(Max(block->attributes, 1));

	wide_levels(block, candidates->patterns->row[pattern->begin], level);
	row_groups_form(candidates->groups, level);
	add_records(candidates, pattern, wanted);
	for (int a = 0; a < block->attributes; a++)
	{
		WidePattern lower = {.key = pattern->key};
		const WidePattern *found;

		if (level[a] == 0)
			continue;
		lower.key += level_key(a, level[a] - 1) - level_key(a, level[a]);
		found = bsearch(&lower, patterns, count, sizeof(WidePattern), compare_keys);
		if (found)
			add_records(candidates, found, wanted / RAISED_SHARE + 1);
	}
	pfree(level);
}

static void
add_patterns(Candidates *candidates)
{
	Budget *budget = candidates->block->budget;
	int32 count;
	WidePattern *patterns = find_patterns(candidates, &count);
	WidePattern **frequent = budget_allocate(budget, count, sizeof(WidePattern *), PURPOSE);

	for (int32 i = 0; i < count; i++)
		frequent[i] = &patterns[i];
	qsort(frequent, count, sizeof(WidePattern *), compare_sizes);
	for (int32 i = 0; i < Min(count, GROUPED_PATTERNS); i++)
		add_pattern_pairs(candidates, frequent[i], patterns, count);
	pfree(frequent);
	pfree(patterns);
}

/* Keeps each row once, drops those that the record covers, and weighs the pairs. */
static void
weigh(Candidates *candidates, int32 record)
{
	const Block *block = candidates->block;
	const Assignment *pairs = candidates->pairs;
	const int32 *covered = block->covered + (int64) record * block->k;
	int32 *rights = assignment_rights(pairs, record);
	uint16 *weights = assignment_weights(pairs, record);
	int32 kept = 0;

	for (int i = 0; i < block->matched; i++)
		candidates->stamp[covered[i]] = record + 1;
	for (int32 pair = 0; pair < pairs->used[record]; pair++)
	{
		int32 row = rights[pair];
		int32 growth;

		if (candidates->stamp[row] == record + 1)
			continue;
		candidates->stamp[row] = record + 1;
		rights[kept] = row;
		growth = block_growth(block, record, row);
		weights[kept++] = Min(growth, PG_UINT16_MAX);
	}
	pairs->used[record] = kept;
}

void
candidates_collect(Candidates *candidates, Assignment *pairs)
{
	candidates->pairs = pairs;
	candidates->turn++;
	memset(pairs->used, 0, sizeof(int32) * pairs->count);
	for (int32 record = 0; record < pairs->count; record++)
	{
		int rows = candidates->all ? pairs->count : candidates->near_used[record];
		const int32 *near = candidates->near + (int64) record * candidates->room;

		CHECK_FOR_INTERRUPTS();
		progress_still();
		for (int i = 0; i < rows; i++)
			add_pair(candidates, record, candidates->all ? i : near[i]);
	}
	if (!candidates->all)
		add_patterns(candidates);
	memset(candidates->stamp, 0, sizeof(int32) * pairs->count);
	for (int32 record = 0; record < pairs->count; record++)
	{
		CHECK_FOR_INTERRUPTS();
		weigh(candidates, record);
	}
}
