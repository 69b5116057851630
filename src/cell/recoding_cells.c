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
#include "base/context.h"
#include "base/interrupt.h"
#include "catalog/pg_type.h"
#include "cell/cell_format.h"
#include "commands/defrem.h"
#include "data/row_classes.h"
#include "funcapi.h"
#include "nodes/value.h"
#include "record/class_order.h"
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

	foreach_ptr (const DescribedAttribute, attribute, quasi)
		taken = lappend(taken, makeString(pstrdup(attribute->name)));
	names.class = take_name(&taken, "class", NULL);
	foreach_ptr (const DescribedAttribute, attribute, quasi)
		names.mean[foreach_current_index(attribute)] = take_name(&taken, attribute->name, "mean");
	names.figures = take_name(&taken, "figures", NULL);
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

/* Has no values yet.  figures: the name of a last field; NULL: there is none. */
static ExpandedRecordHeader *
create_record(TupleDesc cells, TupleDesc beside, const char *figures)
{
	TupleDesc fields =
		CreateTemplateTupleDesc(cells->natts + (beside ? beside->natts : 0) + (figures ? 1 : 0));
	ExpandedRecordHeader *record;
	int count = 0;

	append_fields(fields, &count, cells);
	if (beside)
		append_fields(fields, &count, beside);
	if (figures)
		TupleDescInitEntry(fields, (AttrNumber) ++count, figures, BYTEAOID, -1, 0);
	record = make_expanded_record_from_tupdesc(BlessTupleDesc(fields), CurrentMemoryContext);
	record->flags |= ER_FLAG_DVALUES_VALID;
	return record;
}

/* Writes the records of groups. */
typedef struct RecodingCells
{
	Recoding *recoding;
	const RecordCodes *codes;
	CellWriter **writer; /* [column] */
	bool *mean;          /* [column]: a mean follows the cell */
	RecodedCell *cell;   /* [column]: of the current record */
	CellNames names;
	TupleDesc fields;
	Datum *values; /* of a group: its key, if it is a class, and the number of its rows, then the
					* fields */
	bool *nulls;
	StringInfoData key;      /* with the header of a bytea */
	MemoryContext scratch;   /* for the current record */
	RecodingFigures figures; /* of the records made so far */
} RecodingCells;

/* Names the fields of a record, and describes those of its cells. */
static TupleDesc
describe_record(RecodingCells *cells, const List *others)
{
	const Description *description = cells->codes->description;
	List *quasi = NIL;
	TupleDesc fields;
	int count = cells->recoding->class_end ? 1 : 0;

	for (int i = 0; i < description->quasi_count; i++)
	{
		count += cells->mean[i] ? 2 : 1;
		quasi = lappend(quasi, description->quasi[i]);
	}
	cells->names = cell_names_choose(quasi, others);
	fields = CreateTemplateTupleDesc(count);
	count = 0;
	if (cells->recoding->class_end)
		TupleDescInitEntry(fields, ++count, cells->names.class, INT4OID, -1, 0);
	for (int i = 0; i < description->quasi_count; i++)
	{
		TupleDescInitEntry(fields, ++count, description->quasi[i]->name, cells->writer[i]->type, -1,
						   0);
		if (cells->mean[i])
			TupleDescInitEntry(fields, ++count, cells->names.mean[i], FLOAT8OID, -1, 0);
	}
	return BlessTupleDesc(fields);
}

/* others: names (String) of the fields beside the cells. */
static RecodingCells *
create_cells(Recoding *recoding, const RecordCodes *codes, bool means, const List *others)
{
	RecodingCells *cells = palloc0(sizeof(RecodingCells));
	int columns = recoding->columns;

	cells->recoding = recoding;
	cells->codes = codes;
	cells->figures = (RecodingFigures){.people = recoding->people, .attributes = columns};
	cells->writer = palloc(sizeof(CellWriter *) * columns);
	cells->mean = palloc(sizeof(bool) * columns);
	cells->cell = palloc(sizeof(RecodedCell) * columns);
	for (int i = 0; i < columns; i++)
	{
		cells->writer[i] = cell_writer_create(&recoding->column[i], codes, i);
		cells->mean[i] = means && recoding->column[i].dimension == NULL &&
						 number_query_is_numeric(getBaseType(codes->description->quasi[i]->type));
	}
	cells->fields = describe_record(cells, others);
	cells->values = palloc0(sizeof(Datum) * (CLASS_ORDER_CELLS + cells->fields->natts));
	cells->nulls = palloc0(sizeof(bool) * (CLASS_ORDER_CELLS + cells->fields->natts));
	initStringInfo(&cells->key);
	cells->scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon cells", CONTEXT_DEFAULT_SIZES);
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
		loss_sum_add(&figures->loss[i], loss_of_cell(&cells->writer[i]->loss, &cells->cell[i]),
					 rows);
	figures->rows += rows;
	if (recoding->class_end == NULL)
		return;
	figures->smallest = figures->classes == 0 ? rows : Min(figures->smallest, rows);
	figures->classes++;
}

