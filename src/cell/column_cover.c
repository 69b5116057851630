/*
 * column_cover.c
 *		Which values of the source each cell of a released column covers: see cell_reader.h.
 *
 * Characters as attributes: a value's codes are its characters.  Example: the values 94111, 94112
 * and 93111, and the cells 94***, 9*111 and 941*3.  9 has the code 0 among the cells' characters, 4
 * the code 1, 1 the code 2 and 3 the code 3; hidden ones are NULL.  The codes of 94*** are 0, 1,
 * NULL, NULL and NULL.  At the last place, 3 covers no value.
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

	/* The codes of ranges are ranks. */
	if (builder->reader->only)
		add_span(builder, (CodeSpan){low, high + 1});
	else if (low < domain->known && high >= 0)
		add_span(builder, (CodeSpan){domain->upto[low] - domain->source[low], domain->upto[high]});
}

static void
cover_interval(CoverBuilder *builder, const RecodedCell *cell)
{
	const CellDomain *domain = builder->reader->domain;
	int32 to;

	if (cell->low == cell->high || !domain->by_labels)
	{
		cover_span(builder, cell->low, cell->high);
		return;
	}
	to = (int32) domain->column.position[cell->high];
	for (int32 rank = (int32) domain->column.position[cell->low]; rank <= to; rank++)
	{
		interrupt_check(rank);
		cover_span(builder, domain->order[rank], domain->order[rank]);
	}
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
			cover_interval(builder, cell);
		else
			all = cell->kind != RECODED_LABEL || !cover_label(builder, cell);
	}
	count = builder->spans - first;
	builder->spans = first;
	if (all)
	{
		add_span(builder, CODE_SPAN_ALL);
		return;
	}
	span = builder->cover->span + first;
	/* By "from", which comes first. */
	qsort(span, count, sizeof(CodeSpan), interrupt_compare_int32);
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

/* Writes the characters of a value; false if there are more or fewer. */
static bool
spell(const GroupRows *rows, int at, int32 value, int32 *characters, int length)
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

/* Writes the characters of all values; false if these differ in length, or are empty. */
static bool
spell_values(CoverColumn *split, const GroupRows *values, int at, Budget *budget)
{
	int32 count = values->groups->values[at];

	split->width = count > 0 ? pg_mbstrlen(group_query_text(values, at, 0)) : 0;
	if (split->width == 0)
		return false;
	split->value_part =
		budget_allocate(budget, (int64) count * split->width, sizeof(int32), PURPOSE);
	for (int32 value = 0; value < count; value++)
		if (!spell(values, at, value, split->value_part + (int64) value * split->width,
				   split->width))
			return false;
	return true;
}

static bool
matches(const int32 *pattern, const int32 *value, int length)
{
	for (int i = 0; i < length; i++)
		if (pattern[i] != HIDDEN_LETTER && pattern[i] != value[i])
			return false;
	return true;
}

/* Does the pattern match all values that the cell covers? */
static bool
covers_as_much(const int32 *pattern, const CellCover *cover, int32 cell, const CoverColumn *split)
{
	for (int32 i = cover->first[cell]; i < cover->first[cell + 1]; i++)
		for (int32 value = cover->span[i].from; value < cover->span[i].to; value++)
		{
			interrupt_check(value);
			if (!matches(pattern, split->value_part + (int64) value * split->width, split->width))
				return false;
		}
	return true;
}

/* Writes the pattern of a cell, all hidden if it covers all; false if it is not a pattern. */
static bool
spell_cell(const CoverColumn *split, const GroupRows *cells, int at, int32 cell, bool unrecognized,
		   const CellCover *cover)
{
	int32 *pattern = split->cell_part + (int64) cell * split->width;
	bool hides = false;

	if (cell_cover_is_all(cover, cell))
	{
		for (int i = 0; i < split->width; i++)
			pattern[i] = HIDDEN_LETTER;
		return true;
	}
	if (!spell(cells, at, cell, pattern, split->width))
		return false;
	for (int i = 0; i < split->width; i++)
		hides = hides || pattern[i] == HIDDEN_LETTER;
	return unrecognized ? hides : covers_as_much(pattern, cover, cell, split);
}

/* Gives the characters of cells codes, and says what each code covers. */
static CellCover *
code_characters(int32 *character, int64 count, Budget *budget)
{
	ValueType type = type_query_value_type(INT4OID, InvalidOid);
	Dictionary *alphabet = dictionary_create(&type, budget);
	CellCover *cover = palloc0(sizeof(CellCover));
	CoverBuilder builder = {.cover = cover, .budget = budget};

	for (int64 at = 0; at < count; at++)
	{
		interrupt_check(at);
		character[at] = character[at] == HIDDEN_LETTER
							? DATASET_NULL
							: dictionary_encode(alphabet, Int32GetDatum(character[at]));
	}
	begin_cover(&builder, dictionary_size(alphabet));
	for (int32 code = 0; code < cover->cells; code++)
	{
		int32 covered = DatumGetInt32(dictionary_value(alphabet, code));

		cover->first[code] = builder.spans;
		add_span(&builder, (CodeSpan){.from = covered, .to = covered + 1});
	}
	cover->first[cover->cells] = builder.spans;
	return cover;
}

/*
 * If an asterisk hides one character, whatever the dimension, each character becomes an attribute
 * (Murakami, Uno 2017, section 1): replaces "covered".
 *
 * That takes values that all have the same number of characters, cells, except NULL and "*", that
 * have it as well, and that the pattern of each cell that a format understands matches all that it
 * covers.  Otherwise returns a cell without another meaning (unrecognized: [cell]) that prevents it
 * or, if none does, the first such cell; -1 if nothing prevents it.
 */
static int32
split_characters(const GroupRows *values, const GroupRows *cells, int at, const bool *unrecognized,
				 int32 first, CoverColumn *covered, Budget *budget)
{
	int32 count = covered->cover->cells;
	CoverColumn split;
	bool fits = true;

	if (!spell_values(&split, values, at, budget))
		return first;
	split.cell_part = budget_allocate(budget, (int64) count * split.width, sizeof(int32), PURPOSE);
	for (int32 cell = 0; cell < count; cell++)
		if (!spell_cell(&split, cells, at, cell, unrecognized[cell], covered->cover))
		{
			if (unrecognized[cell])
				return cell;
			fits = false;
		}
	if (!fits)
		return first;
	split.cover = code_characters(split.cell_part, (int64) count * split.width, budget);
	*covered = split;
	return -1;
}

/* ----------------------------------------------------------------
 * Both
 * ----------------------------------------------------------------
 */

CoverColumn
column_cover(const CellColumn *column, const GroupRows *values, const GroupRows *cells, int at,
			 Budget *budget)
{
	CoverColumn covered = {.width = 1, .cover = palloc0(sizeof(CellCover))};
	CoverBuilder builder = {.reader = cell_reader_open(column, values, budget),
							.cover = covered.cover,
							.budget = budget};
	bool *unrecognized = budget_allocate(budget, cells->groups->values[at], sizeof(bool), PURPOSE);
	int32 offender = cover_cells(&builder, cells, at, unrecognized);

	if (offender >= 0)
		offender = split_characters(values, cells, at, unrecognized, offender, &covered, budget);
	if (offender >= 0)
		cell_reader_refuse(
			column, group_query_text(cells, at, offender),
			_("A cell is a range that is not empty, a value, a label of the dimension,"
			  " [a - b] with values of the relation, or *; where all values have the same"
			  " length, * in place of a character hides it."));
	return covered;
}
