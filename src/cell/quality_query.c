/*
 * quality_query.c
 *		See quality_query.h.
 *
 * SQL groups the release.  Its classes pass by once: the cells of each column get codes, and the
 * rows of each cell are counted.  Where there are predicates, the codes of the columns that these
 * name, and the classes' sizes, go to a tape, which is read once for each predicate.
 *
 * Sums of shares do not depend on the order of what is added up (loss_sum_add), or they would
 * depend on the order of the rows.
 */
#include "postgres.h"

#include "cell/quality_query.h"

#include <math.h>

#include "base/context.h"
#include "base/interrupt.h"
#include "cell/cell_reader.h"
#include "cell/range_format.h"
#include "cell/recoding_cells.h"
#include "data/code_tape.h"
#include "metric/loss.h"
#include "relation/grouped_rows.h"
#include "sql/query.h"
#include "sql/row_query.h"
#include "sql/type_query.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#define PURPOSE "table of released cells"
#define TUPLES 1024 /* read from the tape at once */

/* A column of the release.  Cells are numbered from 1 on; 0 is NULL. */
typedef struct MeasuredColumn
{
	const CellColumn *column;
	bool asked; /* by predicates */
	Dictionary *cells;
	int64 *rows; /* [cell] */
	int64 room;
	CellReader *reader;
	LossSum loss;
	int64 *most;       /* [level]: rows of its most frequent cell */
	RecodedCell *cell; /* [cell]; NULL unless asked */
	double *share;     /* [cell]: of one predicate */
	bool named;        /* the current predicate names the column */
} MeasuredColumn;

typedef struct Measurement
{
	MeasuredColumn *column;
	int columns;
	int asked;
	QualityTally tally;
	uint64 squares;
	CodeTape *tape; /* of tuples: the cells of the columns asked for, then the rows as two codes */
	int32 *tuple;
	Budget budget;
} Measurement;

/* ----------------------------------------------------------------
 * Classes
 * ----------------------------------------------------------------
 */

static void
read_class(void *state, const Datum *values, const bool *nulls, int64 count)
{
	Measurement *of = state;
	int asked = 0;

	of->tally.smallest = of->tally.classes == 0 ? count : Min(of->tally.smallest, count);
	of->tally.classes++;
	of->tally.rows += count;
	of->squares += (uint64) count * (uint64) count;
	for (int i = 0; i < of->columns; i++)
	{
		MeasuredColumn *column = &of->column[i];
		int32 cell = nulls[i] ? 0 : 1 + dictionary_encode(column->cells, values[i]);

		column->rows = budget_room(&of->budget, column->rows, &column->room, (int64) cell + 1,
								   sizeof(int64), PURPOSE);
		column->rows[cell] += count;
		if (column->asked)
			of->tuple[asked++] = cell;
	}
	if (of->asked == 0)
		return;
	memcpy(of->tuple + of->asked, &count, sizeof(int64));
	code_tape_append(of->tape, of->tuple);
}

/* count: SQL, the rows of those with the same cells. */
static void
read_classes(Measurement *of, const char *count)
{
	Oid *types = palloc(sizeof(Oid) * of->columns);
	StringInfoData list;
	RowSource *classes;

	initStringInfo(&list);
	for (int i = 0; i < of->columns; i++)
	{
		const DescribedAttribute *released = of->column[i].column->released;

		types[i] = released->type;
		appendStringInfo(&list, "%sr.%s", i > 0 ? ", " : "", quote_identifier(released->name));
	}
	classes = row_query_create(psprintf("SELECT %s, %s FROM %s r GROUP BY %s", list.data, count,
										of->column[0].column->release, list.data),
							   types, of->columns, true);
	classes->scan(classes, read_class, of);
	of->tally.squares = (double) of->squares;
}

/* ----------------------------------------------------------------
 * Cells
 * ----------------------------------------------------------------
 */

/* Adds a cell to the loss, and to its level and the most frequent cell there. */
static void
add_cell(MeasuredColumn *column, QualityColumn *sums, int32 number, const RecodedCell *cell)
{
	int64 rows = column->rows[number];
	int level = cell_reader_level(column->reader, cell);
	const char *text = "";

	loss_sum_add(&column->loss, loss_of_cell(&column->reader->domain->column, cell), rows);
	sums->rows[level] += rows;
	if (rows < column->most[level])
		return;
	if (number > 0)
		text = cell_reader_text(column->reader, dictionary_value(column->cells, number - 1));
	if (rows > column->most[level] || strcmp(text, sums->label[level]) < 0)
		sums->label[level] = text;
	column->most[level] = rows;
}

