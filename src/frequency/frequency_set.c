/*
 * frequency_set.c
 *		See frequency_set.h.
 */
#include "postgres.h"

#include "frequency/frequency_set.h"

#include "base/interrupt.h"
#include "miscadmin.h"
#include "storage/buffile.h"
#include "utils/memutils.h"

#define CHUNK 4096 /* entries read at a time, between checks for a cancel */

struct FrequencySet
{
	FrequencySpace *space;
	Level *node;
	int width; /* words of an entry: the key and the count */
	int64 entries;
	bool partial;
	uint64 *memory; /* the first "held" entries */
	int64 held;
	int64 capacity;
	BufFile *tape; /* the rest */
	int64 tables;  /* count tables appended */
};

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
	set->node = palloc(sizeof(Level) * space->attributes);
	memcpy(set->node, node, sizeof(Level) * space->attributes);
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

static void
write_tape(FrequencySet *set, const uint64 *entries, int64 n)
{
	if (set->tape == NULL)
		set->tape = create_tape(set->space->budget);
	while (n > 0)
	{
		int64 chunk = Min(n, CHUNK);

		CHECK_FOR_INTERRUPTS();
		BufFileWrite(set->tape, (void *) entries, sizeof(uint64) * set->width * chunk);
		entries += chunk * set->width;
		n -= chunk;
	}
}

void
frequency_set_append(FrequencySet *set, const uint64 *entries, int64 n)
{
	int64 fits = Min(n, set->capacity - set->held);

	if (fits > 0)
	{
		memcpy(set->memory + set->held * set->width, entries, sizeof(uint64) * set->width * fits);
		set->held += fits;
	}
	if (n > fits)
		write_tape(set, entries + fits * set->width, n - fits);
	set->entries += n;
}

void
frequency_set_append_table(FrequencySet *set, CountTable *table)
{
	const uint64 *slot = table->slots;

	if (table->used > 0 && set->tables++ > 0)
		set->partial = true;
	for (int64 i = 0; i < table->capacity; i++, slot += set->width)
	{
		interrupt_check(i);
		if (slot[table->words] != 0)
			frequency_set_append(set, slot, 1);
	}
	count_table_reset(table);
}

void
frequency_set_mark_partial(FrequencySet *set)
{
	set->partial = true;
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

const Level *
frequency_set_node(const FrequencySet *set)
{
	return set->node;
}

int64
frequency_set_entries(const FrequencySet *set)
{
	return set->entries;
}

bool
frequency_set_is_partial(const FrequencySet *set)
{
	return set->partial;
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
