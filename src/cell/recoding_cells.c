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
#include "funcapi.h"
#include "nodes/value.h"
#include "sql/type_query.h"
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
 * Records
 * ----------------------------------------------------------------
 */

struct RecodingCells
{
	Recoding *recoding;
	const RecordCodes *codes;
	CellWriter **writer;    /* [column] */
	RecodingColumn *column; /* [column]: the scale of its cells */
	bool *mean;             /* [column]: a mean follows the cell */
	RecodedCell *cell;      /* [column]: of the current record */
	TupleDesc fields;
	Datum *values;
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
	cells->values = palloc0(sizeof(Datum) * cells->fields->natts);
	cells->nulls = palloc0(sizeof(bool) * cells->fields->natts);
	cells->scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon cells", ALLOCSET_DEFAULT_SIZES);
	return cells;
}

TupleDesc
recoding_cells_fields(const RecodingCells *cells)
{
	return cells->fields;
}

static int
compare_codes(const void *a, const void *b)
{
	int32 x = *(const int32 *) a;
	int32 y = *(const int32 *) b;

	CHECK_FOR_INTERRUPTS();
	return x < y ? -1 : x > y;
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
		loss_sum_add(&figures->loss[i], loss_of_cell(&cells->column[i], &cells->cell[i]), rows);
	if (figures->rows == cells->recoding->rows)
		recoding_figures_keep(figures);
}

void
recoding_cells_write(RecodingCells *cells, int32 group, const Datum **values, const bool **nulls)
{
	const Recoding *recoding = cells->recoding;
	MemoryContext previous;
	int field = 0;

	MemoryContextReset(cells->scratch);
	previous = MemoryContextSwitchTo(cells->scratch);
	recoding->cells(recoding, group, cells->cell);
	cells->figures.classes += recoding->class_end ? 1 : 0;
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
	MemoryContextSwitchTo(previous);
	*values = cells->values;
	*nulls = cells->nulls;
}

Datum
recoding_cells_record(RecodingCells *cells, int64 row)
{
	recoding_cells_write(cells, cells->recoding->group_of_row[row], &(const Datum *){NULL},
						 &(const bool *){NULL});
	return HeapTupleGetDatum(heap_form_tuple(cells->fields, cells->values, cells->nulls));
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
