/*
 * matching_cells.c
 *		See matching_cells.h.
 *
 * Example: zip codes 53706, 53711 of one record, digits masked: 537**; with the
 * labels 537** and *: 537**.  Ages 25, 26: NULL.
 */
#include "postgres.h"

#include "cell/matching_cells.h"

#include "access/htup_details.h"
#include "base/interrupt.h"
#include "cell/cell_format.h"
#include "cell/digits_format.h"
#include "cell/hidden_format.h"
#include "cell/label_format.h"
#include "cell/matching_names.h"
#include "cell/recoding_loss.h"
#include "data/hidden.h"
#include "funcapi.h"
#include "matching/matching_draw.h"
#include "miscadmin.h"
#include "port/pg_bswap.h"
#include "record/matching_rows.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

/* How the cells of one quasi-identifier are made. */
typedef struct CellMaker
{
	const MatchingColumn *column;
	const DigitLeaves *leaves; /* of a column of digits */
	Oid type;                  /* base type of the values */
	Datum hidden;              /* without dimension: where text is hidden */
	bool hidden_is_null;       /* without dimension */
	DomainText label_text;     /* with a dimension */
} CellMaker;

struct MatchingCells
{
	int columns;
	CellMaker *maker; /* [column] */
	MatchingRows *rows;
	Matching *matching;
	int32 *record_of_row; /* NULL: its own */
	TupleDesc fields;
	Datum *values;
	bool *nulls;
	MemoryContext scratch; /* of the last record */
	RecodingLoss loss;     /* of the records made */
};

static void
prepare_maker(CellMaker *maker, const MatchingColumn *column, const DescribedAttribute *field)
{
	maker->column = column;
	maker->type = getBaseType(field->type);
	if (column->domain)
	{
		maker->label_text = domain_text_create(column->domain);
		return;
	}
	maker->hidden_is_null = hidden_format_is_null(maker->type);
	if (!maker->hidden_is_null)
		maker->hidden = hidden_format_write(maker->type);
}

static TupleDesc
describe_record(const MatchingCells *cells, const RecordShape *shape)
{
	TupleDesc fields = CreateTemplateTupleDesc(cells->columns);

	for (int i = 0; i < cells->columns; i++)
		TupleDescInitEntry(
			fields, (AttrNumber) (i + 1), shape->quasi[i].name,
			cell_format_row_type(shape->quasi[i].type, shape->quasi[i].domain != NULL), -1, 0);
	return BlessTupleDesc(fields);
}

/* The first row that has another name. */
static int64
end_of_name(const RowName *name, int64 begin, int64 rows)
{
	int64 end = begin + 1;

	while (end < rows && memcmp(&name[end], &name[begin], sizeof(RowName)) == 0)
		interrupt_check(end++);
	return end;
}

/* Of a number of equal rows. */
static Random
group_numbers(RandomSource *source, const RowName *name, int64 count)
{
	uint64 words[] = {pg_hton64(name->word[0]), pg_hton64(name->word[1]),
					  pg_hton64((uint64) count)};

	random_source_add(source, "equals", sizeof("equals"));
	random_source_add(source, words, sizeof(words));
	return random_source_numbers(source);
}

/*
 * Which of equal rows a record goes to, in an order that nobody knows: that in which they
 * came may be that of what must not be told of them.  The numbers depend on these rows alone.
 */
static void
shuffle_equals(int32 *record_of_row, const RowName *name, int64 rows, RandomSource *source)
{
	int64 end;

	for (int64 begin = 0; begin < rows; begin = end)
	{
		Random random = {.left = 0};

		end = end_of_name(name, begin, rows);
		if (end > begin + 1)
			random = group_numbers(source, &name[begin], end - begin);
		for (int64 last = end - 1; last > begin; last--)
		{
			int64 other = begin + (int64) random_below(&random, last - begin + 1);
			int32 record = record_of_row[other];

			interrupt_check(last);
			record_of_row[other] = record_of_row[last];
			record_of_row[last] = record;
		}
	}
}

/* [row]: its record, by chance. */
static int32 *
draw_records(const MatchingRows *rows, const Matching *matching, const RandomKey *key)
{
	Budget *budget = rows->rows->budget;
	RandomSource *source = random_source_open(key);
	RowName *name = matching_names_create(rows, source);
	int32 *record_of_row = matching_draw(matching, name, source, budget);

	shuffle_equals(record_of_row, name, matching->rows, source);
	budget_free(budget, name, matching->rows, sizeof(RowName));
	random_source_close(source);
	return record_of_row;
}

