/*
 * label_format.c
 *		See label_format.h.
 */
#include "postgres.h"

#include "cell/label_format.h"

#include "catalog/pg_type.h"
#include "cell/cell_texts.h"
#include "cell/cell_writer.h"
#include "data/hidden.h"
#include "utils/builtins.h"

char *
label_format_write(DomainText *text, int level, int32 value)
{
	return level > text->domain->height ? pstrdup(HIDDEN_TEXT)
										: domain_text_write(text, level, value);
}

static void
prepare_label(CellWriter *writer)
{
	writer->type = TEXTOID;
	writer->label_text = domain_text_create(writer->domain);
}

static Datum
write_label(CellWriter *writer, const RecodedCell *cell, bool *isnull)
{
	(void) isnull;
	if (cell->kind == RECODED_ALL)
		return CStringGetTextDatum(HIDDEN_TEXT);
	return CStringGetTextDatum(label_format_write(&writer->label_text, cell->level,
												  writer->domain->value_of_code[cell->low]));
}

/* Labels of a level that are equal have one key, however they are spelled. */
static void
append_tables(StringInfo sql, const CellTexts *texts)
{
	if (texts->height == 0)
		return;
	appendStringInfo(sql, ", node%d AS MATERIALIZED (", texts->column->number);
	for (int level = 1; level <= texts->height; level++)
		appendStringInfo(sql,
						 "%sSELECT %d AS level, dense_rank() OVER (ORDER BY p.l) AS key, p.v,"
						 " format('%%s', p.l) COLLATE \"C\" AS t, %s COLLATE \"C\" AS u"
						 " FROM (%s) p (v, l) WHERE p.v IS DISTINCT FROM NULL",
						 level > 1 ? " UNION ALL " : "", level,
						 value_text_expression("p.l", texts->label_type[level]),
						 texts->pairs[level]);
	appendStringInfoChar(sql, ')');
}

static void
append_terms(StringInfo sql, const CellTexts *texts)
{
	int number = texts->column->number;

	if (texts->height > 0)
		appendStringInfo(
			sql,
			" UNION ALL (SELECT d.t, d.level, d.key, NULL::int8, NULL::int8 FROM node%d d"
			" UNION SELECT d.u, d.level, d.key, NULL, NULL FROM node%d d)",
			number, number);
}

const CellFormat label_format = {
	.name = "label",
	.prepare = prepare_label,
	.write = write_label,
	.tables = append_tables,
	.terms = append_terms,
};
