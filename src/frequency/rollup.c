/*
 * rollup.c
 *		See rollup.h.
 *
 * Fields of attributes that keep their level are copied with one mask, those
 * of attributes that leave the node (or reach a top of one label) are masked
 * out, and only the others need a table.  Example: keys over (zip, age, sex),
 * from node (0, 0, 0) to (2, 0, ALL): new = (key & mask of age) |
 * part[zip][0 -> 2][zip's field].
 *
 * Keys are mapped a block at a time, attribute by attribute, which keeps the
 * loops free of branches; then the block goes to the hash table.
 */
#include "postgres.h"

#include "frequency/rollup.h"

#include "base/interrupt.h"
#include "frequency/dense_table.h"

#define MAX_PASSES (1 << 20)
#define EXPECTED_AT_MOST 65536
#define PASS_MULTIPLIER UINT64CONST(0xD6E8FEB86659FD93) /* chooses the pass of a key */

typedef struct MapField
{
	int word;
	int shift;
	uint64 mask;
	const uint64 *part;
} MapField;

typedef struct KeyMap
{
	int words;
	uint64 *keep; /* [words] */
	int fields;
	MapField *field;
} KeyMap;

/* Which part of the keys a pass counts. */
typedef struct Pass
{
	int number;
	int passes; /* a power of two */
} Pass;

static bool
vanishes(const Dimension *dimension, Level level)
{
	return level == LEVEL_ALL || dimension->cardinality[level] == 1;
}

static KeyMap
key_map_create(FrequencySpace *space, const Level *from, const Level *to)
{
	KeyMap map = {.words = space->words};

	map.keep = palloc0(sizeof(uint64) * space->words);
	map.field = palloc(sizeof(MapField) * space->attributes);
	for (int i = 0; i < space->attributes; i++)
	{
		const KeyField *field = &space->field[i];

		Assert(from[i] <= to[i]);
		if (vanishes(space->dimension[i], to[i]))
			continue;
		if (from[i] == to[i])
			map.keep[field->word] |= field->mask << field->shift;
		else
			map.field[map.fields++] =
				(MapField){.word = field->word,
						   .shift = field->shift,
						   .mask = field->mask,
						   .part = frequency_space_part(space, i, from[i], to[i])};
	}
	return map;
}

static void
key_map_free(KeyMap *map)
{
	pfree(map->keep);
	pfree(map->field);
}

/* Maps n entries (keys with counts) to keys and counts apart. */
static pg_attribute_always_inline void
map_block(const KeyMap *map, const uint64 *entries, int n, uint64 *keys, int64 *counts, int words)
{
	for (int i = 0; i < n; i++)
	{
		for (int w = 0; w < words; w++)
			keys[i * words + w] = entries[i * (words + 1) + w] & map->keep[w];
		counts[i] = (int64) entries[i * (words + 1) + words];
	}
	for (int f = 0; f < map->fields; f++)
	{
		const MapField field = map->field[f];

		for (int i = 0; i < n; i++)
			keys[i * words + field.word] |=
				field.part[(entries[i * (words + 1) + field.word] >> field.shift) & field.mask];
	}
}

/*
 * Groups to make room for at once: no more than there can be, nor so many that
 * clearing the table costs more than growing it (measured on millions of groups:
 * a fifth of the time).
 */
static int64
expected_groups(const FrequencySpace *space, const FrequencySet *source, const Level *node)
{
	double groups =
		Min((double) frequency_set_entries(source), frequency_space_domain(space, node));

	return (int64) Min(groups, EXPECTED_AT_MOST);
}

/* Leaves only the keys of this pass; returns how many. */
static int
filter_block(Pass pass, uint64 *keys, int64 *counts, int n, int words)
{
	int left = 0;

	for (int i = 0; i < n; i++)
	{
		uint64 hash = count_table_hash(keys + i * words, words, PASS_MULTIPLIER);

		if (((hash >> 32) & (uint64) (pass.passes - 1)) != (uint64) pass.number)
			continue;
		memmove(keys + left * words, keys + i * words, sizeof(uint64) * words);
		counts[left++] = counts[i];
	}
	return left;
}