/* Reads all cells of a column; raises an error for the first text that is none. */
static void
read_cells(MeasuredColumn *column, QualityColumn *sums)
{
	int32 cells = dictionary_size(column->cells) + 1;
	const char *unrecognized = NULL;

	for (int32 number = 0; number < cells; number++)
	{
		Datum value = number == 0 ? 0 : dictionary_value(column->cells, number - 1);

		interrupt_check(number);
		if (column->rows[number] == 0)
			continue;
		if (cell_reader_read(column->reader, value, number == 0) > 0)
		{
			if (column->cell)
				column->cell[number] = column->reader->meaning[0];
			add_cell(column, sums, number, &column->reader->meaning[0]);
		}
		else
		{
			const char *text = cell_reader_text(column->reader, value);

			if (unrecognized == NULL || strcmp(text, unrecognized) < 0)
				unrecognized = text;
		}
	}
	if (unrecognized)
		cell_reader_refuse(
			column->column, unrecognized,
			_("A cell is a range that is not empty, a value, a label of the dimension,"
			  " [a - b] with values of the relation, or *."));
}

static QualityColumn
measure_column(MeasuredColumn *column, int64 rows, Budget *budget)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "kanon cells", CONTEXT_SMALL_SIZES);
	MemoryContext previous = MemoryContextSwitchTo(context);
	QualityColumn sums;

	column->reader = cell_reader_open(column->column, NULL, budget);
	sums.levels = CELL_LEVELS(column->reader->domain->height);
	column->most = palloc0(sizeof(int64) * sums.levels);
	if (column->asked)
		column->cell = budget_allocate(budget, dictionary_size(column->cells) + 1,
									   sizeof(RecodedCell), PURPOSE);
	MemoryContextSwitchTo(previous);
	sums.rows = palloc0(sizeof(int64) * sums.levels);
	sums.label = palloc0(sizeof(char *) * sums.levels);
	MemoryContextSwitchTo(context);
	read_cells(column, &sums);
	MemoryContextSwitchTo(previous);
	for (int level = 0; level < sums.levels; level++)
		if (sums.label[level])
			sums.label[level] = pstrdup(sums.label[level]);
	if (!column->asked)
		MemoryContextDelete(context);
	sums.loss = loss_sum_mean(&column->loss, rows);
	return sums;
}

static void
measure_columns(Measurement *of)
{
	QualityColumn *each = palloc(sizeof(QualityColumn) * of->columns);
	double *mean = palloc(sizeof(double) * of->columns);
	double *weight = palloc(sizeof(double) * of->columns);

	for (int i = 0; i < of->columns; i++)
	{
		const CellColumn *column = of->column[i].column;

		each[i] = measure_column(&of->column[i], of->tally.rows, &of->budget);
		mean[i] = each[i].loss;
		weight[i] = column->source->quasi[column->quasi]->weight;
	}
	of->tally.column = each;
	of->tally.loss = recoding_figures_weigh(mean, weight, of->columns);
}

/* ----------------------------------------------------------------
 * Predicates
 * ----------------------------------------------------------------
 */

/* Counts the source's rows, and those that satisfy some of the predicates. */
static void
count_source(Measurement *of, const List *predicates, int from, QualityAnswer *answers)
{
	const Description *source = of->column[0].column->source;
	int to = Min(from + QUALITY_QUERY_PREDICATES, list_length(predicates));
	Bitmapset *numbers = NULL;
	GroupedRows rows;
	StringInfoData sql;

	for (int i = 0; i < of->columns; i++)
		if (of->column[i].asked)
			numbers = bms_add_member(numbers, source->quasi[of->column[i].column->quasi]->number);
	rows = grouped_rows(source, numbers, GROUPED_FOR_ROWS);
	initStringInfo(&sql);
	appendStringInfo(&sql, "SELECT %s", grouped_rows_count_if(&rows, "true"));
	for (int at = from; at < to; at++)
	{
		StringInfoData condition;

		initStringInfo(&condition);
		appendStringInfoString(&condition, "true");
		for (int i = 0; i < source->quasi_count; i++)
			if (predicate_names(list_nth(predicates, at), source->quasi[i]))
				appendStringInfo(&condition, " AND %s",
								 predicate_condition(
									 list_nth(predicates, at), source->quasi[i],
									 psprintf("s.%s", quote_identifier(source->quasi[i]->name))));
		appendStringInfo(&sql, ", %s", grouped_rows_count_if(&rows, condition.data));
	}
	appendStringInfo(&sql, " FROM %s s", rows.relation);
	query_run(sql.data, true);
	of->tally.source_rows = query_int8(0, 1);
	for (int at = from; at < to; at++)
		answers[at].actual = query_int8(0, at - from + 2);
}

/* For each class the product of the shares that a predicate covers of its cells. */
static double
estimate(Measurement *of, const Predicate *predicate, int32 *tuples)
{
	int width = of->asked + 2;
	LossSum sum = {0};
	int64 count;

	for (int i = 0; i < of->columns; i++)
	{
		MeasuredColumn *column = &of->column[i];

		column->named = column->asked && predicate_names(predicate, column->reader->attribute);
		if (column->named)
			cell_share_of_all(column->reader, predicate, column->cell,
							  dictionary_size(column->cells) + 1, column->share);
	}
	code_tape_rewind(of->tape);
	while ((count = code_tape_read(of->tape, tuples, TUPLES)) > 0)
	{
		CHECK_FOR_INTERRUPTS();
		for (int32 *tuple = tuples; tuple < tuples + count * width; tuple += width)
		{
			const int32 *cell = tuple;
			double product = 1;
			int64 rows;

			for (int i = 0; i < of->columns; i++)
				if (of->column[i].asked)
				{
					product *= of->column[i].named ? of->column[i].share[*cell] : 1;
					cell++;
				}
			memcpy(&rows, tuple + of->asked, sizeof(int64));
			loss_sum_add(&sum, product, rows);
		}
	}
	return loss_sum_total(&sum);
}

