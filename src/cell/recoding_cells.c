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
#include "cell/cell_names.h"
#include "cell/cell_writer.h"
#include "cell/interval_format.h"
#include "cell/recoding_figures.h"
#include "funcapi.h"
#include "metric/loss.h"
#include "sql/number_query.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#define PURPOSE "recoding"
#define ASK_EVERY                                                                                  \
	64 /* records kept: to ask whether there is memory takes longer than to make one */

struct RecodingCells
{
	MemoryContext context;
	const Recoding *recoding;
	const RecordCodes *codes;
	CellWriter **writer;    /* [column] */
	RecodingColumn *column; /* [column]: to weigh cells by, as they are written */
	bool *mean;             /* [column]: does one follow the cell? */
	RecodedCell *cell;      /* [column]: of the record at hand */
	TupleDesc fields;
	Datum *values;
	bool *nulls;
	MemoryContext scratch;   /* of the record that is not kept */
	HeapTupleHeader *record; /* [group]: those kept, of classes whose rows are mixed */
	int32 kept;
	HeapTupleHeader last;    /* not kept, */
	int32 last_group;        /* .. whose it is; 0 before the first */
	RecodingFigures figures; /* of the records made */
};

static TupleDesc
describe_record(const RecodingCells *cells)
{
	const RecordShape *shape = cells->codes->shape;
	List *quasi = NIL;
	CellNames names;
	TupleDesc fields;
	int count = cells->recoding->class_end ? 1 : 0;

	for (int i = 0; i < shape->quasi_count; i++)
	{
		count += cells->mean[i] ? 2 : 1;
		quasi = lappend(quasi, &shape->quasi[i]);
	}
	names = cell_names_choose(quasi);
	fields = CreateTemplateTupleDesc(count);
	count = 0;
	if (cells->recoding->class_end)
		TupleDescInitEntry(fields, ++count, names.class, INT4OID, -1, 0);
	for (int i = 0; i < shape->quasi_count; i++)
	{
		TupleDescInitEntry(fields, ++count, shape->quasi[i].name, cells->writer[i]->type, -1, 0);
		if (cells->mean[i])
			TupleDescInitEntry(fields, ++count, names.mean[i], FLOAT8OID, -1, 0);
	}
	return BlessTupleDesc(fields);
}

RecodingCells *
recoding_cells_create(const Recoding *recoding, const RecordCodes *codes, bool means)
{
	RecodingCells *cells = palloc0(sizeof(RecodingCells));
	int columns = recoding->columns;

	cells->context = CurrentMemoryContext;
	cells->recoding = recoding;
	cells->codes = codes;
	cells->figures = (RecodingFigures){.classes = recoding->class_end ? recoding->groups : 0,
									   .people = recoding->people,
									   .attributes = columns};
	cells->writer = palloc(sizeof(CellWriter *) * columns);
	cells->column = memcpy(palloc(sizeof(RecodingColumn) * columns), recoding->column,
						   sizeof(RecodingColumn) * columns);
	cells->mean = palloc(sizeof(bool) * columns);
	cells->cell = palloc(sizeof(RecodedCell) * columns);
	for (int i = 0; i < columns; i++)
	{
		cells->writer[i] = cell_writer_create(&recoding->column[i], codes, i);
		if (cells->writer[i]->format == &interval_format && recoding->dataset->values[i] >= 0)
		{
			/* [a - b] stands for the values from a to b, whose codes are their ranks. */
			cells->column[i].position = NULL;
			cells->column[i].whole = (double) recoding->dataset->values[i] - 1;
		}
		cells->mean[i] = means && recoding->column[i].dimension == NULL &&
						 number_query_is_numeric(getBaseType(codes->shape->quasi[i].type));
	}
	if (recoding->class_end && recoding->group_of_row)
		cells->record = budget_allocate(codes->budget, (Size) recoding->groups + 1,
										sizeof(HeapTupleHeader), PURPOSE);
	cells->fields = describe_record(cells);
	cells->values = palloc0(sizeof(Datum) * cells->fields->natts);
	cells->nulls = palloc0(sizeof(bool) * cells->fields->natts);
	cells->scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon cells", ALLOCSET_DEFAULT_SIZES);
	return cells;
}

