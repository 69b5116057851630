/*
 * value_format.c
 *		See value_format.h.
 *
 * A value may have several spellings (1.0, 1.00) and become text by a cast or by its output
 * function.  If cells have the type of the values, spelling does not matter: they are compared as
 * values.
 */
#include "postgres.h"

#include "cell/value_format.h"

#include "cell/cell_texts.h"
#include "cell/cell_writer.h"
#include "cell/hidden_format.h"
#include "sql/comparison.h"
#include "sql/value_text.h"

static Oid
type_of_values(Oid value_type)
{
	return value_type;
}

static void
prepare_value(CellWriter *writer)
{
	writer->hidden_is_null = hidden_format_is_null(writer->type);
	if (!writer->hidden_is_null)
		writer->hidden = hidden_format_write(writer->type);
}

static Datum
write_value(CellWriter *writer, const RecodedCell *cell, bool *isnull)
{
	if (cell->kind != RECODED_ALL)
		return dataset_column_value(writer->column, cell->low);
	*isnull = writer->hidden_is_null;
	return writer->hidden;
}

/* Values of the source, of the dimension and, if they can be values, of cells. */
static void
append_tables(StringInfo sql, const CellTexts *texts)
{
	const CellColumn *column = texts->column;
	const DescribedAttribute *attribute = cell_format_attribute(column);
	const char *value = cell_format_value(column);
	int number = column->number;
	bool exact = comparison_is_exact(attribute->type, -1, attribute->collation);

	/* If values have a single spelling, only the few distinct ones are converted. */
	appendStringInfo(
		sql,
		", val%d AS MATERIALIZED (SELECT dense_rank() OVER (ORDER BY x.v) AS at, x.* FROM"
		" (SELECT %s AS v, format('%%s', %s) COLLATE \"C\" AS t, %s AS u, 0 AS origin FROM %s s"
		" GROUP BY 1%s",
		number, value, value, value_text_beside_output(value, attribute->type), column->rows,
		exact ? "" : ", 2, 3");
	if (texts->height > 0)
		appendStringInfo(sql,
						 " UNION ALL SELECT p.v, format('%%s', p.v) COLLATE \"C\", %s, 1"
						 " FROM (%s) p (v, l)",
						 value_text_beside_output("p.v", attribute->type), texts->labels[1].pairs);
	if (texts->values)
		appendStringInfo(
			sql, " UNION ALL SELECT r.v%s%s, r.t, NULL, 2 FROM raw%d r",
			OidIsValid(attribute->collation) ? " " : "",
			OidIsValid(attribute->collation) ? comparison_collation(attribute->collation) : "",
			number);
	appendStringInfo(sql,
					 ") x WHERE x.v IS DISTINCT FROM NULL),"
					 " one%d AS MATERIALIZED (SELECT o.*,"
					 " count(*) FILTER (WHERE o.origin = 0) OVER (ORDER BY o.at) AS upto"
					 " FROM (SELECT DISTINCT ON (v.at) v.at, v.v, v.origin FROM val%d v"
					 " ORDER BY v.at, v.origin) o),"
					 " spelled%d AS MATERIALIZED (SELECT v.t, v.at FROM val%d v WHERE v.origin < 2"
					 " UNION SELECT v.u, v.at FROM val%d v WHERE v.u IS NOT NULL)",
					 number, number, number, number, number);
}

static void
append_terms(StringInfo sql, const CellTexts *texts)
{
	int number = texts->column->number;

	appendStringInfo(sql, "SELECT s.t, 0, '' COLLATE \"C\", s.at, s.at FROM spelled%d s", number);
	if (texts->values)
		appendStringInfo(
			sql,
			" UNION ALL SELECT v.t, CASE WHEN o.origin < 2 THEN 0 ELSE %d END, '', v.at,"
			" v.at FROM val%d v JOIN one%d o ON o.at = v.at WHERE v.origin = 2%s",
			CELL_TEXTS_STRAY(texts), number, number, texts->stray ? "" : " AND o.origin < 2");
	else if (texts->stray)
		appendStringInfo(sql, " UNION ALL SELECT r.t, %d, '', NULL, NULL FROM raw%d r",
						 CELL_TEXTS_STRAY(texts), number);
}

const CellFormat value_format = {
	.name = "value",
	.type = type_of_values,
	.prepare = prepare_value,
	.write = write_value,
	.tables = append_tables,
	.terms = append_terms,
};
