/*
 * cell_writer.c
 *		See cell_writer.h.
 *
 * Example: the codes of the ages 25 and 26 as a span are [25,27), and "[25 - 26]" if ages
 * were text.  Zip codes 53706 and 53711 of a dimension with 537** above them: 537**.
 */
#include "postgres.h"

#include "cell/cell_writer.h"

#include "cell/interval_format.h"
#include "utils/lsyscache.h"

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
