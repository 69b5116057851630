/*
 * cover_query.c
 *		See cover_query.h.
 *
 * One statement for each column gives (id, lo, hi, strange): cell number id, in the order
 * of the cells, covers the values lo to hi - 1, in theirs.  A cell may have several such
 * rows, and those that cover nothing have an empty one.  strange is the text of
 * a cell that cannot be understood.  For ranges:
 *
 *	cell   the cells with their numbers
 *	event  the values and the ends of cells, in places on one scale; ends that take
 *	       equal values along come behind these (lower: before)
 *	rank   how many values lie before each end
 *
 * For all others:
 *
 *	cell   the cells with their numbers and texts
 *	val    the values of the original with theirs
 *	term   (t, lo, hi): what a text covers
 */
#include "postgres.h"

#include "cell/cover_query.h"

#include "base/interrupt.h"
#include "catalog/pg_type.h"
#include "cell/cover_digits.h"
#include "data/hidden.h"
#include "dimension/star_query.h"
#include "parser/parse_coerce.h"
#include "sql/comparison.h"
#include "sql/query.h"
#include "sql/row_query.h"
#include "sql/text_settings.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"

#define PURPOSE "table of released cells"

/* What the statement says, as it comes. */
typedef struct CoverReader
{
	CellCover *cover;
	int32 spans;
	int32 capacity;
	int32 next;          /* cell that has not begun */
	bool *strange;       /* [cell] */
	int32 first_strange; /* -1: none */
	int32 values;        /* of the original, as they were counted */
	const CellColumn *column;
	Budget *budget;
} CoverReader;

static void
grow_spans(CoverReader *reader)
{
	int32 before = reader->capacity;
	CellCover *cover = reader->cover;

	if (before > PG_INT32_MAX / 2)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("cells of the release cover too many different values")));
	reader->capacity = Max(64, before * 2);
	budget_take(reader->budget, mul_size(sizeof(CodeSpan), reader->capacity - before), PURPOSE);
	cover->span = cover->span ? repalloc_huge(cover->span, sizeof(CodeSpan) * reader->capacity)
							  : palloc(sizeof(CodeSpan) * reader->capacity);
}

/* Cells up to this one begin here. */
static void
begin_cells(CoverReader *reader, int32 cell)
{
	while (reader->next <= cell)
		reader->cover->first[reader->next++] = reader->spans;
}

/* One more span of the last cell, not before the others, but for what covers all. */
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
	if (reader->spans == reader->capacity)
		grow_spans(reader);
	cover->span[reader->spans++] = span;
}

static void
report_change(const char *relation)
{
	ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					errmsg("relation %s changes from one reading to the next", relation),
					errhint("A view to be checked must not depend on chance.")));
}

/* The cells and values were counted before, by another query. */
static void
check_numbers(const CoverReader *reader, int32 cell, int32 to)
{
	if (cell >= reader->cover->cells)
		report_change(reader->column->release);
	if (to > reader->values && to != CELL_COVER_ALL)
		report_change(reader->column->source->name);
}

static void
read_span(void *state, const Datum *values, const bool *nulls, int64 count)
{
	CoverReader *reader = state;
	int32 cell = (int32) DatumGetInt64(values[0]);
	int32 to = nulls[2] ? 0 : (int32) DatumGetInt64(values[2]);

	(void) count;
	check_numbers(reader, cell, to);
	begin_cells(reader, cell);
	if (!nulls[3])
	{
		reader->strange[cell] = true;
		reader->first_strange = reader->first_strange < 0 ? cell : reader->first_strange;
	}
	if (!nulls[1])
		add_span(reader, to == CELL_COVER_ALL
							 ? CODE_SPAN_ALL
							 : (CodeSpan){.from = (int32) DatumGetInt64(values[1]), .to = to});
}

static const char *
source_value(const CellColumn *column)
{
	return psprintf("s.%s", quote_identifier(cell_query_attribute(column)->name));
}

/* ---- ranges */

static bool
is_number(Oid type)
{
	return type == INT2OID || type == INT4OID || type == INT8OID || type == NUMERICOID;
}

/* SQL that brings a value and an end to one type; "" where they have the same. */
static const char *
common_cast(const CellColumn *column)
{
	const DescribedAttribute *attribute = cell_query_attribute(column);
	Oid value = getBaseType(attribute->type);
	Oid subtype = getBaseType(get_range_subtype(getBaseType(column->type)));

	if (subtype == value)
		return "";
	if (is_number(subtype) && is_number(value))
		return "::numeric";
	ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
					errmsg("column \"%s\" of relation %s cannot be understood", column->released,
						   column->release),
					errdetail("Its type is %s, that of column \"%s\" in relation %s is %s.",
							  format_type_be(column->type), attribute->name, column->source->name,
							  format_type_be(attribute->type))));
}

