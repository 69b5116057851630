/*
 * key_map.c
 *		See key_map.h.
 *
 * Fields of attributes that keep their level are copied with one mask.  Attributes that leave the
 * node, or reach a top with one label, are masked out.  Only the others need a table.  Example:
 * keys over (zip, age, sex), from node (0, 0, 0) to (2, 0, ALL): new = (key & mask of age) |
 * part[zip][0 -> 2][zip's field].
 *
 * A block of keys is mapped attribute by attribute, in loops without branches, and then goes to the
 * hash table.
 */
#include "postgres.h"

#include "frequency/key_map.h"

#define EXPECTED_AT_MOST 65536
#define PASS_MULTIPLIER UINT64CONST(0xD6E8FEB86659FD93) /* chooses the pass of a key */

KeyMap
key_map_create(FrequencySpace *space, const Level *from, const Level *to)
{
	KeyMap map = {.words = space->words};

	map.keep = palloc0(sizeof(uint64) * space->words);
	map.field = palloc(sizeof(KeyMapField) * space->attributes);
	for (int i = 0; i < space->attributes; i++)
	{
		const KeyField *field = &space->field[i];

		Assert(from[i] <= to[i]);
		/* The field is 0 there. */
		if (to[i] == LEVEL_ALL || space->dimension[i]->cardinality[to[i]] <= 1)
			continue;
		if (from[i] == to[i])
			map.keep[field->word] |= field->mask << field->shift;
		else
			map.field[map.fields++] =
				(KeyMapField){.word = field->word,
							  .shift = field->shift,
							  .mask = field->mask,
							  .part = frequency_space_part(space, i, from[i], to[i])};
	}
	return map;
}

void
key_map_free(KeyMap *map)
{
	pfree(map->keep);
	pfree(map->field);
}

/* Maps n entries (keys with counts) to separate arrays of keys and counts. */
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
		const KeyMapField field = map->field[f];

		for (int i = 0; i < n; i++)
			keys[i * words + field.word] |=
				field.part[(entries[i * (words + 1) + field.word] >> field.shift) & field.mask];
	}
}

void
key_map_block(const KeyMap *map, const uint64 *entries, int n, uint64 *keys, int64 *counts)
{
	if (map->words == 1)
		map_block(map, entries, n, keys, counts, 1);
	else
		map_block(map, entries, n, keys, counts, map->words);
}

CountTable *
key_map_table(const FrequencySet *source, const FrequencySpace *space, const Level *node)
{
	double groups =
		Min((double) frequency_set_entries(source), frequency_space_domain(space, node));

	/*
	 * No more slots than there can be groups, nor so many that clearing the table costs more than
	 * growing it (measured on millions of groups: a fifth of the time).
	 */
	return count_table_create(space->words, space->budget, (int64) Min(groups, EXPECTED_AT_MOST));
}

bool
key_pass_has(KeyPass pass, const uint64 *key, int words)
{
	uint64 hash = count_table_hash(key, words, PASS_MULTIPLIER);

	return ((hash >> 32) & (uint64) (pass.passes - 1)) == (uint64) pass.number;
}

/* Keeps only the keys of this pass; returns their number. */
static int
filter_block(KeyPass pass, uint64 *keys, int64 *counts, int n, int words)
{
	int left = 0;

	for (int i = 0; i < n; i++)
	{
		if (!key_pass_has(pass, keys + i * words, words))
			continue;
		memmove(keys + left * words, keys + i * words, sizeof(uint64) * words);
		counts[left++] = counts[i];
	}
	return left;
}

bool
key_map_count(FrequencySet *source, const KeyMap *map, KeyPass pass, CountTable *table,
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

			key_map_block(map, entries, n, keys, counts);
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