RecodingFigures
recoding_figures_measure(Recoding *recoding, const RecordCodes *codes)
{
	RecodingCells *cells = create_cells(recoding, codes, false, NIL);

	do
		for (int32 group = 1; group <= recoding->groups; group++)
		{
			interrupt_check(group);
			add_group(cells, group);
		}
	while (recoding->next && recoding->next(recoding));
	return cells->figures;
}

/* The mean of the class follows its cell.  Other cells than ranges have none. */
static void
write_mean(RecodingCells *cells, int column, int32 class, int field)
{
	cells->nulls[field] = cells->cell[column].kind != RECODED_SPAN;
	if (cells->nulls[field])
		return;
	cells->values[field] = Float8GetDatum(mean_of_class(cells, column, class));
	cell_key_append_mean(&cells->key, DatumGetFloat8(cells->values[field]));
}

/* The values of a group; call it once for each group.  Valid until the next call. */
static void
write_cells(RecodingCells *cells, int32 group)
{
	const Recoding *recoding = cells->recoding;
	MemoryContext previous;
	int64 rows = recoding_group_rows(recoding, group);
	int field = CLASS_ORDER_CELLS;

	MemoryContextReset(cells->scratch);
	previous = MemoryContextSwitchTo(cells->scratch);
	add_group(cells, group);
	cells->values[CLASS_ORDER_ROWS] = Int32GetDatum((int32) rows);
	resetStringInfo(&cells->key);
	appendStringInfoSpaces(&cells->key, VARHDRSZ);
	/* Its place, once that is known. */
	field += recoding->class_end ? 1 : 0;
	for (int i = 0; i < recoding->columns; i++, field++)
	{
		const RecodedCell *cell = &cells->cell[i];

		cells->values[field] = cell_writer_write(cells->writer[i], cell, &cells->nulls[field]);
		if (recoding->class_end)
			cell_writer_key(cells->writer[i], cell, cells->values[field], cells->nulls[field],
							&cells->key);
		if (cells->mean[i])
			write_mean(cells, i, group, ++field);
	}
	SET_VARSIZE(cells->key.data, cells->key.len);
	cells->values[CLASS_ORDER_KEY] = PointerGetDatum(cells->key.data);
	MemoryContextSwitchTo(previous);
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

Datum
recoding_figures_write(const RecodingFigures *figures)
{
	Size bytes = VARHDRSZ + sizeof(RecodingFigures);
	bytea *written = palloc(bytes);

	SET_VARSIZE(written, bytes);
	memcpy(VARDATA(written), figures, sizeof(RecodingFigures));
	return PointerGetDatum(written);
}

/* The lesser of two that are above 0. */
static int64
lesser(int64 one, int64 other)
{
	return one == 0 || (other > 0 && other < one) ? other : one;
}

RecodingFigures
recoding_figures_read(Datum written)
{
	const bytea *bytes = DatumGetByteaPP(written);
	RecodingFigures figures;

	if (VARSIZE_ANY_EXHDR(bytes) != sizeof(figures))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("these are no figures of a recoding")));
	memcpy(&figures, VARDATA_ANY(bytes), sizeof(figures));
	figures.attributes = Min(Max(figures.attributes, 0), RECORD_ROLES_MOST);
	return figures;
}

