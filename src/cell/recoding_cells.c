/*
 * recoding_cells.c
 *		See recoding_cells.h.
 *
 * Example: ages 25, 26, 26 and zip codes 53706, 53711, 53711 of a dimension with
 * 537** above them, class 3, with means: (3, [25,27), 25.67, 537**).
 */
#include "postgres.h"

#include "cell/recoding_cells.h"

#include <math.h>

#include "access/htup_details.h"
#include "base/interrupt.h"
#include "catalog/pg_type.h"
#include "cell/cell_format.h"
#include "commands/defrem.h"
#include "data/row_classes.h"
#include "funcapi.h"
#include "nodes/value.h"
#include "record/class_sort.h"
#include "sql/type_query.h"
#include "utils/expandedrecord.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#define PURPOSE "recoding"

/* ----------------------------------------------------------------
 * Names
 * ----------------------------------------------------------------
 */

/* The name, with a suffix if necessary to differ from all others; truncated like any name. */
static const char *
take_name(List **taken, const char *name, const char *suffix)
{
	char *chosen = makeObjectName(name, NULL, suffix);

	for (int number = 2; list_member(*taken, makeString(chosen)); number++)
		chosen = makeObjectName(
			name, NULL, suffix ? psprintf("%s_%d", suffix, number) : psprintf("%d", number));
	*taken = lappend(*taken, makeString(chosen));
	return chosen;
}

CellNames
cell_names_choose(const List *quasi, const List *others)
{
	CellNames names = {.mean = palloc(sizeof(const char *) * Max(list_length(quasi), 1))};
	List *taken = list_copy(others);
	ListCell *cell;

	foreach (cell, quasi)
		taken =
			lappend(taken, makeString(pstrdup(((const DescribedAttribute *) lfirst(cell))->name)));
	names.class = take_name(&taken, "class", NULL);
	foreach (cell, quasi)
		names.mean[foreach_current_index(cell)] =
			take_name(&taken, ((const DescribedAttribute *) lfirst(cell))->name, "mean");
	return names;
}

/* ----------------------------------------------------------------
 * Records, which stay expanded: kanon_view_cell takes their values out by number
 * ----------------------------------------------------------------
 */

