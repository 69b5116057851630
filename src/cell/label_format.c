/*
 * label_format.c
 *		See label_format.h.
 */
#include "postgres.h"

#include "cell/label_format.h"

#include "cell/cell_texts.h"
#include "cell/cell_writer.h"
#include "sql/comparison.h"
#include "sql/value_text.h"
#include "utils/builtins.h"

static Datum
write_label(CellWriter *writer, const RecodedCell *cell, bool *isnull)
{
	(void) isnull;
	if (cell->kind == RECODED_ALL)
		return CStringGetTextDatum(dimension_query_top(writer->domain));
	return CStringGetTextDatum(dimension_query_text(writer->domain, cell->level,
													writer->domain->value_of_code[cell->low]));
}

/*
 * Equal labels of a level have one key, however they are spelled: their text or, if that may vary,
 * their rank.
 */
static void
append_tables(StringInfo sql, const CellTexts *texts)
{
	if (texts->height == 0)
		return;
	appendStringInfo(sql, ", node%d AS MATERIALIZED (", texts->column->number);
	for (int level = 1; level <= texts->height; level++)
	{
		const StarColumn *labels = &texts->labels[level];
		bool exact = comparison_is_exact(labels->type, labels->typmod, labels->collation);

		appendStringInfo(
			sql,
			"%sSELECT %d AS level, %s COLLATE \"C\" AS key, p.v, %s COLLATE \"C\" AS t,"
			" %s AS u FROM (%s) p (v, l) WHERE p.v IS DISTINCT FROM NULL",
			level > 1 ? " UNION ALL " : "", level,
			exact ? "format('%s', p.l)" : "(dense_rank() OVER (ORDER BY p.l))::text",
			exact ? "NULL::text" : "format('%s', p.l)",
			value_text_beside_output("p.l", labels->type), labels->pairs);
	}
	appendStringInfoChar(sql, ')');
}

static void
append_terms(StringInfo sql, const CellTexts *texts)
{
	int number = texts->column->number;

	if (texts->height > 0)
		appendStringInfo(
			sql,
			" UNION ALL (SELECT coalesce(d.t, d.key), d.level, d.key, NULL::int8, NULL::int8"
			" FROM node%d d UNION SELECT d.u, d.level, d.key, NULL, NULL FROM node%d d"
			" WHERE d.u IS NOT NULL)",
			number, number);
}

const CellFormat label_format = {
	.name = "label",
	.write = write_label,
	.tables = append_tables,
	.terms = append_terms,
};
