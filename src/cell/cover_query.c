/*
 * cover_query.c
 *		See cover_query.h.
 */
#include "postgres.h"

#include "cell/cover_query.h"

#include "catalog/pg_type.h"
#include "cell/digits_format.h"
#include "sql/query.h"
#include "sql/row_query.h"
#include "utils/lsyscache.h"

#define PURPOSE "table of released cells"

/* Reads the result of the statement row by row. */
typedef struct CoverReader
{
	CellCover *cover;
	int32 spans;
	int32 capacity;
	int32 next;               /* first cell not begun yet */
	bool *unrecognized;       /* [cell] */
	int32 first_unrecognized; /* -1: none */
	int32 values;             /* of the original, when they were counted */
	const CellColumn *column;
	Budget *budget;
} CoverReader;

/* Sets the beginning of all cells up to this one. */
static void
begin_cells(CoverReader *reader, int32 cell)
{
	while (reader->next <= cell)
		reader->cover->first[reader->next++] = reader->spans;
}

/* Adds a span to the last cell.  Spans ascend, except that covering all replaces the others. */
static void
add_span(CoverReader *reader, CodeSpan span)
{
	CellCover *cover = reader->cover;
	CodeSpan *last =
		reader->spans > cover->first[reader->next - 1] ? &cover->span[reader->spans - 1] : NULL;

	if (span.from >= span.to)
		return;
	if (last && span.from <= last->to)
	{
		last->from = Min(last->from, span.from);
		last->to = Max(last->to, span.to);
		return;
	}
	if (reader->spans > PG_INT32_MAX / 2)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("cells of the release cover too many different values")));
	if (reader->spans == reader->capacity)
	{
		reader->capacity = Max(64, reader->spans * 2);
		cover->span = budget_enlarge(reader->budget, cover->span, reader->spans, reader->capacity,
									 sizeof(CodeSpan), PURPOSE);
	}
	cover->span[reader->spans++] = span;
}

static void
report_change(const char *relation)
{
	ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					errmsg("relation %s changes from one reading to the next", relation),
					errhint("A view can be checked only if it returns the same rows each time.")));
}

static void
read_span(void *state, const Datum *values, const bool *nulls, int64 count)
{
	CoverReader *reader = state;
	int32 cell = (int32) DatumGetInt64(values[0]);
	int32 to = nulls[2] ? 0 : (int32) DatumGetInt64(values[2]);

	(void) count;
	/* Another query counted the cells and values before. */
	if (cell >= reader->cover->cells)
		report_change(reader->column->release);
	if (to > reader->values && to != CELL_COVER_ALL)
		report_change(reader->column->source->name);
	begin_cells(reader, cell);
	if (!nulls[3])
	{
		reader->unrecognized[cell] = true;
		reader->first_unrecognized =
			reader->first_unrecognized < 0 ? cell : reader->first_unrecognized;
	}
	if (!nulls[1])
		add_span(reader, to == CELL_COVER_ALL
							 ? CODE_SPAN_ALL
							 : (CodeSpan){.from = (int32) DatumGetInt64(values[1]), .to = to});
}

CoverColumn
cover_query_run(CellColumn *column, const GroupRows *values, const GroupRows *cells, int at,
				Budget *budget)
{
	CellCover *cover = palloc0(sizeof(CellCover));
	CoverReader reader = {.cover = cover,
						  .first_unrecognized = -1,
						  .next = DATASET_NULL,
						  .values = values->groups->values[at],
						  .column = column,
						  .budget = budget};
	CoverColumn covered = {.width = 1, .cover = cover};
	int parameters;
	int nest_level;
	int32 offender;
	StringInfoData sql;
	const Oid types[] = {INT8OID, INT8OID, INT8OID, TEXTOID};
	Oid array_types[2];
	Datum arrays[2];
	RowSource *rows;

	/* NULL is a cell as well. */
	cover->cells = cells->groups->values[at];
	cover->first = budget_allocate(budget, (Size) cover->cells + 2, sizeof(int32), PURPOSE);
	cover->first -= DATASET_NULL;
	reader.unrecognized = budget_allocate(budget, cover->cells, sizeof(bool), PURPOSE);
	begin_cells(&reader, DATASET_NULL);
	add_span(&reader, CODE_SPAN_ALL);
	initStringInfo(&sql);
	/* Nothing is read twice, except values with several spellings. */
	column->cells = group_query_values(cells, at, type_is_range(getBaseType(column->type)), 1,
									   &array_types[0], &arrays[0], budget);
	column->rows = group_query_values(values, at, false, column->cells ? 2 : 1,
									  &array_types[column->cells ? 1 : 0],
									  &arrays[column->cells ? 1 : 0], budget);
	parameters = (column->cells ? 1 : 0) + (column->rows ? 1 : 0);
	if (column->rows)
		appendStringInfoString(&sql, "WITH ");
	else
		cell_format_begin(&sql, list_make1(column));
	cell_format_cover(&sql, column);
	appendStringInfo(&sql, " SELECT x.id, x.lo, x.hi, x.unrecognized FROM cover%d x ORDER BY 1, 2",
					 column->number);
	rows = row_query_create(sql.data, types, lengthof(types), false);
	row_query_bind(rows, parameters, array_types, arrays);
	nest_level = query_hashing_begin();
	rows->scan(rows, read_span, &reader);
	query_hashing_end(nest_level);
	begin_cells(&reader, cover->cells);
	if (reader.first_unrecognized >= 0 &&
		!digits_format_split(values, cells, at, reader.unrecognized, &covered, &offender, budget))
	{
		if (offender < 0 || !reader.unrecognized[offender])
			offender = reader.first_unrecognized;
		cell_format_report_unrecognized(
			column, group_query_text(cells, at, offender),
			_("A cell is a range that is not empty, a value, a label of the dimension,"
			  " [a - b] with values of the relation, or *; where all values have the same"
			  " length, * in place of a character hides it."));
	}
	return covered;
}
