/*
 * published_rows.c
 *		See published_rows.h.
 *
 * Example: ages 30, 25, 26, 31 and diseases flu, gout, flu, cold beside them, k = 2.  Classes are
 * spooled as (2, 1, [25,27)), (2, 2, [30,32)), with their number of rows in front; the columns
 * beside are sorted as (1, flu), (1, gout), (2, cold), (2, flu).  The two are combined row by row:
 * (1, [25,27), flu), (1, [25,27), gout), ..
 *
 * Records stay expanded: kanon_view_cell takes their values out by number.
 */
#include "postgres.h"

#include "cell/published_rows.h"

#include "cell/recoding_cells.h"
#include "data/row_classes.h"
#include "funcapi.h"
#include "nodes/value.h"
#include "record/class_sort.h"
#include "utils/expandedrecord.h"
#include "utils/memutils.h"

struct PublishedRows
{
	TupleSpool *classes;
	int cells;            /* number of its fields */
	SortedTuples *beside; /* NULL: no columns beside */
	int fields;           /* .. number of these */
	ExpandedRecordHeader *record;
	Datum *values; /* of a class: the number of its rows, then its record */
	bool *nulls;
	int32 left; /* rows left in the current class */
};

/* Appends to the fields already there. */
static void
append_fields(TupleDesc all, int *count, TupleDesc fields)
{
	for (int i = 0; i < fields->natts; i++)
		TupleDescCopyEntry(all, (AttrNumber)++ * count, fields, (AttrNumber) (i + 1));
}

static List *
field_names(TupleDesc fields)
{
	List *names = NIL;

	for (int i = 0; i < fields->natts; i++)
		names = lappend(names, makeString(NameStr(TupleDescAttr(fields, i)->attname)));
	return names;
}

/* Has no values yet. */
static ExpandedRecordHeader *
create_record(TupleDesc cells, TupleDesc beside)
{
	TupleDesc fields = CreateTemplateTupleDesc(cells->natts + (beside ? beside->natts : 0));
	ExpandedRecordHeader *record;
	int count = 0;

	append_fields(fields, &count, cells);
	if (beside)
		append_fields(fields, &count, beside);
	record = make_expanded_record_from_tupdesc(BlessTupleDesc(fields), CurrentMemoryContext);
	record->flags |= ER_FLAG_DVALUES_VALID;
	return record;
}

/* Like the columns beside the cells, the spool does not count against the budget. */
static TupleSpool *
create_class_spool(TupleDesc cells, const Budget *budget)
{
	TupleDesc fields = CreateTemplateTupleDesc(cells->natts + 1);
	MemoryContext previous = MemoryContextSwitchTo(MemoryContextGetParent(budget->context));
	TupleSpool *spool;
	int count = 1;

	TupleDescInitEntry(fields, 1, "rows", INT4OID, -1, 0);
	append_fields(fields, &count, cells);
	spool = tuple_spool_create(fields);
	MemoryContextSwitchTo(previous);
	return spool;
}

/* In the current context, but for what they will hold. */
static PublishedRows *
create_rows(const RecordCodes *codes, TupleDesc cells)
{
	PublishedRows *rows = palloc0(sizeof(PublishedRows));

	rows->cells = cells->natts;
	rows->fields = codes->beside ? codes->description->beside_fields->natts : 0;
	rows->values = palloc(sizeof(Datum) * (rows->cells + 1));
	rows->nulls = palloc0(sizeof(bool) * (rows->cells + 1));
	rows->record = create_record(cells, codes->description->beside_fields);
	rows->classes = create_class_spool(cells, codes->budget);
	return rows;
}

static void
put_class(PublishedRows *rows, RecodingCells *cells, const Recoding *recoding, int32 class)
{
	const Datum *values;
	const bool *nulls;

	recoding_cells_write(cells, class, &values, &nulls);
	rows->values[0] = Int32GetDatum((int32) recoding_group_rows(recoding, class));
	memcpy(rows->values + 1, values, sizeof(Datum) * rows->cells);
	memcpy(rows->nulls + 1, nulls, sizeof(bool) * rows->cells);
	tuple_spool_put(rows->classes, rows->values, rows->nulls);
}

PublishedRows *
published_rows_create(Recoding *recoding, const RecordCodes *codes, bool means,
					  MemoryContext context)
{
	TupleDesc beside = codes->description->beside_fields;
	RecodingCells *cells =
		recoding_cells_create(recoding, codes, means, beside ? field_names(beside) : NIL);
	RowClasses *classes =
		beside ? row_classes_create(recoding, codes->tapes, codes->budget, false) : NULL;
	MemoryContext previous = MemoryContextSwitchTo(context);
	PublishedRows *rows = create_rows(codes, recoding_cells_fields(cells));

	MemoryContextSwitchTo(previous);
	do
	{
		for (int32 class = 1; class <= recoding->groups; class ++)
		{
			put_class(rows, cells, recoding, class);
			if (classes)
				row_classes_add(classes, recoding, class);
		}
	} while (recoding->next && recoding->next(recoding));
	if (beside)
		rows->beside = class_sort_end(codes->beside, classes);
	return rows;
}

/* Takes fields of a tuple: returns the first, and copies those after it into the record. */
static Datum
take_fields(PublishedRows *rows, TupleTableSlot *slot, int number, int count)
{
	if (slot == NULL)
		elog(ERROR, "a row is behind the last one");
	slot_getsomeattrs(slot, 1 + count);
	memcpy(rows->record->dvalues + number, slot->tts_values + 1, sizeof(Datum) * count);
	memcpy(rows->record->dnulls + number, slot->tts_isnull + 1, sizeof(bool) * count);
	return slot->tts_values[0];
}

Datum
published_rows_next(PublishedRows *rows)
{
	ExpandedRecordHeader *record = rows->record;

	if (rows->left == 0)
		rows->left =
			DatumGetInt32(take_fields(rows, tuple_spool_next(rows->classes), 0, rows->cells));
	rows->left--;
	if (rows->beside)
		take_fields(rows, class_sort_next(rows->beside), rows->cells, rows->fields);
	/* A flat size computed for another row. */
	record->flat_size = 0;
	return PointerGetDatum(
		memcpy(palloc(EXPANDED_POINTER_SIZE), record->hdr.eoh_ro_ptr, EXPANDED_POINTER_SIZE));
}
