/*
 * row_store.c
 *		See row_store.h.
 *
 * An entry has the row, from the first of its tape, the bytes, and these.  Example: the classes of
 * six rows, three in memory at a time; rows 4, 0 are class 1, rows 5, 1, 3, 2 class 2.  One tape
 * has (0, 4, 1), (1, 4, 2), (2, 4, 2), the other one (1, 4, 1), (2, 4, 2), (0, 4, 2).
 */
#include "postgres.h"

#include "data/row_store.h"

#include "base/interrupt.h"

#define LEAST_ROWS 256
#define SHARE 4        /* of the memory limit: for a tape that is read */
#define TAPES_SHARE 16 /* .. and for buffers of tapes that are written */
#define CHUNK 4096
#define PURPOSE "what is known of each row"

enum
{
	ENTRY_ROW,
	ENTRY_BYTES,
	ENTRY_HEADER
};

struct RowStore
{
	MemoryContext context;
	Budget *budget;
	CodeTapes *tapes;
	int words;   /* of what is fixed; 0: nothing is */
	int64 range; /* rows of a tape */
	int count;
	CodeTape **tape; /* NULL: nothing was put */
	int64 loaded;    /* number of the tape, -1: none yet */
	/* Of it, unless they are too many: */
	int32 *entries;  /* fixed: what was put, by row */
	int64 *place;    /* [row of it]: of its data among them; 0: it has none */
	RowStore *finer; /* then they are in one of their own */
};

RowStore *
row_store_create(int64 rows, Size bytes, bool fixed, CodeTapes *tapes, Budget *budget)
{
	RowStore *store = palloc0(sizeof(RowStore));
	Size each = fixed ? bytes : sizeof(int64) + sizeof(int32) * ENTRY_HEADER + bytes;
	int64 most = Max(
		2, (int64) (Min(budget->limit / TAPES_SHARE, budget_left(budget) / 2) / CODE_TAPE_BYTES));

	store->context = CurrentMemoryContext;
	store->budget = budget;
	store->tapes = tapes;
	store->words = fixed ? (int) (bytes / sizeof(int32)) : 0;
	store->range = (int64) (budget->limit / SHARE / each);
	if (!fixed)
		store->range = Max(store->range, (rows + most - 1) / most);
	store->range = Max(store->range, LEAST_ROWS);
	store->loaded = -1;
	store->count = (int) ((rows + store->range - 1) / store->range);
	store->tape = palloc0(sizeof(CodeTape *) * Max(store->count, 1));
	return store;
}

/* Entries are aligned as what is put may want to be. */
static Size
words_of(Size bytes)
{
	return MAXALIGN(bytes) / sizeof(int32);
}

void
row_store_put(RowStore *store, int32 row, const void *data, Size bytes)
{
	CodeTape **tape = &store->tape[row / store->range];
	int32 header[ENTRY_HEADER] = {
		[ENTRY_ROW] = (int32) (row % store->range), [ENTRY_BYTES] = (int32) bytes};
	Size whole = bytes / sizeof(int32);
	int32 rest[MAXIMUM_ALIGNOF / sizeof(int32)] = {0};

	if (*tape == NULL)
	{
		budget_check(store->budget, CODE_TAPE_BYTES, PURPOSE);
		*tape = code_tape_create(store->tapes, 1);
	}
	if (store->words > 0)
	{
		code_tape_append_many(*tape, header, 1);
		code_tape_append_many(*tape, data, store->words);
		return;
	}
	code_tape_append_many(*tape, header, ENTRY_HEADER);
	code_tape_append_many(*tape, data, (int64) whole);
	memcpy(rest, (const char *) data + whole * sizeof(int32), bytes - whole * sizeof(int32));
	code_tape_append_many(*tape, rest, (int64) (words_of(bytes) - whole));
}

