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
#include "cell/cell_reader.h"
#include "cell/range_format.h"
#include "data/dimension.h"
#include "fmgr.h"
#include "parser/parse_coerce.h"
#include "port/pg_bswap.h"
#include "sql/type_query.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"

/* ----------------------------------------------------------------
 * Formats of which several can stand beside each other in one column
 * ----------------------------------------------------------------
 */

/* ---- values */

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

	writer->hidden_is_null =
		writer->hidden_is_null || TypeCategory(writer->type) != TYPCATEGORY_STRING;
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
		cell_reader_add_meaning(reader,
								(RecodedCell){.kind = RECODED_SPAN, .low = code, .high = code});
}

static const CellFormat value_format = {
	.type = type_of_values,
	.prepare = prepare_value,
	.write = write_value,
	.read = read_value,
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
	cell_domain_sort(reader);
	while ((cut = strstr(cut + 1, BETWEEN)) != NULL && cut + strlen(BETWEEN) < text + length)
		widen(reader->domain, pnstrdup(text + 1, cut - text - 1),
			  pnstrdup(cut + strlen(BETWEEN), text + length - 1 - cut - strlen(BETWEEN)), &cell);
	if (cell.low >= 0)
		cell_reader_add_meaning(reader, cell);
}

static const CellFormat interval_format = {
	.write = write_interval,
	.read = read_interval,
};

/* ---- labels */

static Datum
write_label(CellWriter *writer, const RecodedCell *cell, bool *isnull)
{
	const AttributeDomain *domain = writer->column->domain;

	if (cell->kind == RECODED_SPAN)
		return write_interval(writer, cell, isnull);
	if (cell->kind == RECODED_ALL)
		return CStringGetTextDatum(dimension_query_top(domain));
	return CStringGetTextDatum(
		dimension_query_text(domain, cell->level, domain->value_of_code[cell->low]));
}

static void
read_label(CellReader *reader, Datum value, const char *text)
{
	(void) value;
	for (int level = 1; level <= reader->domain->height; level++)
	{
		int32 code = cell_domain_find(reader->domain, level, text);

		if (code >= 0)
			cell_reader_add_meaning(
				reader, (RecodedCell){.kind = RECODED_LABEL, .level = level, .low = code});
	}
}

static const CellFormat label_format = {
	.write = write_label,
	.read = read_label,
};

/* ---- hidden cells */

static void
read_hidden(CellReader *reader, Datum value, const char *text)
{
	(void) value;
	if (strcmp(text, HIDDEN_TEXT) == 0)
		cell_reader_add_meaning(reader, reader->all);
}

static const CellFormat hidden_format = {
	.read = read_hidden,
};

/* ----------------------------------------------------------------
 * All formats
 * ----------------------------------------------------------------
 */

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
	writer->value_type = getBaseType(field->type);
	writer->format = cell_format_choose(field->type, column->dimension != NULL, column->digits > 0,
										column->spans);
	writer->type = cell_format_type(writer->format, field->type);
	writer->loss = dataset_column_measured(writer->column, column);
	writer->hidden_is_null = column->nulls;
	if (writer->format->prepare)
		writer->format->prepare(writer);
	writer->by_code = writer->format == &range_format ||
					  (writer->format == &value_format && writer->hidden_is_null);
	get_typlenbyval(writer->type, &writer->length, &writer->by_value);
	return writer;
}

Datum
cell_writer_write(CellWriter *writer, const RecodedCell *cell, bool *isnull)
{
	*isnull = cell->kind == RECODED_NULL;
	return *isnull ? (Datum) 0 : writer->format->write(writer, cell, isnull);
}

/* ----------------------------------------------------------------
 * Keys
 * ----------------------------------------------------------------
 */

/* The first byte of texts. */
#define KEY_SHOWN '\1'
#define KEY_HIDDEN '\2'
#define KEY_NULL '\3'

/* In network order, so that bytes are sorted like numbers. */
static void
append_number(StringInfo key, uint32 number)
{
	number = pg_hton32(number);
	appendBinaryStringInfo(key, (const char *) &number, sizeof(number));
}

/* Appends bytes and an end that sorts before any other; a zero byte among them is no end. */
static void
append_bytes(StringInfo key, const char *bytes, Size length)
{
	const char *zero;

	while ((zero = memchr(bytes, '\0', length)) != NULL)
	{
		Size count = zero + 1 - bytes;

		appendBinaryStringInfo(key, bytes, (int) count);
		appendStringInfoChar(key, '\1');
		bytes += count;
		length -= count;
	}
	appendBinaryStringInfo(key, bytes, (int) length);
	appendBinaryStringInfo(key, "\0", 2);
}

/*
 * What is shown by code is told by its codes, of which different ones are different values: 4 to 5
 * is (4, 5).
 */
static void
append_codes(StringInfo key, const RecodedCell *cell, bool isnull)
{
	if (isnull)
		append_number(key, PG_UINT32_MAX);
	else if (cell->kind == RECODED_ALL)
		append_number(key, PG_UINT32_MAX - 1);
	else
	{
		append_number(key, (uint32) cell->low);
		append_number(key, (uint32) cell->high);
	}
}

/*
 * Other cells are told by what is written, for a label may be that of several levels, and a value
 * may be "*".
 */
static void
append_written(StringInfo key, const CellWriter *writer, Datum written)
{
	const char *bytes = DatumGetPointer(written);
	Size length;

	if (writer->length == -1)
	{
		bytes = VARDATA_ANY(DatumGetPointer(written));
		length = VARSIZE_ANY_EXHDR(DatumGetPointer(written));
	}
	else if (writer->by_value)
	{
		bytes = (const char *) &written;
		length = sizeof(Datum);
	}
	else
		length = datumGetSize(written, false, writer->length);
	appendStringInfoChar(
		key, length == strlen(HIDDEN_TEXT) && memcmp(bytes, HIDDEN_TEXT, length) == 0 ? KEY_HIDDEN
																					  : KEY_SHOWN);
	append_bytes(key, bytes, length);
}

void
cell_writer_key(const CellWriter *writer, const RecodedCell *cell, Datum written, bool isnull,
				StringInfo key)
{
	if (writer->by_code)
		append_codes(key, cell, isnull);
	else if (isnull)
		appendStringInfoChar(key, KEY_NULL);
	else
		append_written(key, writer, written);
}

/* Numbers are sorted like their bits, negative ones after all bits are flipped. */
void
cell_key_append_mean(StringInfo key, double mean)
{
	uint64 sign = UINT64CONST(1) << 63;
	uint64 bits;

	memcpy(&bits, &mean, sizeof(bits));
	bits = pg_hton64(bits & sign ? ~bits : bits | sign);
	appendBinaryStringInfo(key, (const char *) &bits, sizeof(bits));
}