static char *
range_statement(const CellColumn *column)
{
	const char *cast = common_cast(column);
	const char *released = quote_identifier(column->released);
	const char *value = source_value(column);

	return psprintf(
		"WITH cell AS MATERIALIZED (SELECT dense_rank() OVER (ORDER BY x.c) - 1 AS id, x.c"
		" FROM (SELECT r.%s AS c FROM %s r GROUP BY 1) x WHERE x.c IS DISTINCT FROM NULL),"
		" event AS MATERIALIZED ("
		"SELECT (x.v)%s AS p, 1 AS side, NULL::int8 AS id, NULL::bool AS up FROM"
		" (SELECT %s AS v FROM %s s GROUP BY 1) x WHERE x.v IS DISTINCT FROM NULL"
		" UNION ALL SELECT lower(c.c)%s, CASE WHEN lower_inc(c.c) THEN 0 ELSE 2 END, c.id, false"
		" FROM cell c WHERE NOT (isempty(c.c) OR lower_inf(c.c))"
		" UNION ALL SELECT upper(c.c)%s, CASE WHEN upper_inc(c.c) THEN 2 ELSE 0 END, c.id, true"
		" FROM cell c WHERE NOT (isempty(c.c) OR upper_inf(c.c))),"
		" rank AS MATERIALIZED (SELECT e.id, e.up,"
		" count(*) FILTER (WHERE e.side = 1) OVER (ORDER BY e.p, e.side) AS n FROM event e)"
		" SELECT c.id, CASE WHEN isempty(c.c) THEN 0 ELSE coalesce(l.n, 0) END,"
		" CASE WHEN isempty(c.c) THEN 0 WHEN u.id IS NOT NULL THEN u.n"
		" WHEN l.id IS NOT NULL THEN (SELECT count(*) FROM event e WHERE e.side = 1)"
		" ELSE %d END, CASE WHEN isempty(c.c) THEN format('%%s', c.c) END"
		" FROM cell c LEFT JOIN rank l ON l.id = c.id AND NOT l.up"
		" LEFT JOIN rank u ON u.id = c.id AND u.up ORDER BY 1",
		released, column->release, cast, value, column->source->name, cast, cast, CELL_COVER_ALL);
}

/* ---- texts */

/* What the dimension adds to "term". */
static void
append_labels(StringInfo sql, const CellColumn *column)
{
	const DescribedAttribute *attribute = cell_query_attribute(column);
	int height = Max(star_query_height(attribute), 0);
	int *levels = palloc0(sizeof(int) * column->source->quasi_count);

	for (int level = 1; level <= height; level++)
	{
		StarColumn labels;

		levels[column->quasi] = level;
		labels = star_query_build(column->source, levels, 0).columns[column->quasi];
		appendStringInfo(sql,
						 " UNION ALL SELECT unnest(ARRAY[format('%%s', p.l), %s%s]) COLLATE \"C\","
						 " coalesce(v.at, 0), coalesce(v.at + 1, 0) FROM (%s) p (v, l)"
						 " LEFT JOIN one v ON %s WHERE p.v IS DISTINCT FROM NULL",
						 value_text_expression("p.l", labels.type),
						 level > 1 ? ""
								   : psprintf(", format('%%s', p.v), %s",
											  value_text_expression("p.v", attribute->type)),
						 labels.pairs, comparison_equal("v.v", "p.v", attribute->type));
		if (level == height)
			appendStringInfo(sql,
							 " UNION ALL SELECT min(x.t), 0, %d FROM (SELECT format('%%s', p.l)"
							 " COLLATE \"C\" AS t FROM (%s) p (v, l)) x"
							 " HAVING count(DISTINCT x.t) = 1",
							 CELL_COVER_ALL, labels.pairs);
	}
}

/* [a - b]: from a to b, wherever that can be cut. */
static void
append_spans(StringInfo sql)
{
	appendStringInfoString(
		sql,
		", span AS MATERIALIZED (SELECT x.t, min(a.at) AS lo, max(b.at) + 1 AS hi FROM"
		" (SELECT c.t, substr(c.t, 2, p - 2) AS a, substr(c.t, p + 3, length(c.t) - p - 3) AS b"
		" FROM cell c, generate_series(2, length(c.t) - 3) p WHERE left(c.t, 1) = '['"
		" AND right(c.t, 1) = ']' AND substr(c.t, p, 3) = ' - ') x"
		" JOIN spelled a ON a.t = x.a JOIN spelled b ON b.t = x.b AND b.at >= a.at GROUP BY x.t)");
}

/* The collation of the original, where there is one. */
static const char *
collation_text(const DescribedAttribute *attribute)
{
	return OidIsValid(attribute->collation)
			   ? psprintf(" %s", comparison_collation(attribute->collation))
			   : "";
}

/*
 * A value may be spelled in several ways.  Where cells have the type of the values, they
 * need not be spelled like one.
 */
