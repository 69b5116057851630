/*
 * cell_format.c
 *		See cell_format.h.
 *
 * Example: the codes of the ages 25 and 26 as a span are [25,27), and "[25 - 26]" if ages
 * were text.  Zip codes 53706 and 53711 of a dimension with 537** above them: 537**.
 */
#include "postgres.h"

#include "cell/cell_format.h"

#include "catalog/pg_type.h"
#include "cell/digits_format.h"
#include "cell/range_format.h"
#include "cell/text_formats.h"
#include "sql/type_query.h"
#include "utils/lsyscache.h"

const CellFormat *const cell_formats[] = {
	&range_format,  &digits_format,   &value_format, &label_format,
	&hidden_format, &interval_format, NULL,
};

const CellFormat *
cell_format_choose(Oid type, bool labels, bool digits, bool spans)
{
	if (labels)
		return digits ? &digits_format : &label_format;
	if (!spans)
		return &value_format;
	return OidIsValid(type_query_range(getBaseType(type))) ? &range_format : &interval_format;
}

Oid
cell_format_type(const CellFormat *format, Oid type)
{
	return format->type ? format->type(getBaseType(type)) : TEXTOID;
}

CellWriter *
cell_writer_create(const RecodingColumn *column, const RecordCodes *codes, int number)
{
	const DescribedAttribute *field = codes->description->quasi[number];
	CellWriter *writer = palloc0(sizeof(CellWriter));

	writer->column = codes->column[number];
	writer->domain = field->domain;
	writer->digits = codes->column[number]->digits;
	writer->value_type = getBaseType(field->type);
	writer->format = cell_format_choose(field->type, column->dimension != NULL, column->digits > 0,
										column->spans);
	writer->type = cell_format_type(writer->format, field->type);
	if (writer->format->prepare)
		writer->format->prepare(writer);
	return writer;
}

RecodingColumn
cell_writer_weighs(const CellWriter *writer, const RecodingColumn *column, const RecordCodes *codes,
				   int number)
{
	RecodingColumn weighed = *column;

	/* The codes of values are their ranks. */
	if (writer->format == &interval_format && codes->dataset->values[number] >= 0)
	{
		weighed.position = NULL;
		weighed.whole = (double) codes->dataset->values[number] - 1;
	}
	return weighed;
}

Datum
cell_writer_write(CellWriter *writer, const RecodedCell *cell, bool *isnull)
{
	*isnull = cell->kind == RECODED_NULL;
	return *isnull ? (Datum) 0 : writer->format->write(writer, cell, isnull);
}
