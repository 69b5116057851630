/*
 * hash_counts.c
 *		See hash_counts.h.
 *
 * A hash table counts as long as it fits.  Then its entries go to a sort, and so does everything
 * that follows: equal hashes come out of it one after the other.
 */
#include "postgres.h"

#include "count/hash_counts.h"

#include "base/interrupt.h"
#include "catalog/pg_operator_d.h"
#include "catalog/pg_type_d.h"
#include "executor/tuptable.h"
#include "frequency/count_table.h"
#include "utils/tuplesort.h"

#define FIELDS (HASH_WORDS + 1)

struct HashCounts
{
	Budget *budget;
	CountTable *table;
	uint64 hashes[COUNT_BLOCK * HASH_WORDS]; /* to be added to the table */
	int64 counts[COUNT_BLOCK];
	int pending;
	Tuplesortstate *sort; /* NULL: the table has room */
	TupleTableSlot *slot; /* for entries of the sort */
};

HashCounts *
hash_counts_create(Budget *budget)
{
	HashCounts *counts = palloc0(sizeof(HashCounts));

	counts->budget = budget;
	counts->table = count_table_create(HASH_WORDS, budget, 0);
	return counts;
}

static void
sort_entry(HashCounts *counts, const uint64 *hash, int64 count)
{
	TupleTableSlot *slot = counts->slot;

	ExecClearTuple(slot);
	for (int word = 0; word < HASH_WORDS; word++)
		slot->tts_values[word] = Int64GetDatum((int64) hash[word]);
	slot->tts_values[HASH_WORDS] = Int64GetDatum(count);
	ExecStoreVirtualTuple(slot);
	tuplesort_puttupleslot(counts->sort, slot);
}

/* In the context of the table. */
static void
begin_sort(HashCounts *counts)
{
	AttrNumber columns[HASH_WORDS];
	Oid less[HASH_WORDS];
	Oid collations[HASH_WORDS] = {InvalidOid};
	bool nulls_first[HASH_WORDS] = {false};
	MemoryContext previous = MemoryContextSwitchTo(counts->table->context);
	TupleDesc fields = CreateTemplateTupleDesc(FIELDS);

	for (int i = 0; i < FIELDS; i++)
		TupleDescInitEntry(fields, (AttrNumber) (i + 1), NULL, INT8OID, -1, 0);
	for (int i = 0; i < HASH_WORDS; i++)
	{
		columns[i] = (AttrNumber) (i + 1);
		less[i] = Int8LessOperator;
	}
	counts->slot = MakeSingleTupleTableSlot(fields, &TTSOpsVirtual);
	counts->sort =
		tuplesort_begin_heap(fields, HASH_WORDS, columns, less, collations, nulls_first,
							 (int) (budget_left(counts->budget) / 1024), NULL, TUPLESORT_NONE);
	MemoryContextSwitchTo(previous);
}

/* Moves the table's entries, and those that do not fit in it, to the sort. */
static void
overflow(HashCounts *counts)
{
	CountTable table = *counts->table;

	begin_sort(counts);
	for (int64 i = 0; i < table.capacity; i++)
	{
		const uint64 *entry = table.slots + i * FIELDS;

		interrupt_check(i);
		if (entry[HASH_WORDS] > 0)
			sort_entry(counts, entry, (int64) entry[HASH_WORDS]);
	}
	count_table_free(counts->table);
	counts->table = NULL;
}

static void
flush(HashCounts *counts)
{
	if (counts->sort == NULL &&
		!count_table_add_block(counts->table, counts->hashes, counts->counts, counts->pending))
		overflow(counts);
	for (int i = 0; counts->sort && i < counts->pending; i++)
		sort_entry(counts, counts->hashes + i * HASH_WORDS, counts->counts[i]);
	counts->pending = 0;
}

void
hash_counts_add(HashCounts *counts, const uint64 *hash, int64 count)
{
	memcpy(counts->hashes + counts->pending * HASH_WORDS, hash, sizeof(uint64) * HASH_WORDS);
	counts->counts[counts->pending++] = count;
	if (counts->pending == COUNT_BLOCK)
		flush(counts);
}

static void
each_of_table(const CountTable *table, void (*take)(void *state, int64 count), void *state)
{
	for (int64 i = 0; i < table->capacity; i++)
	{
		int64 count = (int64) table->slots[i * FIELDS + HASH_WORDS];

		interrupt_check(i);
		if (count > 0)
			take(state, count);
	}
}

static void
each_of_sort(HashCounts *counts, void (*take)(void *state, int64 count), void *state)
{
	TupleTableSlot *slot =
		MakeSingleTupleTableSlot(counts->slot->tts_tupleDescriptor, &TTSOpsMinimalTuple);
	int64 present[FIELDS] = {0};

	tuplesort_performsort(counts->sort);
	for (int64 i = 0; tuplesort_gettupleslot(counts->sort, true, false, slot, NULL); i++)
	{
		interrupt_check(i);
		slot_getallattrs(slot);
		if (present[HASH_WORDS] > 0 && (present[0] != DatumGetInt64(slot->tts_values[0]) ||
										present[1] != DatumGetInt64(slot->tts_values[1])))
		{
			take(state, present[HASH_WORDS]);
			present[HASH_WORDS] = 0;
		}
		present[0] = DatumGetInt64(slot->tts_values[0]);
		present[1] = DatumGetInt64(slot->tts_values[1]);
		present[HASH_WORDS] += DatumGetInt64(slot->tts_values[HASH_WORDS]);
	}
	if (present[HASH_WORDS] > 0)
		take(state, present[HASH_WORDS]);
	ExecDropSingleTupleTableSlot(slot);
}

void
hash_counts_each(HashCounts *counts, void (*take)(void *state, int64 count), void *state)
{
	flush(counts);
	if (counts->sort)
		each_of_sort(counts, take, state);
	else
		each_of_table(counts->table, take, state);
}

void
hash_counts_free(HashCounts *counts)
{
	if (counts->sort)
	{
		ExecDropSingleTupleTableSlot(counts->slot);
		tuplesort_end(counts->sort);
	}
	else
		count_table_free(counts->table);
	pfree(counts);
}
