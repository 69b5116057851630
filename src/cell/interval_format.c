/*
 * interval_format.c
 *		See interval_format.h.
 */
#include "postgres.h"

#include "cell/interval_format.h"

#include "cell/cell_texts.h"
#include "cell/cell_writer.h"
#include "data/dimension.h"
#include "utils/builtins.h"

/* A single value is written as itself. */
static Datum
write_interval(CellWriter *writer, const RecodedCell *cell, bool *isnull)
{
	char *text;

	(void) isnull;
	if (cell->kind == RECODED_ALL)
		return CStringGetTextDatum(HIDDEN_TEXT);
	text = dataset_column_text(writer->column, cell->low);
	if (cell->low != cell->high)
		text = psprintf("[%s - %s]", text, dataset_column_text(writer->column, cell->high));
	return CStringGetTextDatum(text);
}

static bool
may_stand(const CellTexts *texts)
{
	return texts->text && texts->column->level == CELL_LEVEL_UNKNOWN;
}

/*
 * A text can be cut at several places: [a - b - c] may go from a to b - c or from a - b to c; then
 * it covers both.
 */
static void
append_tables(StringInfo sql, const CellTexts *texts)
{
	int number = texts->column->number;

	if (may_stand(texts))
		appendStringInfo(
			sql,
			", span%d AS MATERIALIZED (SELECT x.t, min(a.at) AS lo, max(b.at) AS hi FROM"
			" (SELECT r.t, substr(r.t, 2, p - 2) AS a, substr(r.t, p + 3, length(r.t) - p - 3) AS b"
			" FROM raw%d r, generate_series(2, length(r.t) - 3) p WHERE left(r.t, 1) = '['"
			" AND right(r.t, 1) = ']' AND substr(r.t, p, 3) = ' - ') x"
			" JOIN spelled%d a ON a.t = x.a JOIN spelled%d b ON b.t = x.b AND b.at >= a.at"
			" GROUP BY x.t)",
			number, number, number, number);
}

static void
append_terms(StringInfo sql, const CellTexts *texts)
{
	if (may_stand(texts))
		appendStringInfo(sql, " UNION ALL SELECT g.t, %d, '', g.lo, g.hi FROM span%d g",
						 CELL_TEXTS_INTERVAL(texts), texts->column->number);
}

const CellFormat interval_format = {
	.name = "interval",
	.write = write_interval,
	.tables = append_tables,
	.terms = append_terms,
};