void
recoding_figures_add(RecodingFigures *figures, const RecodingFigures *more)
{
	figures->rows += more->rows;
	figures->classes += more->classes;
	figures->smallest = lesser(figures->smallest, more->smallest);
	figures->people = lesser(figures->people, more->people);
	figures->attributes = more->attributes;
	for (int i = 0; i < more->attributes; i++)
	{
		figures->loss[i].units += more->loss[i].units;
		figures->loss[i].rest += more->loss[i].rest;
	}
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

/* ---- classes */

/* Writes the cells of all classes, and sorts them; gives the rows, unless NULL, their places. */
static void
write_classes(RecodingCells *cells, ClassOrder *order, RowClasses *classes)
{
	Recoding *recoding = cells->recoding;

	do
	{
		for (int32 class = 1; class <= recoding->groups; class ++)
		{
			write_cells(cells, class);
			class_order_put(order, cells->values, cells->nulls);
			if (classes)
				row_classes_add(classes, recoding, class);
		}
	} while (recoding->next && recoding->next(recoding));
	class_order_run(order, classes, cells->codes->budget);
}

RowClasses *
recoding_classes_shown(Recoding *recoding, const RecordCodes *codes, bool means)
{
	RowClasses *classes = row_classes_create(recoding, codes->tapes, codes->budget, true);
	MemoryContext working =
		AllocSetContextCreate(CurrentMemoryContext, "kanon classes", CONTEXT_SMALL_SIZES);
	MemoryContext previous = MemoryContextSwitchTo(working);
	RecodingCells *cells = create_cells(recoding, codes, means, NIL);

	write_classes(cells, class_order_create(cells->fields), classes);
	MemoryContextSwitchTo(previous);
	MemoryContextDelete(working);
	return classes;
}

/* ---- rows of a release */

/*
 * Example: ages 30, 25, 26, 31 and diseases flu, gout, flu, cold beside them, k = 2.  Classes are
 * sorted as ([25,27), 2 rows), ([30,32), 2 rows); their places are 1 and 2; the columns beside are
 * sorted as (1, flu), (1, gout), (2, cold), (2, flu).  The two are combined row by row:
 * (1, [25,27), flu), (1, [25,27), gout), ..
 */

struct PublishedRows
{
	RecodingCells *single; /* if rows have no classes; NULL: they have */
	ClassOrder *classes;
	int cells;         /* number of its fields */
	ClassSort *beside; /* NULL: no columns beside */
	int fields;        /* number of columns beside */
	int figures;       /* the field of figures, from 0; 0: none */
	int64 rows;        /* .. which the last of so many has */
	ExpandedRecordHeader *record;
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

/* Sorts all classes, and the columns beside them. */
static void
sort_classes(PublishedRows *rows, RecodingCells *cells)
{
	const RecordCodes *codes = cells->codes;
	RowClasses *classes =
		rows->beside ? row_classes_create(cells->recoding, codes->tapes, codes->budget, false)
					 : NULL;

	write_classes(cells, rows->classes, classes);
	recoding_figures_keep(&cells->figures);
	if (classes)
		class_sort_run(rows->beside, classes);
}

/* Lets the last row have the figures. */
static void
tell_figures(PublishedRows *rows, const RecodingFigures *figures)
{
	rows->figures = rows->cells + rows->fields;
	rows->rows = figures->rows;
	rows->record->dvalues[rows->figures] = recoding_figures_write(figures);
}

PublishedRows *
published_rows_create(Recoding *recoding, const RecordCodes *codes, bool means,
					  MemoryContext context)
{
	TupleDesc beside = recoding->class_end ? codes->description->beside_fields : NULL;
	RecodingCells *cells = create_cells(recoding, codes, means, beside ? field_names(beside) : NIL);
	MemoryContext previous = MemoryContextSwitchTo(context);
	PublishedRows *rows = palloc0(sizeof(PublishedRows));
	bool part = codes->request.whole != NULL;

	rows->cells = cells->fields->natts;
	rows->record = create_record(cells->fields, beside, part ? cells->names.figures : NULL);
	if (recoding->class_end)
	{
		rows->beside = codes->beside;
		rows->fields = beside ? beside->natts : 0;
		/* Like the columns beside, classes do not count against the budget. */
		MemoryContextSwitchTo(MemoryContextGetParent(codes->budget->context));
		rows->classes = class_order_create(cells->fields);
		MemoryContextSwitchTo(previous);
		sort_classes(rows, cells);
		MemoryContextSwitchTo(context);
	}
	else
		rows->single = cells;
	if (part)
		tell_figures(rows, &cells->figures);
	MemoryContextSwitchTo(previous);
	return rows;
}

static void
take_values(PublishedRows *rows, int number, const Datum *values, const bool *nulls, int count)
{
	memcpy(rows->record->dvalues + number, values, sizeof(Datum) * count);
	memcpy(rows->record->dnulls + number, nulls, sizeof(bool) * count);
}

/* Takes fields of a tuple after so many. */
static void
take_fields(PublishedRows *rows, TupleTableSlot *slot, int after, int number, int count)
{
	slot_getsomeattrs(slot, after + count);
	take_values(rows, number, slot->tts_values + after, slot->tts_isnull + after, count);
}

/* Goes on to the next class; false after the last. */
static bool
next_class(PublishedRows *rows)
{
	int32 place;
	TupleTableSlot *slot = class_order_next(rows->classes, &place);

	if (slot == NULL)
		return false;
	take_fields(rows, slot, CLASS_ORDER_CELLS, 0, rows->cells);
	rows->record->dvalues[0] = Int32GetDatum(place);
	rows->left = DatumGetInt32(slot->tts_values[CLASS_ORDER_ROWS]);
	return true;
}

bool
published_rows_next(PublishedRows *rows, int64 row, Datum *published)
{
	ExpandedRecordHeader *record = rows->record;
	RecodingCells *single = rows->single;

	if (single)
	{
		write_cells(single, single->recoding->group_of_row[row]);
		if (single->figures.rows == single->recoding->rows)
			recoding_figures_keep(&single->figures);
		take_values(rows, 0, single->values + CLASS_ORDER_CELLS, single->nulls + CLASS_ORDER_CELLS,
					rows->cells);
	}
	else
	{
		if (rows->left == 0 && !next_class(rows))
			return false;
		rows->left--;
	}
	if (rows->beside)
		take_fields(rows, class_sort_next(rows->beside), 1, rows->cells, rows->fields);
	if (rows->figures > 0)
		record->dnulls[rows->figures] = row + 1 < rows->rows;
	/* A flat size computed for another row. */
	record->flat_size = 0;
	*published = PointerGetDatum(
		memcpy(palloc(EXPANDED_POINTER_SIZE), record->hdr.eoh_ro_ptr, EXPANDED_POINTER_SIZE));
	return true;
}