/* Appends to the fields already there. */
static void
append_fields(TupleDesc all, int *count, TupleDesc fields)
{
	for (int i = 0; i < fields->natts; i++)
		TupleDescCopyEntry(all, (AttrNumber)++ * count, fields, (AttrNumber) (i + 1));
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

static Datum
show_record(ExpandedRecordHeader *record)
{
	/* A flat size computed for another row. */
	record->flat_size = 0;
	return PointerGetDatum(
		memcpy(palloc(EXPANDED_POINTER_SIZE), record->hdr.eoh_ro_ptr, EXPANDED_POINTER_SIZE));
}

struct RecodingCells
{
	Recoding *recoding;
	const RecordCodes *codes;
	CellWriter **writer;    /* [column] */
	RecodingColumn *column; /* [column]: the scale of its cells */
	bool *mean;             /* [column]: a mean follows the cell */
	RecodedCell *cell;      /* [column]: of the current record */
	TupleDesc fields;
	ExpandedRecordHeader *record; /* NULL if there are classes */
	Datum *values;                /* its values, if there is one */
	bool *nulls;
	MemoryContext scratch;   /* for the current record */
	RecodingFigures figures; /* of the records made so far */
};

static TupleDesc
describe_record(const RecodingCells *cells, const List *others)
{
	const Description *description = cells->codes->description;
	List *quasi = NIL;
	CellNames names;
	TupleDesc fields;
	int count = cells->recoding->class_end ? 1 : 0;

	for (int i = 0; i < description->quasi_count; i++)
	{
		count += cells->mean[i] ? 2 : 1;
		quasi = lappend(quasi, description->quasi[i]);
	}
	names = cell_names_choose(quasi, others);
	fields = CreateTemplateTupleDesc(count);
	count = 0;
	if (cells->recoding->class_end)
		TupleDescInitEntry(fields, ++count, names.class, INT4OID, -1, 0);
	for (int i = 0; i < description->quasi_count; i++)
	{
		TupleDescInitEntry(fields, ++count, description->quasi[i]->name, cells->writer[i]->type, -1,
						   0);
		if (cells->mean[i])
			TupleDescInitEntry(fields, ++count, names.mean[i], FLOAT8OID, -1, 0);
	}
	return BlessTupleDesc(fields);
}

RecodingCells *
recoding_cells_create(Recoding *recoding, const RecordCodes *codes, bool means, const List *others)
{
	RecodingCells *cells = palloc0(sizeof(RecodingCells));
	int columns = recoding->columns;

	cells->recoding = recoding;
	cells->codes = codes;
	cells->figures = (RecodingFigures){.people = recoding->people, .attributes = columns};
	cells->writer = palloc(sizeof(CellWriter *) * columns);
	cells->column = palloc(sizeof(RecodingColumn) * columns);
	cells->mean = palloc(sizeof(bool) * columns);
	cells->cell = palloc(sizeof(RecodedCell) * columns);
	for (int i = 0; i < columns; i++)
	{
		cells->writer[i] = cell_writer_create(&recoding->column[i], codes, i);
		cells->column[i] = cell_writer_weighs(cells->writer[i], &recoding->column[i], codes, i);
		cells->mean[i] = means && recoding->column[i].dimension == NULL &&
						 number_query_is_numeric(getBaseType(codes->description->quasi[i]->type));
	}
	cells->fields = describe_record(cells, others);
	cells->record = recoding->class_end ? NULL : create_record(cells->fields, NULL);
	cells->values =
		cells->record ? cells->record->dvalues : palloc0(sizeof(Datum) * cells->fields->natts);
	cells->nulls =
		cells->record ? cells->record->dnulls : palloc0(sizeof(bool) * cells->fields->natts);
	cells->scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon cells", ALLOCSET_DEFAULT_SIZES);
	return cells;
}

/* The sum of these values, each divided by the divisor. */
static double
sum_of(const RecodingCells *cells, int column, const int32 *codes, int64 count, double divisor)
{
	Oid type = getBaseType(cells->codes->description->quasi[column]->type);
	double sum = 0;

	for (int64 at = 0; at < count; at++)
	{
		interrupt_check(at);
		sum += number_query_scaled(type,
								   dataset_column_value(cells->codes->column[column], codes[at])) /
			   divisor;
	}
	return sum;
}

/* The codes of a column in the rows of a class, in any order. */
typedef struct ClassCodes
{
	int column;
	int32 *codes;
	int64 count;
} ClassCodes;

static void
add_code(void *state, int32 row, const int32 *code)
{
	ClassCodes *class = state;

	(void) row;
	class->codes[class->count++] = code[class->column];
}

/*
 * Sums in value order, so that the result does not depend on the order of the rows.  The sum may
 * overflow even if the mean does not.
 */
static double
mean_of_class(const RecodingCells *cells, int column, int32 class)
{
	const Recoding *recoding = cells->recoding;
	int64 count = recoding_group_rows(recoding, class);
	ClassCodes of = {.column = column,
					 .codes = budget_allocate(cells->codes->budget, count, sizeof(int32), PURPOSE)};
	double mean;

	recoding->each_row(recoding, class, add_code, &of);
	qsort(of.codes, count, sizeof(int32), interrupt_compare_int32);
	mean = sum_of(cells, column, of.codes, count, 1) / (double) count;
	if (isinf(mean))
		mean = sum_of(cells, column, of.codes, count, (double) count);
	pfree(of.codes);
	return mean;
}

/* Finds the cells of a group, and adds its rows and what they lose to the figures. */
static void
add_group(RecodingCells *cells, int32 group)
{
	const Recoding *recoding = cells->recoding;
	RecodingFigures *figures = &cells->figures;
	int64 rows = recoding_group_rows(recoding, group);

	recoding->cells(recoding, group, cells->cell);
	for (int i = 0; i < figures->attributes; i++)
		loss_sum_add(&figures->loss[i], loss_of_cell(&cells->column[i], &cells->cell[i]), rows);
	figures->rows += rows;
	if (recoding->class_end == NULL)
		return;
	figures->smallest = figures->classes == 0 ? rows : Min(figures->smallest, rows);
	figures->classes++;
}

RecodingFigures
recoding_cells_measure(RecodingCells *cells)
{
	Recoding *recoding = cells->recoding;

	do
		for (int32 group = 1; group <= recoding->groups; group++)
		{
			interrupt_check(group);
			add_group(cells, group);
		}
	while (recoding->next && recoding->next(recoding));
	return cells->figures;
}

/*
 * The fields of a group's record; call it once for each group.  Valid until the next call.  After
 * the last row, keeps the figures.
 */
static void
write_cells(RecodingCells *cells, int32 group)
{
	const Recoding *recoding = cells->recoding;
	MemoryContext previous;
	int field = 0;

	MemoryContextReset(cells->scratch);
	previous = MemoryContextSwitchTo(cells->scratch);
	add_group(cells, group);
	if (cells->figures.rows == recoding->rows)
		recoding_figures_keep(&cells->figures);
	if (recoding->class_end)
		cells->values[field++] = Int32GetDatum(recoding->groups_before + group);
	for (int i = 0; i < recoding->columns; i++, field++)
	{
		const RecodedCell *cell = &cells->cell[i];

		cells->values[field] = cell_writer_write(cells->writer[i], cell, &cells->nulls[field]);
		if (!cells->mean[i])
			continue;
		cells->nulls[++field] = cell->kind != RECODED_SPAN;
		if (!cells->nulls[field])
			cells->values[field] = Float8GetDatum(mean_of_class(cells, i, group));
	}
	MemoryContextSwitchTo(previous);
}

Datum
recoding_cells_record(RecodingCells *cells, int64 row)
{
	write_cells(cells, cells->recoding->group_of_row[row]);
	return show_record(cells->record);
}

/* ----------------------------------------------------------------
 * Figures
 * ----------------------------------------------------------------
 */

/*
 * PostgreSQL's own REFRESH fills a release by a query that calls kanon's window functions, and
 * nothing but cells comes out of it.  The code that records the refresh asks here afterwards.  Only
 * recodings read to their end keep figures, so those kept last belong to the outermost window
 * function of the release's query.  They are taken once, before anything else runs, so that no
 * later release gets them.
 */
static RecodingFigures last_recoding;

void
recoding_figures_keep(const RecodingFigures *figures)
{
	last_recoding = *figures;
}

RecodingFigures
recoding_figures_take(void)
{
	RecodingFigures taken = last_recoding;

	last_recoding = (RecodingFigures){0};
	return taken;
}

bool
recoding_figures_loss(const RecodingFigures *figures, int attributes, double *mean)
{
	if (figures->rows == 0 || figures->attributes != attributes)
		return false;
	for (int i = 0; i < attributes; i++)
		mean[i] = loss_sum_mean(&figures->loss[i], figures->rows);
	return true;
}

double
recoding_figures_weigh(const double *mean, const double *weight, int attributes)
{
	double loss = 0;
	double weights = 0;

	for (int i = 0; i < attributes; i++)
	{
		loss += weight[i] * mean[i];
		weights += weight[i];
	}
	return weights > 0 ? loss / weights : 0;
}

/* ---- rows of a release */

/*
 * Example: ages 30, 25, 26, 31 and diseases flu, gout, flu, cold beside them, k = 2.  Classes are
 * spooled as (2, 1, [25,27)), (2, 2, [30,32)), with their number of rows in front; the columns
 * beside are sorted as (1, flu), (1, gout), (2, cold), (2, flu).  The two are combined row by row:
 * (1, [25,27), flu), (1, [25,27), gout), ..
 */

struct PublishedRows
{
	TupleSpool *classes;
	int cells;         /* number of its fields */
	ClassSort *beside; /* NULL: no columns beside */
	int fields;        /* .. number of these */
	ExpandedRecordHeader *record;
	Datum *values; /* of a class: the number of its rows, then its record */
	bool *nulls;
	int32 left; /* rows left in the current class */
};

static List *
field_names(TupleDesc fields)
{
	List *names = NIL;

	for (int i = 0; i < fields->natts; i++)
		names = lappend(names, makeString(NameStr(TupleDescAttr(fields, i)->attname)));
	return names;
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
	spool = tuple_spool_create(fields, work_mem);
	MemoryContextSwitchTo(previous);
	return spool;
}

/* In the current context, but for what they will hold. */
static PublishedRows *
create_rows(const RecordCodes *codes, TupleDesc cells)
{
	PublishedRows *rows = palloc0(sizeof(PublishedRows));

	rows->cells = cells->natts;
	rows->beside = codes->beside;
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
	write_cells(cells, class);
	rows->values[0] = Int32GetDatum((int32) recoding_group_rows(recoding, class));
	memcpy(rows->values + 1, cells->values, sizeof(Datum) * rows->cells);
	memcpy(rows->nulls + 1, cells->nulls, sizeof(bool) * rows->cells);
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
	PublishedRows *rows = create_rows(codes, cells->fields);

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
	if (rows->beside)
		class_sort_run(rows->beside, classes);
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
	if (rows->left == 0)
		rows->left =
			DatumGetInt32(take_fields(rows, tuple_spool_next(rows->classes), 0, rows->cells));
	rows->left--;
	if (rows->beside)
		take_fields(rows, class_sort_next(rows->beside), rows->cells, rows->fields);
	return show_record(rows->record);
}
