/*
 * cell_reader.c
 *		See cell_reader.h.
 */
#include "postgres.h"

#include "cell/cell_reader.h"

#include "base/context.h"
#include "base/interrupt.h"
#include "metric/loss.h"
#include "parser/parse_coerce.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rls.h"

/* ----------------------------------------------------------------
 * Opening
 * ----------------------------------------------------------------
 */

/* Has the source values that are shown as NULL at this level? */
static bool
shows_null(const CellDomain *domain, int level)
{
	for (int32 code = 0; code < domain->known; code++)
	{
		interrupt_check(code);
		if (domain->source[code] && domain->dimension.ancestor[level][code] < 0)
			return true;
	}
	return false;
}

static bool
null_is_null(const CellReader *reader)
{
	const CellColumn *column = reader->column;
	bool dimension = OidIsValid(reader->attribute->dimension);

	if (!reader->domain->dimension.has_null)
		return false;
	if (column->nulls || (column->cellwise && !dimension && !reader->text && reader->only == NULL))
		return false;
	return !(dimension && column->level > 0 && shows_null(reader->domain, column->level));
}

CellReader *
cell_reader_open(const CellColumn *column, const GroupRows *values, Budget *budget)
{
	CellReader *reader = palloc0(sizeof(CellReader));
	Oid type = getBaseType(column->released->type);
	Oid function;
	bool varlena;

	reader->column = column;
	reader->attribute = column->source->quasi[column->quasi];
	reader->values = values;
	reader->budget = budget;
	reader->text = TypeCategory(type) == TYPCATEGORY_STRING;
	reader->same = type == getBaseType(reader->attribute->type);
	reader->all = (RecodedCell){.kind = RECODED_ALL, .low = -1, .high = -1};
	getTypeOutputInfo(type, &function, &varlena);
	fmgr_info(function, &reader->output);
	reader->scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon cell", CONTEXT_SMALL_SIZES);
	for (const CellFormat *const *format = cell_formats; *format && !reader->only; format++)
		if ((*format)->open && (*format)->open(reader))
			reader->only = *format;
	/* Values that have the cells' type are found as they are. */
	if (reader->only == NULL)
		cell_domain_read(
			reader, !reader->same || (reader->text && column->level == CELL_LEVEL_UNKNOWN), true);
	reader->null_is_null = null_is_null(reader);
	/* At most a value, a label of each level, * and [a - b]. */
	reader->meaning = palloc(sizeof(RecodedCell) * CELL_LEVELS(reader->domain->height));
	return reader;
}

/* ----------------------------------------------------------------
 * Reading
 * ----------------------------------------------------------------
 */

int
cell_reader_level(const CellReader *reader, const RecodedCell *cell)
{
	int height = reader->domain->height;

	switch (cell->kind)
	{
		case RECODED_NULL:
			return 0;
		case RECODED_SPAN:
			return cell->low == cell->high ? 0 : CELL_LEVEL_PART(height);
		case RECODED_LABEL:
			return cell->level;
		case RECODED_DIGITS:
			return cell->level == 0 ? 0 : CELL_LEVEL_PART(height);
		case RECODED_ALL:
			break;
	}
	/* A range that is the only value of the source hides nothing. */
	return cell->low >= 0 && cell->low == cell->high ? 0 : CELL_LEVEL_ALL(height);
}

/* Values that the dimension lacks are at its top. */
static bool
fits_level(const CellReader *reader, const RecodedCell *cell)
{
	int known = reader->column->level;
	int level = cell_reader_level(reader, cell);

	return known == CELL_LEVEL_UNKNOWN || level == known ||
		   (known > 0 && level > 0 &&
			(level == reader->domain->height || level == CELL_LEVEL_ALL(reader->domain->height)));
}

void
cell_reader_add_meaning(CellReader *reader, RecodedCell cell)
{
	if (fits_level(reader, &cell))
		reader->meaning[reader->meanings++] = cell;
}

char *
cell_reader_text(CellReader *reader, Datum value)
{
	return OutputFunctionCall(&reader->output, value);
}

/* In a column of the values' type, what is nothing else is a value that nobody else has. */
static void
read_stray(CellReader *reader, Datum value)
{
	int32 code;

	if (reader->only || !reader->same || (reader->text && reader->column->level != 0))
		return;
	code = dictionary_encode(reader->domain->values, value);
	reader->meaning[reader->meanings++] =
		(RecodedCell){.kind = RECODED_SPAN, .low = code, .high = code};
}

/*
 * Whoever reads a text that can be several things learns no more than what loses most.  What has
 * the column's level is certain, and [a - b], which comes last, is nothing else.
 */
static bool
is_taken_before(const CellReader *reader, const RecodedCell *cell, const RecodedCell *before)
{
	const RecodingColumn *column = &reader->domain->column;
	int known = reader->column->level;

	if (known != CELL_LEVEL_UNKNOWN && cell_reader_level(reader, before) == known)
		return false;
	if (known != CELL_LEVEL_UNKNOWN && cell_reader_level(reader, cell) == known)
		return true;
	return !(cell->kind == RECODED_SPAN && cell->low != cell->high) &&
		   loss_of_cell(column, cell) > loss_of_cell(column, before);
}

/* Puts the meaning that the cell is taken for first. */
static void
order_meanings(CellReader *reader)
{
	RecodedCell *meaning = reader->meaning;

	for (int i = 1; i < reader->meanings; i++)
		if (is_taken_before(reader, &meaning[i], &meaning[0]))
		{
			RecodedCell taken = meaning[i];

			meaning[i] = meaning[0];
			meaning[0] = taken;
		}
}

int
cell_reader_read(CellReader *reader, Datum value, bool isnull)
{
	MemoryContext previous;
	const char *text = NULL;

	reader->meanings = 0;
	if (isnull)
	{
		reader->meaning[reader->meanings++] =
			reader->null_is_null ? (RecodedCell){.kind = RECODED_NULL} : reader->all;
		return reader->meanings;
	}
	previous = MemoryContextSwitchTo(reader->scratch);
	if (reader->only)
		reader->only->read(reader, value, text);
	else
	{
		text = cell_reader_text(reader, value);
		for (const CellFormat *const *format = cell_formats; *format; format++)
			if ((*format)->open == NULL)
				(*format)->read(reader, value, text);
	}
	MemoryContextSwitchTo(previous);
	MemoryContextReset(reader->scratch);
	if (reader->meanings == 0)
		read_stray(reader, value);
	order_meanings(reader);
	return reader->meanings;
}

/* ----------------------------------------------------------------
 * Errors
 * ----------------------------------------------------------------
 */

void
cell_reader_refuse(const CellColumn *column, const char *text, const char *cells)
{
	bool hidden = check_enable_rls(column->source->relation, InvalidOid, true) == RLS_ENABLED;

	ereport(ERROR,
			(errcode(hidden ? ERRCODE_INSUFFICIENT_PRIVILEGE : ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("cell \"%s\" in column \"%s\" of relation %s cannot be understood", text,
					column->released->name, column->release),
			 errdetail_internal("%s", cells),
			 hidden ? errhint("Row security hides some of the generalized values from you. "
							  "Ask somebody who may see all rows of relation %s.",
							  column->source->name)
			 : column->filled
				 ? errhint("Refresh the release: it is older than the rows of relation "
						   "%s or their dimensions.",
						   column->source->name)
				 : 0));
}