static char *
text_statement(const CellColumn *column)
{
	const DescribedAttribute *attribute = cell_query_attribute(column);
	bool same = getBaseType(column->type) == getBaseType(attribute->type);
	bool text = TypeCategory(getBaseType(column->type)) == TYPCATEGORY_STRING;
	StringInfoData sql;

	initStringInfo(&sql);
	appendStringInfo(
		&sql,
		"WITH cell AS MATERIALIZED (SELECT dense_rank() OVER (ORDER BY x.c) - 1 AS id, x.c, x.t"
		" FROM (SELECT r.%s AS c, format('%%s', r.%s) COLLATE \"C\" AS t FROM %s r GROUP BY 1, 2) x"
		" WHERE x.c IS DISTINCT FROM NULL),"
		" val AS MATERIALIZED (SELECT dense_rank() OVER (ORDER BY x.v) - 1 AS at, x.v, x.t, x.u"
		" FROM (SELECT %s AS v, format('%%s', %s) COLLATE \"C\" AS t, %s COLLATE \"C\" AS u"
		" FROM %s s GROUP BY 1, 2, 3) x WHERE x.v IS DISTINCT FROM NULL),"
		" one AS MATERIALIZED (SELECT DISTINCT ON (v.at) v.at, v.v FROM val v ORDER BY v.at),"
		" spelled AS MATERIALIZED (SELECT v.t, v.at FROM val v UNION SELECT v.u, v.at FROM val v)",
		quote_identifier(column->released), quote_identifier(column->released), column->release,
		source_value(column), source_value(column),
		value_text_expression(source_value(column), attribute->type), column->source->name);
	if (text)
		append_spans(&sql);
	appendStringInfo(&sql,
					 ", term AS MATERIALIZED (SELECT s.t, s.at AS lo, s.at + 1 AS hi FROM spelled s"
					 " UNION ALL SELECT '" HIDDEN_TEXT "', 0, %d",
					 CELL_COVER_ALL);
	if (text)
		appendStringInfoString(&sql, " UNION ALL SELECT g.t, g.lo, g.hi FROM span g");
	if (same)
		appendStringInfo(
			&sql, " UNION ALL SELECT c.t, v.at, v.at + 1 FROM cell c JOIN one v ON %s",
			comparison_equal("v.v", psprintf("c.c%s", collation_text(attribute)), attribute->type));
	if (same && !text)
		appendStringInfoString(&sql, " UNION ALL SELECT c.t, 0, 0 FROM cell c");
	if (OidIsValid(attribute->dimension))
		append_labels(&sql, column);
	appendStringInfoString(&sql, ") SELECT c.id, t.lo, t.hi, CASE WHEN t.t IS NULL THEN c.t END"
								 " FROM cell c LEFT JOIN term t ON t.t = c.t ORDER BY 1, 2");
	return sql.data;
}

/* All joins are equalities over tables whose sizes the planner does not know: see quality_query.c.
 */
static void
scan_hashing(const char *sql, CoverReader *reader)
{
	int nest_level = NewGUCNestLevel();
	RowSource *rows = row_query_create(sql, false);

	text_settings_pin_one("enable_nestloop", "off");
	rows->scan(rows, read_span, reader);
	AtEOXact_GUC(true, nest_level);
}

static CellCover *
create_cover(const GroupRows *cells, int at, Budget *budget)
{
	CellCover *cover = palloc0(sizeof(CellCover));
	Size bytes;

	/* NULL is a cell as well. */
	cover->cells = cells->groups->values[at];
	bytes = mul_size(sizeof(int32), (Size) cover->cells + 2);
	budget_take(budget, bytes, PURPOSE);
	cover->first = palloc_extended(bytes, MCXT_ALLOC_HUGE);
	cover->first -= DATASET_NULL;
	return cover;
}

static void
report_strange(const CellColumn *column, const char *text)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("cell \"%s\" in column \"%s\" of relation %s cannot be understood", text,
					column->released, column->release),
			 errdetail("A cell is a range that is not empty, a value, a label of the dimension,"
					   " [a - b] with values of the original, or *; where all values have the same"
					   " length, * in place of a character hides it.")));
}

CoverColumn
cover_query_run(const CellColumn *column, const GroupRows *values, const GroupRows *cells, int at,
				Budget *budget)
{
	CoverReader reader = {.cover = create_cover(cells, at, budget),
						  .first_strange = -1,
						  .next = DATASET_NULL,
						  .values = values->groups->values[at],
						  .column = column,
						  .budget = budget};
	CoverColumn covered = {.width = 1, .cover = reader.cover};
	int32 offender;

	reader.strange = budget_allocate(budget, reader.cover->cells, sizeof(bool), PURPOSE);
	begin_cells(&reader, DATASET_NULL);
	add_span(&reader, CODE_SPAN_ALL);
	scan_hashing(cell_query_is_interval(column) ? range_statement(column) : text_statement(column),
				 &reader);
	begin_cells(&reader, reader.cover->cells);
	if (reader.first_strange >= 0 &&
		!cover_digits_run(values, cells, at, reader.strange, &covered, &offender, budget))
	{
		if (offender < 0 || !reader.strange[offender])
			offender = reader.first_strange;
		report_strange(column, group_query_text(cells, at, offender));
	}
	return covered;
}