/* Reads a tape as a whole. */
static void
read_entries(RowStore *store, CodeTape *tape)
{
	int64 read = 0;
	int64 count;

	store->entries = budget_allocate_in(store->budget, store->context,
										mul_size(sizeof(int32), code_tape_tuples(tape)), PURPOSE);
	while ((count = code_tape_read(tape, store->entries + read, CHUNK)) > 0)
		read += count;
	for (int64 at = 0; at < read;)
	{
		const int32 *entry = store->entries + at;

		interrupt_check(at);
		store->place[entry[ENTRY_ROW]] = at + ENTRY_HEADER;
		at += ENTRY_HEADER + (int64) words_of(entry[ENTRY_BYTES]);
	}
}

/* The same of what is fixed, where there is room for all rows of a tape. */
static void
read_fixed(RowStore *store, CodeTape *tape)
{
	int words = store->words + 1;
	int32 *entry = palloc(sizeof(int32) * words * CHUNK);
	int64 count;

	store->entries =
		budget_allocate_in(store->budget, store->context,
						   mul_size(sizeof(int32) * (Size) store->words, store->range), PURPOSE);
	while (tape && (count = code_tape_read(tape, entry, (int64) words * CHUNK)) > 0)
		for (int64 at = 0; at < count; at += words)
			memcpy(store->entries + (int64) entry[at] * store->words, entry + at + 1,
				   sizeof(int32) * store->words);
	pfree(entry);
}

/* A tape's entries on tapes of fewer rows each. */
static void
refine(RowStore *store, CodeTape *tape)
{
	int64 words = code_tape_tuples(tape);
	MemoryContext previous = MemoryContextSwitchTo(store->context);
	int32 header[ENTRY_HEADER];
	int32 *data = NULL;
	int64 room = 0;

	store->finer = row_store_create(store->range, sizeof(int32) * (Size) (words / store->range + 1),
									false, store->tapes, store->budget);
	while (code_tape_read(tape, header, ENTRY_HEADER) > 0)
	{
		int64 length = (int64) words_of(header[ENTRY_BYTES]);

		if (length > room)
			data = budget_enlarge(store->budget, data, room, length, sizeof(int32), PURPOSE);
		room = Max(room, length);
		code_tape_read(tape, data, length);
		row_store_put(store->finer, header[ENTRY_ROW], data, header[ENTRY_BYTES]);
	}
	if (data)
		pfree(data);
	MemoryContextSwitchTo(previous);
}

static void
drop_loaded(RowStore *store)
{
	if (store->entries)
		pfree(store->entries);
	store->entries = NULL;
	if (store->place)
		pfree(store->place);
	store->place = NULL;
	if (store->finer)
		row_store_free(store->finer);
	store->finer = NULL;
}

static void
load(RowStore *store, int64 number)
{
	CodeTape *tape = store->tape[number];
	Size places = mul_size(sizeof(int64), store->range);

	drop_loaded(store);
	store->loaded = number;
	if (tape)
		code_tape_rewind(tape);
	if (store->words > 0)
	{
		read_fixed(store, tape);
		return;
	}
	if (tape && store->range > LEAST_ROWS &&
		!budget_fits(store->budget, (places + sizeof(int32) * code_tape_tuples(tape)) / 2 * 3))
	{
		refine(store, tape);
		return;
	}
	store->place = budget_allocate_in(store->budget, store->context, places, PURPOSE);
	if (tape)
		read_entries(store, tape);
}

void
row_store_free(RowStore *store)
{
	drop_loaded(store);
	for (int i = 0; i < store->count; i++)
		if (store->tape[i])
			code_tape_close(store->tape[i]);
	pfree(store->tape);
	pfree(store);
}

const void *
row_store_get(RowStore *store, int64 row)
{
	int64 place;

	if (row / store->range != store->loaded)
		load(store, row / store->range);
	if (store->words > 0)
		return store->entries + row % store->range * store->words;
	if (store->finer)
		return row_store_get(store->finer, row % store->range);
	place = store->place[row % store->range];
	if (place == 0)
		return NULL;
	return store->entries + place;
}
