/*
 * column_cover.c
 *		Which values of the source each cell of a released column covers: see cell_reader.h.
 *
 * Characters as attributes: each place is coded by itself.  Example: the values 94111, 94112 and
 * 93111, and the cells 94***, 9*111 and 941*3.  The characters at the second place are 3 and 4,
 * with the codes 0 and 1; NULL is the cell that covers all of them and NULL, 2 one that covers
 * none. The cells' codes there are 1, NULL and 1; at the last place, where there are 1 and 2, they
 * are NULL, 0 and 2.
 */
#include "postgres.h"

#include "cell/cell_reader.h"

#include "base/interrupt.h"
#include "catalog/pg_type.h"
#include "mb/pg_wchar.h"
#include "sql/type_query.h"

#define PURPOSE "table of released cells"

/* ----------------------------------------------------------------
 * Cells as spans of codes
 * ----------------------------------------------------------------
 */

typedef struct CoverBuilder
{
	CellReader *reader;
	CellCover *cover;
	int32 spans;
	int64 room;
	Budget *budget;
} CoverBuilder;

static void
add_span(CoverBuilder *builder, CodeSpan span)
{
	CellCover *cover = builder->cover;

	if (span.from >= span.to)
		return;
	if (builder->spans > PG_INT32_MAX / 2)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("cells of the release cover too many different values")));
	cover->span = budget_room(builder->budget, cover->span, &builder->room, builder->spans + 1,
							  sizeof(CodeSpan), PURPOSE);
	cover->span[builder->spans++] = span;
}

/* Cells that have no spans yet, but for NULL, which covers all. */
static void
begin_cover(CoverBuilder *builder, int32 cells)
{
	CellCover *cover = builder->cover;

	cover->cells = cells;
	cover->first = budget_allocate(builder->budget, (Size) cells + 2, sizeof(int32), PURPOSE);
	cover->first -= DATASET_NULL;
	add_span(builder, CODE_SPAN_ALL);
}

/* The source's values from one code to another; what is covered are their ranks. */
static void
cover_span(CoverBuilder *builder, int32 low, int32 high)
{
	const CellDomain *domain = builder->reader->domain;

	if (low < domain->known && high >= 0)
		add_span(builder, (CodeSpan){domain->upto[low] - domain->source[low], domain->upto[high]});
}

/* The source's values below a label; false if it covers anything. */
static bool
cover_label(CoverBuilder *builder, const RecodedCell *cell)
{
	CellDomain *domain = builder->reader->domain;
	const int32 *code;
	int32 count;

	if (cell->level == domain->height && dictionary_size(domain->label[cell->level]) == 1)
		return false;
	count = cell_domain_set(domain, cell, &code);
	for (int32 i = 0; i < count; i++)
	{
		interrupt_check(i);
		cover_span(builder, code[i], code[i]);
	}
	return true;
}

static int
compare_spans(const void *a, const void *b)
{
	int32 x = ((const CodeSpan *) a)->from;
	int32 y = ((const CodeSpan *) b)->from;

	CHECK_FOR_INTERRUPTS();
	return x < y ? -1 : x > y;
}

/* All that the reader's last cell can be, taken together: spans in order, apart from each other. */
static void
append_cell(CoverBuilder *builder)
{
	const CellReader *reader = builder->reader;
	int32 first = builder->spans;
	int32 count;
	CodeSpan *span;
	bool all = false;

	for (int i = 0; i < reader->meanings && !all; i++)
	{
		const RecodedCell *cell = &reader->meaning[i];

		if (cell->kind == RECODED_SPAN)
			cover_span(builder, cell->low, cell->high);
		else
			all = cell->kind != RECODED_LABEL || !cover_label(builder, cell);
	}
	count = builder->spans - first;
	builder->spans = first;
	if (all)
		add_span(builder, CODE_SPAN_ALL);
	if (all || count == 0)
		return;
	span = builder->cover->span + first;
	qsort(span, count, sizeof(CodeSpan), compare_spans);
	for (int32 i = 0; i < count; i++)
		if (i > 0 && span[i].from <= builder->cover->span[builder->spans - 1].to)
			builder->cover->span[builder->spans - 1].to =
				Max(builder->cover->span[builder->spans - 1].to, span[i].to);
		else
			builder->cover->span[builder->spans++] = span[i];
}

/* Sets which cells cannot be understood; returns the first, or -1. */
static int32
cover_cells(CoverBuilder *builder, const GroupRows *cells, int at, bool *unrecognized)
{
	CellCover *cover = builder->cover;
	int32 first = -1;

	begin_cover(builder, cells->groups->values[at]);
	for (int32 cell = 0; cell < cover->cells; cell++)
	{
		interrupt_check(cell);
		cover->first[cell] = builder->spans;
		unrecognized[cell] =
			cell_reader_read(builder->reader, dataset_column_value(cells->column[at], cell),
							 false) == 0;
		if (unrecognized[cell] && first < 0)
			first = cell;
		append_cell(builder);
	}
	cover->first[cover->cells] = builder->spans;
	return first;
}

/* ----------------------------------------------------------------
 * Cells as characters
 * ----------------------------------------------------------------
 */

/* Texts of one length. */
typedef struct Writing
{
	int32 texts;
	int length;
	pg_wchar *character; /* [text * length + place]; the text "*" hides every place */
} Writing;

