/*
 * class_runs.c
 *		The classes of a release, by runs of equal rows, see class_query.h.
 *
 * Rows of one class are equal byte by byte in a release, because each class has one spelling.  So
 * each row is compared with the one before, and only the first of a run is looked up: classes that
 * look alike are one.  Counting 10 million rows by nine ranges takes a fifth of the time of GROUP
 * BY, which hashes each row.
 *
 * Example: the released ages [20,30), [20,30), [30,40), [20,30) are three runs of 2, 1 and 1 rows,
 * and two classes of 3 and 1.
 */
#include "postgres.h"

#include "count/class_query.h"

#include "base/budget.h"
#include "base/interrupt.h"
#include "catalog/pg_operator_d.h"
#include "catalog/pg_type_d.h"
#include "common/hashfn.h"
#include "executor/tuptable.h"
#include "frequency/count_table.h"
#include "sql/query.h"
#include "utils/datum.h"
#include "utils/memutils.h"
#include "utils/tuplesort.h"

#define HASH_WORDS 2
#define FIELDS (HASH_WORDS + 1)

/*
 * Counts of what 128 bits of hash identify.  A hash table counts as long as it fits.  Then its
 * entries go to a sort, and so does everything that follows: equal hashes come out of it one after
 * the other.
 */
typedef struct HashCounts
{
	Budget *budget;
	CountTable *table;
	uint64 hashes[COUNT_BLOCK * HASH_WORDS]; /* to be added to the table */
	int64 counts[COUNT_BLOCK];
	int pending;
	Tuplesortstate *sort; /* NULL: the table has room */
	TupleTableSlot *slot; /* for entries of the sort */
} HashCounts;

static HashCounts *
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

static void
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

/* Passes on each count once, in no particular order; nothing may be added afterwards. */
static void
hash_counts_each(HashCounts *counts, void (*take)(void *state, int64 count), void *state)
{
	flush(counts);
	if (counts->sort)
		each_of_sort(counts, take, state);
	else
		each_of_table(counts->table, take, state);
}

static void
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

typedef struct RunReceiver
{
	DestReceiver receiver; /* first */
	MemoryContext context;
	Budget budget;
	TupleDesc fields;
	HashCounts *counts;
	MemoryContext of_run;
	Datum *values; /* of the current run */
	bool *nulls;
	int64 run; /* its rows so far */
} RunReceiver;

static void
runs_startup(DestReceiver *self, int operation, TupleDesc fields)
{
	RunReceiver *receiver = (RunReceiver *) self;
	MemoryContext previous = MemoryContextSwitchTo(receiver->context);

	(void) operation;
	receiver->fields = CreateTupleDescCopy(fields);
	receiver->values = palloc0(sizeof(Datum) * Max(fields->natts, 1));
	receiver->nulls = palloc0(sizeof(bool) * Max(fields->natts, 1));
	MemoryContextSwitchTo(previous);
}

/* Hashes the bytes of a value, detoasted. */
static uint64
hash_value(Form_pg_attribute field, Datum value, uint64 seed)
{
	struct varlena *plain;

	if (field->attbyval)
		return hash_bytes_extended((unsigned char *) &value, sizeof(Datum), seed);
	if (field->attlen != -1)
		return hash_bytes_extended((unsigned char *) DatumGetPointer(value),
								   (int) datumGetSize(value, false, field->attlen), seed);
	plain = PG_DETOAST_DATUM_PACKED(value);
	return hash_bytes_extended((unsigned char *) VARDATA_ANY(plain), (int) VARSIZE_ANY_EXHDR(plain),
							   seed);
}

static void
end_run(RunReceiver *receiver)
{
	MemoryContext previous = MemoryContextSwitchTo(receiver->of_run);
	uint64 hash[HASH_WORDS] = {1, 2};

	for (int word = 0; word < HASH_WORDS; word++)
		for (int i = 0; i < receiver->fields->natts; i++)
		{
			hash[word] = hash_combine64(hash[word], receiver->nulls[i]);
			if (!receiver->nulls[i])
				hash[word] =
					hash_value(TupleDescAttr(receiver->fields, i), receiver->values[i], hash[word]);
		}
	MemoryContextSwitchTo(previous);
	hash_counts_add(receiver->counts, hash, receiver->run);
	receiver->run = 0;
}

static void
begin_run(RunReceiver *receiver, const TupleTableSlot *slot)
{
	MemoryContext previous;

	MemoryContextReset(receiver->of_run);
	previous = MemoryContextSwitchTo(receiver->of_run);
	for (int i = 0; i < receiver->fields->natts; i++)
	{
		Form_pg_attribute field = TupleDescAttr(receiver->fields, i);

		receiver->nulls[i] = slot->tts_isnull[i];
		if (!receiver->nulls[i])
			receiver->values[i] = datumCopy(slot->tts_values[i], field->attbyval, field->attlen);
	}
	MemoryContextSwitchTo(previous);
}

static bool
continues_run(const RunReceiver *receiver, const TupleTableSlot *slot)
{
	for (int i = 0; i < receiver->fields->natts; i++)
	{
		Form_pg_attribute field = TupleDescAttr(receiver->fields, i);

		if (receiver->nulls[i] != slot->tts_isnull[i])
			return false;
		if (!receiver->nulls[i] &&
			!datumIsEqual(receiver->values[i], slot->tts_values[i], field->attbyval, field->attlen))
			return false;
	}
	return true;
}

static bool
runs_receive(TupleTableSlot *slot, DestReceiver *self)
{
	RunReceiver *receiver = (RunReceiver *) self;

	slot_getallattrs(slot);
	if (receiver->run > 0 && !continues_run(receiver, slot))
		end_run(receiver);
	if (receiver->run == 0)
		begin_run(receiver, slot);
	receiver->run++;
	return true;
}

typedef struct RunTally
{
	ClassTally tally;
	int k;
} RunTally;

static void
tally_class(void *state, int64 rows)
{
	RunTally *classes = state;

	class_tally_add(&classes->tally, rows, rows, rows < classes->k);
}

ClassTally
class_runs_tally(const char *relation, const List *columns, int k, bool read_only)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "kanon class runs", ALLOCSET_SMALL_SIZES);
	RunReceiver receiver = {.receiver = query_receiver(runs_receive, runs_startup),
							.context = context,
							.budget = budget_begin()};
	RunTally classes = {.k = k};
	MemoryContext caller = MemoryContextSwitchTo(context);
	StringInfoData sql;
	ListCell *cell;

	initStringInfo(&sql);
	appendStringInfoString(&sql, "SELECT ");
	foreach (cell, columns)
		appendStringInfo(&sql, "%s%s", foreach_current_index(cell) > 0 ? ", " : "",
						 (char *) lfirst(cell));
	appendStringInfo(&sql, " FROM %s", relation);
	receiver.counts = hash_counts_create(&receiver.budget);
	receiver.of_run = AllocSetContextCreate(context, "kanon run", ALLOCSET_SMALL_SIZES);
	if (read_only)
		query_stream(sql.data, &receiver.receiver);
	else
		query_stream_in_snapshot(sql.data, &receiver.receiver);
	if (receiver.run > 0)
		end_run(&receiver);
	hash_counts_each(receiver.counts, tally_class, &classes);
	hash_counts_free(receiver.counts);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
	return classes.tally;
}
