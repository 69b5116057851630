/*
 * class_sort.c
 *		See class_sort.h.
 *
 * A tuple is (class, field, .., spelling, ..).  It is formed once, when its row arrives and its
 * class is unknown; the class is written into it before it is sorted.
 */
#include "postgres.h"

#include "record/class_sort.h"

#include "access/htup_details.h"
#include "base/context.h"
#include "catalog/pg_type.h"
#include "executor/tuptable.h"
#include "miscadmin.h"
#include "sql/comparison.h"
#include "utils/memutils.h"
#include "utils/tuplesort.h"

#define CLASS 1 /* field number of the class */
#define LEAST_KILOBYTES 1024
#define BYTES_OF_ROW 2

struct ClassSort
{
	MemoryContext context;
	DescribedAttribute *const *beside; /* [field] */
	int fields;
	TupleDesc tuple;
	SpellingKey *spelling; /* [spelling] */
	int *spelled;          /* [spelling]: number of its field in a tuple */
	int spellings;
	TupleSpool *spool; /* tuples in order of arrival */
	int64 rows;
	Tuplesortstate *sorted; /* then they are here */
	TupleTableSlot *slot;
	Datum *values; /* of one tuple */
	bool *nulls;
	MemoryContext scratch; /* for the spellings of one tuple */
};

/* Finds the fields that need a spelling. */
static void
choose_spellings(ClassSort *sort, TupleDesc fields)
{
	sort->spelling = palloc(sizeof(SpellingKey) * fields->natts);
	sort->spelled = palloc(sizeof(int) * fields->natts);
	for (int i = 0; i < fields->natts; i++)
	{
		Form_pg_attribute field = TupleDescAttr(fields, i);

		if (comparison_is_exact(field->atttypid, field->atttypmod, field->attcollation))
			continue;
		sort->spelling[sort->spellings] =
			comparison_spelling_key(field->atttypid, field->atttypmod);
		sort->spelled[sort->spellings++] = CLASS + 1 + i;
	}
}

static TupleDesc
describe_tuple(const ClassSort *sort, TupleDesc fields)
{
	TupleDesc tuple = CreateTemplateTupleDesc(CLASS + sort->fields + sort->spellings);

	TupleDescInitEntry(tuple, CLASS, "class", INT4OID, -1, 0);
	for (int i = 0; i < sort->fields; i++)
		TupleDescCopyEntry(tuple, (AttrNumber) (CLASS + 1 + i), fields, (AttrNumber) (i + 1));
	for (int i = 0; i < sort->spellings; i++)
		TupleDescInitEntry(tuple, (AttrNumber) (CLASS + 1 + sort->fields + i), "spelling",
						   sort->spelling[i].type, -1, 0);
	return tuple;
}

ClassSort *
class_sort_create(const Description *description)
{
	ClassSort *sort = palloc0(sizeof(ClassSort));
	TupleDesc fields = description->beside_fields;

	sort->beside = description->beside;
	sort->context = CurrentMemoryContext;
	sort->fields = fields->natts;
	choose_spellings(sort, fields);
	sort->tuple = describe_tuple(sort, fields);
	sort->spool = tuple_spool_create(sort->tuple, work_mem);
	sort->values = palloc0(sizeof(Datum) * sort->tuple->natts);
	sort->nulls = palloc0(sizeof(bool) * sort->tuple->natts);
	sort->scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon spellings", CONTEXT_SMALL_SIZES);
	return sort;
}

static void
add_spellings(ClassSort *sort)
{
	MemoryContext previous = MemoryContextSwitchTo(sort->scratch);

	for (int i = 0; i < sort->spellings; i++)
	{
		int place = CLASS + sort->fields + i;
		int field = sort->spelled[i] - 1;

		sort->nulls[place] = sort->nulls[field];
		sort->values[place] =
			comparison_spelling_of(&sort->spelling[i], sort->values[field], &sort->nulls[place]);
	}
	MemoryContextSwitchTo(previous);
}

void
class_sort_put(ClassSort *sort, const Datum *values, const bool *nulls)
{
	for (int i = 0; i < sort->fields; i++)
	{
		sort->values[CLASS + i] = values[sort->beside[i]->number - 1];
		sort->nulls[CLASS + i] = nulls[sort->beside[i]->number - 1];
	}
	add_spellings(sort);
	tuple_spool_put(sort->spool, sort->values, sort->nulls);
	sort->rows++;
	if (sort->spellings > 0)
		MemoryContextReset(sort->scratch);
}

static void
end_sort(void *sort)
{
	tuplesort_end(sort);
}

/*
 * The sort's memory: no more than fits in a processor's cache, because tuples are read in another
 * order than written; but enough that there are not too many runs to merge.
 */
static int
kilobytes(const ClassSort *sort)
{
	int64 wanted = Max(LEAST_KILOBYTES, sort->rows * BYTES_OF_ROW / 1024);

	return (int) Min(wanted, work_mem);
}

/* In the current context. */
static void
begin_sort(ClassSort *sort)
{
	int most = sort->tuple->natts;
	AttrNumber *number = palloc(sizeof(AttrNumber) * most);
	Oid *less = palloc(sizeof(Oid) * most);
	Oid *collation = palloc(sizeof(Oid) * most);
	bool *nulls_first = palloc0(sizeof(bool) * most);
	int keys = 0;

	for (int i = 0; i < most; i++)
	{
		Form_pg_attribute attribute = TupleDescAttr(sort->tuple, i);
		int spelling = i - (CLASS + sort->fields);

		number[keys] = (AttrNumber) (i + 1);
		less[keys] =
			spelling < 0 ? comparison_less(attribute->atttypid) : sort->spelling[spelling].less;
		collation[keys] = attribute->attcollation;
		keys += OidIsValid(less[keys]) ? 1 : 0;
	}
	sort->slot = MakeSingleTupleTableSlot(sort->tuple, &TTSOpsMinimalTuple);
	sort->sorted = tuplesort_begin_heap(sort->tuple, keys, number, less, collation, nulls_first,
										kilobytes(sort), NULL, TUPLESORT_NONE);
	tuple_spool_watch(end_sort, sort->sorted);
}

/* Overwrites the class in the tuple: it is an integer and the first field. */
static void
write_class(TupleTableSlot *slot, int32 class)
{
	bool copied;
	MinimalTuple tuple = ExecFetchSlotMinimalTuple(slot, &copied);

	Assert(!copied);
	memcpy((char *) tuple + tuple->t_hoff - MINIMAL_TUPLE_OFFSET, &class, sizeof(class));
}

void
class_sort_run(ClassSort *sort, const RowClasses *classes)
{
	MemoryContext previous = MemoryContextSwitchTo(sort->context);
	TupleTableSlot *slot;

	begin_sort(sort);
	MemoryContextSwitchTo(previous);
	for (int64 row = 0; (slot = tuple_spool_next(sort->spool)) != NULL; row++)
	{
		int32 class = row_classes_get(classes, row);

		if (class == 0)
			continue;
		write_class(slot, class);
		tuplesort_puttupleslot(sort->sorted, slot);
	}
	tuple_spool_free(sort->spool);
	tuplesort_performsort(sort->sorted);
}

TupleTableSlot *
class_sort_next(ClassSort *sort)
{
	bool more = tuplesort_gettupleslot(sort->sorted, true, false, sort->slot, NULL);

	return more ? sort->slot : NULL;
}