static void
estimate_answers(Measurement *of, const List *predicates, QualityAnswer *answers)
{
	int32 *tuples = palloc(sizeof(int32) * TUPLES * (of->asked + 2));
	ListCell *at;

	for (int i = 0; i < of->columns; i++)
		if (of->column[i].asked)
			of->column[i].share = budget_allocate(
				&of->budget, dictionary_size(of->column[i].cells) + 1, sizeof(double), PURPOSE);
	foreach (at, predicates)
		answers[foreach_current_index(at)].estimate = estimate(of, lfirst(at), tuples);
}

/* ---- all together */

static void
begin_column(MeasuredColumn *column, const CellColumn *described, const List *predicates,
			 Budget *budget)
{
	const DescribedAttribute *released = described->released;
	ValueType type = type_query_value_type(released->type, released->collation);
	ListCell *at;

	*column = (MeasuredColumn){
		.column = described, .cells = dictionary_create(&type, budget), .room = 64};
	column->rows = budget_allocate(budget, column->room, sizeof(int64), PURPOSE);
	foreach (at, predicates)
		column->asked = column->asked ||
						predicate_names(lfirst(at), described->source->quasi[described->quasi]);
}

QualityTally
quality_query_run(const List *columns, const List *predicates, QualityAnswer *answers)
{
	Measurement of = {.columns = list_length(columns), .budget = budget_begin()};
	int done = 0;
	ListCell *at;

	of.column = palloc(sizeof(MeasuredColumn) * of.columns);
	foreach (at, columns)
	{
		MeasuredColumn *column = &of.column[foreach_current_index(at)];

		begin_column(column, lfirst(at), predicates, &of.budget);
		of.asked += column->asked;
	}
	of.tuple = palloc(sizeof(int32) * (of.asked + 2));
	if (of.asked > 0)
		of.tape = code_tape_create(code_tapes_create(), of.asked + 2);
	read_classes(&of, "count(*)");
	/* Before any dimension, so that whoever may not read the source is told of that. */
	do
	{
		count_source(&of, predicates, done, answers);
		done += QUALITY_QUERY_PREDICATES;
	} while (done < list_length(predicates));
	measure_columns(&of);
	estimate_answers(&of, predicates, answers);
	if (of.tape)
		code_tape_close(of.tape);
	return of.tally;
}

RecodingFigures
quality_query_losses(const List *columns, const char *count)
{
	RecodingFigures figures = {0};

	foreach_ptr (const CellColumn, described, columns)
	{
		MeasuredColumn column;
		Measurement of = {.column = &column, .columns = 1, .budget = budget_begin()};

		begin_column(&column, described, NIL, &of.budget);
		read_classes(&of, count);
		(void) measure_column(&column, of.tally.rows, &of.budget);
		figures.rows = of.tally.rows;
		figures.loss[figures.attributes++] = column.loss;
	}
	return figures;
}

/* ----------------------------------------------------------------
 * Pairs of ranges
 * ----------------------------------------------------------------
 */

/* SQL: the lower or upper end of a column's ranges as float8; days are counted from 1970. */
static char *
end_on_scale(const CellColumn *column, const char *which)
{
	char *end = psprintf("%s(r.%s)", which, quote_identifier(column->released->name));
	bool days;

	(void) range_format_scale(column, &days);
	return psprintf(days ? "extract(epoch FROM %s)::float8 / 86400" : "%s::float8", end);
}

/* NaN if it is NULL or infinite. */
static double
read_end(int64 row, int column)
{
	double end = query_double(row, column);

	return query_null(row, column) || isinf(end) ? NAN : end;
}

int
quality_query_pairs(const CellColumn *x, const CellColumn *y, int most, RangePair **pair)
{
	int count;

	query_run(psprintf("SELECT %1$s, %2$s, %3$s, %4$s, count(*) FROM %5$s r GROUP BY r.%6$s, r.%7$s"
					   " ORDER BY count(*) DESC, r.%6$s, r.%7$s LIMIT %8$d",
					   end_on_scale(x, "lower"), end_on_scale(x, "upper"), end_on_scale(y, "lower"),
					   end_on_scale(y, "upper"), x->release, quote_identifier(x->released->name),
					   quote_identifier(y->released->name), most),
			  true);
	count = (int) query_rows();
	*pair = palloc(sizeof(RangePair) * Max(count, 1));
	for (int i = 0; i < count; i++)
		(*pair)[i] = (RangePair){.low = {read_end(i, 1), read_end(i, 3)},
								 .high = {read_end(i, 2), read_end(i, 4)},
								 .rows = query_int8(i, 5)};
	return count;
}