/*
 * Counts the groups of one pass into the table.  Where the table is full:
 * goes on with an empty one after spilling it to "spill", or without "spill"
 * returns false.  Stops early, returning true, beyond max_groups.
 */
static bool
count_groups(FrequencySet *source, const KeyMap *map, Pass pass, CountTable *table,
			 int64 max_groups, FrequencySet *spill)
{
	FrequencyScan scan = frequency_scan_begin(source);
	uint64 *keys = palloc(sizeof(uint64) * map->words * COUNT_BLOCK);
	int64 counts[COUNT_BLOCK];
	const uint64 *entries;
	int64 left;
	bool fits = true;

	while (fits && table->used <= max_groups && (left = frequency_scan_next(&scan, &entries)) > 0)
	{
		while (fits && left > 0 && table->used <= max_groups)
		{
			int taken = Min(left, COUNT_BLOCK);
			int n = taken;

			if (map->words == 1)
				map_block(map, entries, n, keys, counts, 1);
			else
				map_block(map, entries, n, keys, counts, map->words);
			if (pass.passes > 1)
				n = filter_block(pass, keys, counts, n, map->words);
			while (fits && !count_table_add_block(table, keys, counts, n))
			{
				fits = spill != NULL;
				if (fits)
					frequency_set_append_table(spill, table);
			}
			entries += taken * (map->words + 1);
			left -= taken;
		}
	}
	frequency_scan_end(&scan);
	pfree(keys);
	return fits;
}

static FrequencySet *
set_from_table(FrequencySpace *space, const Level *node, CountTable *table)
{
	FrequencySet *set = frequency_set_create(space, node, table->used);

	frequency_set_append_table(set, table);
	return set;
}

static FrequencySet *
rollup_by_hashing(FrequencySet *source, FrequencySpace *space, const Level *node)
{
	KeyMap map = key_map_create(space, frequency_set_node(source), node);
	CountTable *table =
		count_table_create(space->words, space->budget, expected_groups(space, source, node));
	FrequencySet *spill = frequency_set_create(space, node, 0);
	FrequencySet *set = spill;

	count_groups(source, &map, (Pass){.passes = 1}, table, PG_INT64_MAX, spill);
	if (frequency_set_entries(spill) > 0)
		frequency_set_append_table(spill, table);
	else
	{
		frequency_set_free(spill);
		set = set_from_table(space, node, table);
	}
	count_table_free(table);
	key_map_free(&map);
	return set;
}

FrequencySet *
rollup(FrequencySet *source, FrequencySpace *space, const Level *node)
{
	DenseTable *cells = dense_table_count(source, space, node);
	FrequencySet *set;

	if (cells == NULL)
		return rollup_by_hashing(source, space, node);
	set = dense_table_set(cells);
	dense_table_free(cells);
	return set;
}

static void
tally_group(FrequencyTally *tally, const TallyRequest *request, int64 count)
{
	if (count < request->threshold)
	{
		tally->small_groups++;
		tally->small_rows += count;
	}
	else
	{
		tally->squares += (double) count * (double) count;
		if (tally->smallest == 0 || count < tally->smallest)
			tally->smallest = count;
	}
}

static void
tally_table(FrequencyTally *tally, const TallyRequest *request, const CountTable *table)
{
	const uint64 *slot = table->slots;

	tally->groups += table->used;
	for (int64 i = 0; i < table->capacity; i++, slot += table->words + 1)
	{
		interrupt_check(i);
		if (slot[table->words] != 0)
			tally_group(tally, request, (int64) slot[table->words]);
	}
}

static void
tally_cells(FrequencyTally *tally, const TallyRequest *request, const DenseTable *table)
{
	tally->groups = dense_table_groups(table);
	for (int64 cell = 0; cell < table->cells; cell++)
	{
		interrupt_check(cell);
		if (table->counts[cell] != 0)
			tally_group(tally, request, table->counts[cell]);
	}
}

