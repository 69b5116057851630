/*
 * digits_format.c
 *		See digits_format.h.
 *
 * To measure column 1, zip with five digits masked by *, the predicate zip < '53700' being
 * number 0:
 *
 *	read1  the cells as texts (t), NULL being *****, unless it means itself (own); the places
 *	       of hidden digits (hidden)
 *	domain1  the ground values (v) and their texts (t)
 *	kin1   (t, members, h0): the ground values with the same digits hidden as some
 *	       cell, how many look alike, and how many of these are below 53700
 *	cell1  their loss, and the shares that predicates cover
 *
 * To tell what they cover, each place is coded.  Example: the values 94111, 94112 and 93111,
 * and the cells 94***, 9*111 and 941*3.
 * The characters at the second place are 3 and 4, with the codes 0 and 1; NULL is the
 * cell that covers all of them and NULL, 2 one that covers none.  The cells' codes
 * there are 1, NULL and 1; at the last place, where there are 1 and 2, they are NULL, 0 and 2.
 */
#include "postgres.h"

#include "cell/digits_format.h"

#include "base/interrupt.h"
#include "cell/cell_writer.h"
#include "cell/hidden_format.h"
#include "data/dimension.h"
#include "dimension/dimension_query.h"
#include "lib/stringinfo.h"
#include "matching/matching.h"
#include "mb/pg_wchar.h"
#include "sql/loss_query.h"
#include "sql/query.h"
#include "sql/value_text.h"
#include "utils/builtins.h"

#define PURPOSE "table of released cells"

