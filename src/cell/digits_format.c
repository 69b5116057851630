/*
 * digits_format.c
 *		Cells whose digits are shown or hidden one by one, 9*2*1: they stand for the values of the
 *		dimension with the digits shown.
 *
 * Example: the cell 9*2*1 of zip codes with five digits hides those of the pattern 01010.  All
 * values of the dimension are written with that pattern, once for each pattern that cells have;
 * the cell stands for those that look like it.
 */
#include "postgres.h"

#include "cell/cell_reader.h"

#include "base/interrupt.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "dimension/masked_digits.h"
#include "lib/stringinfo.h"
#include "matching/matching.h"
#include "mb/pg_wchar.h"
#include "sql/query.h"
#include "sql/type_query.h"
#include "sql/value_text.h"
#include "utils/builtins.h"

#define PURPOSE "table of released cells"

static Datum
write_digits(CellWriter *writer, const RecodedCell *cell, bool *isnull)
{
	const MaskedDigits *masked = writer->column->digits;
	StringInfoData text;

	(void) isnull;
	initStringInfo(&text);
	for (int digit = 0; digit < masked->digits; digit++)
		appendStringInfoString(&text, cell->letter[digit] == RECODED_MASKED
										  ? masked->mask
										  : masked->letter[digit][cell->letter[digit]]);
	return CStringGetTextDatum(text.data);
}

/* ----------------------------------------------------------------
 * Reading
 * ----------------------------------------------------------------
 */

typedef struct DigitsDomain
{
	int digits;
	const char *mask;
	MemoryContext context;
	char **text;         /* [code]: of a value of the dimension */
	Dictionary *pattern; /* of hidden digits: 01010 */
	Dictionary **masked; /* [pattern]: the texts that result, by number of their set of values */
	int64 room;
} DigitsDomain;

/* Has a cell another length than the masked values?  Then the release has labels instead. */
static bool
has_labels(const CellColumn *column, const MaskedDigits *masked)
{
	const char *cell = psprintf("r.%s", quote_identifier(column->released->name));

	query_run(psprintf("SELECT 1 FROM %s r WHERE length(%s) <> %d LIMIT 1", column->release,
					   value_text_expression(cell, column->released->type), masked->digits),
			  true);
	return query_rows() > 0;
}

/* [code]: values that the dimension has, as texts. */
static char **
texts_of_values(const AttributeDomain *domain)
{
	char **text = budget_allocate(domain->budget, domain->declared, sizeof(char *), PURPOSE);

	for (int32 code = 0; code < domain->declared; code++)
	{
		interrupt_check(code);
		text[code] = dimension_query_text(domain, 0, code);
	}
	return text;
}

/* Writes the text with the digits of the pattern hidden; returns its length. */
static int
hide_digits(const DigitsDomain *domain, const char *text, const char *pattern, char *hidden)
{
	int mask = (int) strlen(domain->mask);
	char *end = hidden;

	for (; *text && *pattern; pattern++)
	{
		int letter = pg_mblen(text);

		memcpy(end, *pattern == '1' ? domain->mask : text, *pattern == '1' ? mask : letter);
		end += *pattern == '1' ? mask : letter;
		text += letter;
	}
	return (int) (end - hidden);
}

/* Divides all values of the dimension by the texts that a new pattern makes of them. */
static void
divide_values(CellReader *reader, const char *pattern, int32 number)
{
	DigitsDomain *domain = reader->state;
	CellDomain *cells = reader->domain;
	int32 count = cells->dimension.domain;
	ValueType type = type_query_value_type(TEXTOID, C_COLLATION_OID);
	Dictionary *masked = dictionary_create(&type, cells->budget);
	int32 *masked_of_value = budget_allocate(cells->budget, count, sizeof(int32), PURPOSE);
	text *hidden = palloc(VARHDRSZ + domain->digits * MAX_MULTIBYTE_CHAR_LEN);

	for (int32 code = 0; code < count; code++)
	{
		interrupt_check(code);
		SET_VARSIZE(hidden,
					VARHDRSZ + hide_digits(domain, domain->text[code], pattern, VARDATA(hidden)));
		masked_of_value[code] = dictionary_encode(masked, PointerGetDatum(hidden));
	}
	domain->masked = budget_room(cells->budget, domain->masked, &domain->room, (int64) number + 1,
								 sizeof(Dictionary *), PURPOSE);
	cells->sets = repalloc(cells->sets, sizeof(ValueSets) * domain->room);
	domain->masked[number] = masked;
	cells->sets[number] = cell_domain_divide(cells, masked_of_value, dictionary_size(masked));
	pfree(masked_of_value);
	pfree(hidden);
}

static int32
find_pattern(CellReader *reader, const char *text)
{
	DigitsDomain *domain = reader->state;
	int32 before = dictionary_size(domain->pattern);
	int32 pattern = dictionary_encode(domain->pattern, CStringGetTextDatum(text));
	MemoryContext previous;

	if (pattern < before)
		return pattern;
	previous = MemoryContextSwitchTo(domain->context);
	divide_values(reader, text, pattern);
	MemoryContextSwitchTo(previous);
	return pattern;
}

static bool
open_digits(CellReader *reader)
{
	const CellColumn *column = reader->column;
	AttributeDomain *values;
	const MaskedDigits *masked;
	DigitsDomain *domain;
	ValueType text = type_query_value_type(TEXTOID, C_COLLATION_OID);

	if (!column->cellwise || !OidIsValid(reader->attribute->dimension))
		return false;
	values = reader->known =
		dimension_query_load(column->source, reader->attribute, UNKNOWN_AS_NULL, reader->budget);
	masked = masked_digits_find(values, NULL, 0, CELL_ATTRIBUTES_MOST);
	if (masked == NULL || (values->rule && has_labels(column, masked)))
		return false;
	domain = palloc0(sizeof(DigitsDomain));
	domain->digits = masked->digits;
	domain->mask = masked->mask;
	domain->context = CurrentMemoryContext;
	domain->pattern = dictionary_create(&text, reader->budget);
	reader->state = domain;
	cell_domain_read(reader, false, false);
	domain->text = texts_of_values(values);
	(void) find_pattern(reader, memset(palloc0(masked->digits + 1), '0', masked->digits));
	return true;
}

static void
read_digits(CellReader *reader, Datum value, const char *unused)
{
	const DigitsDomain *domain = reader->state;
	const char *text = cell_reader_text(reader, value);
	const char *at = text;
	char *pattern = palloc0(domain->digits + 1);
	int hidden = 0;
	RecodedCell cell = {.kind = RECODED_DIGITS};
	const int32 *covered;

	(void) unused;
	if (pg_mbstrlen(text) != domain->digits)
		return;
	for (int digit = 0; digit < domain->digits; digit++, at += pg_mblen(at))
	{
		bool hides = strncmp(at, domain->mask, strlen(domain->mask)) == 0;

		pattern[digit] = hides ? '1' : '0';
		hidden += hides;
	}
	if (hidden == domain->digits)
	{
		cell_reader_add_meaning(reader, reader->all);
		return;
	}
	cell.level = find_pattern(reader, pattern);
	cell.low = dictionary_find(domain->masked[cell.level], CStringGetTextDatum(text));
	cell.leaves = cell_domain_set(reader->domain, &cell, &covered);
	cell_reader_add_meaning(reader, cell);
}

const CellFormat digits_format = {
	.write = write_digits,
	.open = open_digits,
	.read = read_digits,
};