MatchingCells *
matching_cells_create(RecordCodes *codes, MatchingRun run, int k, const RandomKey *key)
{
	MatchingCells *cells = palloc0(sizeof(MatchingCells));
	Budget *budget = codes->dataset->budget;

	cells->columns = codes->shape->quasi_count;
	cells->loss.attributes = cells->columns;
	cells->rows = matching_rows_create(codes);
	cells->matching = run(cells->rows->rows, k);
	matching_verify(cells->matching, budget);
	if (key)
		cells->record_of_row = draw_records(cells->rows, cells->matching, key);
	cells->maker = palloc0(sizeof(CellMaker) * cells->columns);
	for (int i = 0; i < cells->columns; i++)
		prepare_maker(&cells->maker[i], &cells->rows->column[i], &codes->shape->quasi[i]);
	for (int i = 0; i < cells->columns; i++)
		for (int j = 0; j < cells->rows->rows->digit_columns; j++)
			if (cells->rows->rows->digits[j].first == cells->maker[i].column->first)
				cells->maker[i].leaves = matching_digits(cells->matching, cells->rows->rows,
														 &cells->rows->rows->digits[j]);
	cells->fields = describe_record(cells, codes->shape);
	cells->values = palloc0(sizeof(Datum) * cells->columns);
	cells->nulls = palloc0(sizeof(bool) * cells->columns);
	cells->scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon cells", ALLOCSET_DEFAULT_SIZES);
	return cells;
}

static Datum
label_cell(CellMaker *maker, const CellTree *tree, int32 node, int level)
{
	if (level == MATCHING_HIDDEN)
		return CStringGetTextDatum(HIDDEN_TEXT);
	/* Whatever lies under the label, but NULL, which is the last. */
	return CStringGetTextDatum(
		label_format_write(&maker->label_text, level, maker->column->ground[tree->above[node]]));
}

static Datum
plain_cell(CellMaker *maker, int32 node, int level, bool *isnull)
{
	*isnull = level == MATCHING_HIDDEN && maker->hidden_is_null;
	if (level == MATCHING_HIDDEN)
		return maker->hidden;
	return dataset_column_value(maker->column->column, matching_rows_code(maker->column, node));
}

static double
fill_cell(MatchingCells *cells, int number, int64 record)
{
	CellMaker *maker = &cells->maker[number];
	const CellRows *rows = cells->rows->rows;
	int32 node = matching_cell(cells->matching, rows, record, maker->column->first);
	int level = matching_rows_level(maker->column, node);

	cells->nulls[number] = level == MATCHING_NULL;
	if (level == MATCHING_NULL)
		return 0;
	if (maker->column->domain)
		cells->values[number] = label_cell(maker, &rows->tree[maker->column->first], node, level);
	else
		cells->values[number] = plain_cell(maker, node, level, &cells->nulls[number]);
	return matching_rows_loss(maker->column, node);
}

static double
fill_digits(MatchingCells *cells, int number, int64 record)
{
	const MatchingColumn *column = cells->maker[number].column;
	const MaskedDigits *masked = column->digits;
	const CellRows *rows = cells->rows->rows;
	int32 code[CELL_ATTRIBUTES_MOST];
	int32 pattern = 0;

	for (int digit = 0; digit < masked->digits; digit++)
	{
		int attribute = column->first + digit;
		int32 node = matching_cell(cells->matching, rows, record, attribute);

		/* Behind the letters come NULL, if there is one, and the root. */
		cells->nulls[number] =
			node == masked->letters[digit] && node < rows->tree[attribute].values;
		if (cells->nulls[number])
			return 0;
		code[digit] = node == rows->tree[attribute].values ? RECODED_MASKED : node;
		pattern = digit_leaves_find(cells->maker[number].leaves, pattern, code[digit]);
	}
	cells->values[number] = CStringGetTextDatum(digits_format_write(masked, code));
	return digit_leaves_loss(cells->maker[number].leaves, pattern);
}

HeapTupleHeader
matching_cells_record(MatchingCells *cells, int64 position)
{
	int32 row = cells->rows->row_of_position[position];
	int32 record = cells->record_of_row ? cells->record_of_row[row] : row;
	RecodingLoss *loss = &cells->loss;
	MemoryContext previous;
	HeapTupleHeader made;

	MemoryContextReset(cells->scratch);
	previous = MemoryContextSwitchTo(cells->scratch);
	for (int i = 0; i < cells->columns; i++)
		recoding_loss_add(loss, i,
						  cells->maker[i].column->digits ? fill_digits(cells, i, record)
														 : fill_cell(cells, i, record),
						  1);
	if (++loss->rows == cells->matching->rows)
		recoding_loss_keep(loss);
	made = heap_form_tuple(cells->fields, cells->values, cells->nulls)->t_data;
	MemoryContextSwitchTo(previous);
	return made;
}