static Datum
write_digits(CellWriter *writer, const RecodedCell *cell, bool *isnull)
{
	const MaskedDigits *masked = writer->digits;
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
 * What they lose, and what predicates cover of them
 * ----------------------------------------------------------------
 */

/* The ground values' texts, masked in all the ways that cells are. */
static void
append_kin(StringInfo sql, const CellColumn *column, const MaskedDigits *masked)
{
	int number = column->number;
	StringInfoData hidden;

	initStringInfo(&hidden);
	for (int digit = 1; digit <= masked->digits; digit++)
		appendStringInfo(&hidden,
						 "%sCASE WHEN %d = ANY (m.hidden) THEN %s ELSE substr(d.t, %d, 1) END",
						 digit > 1 ? " || " : "", digit, quote_literal_cstr(masked->mask), digit);
	appendStringInfo(
		sql,
		", domain%d AS MATERIALIZED (SELECT p.v, %s COLLATE \"C\" AS t FROM (%s) p (v, l)"
		" WHERE p.v IS DISTINCT FROM NULL),"
		" kin%d AS MATERIALIZED (SELECT x.t, count(*) AS members%s FROM (SELECT d.v, %s AS t"
		" FROM domain%d d, (SELECT DISTINCT r.hidden FROM read%d r) m) x GROUP BY x.t)",
		number, value_text_expression("p.v", cell_format_attribute(column)->type),
		cell_format_star(column, 1).pairs, number,
		cell_format_each(column, ", count(*) FILTER (WHERE %c) AS h%i", "x.v"), hidden.data, number,
		number);
}

/*
 * Are there cells of another length?  Then a value has a length that the dimension lacks, and the
 * column got labels.
 */
static bool
has_labels(const CellColumn *column, const MaskedDigits *masked)
{
	const char *cell = psprintf("r.%s", quote_identifier(column->released));

	query_run(psprintf("SELECT 1 FROM %s r WHERE length(%s) <> %d LIMIT 1", column->release,
					   value_text_expression(cell, column->type), masked->digits),
			  true);
	return query_rows() > 0;
}

static bool
measure_digits(StringInfo sql, const CellColumn *column)
{
	const DescribedAttribute *attribute = cell_format_attribute(column);
	Budget budget = budget_begin();
	const MaskedDigits *masked = NULL;
	AttributeDomain *values;
	int number = column->number;
	const char *domain = psprintf("(SELECT count(*) FROM domain%d d)", number);
	const char *mask;

	if (column->cellwise && OidIsValid(attribute->dimension))
	{
		values = dimension_query_load(column->source, attribute, UNKNOWN_AS_NULL, &budget);
		masked = masked_digits_find(values, NULL, 0, CELL_ATTRIBUTES_MOST);
	}
	if (masked == NULL || (values->rule && has_labels(column, masked)))
		return false;
	mask = quote_literal_cstr(masked->mask);
	appendStringInfo(sql,
					 ", read%d AS MATERIALIZED (SELECT r.*, ARRAY(SELECT i FROM"
					 " generate_series(1, length(r.t)) i WHERE substr(r.t, i, 1) = %s) AS hidden"
					 " FROM (SELECT r.id, r.n, coalesce(%s, repeat(%s, %d)) COLLATE \"C\" AS t,"
					 " %s AS own FROM raw%d r) r)",
					 number, mask, value_text_expression("r.v", column->type), mask, masked->digits,
					 hidden_format_own_null(column), number);
	append_kin(sql, column, masked);
	appendStringInfo(sql,
					 ", cell%d AS MATERIALIZED (SELECT r.id, r.n, r.t,"
					 " CASE WHEN length(r.t) <> %d THEN r.t END AS unrecognized,"
					 " CASE WHEN r.own THEN 0 WHEN cardinality(r.hidden) = %d THEN %s"
					 " ELSE %s END AS loss, CASE WHEN r.own OR cardinality(r.hidden) = 0 THEN 0"
					 " WHEN cardinality(r.hidden) = %d THEN %d ELSE %d END AS level",
					 number, masked->digits, masked->digits,
					 loss_query_of_all(domain, hidden_format_has_others(column)),
					 loss_query_of_leaves("k.members", domain), masked->digits,
					 CELL_LEVEL_ALL(cell_format_height(column)),
					 CELL_LEVEL_PART(cell_format_height(column)));
	cell_format_append_shares(sql, column, "k");
	appendStringInfo(sql, " FROM read%d r LEFT JOIN kin%d k ON k.t = r.t)", number, number);
	return true;
}

const CellFormat digits_format = {
	.name = "digits",
	.write = write_digits,
	.measure = measure_digits,
};

/* ----------------------------------------------------------------
 * What they cover, place by place
 * ----------------------------------------------------------------
 */

/* Texts of one length. */
typedef struct Writing
{
	int32 texts;
	int length;
	pg_wchar *character; /* [text * length + place]; the text "*" hides every place */
} Writing;

/* The characters of a value, *length of them; palloc'd. */
static pg_wchar *
spell(const GroupRows *rows, int at, int32 value, int *length)
{
	char *text = group_query_text(rows, at, value);
	Size bytes = strlen(text);
	pg_wchar *characters = palloc(sizeof(pg_wchar) * (bytes + 1));

	CHECK_FOR_INTERRUPTS();
	*length = pg_mb2wchar_with_len(text, characters, (int) bytes);
	pfree(text);
	return characters;
}

/* Writes all characters; false, keeping nothing, if values differ in length. */
static bool
write_values(Writing *writing, const GroupRows *values, int at, Budget *budget)
{
	int length;

	writing->texts = values->groups->values[at];
	if (writing->texts == 0)
		return false;
	pfree(spell(values, at, 0, &writing->length));
	if (writing->length == 0)
		return false;
	writing->character = budget_allocate(budget, (int64) writing->texts * writing->length,
										 sizeof(pg_wchar), PURPOSE);
	for (int32 value = 0; value < writing->texts; value++)
	{
		pg_wchar *characters = spell(values, at, value, &length);

		if (length == writing->length)
			memcpy(writing->character + (int64) value * length, characters,
				   sizeof(pg_wchar) * length);
		pfree(characters);
		if (length == writing->length)
			continue;
		pfree(writing->character);
		return false;
	}
	return true;
}

static bool
matches(const pg_wchar *pattern, const pg_wchar *value, int length)
{
	for (int i = 0; i < length; i++)
		if (pattern[i] != HIDDEN_LETTER && pattern[i] != value[i])
			return false;
	return true;
}

/* Does the pattern cover the same as the cell? */
static bool
covers_as_much(const pg_wchar *pattern, const CellCover *cover, int32 cell, const Writing *values)
{
	for (int32 i = cover->first[cell]; i < cover->first[cell + 1]; i++)
		for (int32 value = cover->span[i].from; value < cover->span[i].to; value++)
		{
			interrupt_check(value);
			if (!matches(pattern, values->character + (int64) value * values->length,
						 values->length))
				return false;
		}
	return true;
}

/* Writes the pattern of a cell, all hidden if it covers all; false if it is not a pattern. */
static bool
write_cell(pg_wchar *pattern, const GroupRows *cells, int at, int32 cell, bool unrecognized,
		   const CellCover *cover, const Writing *values)
{
	int length = values->length;
	pg_wchar *characters;
	int found;
	bool hides = false;

	if (cell_cover_is_all(cover, cell))
	{
		for (int i = 0; i < length; i++)
			pattern[i] = HIDDEN_LETTER;
		return true;
	}
	characters = spell(cells, at, cell, &found);
	if (found == length)
		memcpy(pattern, characters, sizeof(pg_wchar) * length);
	pfree(characters);
	for (int i = 0; i < length && found == length; i++)
		hides = hides || pattern[i] == HIDDEN_LETTER;
	if (found != length || (unrecognized && !hides))
		return false;
	return unrecognized || covers_as_much(pattern, cover, cell, values);
}

static bool
write_cells(Writing *writing, const GroupRows *cells, int at, const bool *unrecognized,
			const CellCover *cover, const Writing *values, int32 *offender, Budget *budget)
{
	int64 count = (int64) cover->cells * values->length;

	*offender = -1;
	*writing = (Writing){.texts = cover->cells, .length = values->length};
	writing->character = budget_allocate(budget, count, sizeof(pg_wchar), PURPOSE);
	for (int32 cell = 0; cell < cover->cells; cell++)
		if (!write_cell(writing->character + (int64) cell * values->length, cells, at, cell,
						unrecognized[cell], cover, values))
		{
			*offender = cell;
			if (unrecognized[cell])
				break;
		}
	if (*offender < 0)
		return true;
	pfree(writing->character);
	return false;
}

static int
compare_characters(const void *one, const void *other)
{
	pg_wchar a = *(const pg_wchar *) one;
	pg_wchar b = *(const pg_wchar *) other;

	return a < b ? -1 : a > b;
}

/* The distinct characters of the values at one place, ascending; palloc'd. */
static pg_wchar *
alphabet_at(const Writing *values, int place, int32 *size, Budget *budget)
{
	pg_wchar *all = budget_allocate(budget, values->texts, sizeof(pg_wchar), PURPOSE);
	pg_wchar *alphabet;

	for (int32 value = 0; value < values->texts; value++)
		all[value] = values->character[(int64) value * values->length + place];
	CHECK_FOR_INTERRUPTS();
	qsort(all, values->texts, sizeof(pg_wchar), compare_characters);
	*size = 0;
	for (int32 value = 0; value < values->texts; value++)
		if (value == 0 || all[value] != all[value - 1])
			all[(*size)++] = all[value];
	alphabet = budget_allocate(budget, *size, sizeof(pg_wchar), PURPOSE);
	memcpy(alphabet, all, sizeof(pg_wchar) * *size);
	pfree(all);
	return alphabet;
}

/* The code of a character; "size" if it is not among them. */
static int32
find_character(const pg_wchar *alphabet, int32 size, pg_wchar character)
{
	const pg_wchar *found =
		bsearch(&character, alphabet, size, sizeof(pg_wchar), compare_characters);

	return found ? (int32) (found - alphabet) : size;
}

/* One cell for each character, and one that covers none. */
static CellCover
character_cover(int32 size, Budget *budget)
{
	CellCover cover = {.cells = size + 1};

	cover.first = budget_allocate(budget, size + 3, sizeof(int32), PURPOSE);
	cover.first -= DATASET_NULL;
	cover.span = budget_allocate(budget, size + 1, sizeof(CodeSpan), PURPOSE);
	cover.span[0] = CODE_SPAN_ALL;
	for (int32 cell = 0; cell < size; cell++)
	{
		cover.first[cell] = cell + 1;
		cover.span[cell + 1] = (CodeSpan){.from = cell, .to = cell + 1};
	}
	cover.first[size] = cover.first[size + 1] = size + 1;
	return cover;
}

static void
code_place(CoverColumn *covered, const Writing *values, const Writing *cells, int place,
		   Budget *budget)
{
	int width = covered->width;
	int32 size;
	pg_wchar *alphabet = alphabet_at(values, place, &size, budget);

	covered->cover[place] = character_cover(size, budget);
	for (int32 value = 0; value < values->texts; value++)
	{
		interrupt_check(value);
		covered->value_part[(int64) value * width + place] =
			find_character(alphabet, size, values->character[(int64) value * width + place]);
	}
	for (int32 cell = 0; cell < cells->texts; cell++)
	{
		pg_wchar character = cells->character[(int64) cell * width + place];

		interrupt_check(cell);
		covered->cell_part[(int64) cell * width + place] =
			character == HIDDEN_LETTER ? DATASET_NULL : find_character(alphabet, size, character);
	}
	pfree(alphabet);
}

bool
digits_format_split(const GroupRows *values, const GroupRows *cells, int at,
					const bool *unrecognized, CoverColumn *covered, int32 *offender, Budget *budget)
{
	Writing written = {0};
	Writing released;

	*offender = -1;
	if (!write_values(&written, values, at, budget) ||
		!write_cells(&released, cells, at, unrecognized, covered->cover, &written, offender,
					 budget))
		return false;
	covered->width = written.length;
	covered->value_part =
		budget_allocate(budget, (int64) written.texts * covered->width, sizeof(int32), PURPOSE);
	covered->cell_part =
		budget_allocate(budget, (int64) released.texts * covered->width, sizeof(int32), PURPOSE);
	covered->cover = budget_allocate(budget, covered->width, sizeof(CellCover), PURPOSE);
	for (int place = 0; place < covered->width; place++)
		code_place(covered, &written, &released, place, budget);
	pfree(written.character);
	pfree(released.character);
	return true;
}