/* A set whose groups are whole needs no counting. */
static void
tally_set(FrequencyTally *tally, const TallyRequest *request, FrequencySet *set, int words)
{
	FrequencyScan scan = frequency_scan_begin(set);
	const uint64 *entries;
	int64 n;

	tally->groups = frequency_set_entries(set);
	while ((n = frequency_scan_next(&scan, &entries)) > 0)
		for (; n > 0; n--, entries += words + 1)
			tally_group(tally, request, (int64) entries[words]);
	frequency_scan_end(&scan);
}

/* All passes over the keys, or false if even a part of them does not fit. */
static bool
tally_in_passes(FrequencySet *source, const KeyMap *map, int passes, const TallyRequest *request,
				CountTable *table, FrequencyTally *tally)
{
	int64 max_groups = request->max_groups < 0 ? PG_INT64_MAX : request->max_groups;

	*tally = (FrequencyTally){0};
	for (int number = 0; number < passes && !tally->too_many; number++)
	{
		count_table_reset(table);
		if (!count_groups(source, map, (Pass){.number = number, .passes = passes}, table,
						  max_groups - tally->groups, NULL))
			return false;
		tally_table(tally, request, table);
		tally->too_many = tally->groups > max_groups;
	}
	return true;
}

static void
tally_by_hashing(FrequencySet *source, FrequencySpace *space, const Level *node,
				 const TallyRequest *request, FrequencyTally *tally)
{
	KeyMap map = key_map_create(space, frequency_set_node(source), node);
	CountTable *table =
		count_table_create(space->words, space->budget, expected_groups(space, source, node));
	int passes = 1;

	while (!tally_in_passes(source, &map, passes, request, table, tally))
	{
		passes *= 4;
		if (passes > MAX_PASSES)
			budget_take(space->budget, space->budget->limit, "frequency set");
	}
	if (request->keep && passes == 1 && !tally->too_many && frequency_set_fits(space, table->used))
		tally->kept = set_from_table(space, node, table);
	count_table_free(table);
	key_map_free(&map);
}

static void
tally_by_cells(DenseTable *cells, const TallyRequest *request, FrequencyTally *tally)
{
	tally_cells(tally, request, cells);
	tally->too_many = request->max_groups >= 0 && tally->groups > request->max_groups;
	if (request->keep && !tally->too_many && frequency_set_fits(cells->space, tally->groups))
		tally->kept = dense_table_set(cells);
	dense_table_free(cells);
}

FrequencyTally
rollup_tally(FrequencySet *source, FrequencySpace *space, const Level *node,
			 const TallyRequest *request)
{
	FrequencyTally tally = {0};
	bool same = memcmp(frequency_set_node(source), node, sizeof(Level) * space->attributes) == 0;

	DenseTable *cells;

	if (same && !frequency_set_is_partial(source))
		tally_set(&tally, request, source, space->words);
	else if ((cells = dense_table_count(source, space, node)) != NULL)
		tally_by_cells(cells, request, &tally);
	else
		tally_by_hashing(source, space, node, request, &tally);
	return tally;
}

FrequencySet *
rollup_marginal(FrequencySpace *space, int attribute)
{
	int32 codes = space->dimension[attribute]->cardinality[0];
	const KeyField *field = &space->field[attribute];
	Level *node = palloc(sizeof(Level) * space->attributes);
	uint64 *entry = palloc0(sizeof(uint64) * (space->words + 1));
	FrequencySet *set;

	memset(node, LEVEL_ALL, sizeof(Level) * space->attributes);
	node[attribute] = 0;
	set = frequency_set_create(space, node, codes);
	for (int32 code = 0; code < codes; code++)
	{
		entry[field->word] = (uint64) code << field->shift;
		entry[space->words] = (uint64) space->marginal[attribute][code];
		frequency_set_append(set, entry, 1);
	}
	pfree(entry);
	pfree(node);
	return set;
}