static int
compare_codes(const void *a, const void *b)
{
	int32 x = *(const int32 *) a;
	int32 y = *(const int32 *) b;

	CHECK_FOR_INTERRUPTS();
	return x < y ? -1 : x > y;
}

/* The sum of these values, each divided. */
static double
sum_of(const RecodingCells *cells, int column, const int32 *codes, int64 count, double divisor)
{
	Oid type = getBaseType(cells->codes->shape->quasi[column].type);
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

/*
 * Added up in the order of the values, so that the sum does not depend on that of the rows.  A
 * sum may be beyond all numbers where the mean is not.
 */
static double
mean_of_class(const RecodingCells *cells, int column, int32 class)
{
	const Recoding *recoding = cells->recoding;
	int64 begin = recoding->class_end[class - 1];
	int64 count = recoding->class_end[class] - begin;
	int32 *codes = budget_allocate(cells->codes->budget, count, sizeof(int32), PURPOSE);
	double mean;

	for (int64 at = 0; at < count; at++)
	{
		interrupt_check(at);
		codes[at] = dataset_record(recoding->dataset, begin + at)[column];
	}
	qsort(codes, count, sizeof(int32), compare_codes);
	mean = sum_of(cells, column, codes, count, 1) / (double) count;
	if (isinf(mean))
		mean = sum_of(cells, column, codes, count, (double) count);
	pfree(codes);
	return mean;
}

static void
add_loss(RecodingCells *cells, int64 rows)
{
	RecodingFigures *figures = &cells->figures;

	figures->rows += rows;
	for (int i = 0; i < figures->attributes; i++)
		recoding_figures_add_loss(figures, i, loss_of_cell(&cells->column[i], &cells->cell[i]),
								  rows);
	if (figures->rows == cells->recoding->rows)
		recoding_figures_keep(figures);
}

/* In the current context. */
static HeapTupleHeader
make_record(RecodingCells *cells, int32 group)
{
	const Recoding *recoding = cells->recoding;
	int field = 0;

	recoding->cells(recoding, group, cells->cell);
	add_loss(cells, recoding_group_rows(recoding, group));
	if (recoding->class_end)
		cells->values[field++] = Int32GetDatum(group);
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
	return heap_form_tuple(cells->fields, cells->values, cells->nulls)->t_data;
}

/* The class of the row at a place in the order of the classes: mostly the last one, or the next. */
static int32
class_in_order(const RecodingCells *cells, int64 row)
{
	const int32 *end = cells->recoding->class_end;
	int32 class = Max(cells->last_group, 1);

	if (row < end[class - 1])
		class = 1;
	while (row >= end[class])
		class ++;
	return class;
}

static HeapTupleHeader
kept_record(RecodingCells *cells, int32 group)
{
	MemoryContext previous;
	HeapTupleHeader made;
	Size length;

	if (cells->record[group])
		return cells->record[group];
	MemoryContextReset(cells->scratch);
	previous = MemoryContextSwitchTo(cells->scratch);
	made = make_record(cells, group);
	MemoryContextSwitchTo(previous);
	length = HeapTupleHeaderGetDatumLength(made);
	if (cells->kept++ % ASK_EVERY == 0)
		budget_check(cells->codes->budget, mul_size(length, ASK_EVERY), PURPOSE);
	cells->record[group] = MemoryContextAlloc(cells->context, length);
	return memcpy(cells->record[group], made, length);
}

static HeapTupleHeader
passing_record(RecodingCells *cells, int32 group)
{
	MemoryContext previous;

	if (cells->last && cells->last_group == group)
		return cells->last;
	cells->last = NULL;
	MemoryContextReset(cells->scratch);
	previous = MemoryContextSwitchTo(cells->scratch);
	cells->last = make_record(cells, group);
	cells->last_group = group;
	MemoryContextSwitchTo(previous);
	return cells->last;
}

HeapTupleHeader
recoding_cells_record(RecodingCells *cells, int64 row)
{
	const Recoding *recoding = cells->recoding;

	if (cells->record)
		return kept_record(cells, recoding->group_of_row[row]);
	return passing_record(cells, recoding->group_of_row ? recoding->group_of_row[row]
														: class_in_order(cells, row));
}
