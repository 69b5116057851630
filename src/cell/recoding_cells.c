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
#include "data/row_store.h"
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
	Recoding *recoding;
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
	RowStore *store;         /* where the recoding came in pieces: the record of each row; NULL: */
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

/* Of a recoding that has come to another piece, or to its first one. */
static void
begin_piece(RecodingCells *cells)
{
	if (cells->recoding->class_end)
		cells->figures.classes += cells->recoding->groups;
	cells->last = NULL;
	cells->last_group = 0;
}

static void prepare_records(RecodingCells *cells);

RecodingCells *
recoding_cells_create(Recoding *recoding, const RecordCodes *codes, bool means, bool by_class)
{
	RecodingCells *cells = palloc0(sizeof(RecodingCells));
	int columns = recoding->columns;

	cells->context = CurrentMemoryContext;
	cells->recoding = recoding;
	cells->codes = codes;
	cells->figures = (RecodingFigures){.people = recoding->people, .attributes = columns};
	cells->writer = palloc(sizeof(CellWriter *) * columns);
	cells->column = memcpy(palloc(sizeof(RecodingColumn) * columns), recoding->column,
						   sizeof(RecodingColumn) * columns);
	cells->mean = palloc(sizeof(bool) * columns);
	cells->cell = palloc(sizeof(RecodedCell) * columns);
	for (int i = 0; i < columns; i++)
	{
		cells->writer[i] = cell_writer_create(&recoding->column[i], codes, i);
		if (cells->writer[i]->format == &interval_format && codes->dataset->values[i] >= 0)
		{
			/* [a - b] stands for the values from a to b, whose codes are their ranks. */
			cells->column[i].position = NULL;
			cells->column[i].whole = (double) codes->dataset->values[i] - 1;
		}
		cells->mean[i] = means && recoding->column[i].dimension == NULL &&
						 number_query_is_numeric(getBaseType(codes->shape->quasi[i].type));
	}
	cells->fields = describe_record(cells);
	cells->values = palloc0(sizeof(Datum) * cells->fields->natts);
	cells->nulls = palloc0(sizeof(bool) * cells->fields->natts);
	cells->scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon cells", ALLOCSET_DEFAULT_SIZES);
	begin_piece(cells);
	if (recoding->class_end && !by_class)
		prepare_records(cells);
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

/* The codes of a column, of the rows of a class as they come. */
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
 * Added up in the order of the values, so that the sum does not depend on that of the rows.  A
 * sum may be beyond all numbers where the mean is not.
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
	qsort(of.codes, count, sizeof(int32), compare_codes);
	mean = sum_of(cells, column, of.codes, count, 1) / (double) count;
	if (isinf(mean))
		mean = sum_of(cells, column, of.codes, count, (double) count);
	pfree(of.codes);
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
	return heap_form_tuple(cells->fields, cells->values, cells->nulls)->t_data;
}

/* The class of the row at a place in the order of the classes: mostly the last one, or the next. */
static int32
class_in_order(RecodingCells *cells, int64 row)
{
	Recoding *recoding = cells->recoding;
	const int32 *end = recoding->class_end;
	int32 class = Max(cells->last_group, 1);

	while (recoding->next && row - recoding->rows_before >= recoding->class_end[recoding->groups])
	{
		if (!recoding->next(recoding))
			elog(ERROR, "row " INT64_FORMAT " is behind the last class", row);
		begin_piece(cells);
		end = recoding->class_end;
		class = 1;
	}
	row -= recoding->rows_before;
	if (row < end[class - 1])
		class = 1;
	while (row >= end[class])
		class ++;
	return class;
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

static HeapTupleHeader
kept_record(RecodingCells *cells, int32 group)
{
	HeapTupleHeader made;
	Size length;

	if (cells->record[group])
		return cells->record[group];
	made = passing_record(cells, group);
	length = HeapTupleHeaderGetDatumLength(made);
	if (cells->kept++ % ASK_EVERY == 0)
		budget_check(cells->codes->budget, mul_size(length, ASK_EVERY), PURPOSE);
	cells->record[group] = MemoryContextAlloc(cells->context, length);
	return memcpy(cells->record[group], made, length);
}

/* Gives the record at hand to a row. */
static void
store_record(void *state, int32 row, const int32 *code)
{
	RecodingCells *cells = state;

	(void) code;
	row_store_put(cells->store, row, cells->last, HeapTupleHeaderGetDatumLength(cells->last));
}

/* All records at once, since classes go with their pieces, or are too many for memory. */
static void
store_records(RecodingCells *cells)
{
	Recoding *recoding = cells->recoding;
	bool more = true;

	cells->store = row_store_create(recoding->rows, HeapTupleHeaderGetDatumLength(cells->last),
									false, cells->codes->tapes, cells->codes->budget);
	while (more)
	{
		for (int32 class = 1; class <= recoding->groups; class ++)
		{
			passing_record(cells, class);
			recoding->each_row(recoding, class, store_record, cells);
		}
		more = recoding->next && recoding->next(recoding);
		if (more)
			begin_piece(cells);
	}
}

/* Of classes whose rows are mixed. */
static void
prepare_records(RecodingCells *cells)
{
	Size length = HeapTupleHeaderGetDatumLength(passing_record(cells, 1)) + sizeof(HeapTupleHeader);
	Size groups = (Size) cells->recoding->groups + 1;

	if (cells->recoding->next ||
		(cells->codes->tapes && !budget_fits(cells->codes->budget, mul_size(length, groups))))
		store_records(cells);
	else
	{
		cells->record = budget_allocate_in(cells->codes->budget, cells->context,
										   mul_size(groups, sizeof(HeapTupleHeader)), PURPOSE);
		kept_record(cells, 1);
	}
}

HeapTupleHeader
recoding_cells_record(RecodingCells *cells, int64 row)
{
	const Recoding *recoding = cells->recoding;

	if (cells->store)
		return (HeapTupleHeader) row_store_get(cells->store, row);
	if (cells->record)
		return kept_record(cells, recoding->group_of_row[row]);
	return passing_record(cells, recoding->group_of_row ? recoding->group_of_row[row]
														: class_in_order(cells, row));
}
