/*
 * cell_writer.c
 *		See cell_writer.h.
 *
 * Example: the codes of the ages 25 and 26 as a span are [25,27), and "[25 - 26]" if ages
 * were text.  Zip codes 53706 and 53711 of a dimension with 537** above them: 537**.
 */
#include "postgres.h"

#include "cell/cell_writer.h"

#include "catalog/pg_type.h"
#include "cell/digits_format.h"
#include "cell/hidden_format.h"
#include "cell/interval_format.h"
#include "cell/label_format.h"
#include "cell/range_format.h"
#include "data/hidden.h"
#include "sql/type_query.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

/* One way to write cells, NULL apart, which is written here. */
typedef struct CellFormat
{
	/* Sets the writer's type, and what else it needs. */
	void (*prepare)(CellWriter *writer);
	Datum (*write)(CellWriter *writer, const RecodedCell *cell, bool *isnull);
} CellFormat;

struct CellWriter
{
	const CellFormat *format;
	const DatasetColumn *column;
	const AttributeDomain *domain;
	const MaskedDigits *digits;
	Oid type;             /* of the cells */
	Oid value_type;       /* base type of the values */
	ValueText value_text; /* of an interval's ends */
	DomainText label_text;
	RangeWriter *range;
	Datum hidden; /* where whole values are not shown */
	bool hidden_is_null;
};

static void
prepare_range(CellWriter *writer)
{
	writer->type = type_query_range(writer->value_type);
	writer->range = range_format_writer(writer->value_type);
}

static Datum
write_range(CellWriter *writer, const RecodedCell *cell, bool *isnull)
{
	(void) isnull;
	if (cell->kind == RECODED_ALL)
		return range_format_write_all(writer->range);
	return range_format_write(writer->range, dataset_column_value(writer->column, cell->low),
							  dataset_column_value(writer->column, cell->high));
}

static void
prepare_interval(CellWriter *writer)
{
	writer->type = TEXTOID;
	writer->value_text = value_text_writer(writer->value_type);
}

static char *
end_of_interval(CellWriter *writer, int32 code)
{
	return value_text_write(&writer->value_text, dataset_column_value(writer->column, code));
}

static Datum
write_interval(CellWriter *writer, const RecodedCell *cell, bool *isnull)
{
	char *text;

	(void) isnull;
	if (cell->kind == RECODED_ALL)
		return CStringGetTextDatum(HIDDEN_TEXT);
	text = end_of_interval(writer, cell->low);
	if (cell->low != cell->high)
		text = interval_format_write(text, end_of_interval(writer, cell->high));
	return CStringGetTextDatum(text);
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

static void
prepare_digits(CellWriter *writer)
{
	writer->type = TEXTOID;
}

static Datum
write_digits(CellWriter *writer, const RecodedCell *cell, bool *isnull)
{
	(void) isnull;
	return CStringGetTextDatum(digits_format_write(writer->digits, cell->letter));
}

static void
prepare_whole(CellWriter *writer)
{
	writer->type = writer->value_type;
	writer->hidden_is_null = hidden_format_is_null(writer->type);
	if (!writer->hidden_is_null)
		writer->hidden = hidden_format_write(writer->type);
}

static Datum
write_whole(CellWriter *writer, const RecodedCell *cell, bool *isnull)
{
	if (cell->kind != RECODED_ALL)
		return dataset_column_value(writer->column, cell->low);
	*isnull = writer->hidden_is_null;
	return writer->hidden;
}

static const CellFormat range_format = {prepare_range, write_range};
static const CellFormat interval_format = {prepare_interval, write_interval};
static const CellFormat label_format = {prepare_label, write_label};
static const CellFormat digits_format = {prepare_digits, write_digits};
static const CellFormat whole_format = {prepare_whole, write_whole};

static const CellFormat *
format_of(const RecodingColumn *column, Oid value_type)
{
	if (column->digits > 0)
		return &digits_format;
	if (column->dimension)
		return &label_format;
	if (!column->spans)
		return &whole_format;
	return OidIsValid(type_query_range(value_type)) ? &range_format : &interval_format;
}

CellWriter *
cell_writer_create(const RecodingColumn *column, const RecordCodes *codes, int number)
{
	const DescribedAttribute *field = &codes->shape->quasi[number];
	CellWriter *writer = palloc0(sizeof(CellWriter));

	writer->column = codes->column[number];
	writer->domain = field->domain;
	writer->digits = codes->digits[number];
	writer->value_type = getBaseType(field->type);
	writer->format = format_of(column, writer->value_type);
	writer->format->prepare(writer);
	return writer;
}

Oid
cell_writer_type(const CellWriter *writer)
{
	return writer->type;
}

Datum
cell_writer_write(CellWriter *writer, const RecodedCell *cell, bool *isnull)
{
	*isnull = cell->kind == RECODED_NULL;
	return *isnull ? (Datum) 0 : writer->format->write(writer, cell, isnull);
}
