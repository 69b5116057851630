/*
 * frequency_set.c
 *		See frequency_set.h.
 */
#include "postgres.h"

#include "frequency/frequency_set.h"

#include "base/interrupt.h"
#include "utils/memutils.h"

#define CHUNK 4096 /* entries read at a time, between checks for a cancel */

static Size
entry_bytes(const FrequencySpace *space)
{
	return sizeof(uint64) * (space->words + 1);
}

bool
frequency_set_fits(const FrequencySpace *space, int64 entries)
{
	Size bytes = mul_size(entry_bytes(space), entries);

	return budget_fits(space->budget, bytes <= BLCKSZ ? bytes : bytes + space->budget->limit / 4);
}

FrequencySet *
frequency_set_create(FrequencySpace *space, const Level *node, int64 expected)
{
	FrequencySet *set = palloc0(sizeof(FrequencySet));

	set->space = space;
	set->width = space->words + 1;
	set->node = frequency_space_copy(space, node);
	if (expected > 0 && frequency_set_fits(space, expected))
	{
		set->capacity = expected;
		set->memory = palloc_extended(entry_bytes(space) * expected, MCXT_ALLOC_HUGE);
	}
	return set;
}

/* The tape's buffer, a page, does not count: the budget is exhausted when a tape is made. */
static BufFile *
create_tape(const Budget *budget)
{
	MemoryContext previous = CurrentMemoryContext;
	BufFile *tape;

	if (budget->context)
		MemoryContextSwitchTo(MemoryContextGetParent(budget->context));
	tape = BufFileCreateTemp(false);
	MemoryContextSwitchTo(previous);
	return tape;
}

void
frequency_set_append(FrequencySet *set, const uint64 *entry)
{
	set->entries++;
	if (set->held < set->capacity)
	{
		memcpy(set->memory + set->held++ * set->width, entry, entry_bytes(set->space));
		return;
	}
	CHECK_FOR_INTERRUPTS();
	if (set->tape == NULL)
		set->tape = create_tape(set->space->budget);
	BufFileWrite(set->tape, unconstify(uint64 *, entry), entry_bytes(set->space));
}

/*
 * Appends the groups of a table to memory that is there.  Every slot is copied, and a free one is
 * overwritten by the next, because nobody can predict which are free.
 */
static pg_attribute_always_inline void
copy_groups(FrequencySet *set, const CountTable *table, int width)
{
	const uint64 *slot = table->slots;
	uint64 *entry = set->memory + set->held * width;
	const uint64 *end = entry + table->used * width;

	for (int64 i = 0; entry < end; i++, slot += width)
	{
		interrupt_check(i);
		memcpy(entry, slot, sizeof(uint64) * width);
		entry += slot[width - 1] != 0 ? width : 0;
	}
	set->held += table->used;
	set->entries += table->used;
}

static void
append_groups(FrequencySet *set, const CountTable *table)
{
	const uint64 *slot = table->slots;

	for (int64 i = 0; i < table->capacity; i++, slot += set->width)
	{
		interrupt_check(i);
		if (slot[table->words] != 0)
			frequency_set_append(set, slot);
	}
}

void
frequency_set_append_table(FrequencySet *set, const CountTable *table)
{
	if (table->used > 0 && set->tables++ > 0)
		set->partial = true;
	if (set->held + table->used > set->capacity)
		append_groups(set, table);
	else if (set->width == 2)
		copy_groups(set, table, 2);
	else
		copy_groups(set, table, set->width);
}

void
frequency_set_free(FrequencySet *set)
{
	if (set->memory)
		pfree(set->memory);
	if (set->tape)
		BufFileClose(set->tape);
	pfree(set->node);
	pfree(set);
}

FrequencyScan
frequency_scan_begin(FrequencySet *set)
{
	FrequencyScan scan = {.set = set};

	if (set->tape)
	{
		scan.buffer = palloc(sizeof(uint64) * set->width * Min(CHUNK, set->entries - set->held));
		if (BufFileSeek(set->tape, 0, 0, SEEK_SET) != 0)
			ereport(ERROR, (errcode_for_file_access(), errmsg("could not rewind temporary file")));
	}
	return scan;
}

int64
frequency_scan_next(FrequencyScan *scan, const uint64 **entries)
{
	FrequencySet *set = scan->set;
	int64 n;

	CHECK_FOR_INTERRUPTS();
	if (scan->position < set->held)
	{
		n = Min(CHUNK, set->held - scan->position);
		*entries = set->memory + scan->position * set->width;
	}
	else
	{
		Size bytes;

		n = Min(CHUNK, set->entries - scan->position);
		bytes = sizeof(uint64) * set->width * n;
		if (n > 0 && BufFileRead(set->tape, scan->buffer, bytes) != bytes)
			ereport(ERROR, (errcode_for_file_access(), errmsg("could not read temporary file")));
		*entries = scan->buffer;
	}
	scan->position += n;
	return n;
}

void
frequency_scan_end(FrequencyScan *scan)
{
	if (scan->buffer)
		pfree(scan->buffer);
}

/*
 * ---- Maps of keys.
 *
 * Fields of attributes that keep their level are copied with one mask.  Attributes that leave the
 * node, or reach a top with one label, are masked out.  Only the others need a table.  Example:
 * keys over (zip, age, sex), from node (0, 0, 0) to (2, 0, ALL): new = (key & mask of age) |
 * part[zip][0 -> 2][zip's field].
 *
 * A block of keys is mapped attribute by attribute, in loops without branches, and then goes to the
 * hash table.
 */

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
key_map_table(const FrequencySet *source, const FrequencySpace *space, const Level *node,
			  int64 expected)
{
	double groups = Min((double) source->entries, frequency_space_domain(space, node));

	if (expected > 0)
		groups = Min(groups, (double) expected);
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
				{
					frequency_set_append_table(spill, table);
					count_table_reset(table);
				}
			}
			entries += taken * (map->words + 1);
			left -= taken;
		}
	}
	frequency_scan_end(&scan);
	pfree(keys);
	return fits;
}
