/*
 * text_formats.c
 *		See text_formats.h.
 */
#include "postgres.h"

#include "cell/text_formats.h"

#include "cell/cell_reader.h"
#include "data/dimension.h"
#include "fmgr.h"
#include "parser/parse_coerce.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

/* ---- values */

bool
hidden_format_is_null(Oid base_type)
{
	return TypeCategory(base_type) != TYPCATEGORY_STRING;
}

static Oid
type_of_values(Oid value_type)
{
	return value_type;
}

static void
prepare_value(CellWriter *writer)
{
	Oid input;
	Oid parameter;

	writer->hidden_is_null = hidden_format_is_null(writer->type);
	if (writer->hidden_is_null)
		return;
	getTypeInputInfo(writer->type, &input, &parameter);
	writer->hidden = OidInputFunctionCall(input, HIDDEN_TEXT, parameter, -1);
}

static Datum
write_value(CellWriter *writer, const RecodedCell *cell, bool *isnull)
{
	if (cell->kind != RECODED_ALL)
		return dataset_column_value(writer->column, cell->low);
	*isnull = writer->hidden_is_null;
	return writer->hidden;
}

static void
read_value(CellReader *reader, Datum value, const char *text)
{
	const CellDomain *domain = reader->domain;
	int32 code =
		reader->same ? dictionary_find(domain->values, value) : cell_domain_find(domain, 0, text);

	/* Others are values of cells alone. */
	if (code >= 0 && code < domain->known)
		cell_reader_mean(reader, (RecodedCell){.kind = RECODED_SPAN, .low = code, .high = code});
}

const CellFormat value_format = {
	.name = "value",
	.type = type_of_values,
	.prepare = prepare_value,
	.write = write_value,
	.read = read_value,
};

/* ---- labels */

static Datum
write_label(CellWriter *writer, const RecodedCell *cell, bool *isnull)
{
	(void) isnull;
	if (cell->kind == RECODED_ALL)
		return CStringGetTextDatum(dimension_query_top(writer->domain));
	return CStringGetTextDatum(dimension_query_text(writer->domain, cell->level,
													writer->domain->value_of_code[cell->low]));
}

static void
read_label(CellReader *reader, Datum value, const char *text)
{
	(void) value;
	for (int level = 1; level <= reader->domain->height; level++)
	{
		int32 code = cell_domain_find(reader->domain, level, text);

		if (code >= 0)
			cell_reader_mean(reader,
							 (RecodedCell){.kind = RECODED_LABEL, .level = level, .low = code});
	}
}

const CellFormat label_format = {
	.name = "label",
	.write = write_label,
	.read = read_label,
};

/* ---- [a - b] */

#define BETWEEN " - "

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
		text = psprintf("[%s" BETWEEN "%s]", text, dataset_column_text(writer->column, cell->high));
	return CStringGetTextDatum(text);
}

/* Widens the interval by one from a text to another. */
static void
widen(const CellDomain *domain, const char *from, const char *to, RecodedCell *cell)
{
	const double *place = domain->column.position;
	int32 low = cell_domain_find(domain, 0, from);
	int32 high = cell_domain_find(domain, 0, to);

	if (low < 0 || high < 0 || place[low] > place[high])
		return;
	if (cell->low < 0 || place[low] < place[cell->low])
		cell->low = low;
	if (cell->high < 0 || place[high] > place[cell->high])
		cell->high = high;
}

static void
read_interval(CellReader *reader, Datum value, const char *text)
{
	RecodedCell cell = {.kind = RECODED_SPAN, .low = -1, .high = -1};
	Size length = strlen(text);
	const char *cut = text;

	(void) value;
	if (!reader->text || reader->column->level != CELL_LEVEL_UNKNOWN || length < 2 ||
		text[0] != '[' || text[length - 1] != ']')
		return;
	cell_domain_sort(reader->domain);
	while ((cut = strstr(cut + 1, BETWEEN)) != NULL && cut + strlen(BETWEEN) < text + length)
		widen(reader->domain, pnstrdup(text + 1, cut - text - 1),
			  pnstrdup(cut + strlen(BETWEEN), text + length - 1 - cut - strlen(BETWEEN)), &cell);
	if (cell.low >= 0)
		cell_reader_mean(reader, cell);
}

const CellFormat interval_format = {
	.name = "interval",
	.write = write_interval,
	.read = read_interval,
};

/* ---- hidden cells */

static void
read_hidden(CellReader *reader, Datum value, const char *text)
{
	(void) value;
	if (strcmp(text, HIDDEN_TEXT) == 0)
		cell_reader_mean(reader, reader->all);
}

const CellFormat hidden_format = {
	.name = "hidden",
	.read = read_hidden,
};