/* Writes the characters of a value; false if there are more or fewer. */
static bool
spell(const GroupRows *rows, int at, int32 value, pg_wchar *characters, int length)
{
	char *text = group_query_text(rows, at, value);
	bool fits = pg_mbstrlen(text) == length;
	pg_wchar *spelled;

	CHECK_FOR_INTERRUPTS();
	if (fits)
	{
		spelled = palloc(sizeof(pg_wchar) * (length + 1));
		(void) pg_mb2wchar(text, spelled);
		memcpy(characters, spelled, sizeof(pg_wchar) * length);
		pfree(spelled);
	}
	pfree(text);
	return fits;
}

/* Writes all characters; false, keeping nothing, if values differ in length. */
static bool
write_values(Writing *writing, const GroupRows *values, int at, Budget *budget)
{
	writing->texts = values->groups->values[at];
	if (writing->texts > 0)
		writing->length = pg_mbstrlen(group_query_text(values, at, 0));
	if (writing->length == 0)
		return false;
	writing->character = budget_allocate(budget, (int64) writing->texts * writing->length,
										 sizeof(pg_wchar), PURPOSE);
	for (int32 value = 0; value < writing->texts; value++)
		if (!spell(values, at, value, writing->character + (int64) value * writing->length,
				   writing->length))
		{
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

/* Does the pattern match all values that the cell covers? */
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
	bool hides = false;

	if (cell_cover_is_all(cover, cell))
	{
		for (int i = 0; i < length; i++)
			pattern[i] = HIDDEN_LETTER;
		return true;
	}
	if (!spell(cells, at, cell, pattern, length))
		return false;
	for (int i = 0; i < length; i++)
		hides = hides || pattern[i] == HIDDEN_LETTER;
	if (unrecognized && !hides)
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

/* One cell for each character, and one that covers none. */
static CellCover
character_cover(int32 size, Budget *budget)
{
	CellCover cover = {0};
	CoverBuilder builder = {.cover = &cover, .budget = budget};

	begin_cover(&builder, size + 1);
	for (int32 cell = 0; cell < size; cell++)
	{
		cover.first[cell] = cell + 1;
		add_span(&builder, (CodeSpan){.from = cell, .to = cell + 1});
	}
	cover.first[size] = cover.first[size + 1] = size + 1;
	return cover;
}

static void
code_place(CoverColumn *covered, const Writing *values, const Writing *cells, int place,
		   Budget *budget)
{
	int width = covered->width;
	ValueType type = type_query_value_type(INT4OID, InvalidOid);
	Dictionary *alphabet = dictionary_create(&type, budget);

	for (int32 value = 0; value < values->texts; value++)
	{
		int64 at = (int64) value * width + place;

		interrupt_check(value);
		covered->value_part[at] =
			dictionary_encode(alphabet, Int32GetDatum((int32) values->character[at]));
	}
	covered->cover[place] = character_cover(dictionary_size(alphabet), budget);
	for (int32 cell = 0; cell < cells->texts; cell++)
	{
		int64 at = (int64) cell * width + place;
		int32 code = dictionary_find(alphabet, Int32GetDatum((int32) cells->character[at]));

		interrupt_check(cell);
		covered->cell_part[at] = cells->character[at] == HIDDEN_LETTER ? DATASET_NULL
								 : code < 0                            ? dictionary_size(alphabet)
																	   : code;
	}
}

/*
 * If an asterisk hides one character, whatever the dimension, each character becomes an attribute
 * (Murakami, Uno 2017, section 1): replaces column "at" of the original's values and of the
 * release's cells, and "covered".
 *
 * Returns false and changes nothing unless all values have the same number of characters, all cells
 * except NULL and "*" have it as well, and the pattern of each cell that a format understands
 * matches all that it covers.  Then *offender is a cell without another meaning (unrecognized:
 * [cell]) that prevents it, or else the first such cell.
 */
static bool
split_characters(const GroupRows *values, const GroupRows *cells, int at, const bool *unrecognized,
				 CoverColumn *covered, int32 *offender, Budget *budget)
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

/* ----------------------------------------------------------------
 * Both
 * ----------------------------------------------------------------
 */

CoverColumn
column_cover(const CellColumn *column, const GroupRows *values, const GroupRows *cells, int at,
			 Budget *budget)
{
	CellCover *cover = palloc0(sizeof(CellCover));
	CoverColumn covered = {.width = 1, .cover = cover};
	CoverBuilder builder = {
		.reader = cell_reader_open(column, values, budget), .cover = cover, .budget = budget};
	bool *unrecognized;
	int32 first;
	int32 offender;

	unrecognized = budget_allocate(budget, cells->groups->values[at], sizeof(bool), PURPOSE);
	first = cover_cells(&builder, cells, at, unrecognized);
	if (first < 0 || split_characters(values, cells, at, unrecognized, &covered, &offender, budget))
		return covered;
	if (offender < 0 || !unrecognized[offender])
		offender = first;
	cell_reader_refuse(
		column, group_query_text(cells, at, offender),
		_("A cell is a range that is not empty, a value, a label of the dimension,"
		  " [a - b] with values of the relation, or *; where all values have the same"
		  " length, * in place of a character hides it."));
}
