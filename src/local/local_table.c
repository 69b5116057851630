/*
 * local_table.c
 *		See local_table.h.
 */
#include "postgres.h"

#include "local/local_table.h"

#include "base/interrupt.h"
#include "metric/loss.h"
#include "port/pg_bitutils.h"

#define PURPOSE "local recoding"

/* ---- columns */

/* Regions have at most 2^32, but for those that cannot be divided into fewer rows. */
static double
cost_unit(int64 rows, int attributes)
{
	int bits = pg_leftmost_one_pos64(rows) + 1 + pg_leftmost_one_pos32(attributes) + 1;

	return ldexp(1, Min(32, 62 - bits));
}

static int64
whole_cost(const LocalTable *table, double weight, double loss)
{
	return (int64) rint(table->unit * weight * loss);
}

/* Numbers the codes that occur; "codes" has room for all records. */
static void
number_codes(LocalTable *table, LocalColumn *column, int32 *codes)
{
	const Dataset *dataset = table->dataset;
	int32 different = 0;

	for (int64 i = 0; i < table->rows; i++)
		codes[i] = dataset_record(dataset, table->begin + i)[column->place];
	qsort(codes, table->rows, sizeof(int32), interrupt_compare_int32);
	for (int64 i = 0; i < table->rows; i++)
		if (i == 0 || codes[i] != codes[i - 1])
			codes[different++] = codes[i];
	column->codes = different;
	column->code = budget_allocate(table->budget, different, sizeof(int32), PURPOSE);
	memcpy(column->code, codes, sizeof(int32) * different);
	column->lowest = codes[0] == DATASET_NULL ? 1 : 0;
}

static int32
code_here(const LocalColumn *column, int32 code)
{
	int32 low = 0;
	int32 high = column->codes - 1;

	while (low < high)
	{
		int32 middle = low + (high - low) / 2;

		if (column->code[middle] < code)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The cell of a code's label at a level, as a region would have it. */
static RecodedCell
label_cell(const LocalColumn *column, int level, int32 code)
{
	const Dimension *dimension = column->column->dimension;

	if (level == column->top && (dimension == NULL || level > dimension->height))
		return (RecodedCell){.kind = RECODED_ALL};
	if (code == DATASET_NULL)
		return (RecodedCell){.kind = recoding_null(column->column)};
	if (dimension == NULL)
		return (RecodedCell){.kind = RECODED_SPAN, .low = code, .high = code};
	return (RecodedCell){.kind = RECODED_LABEL, .level = level, .low = code};
}

/* Are the labels of neighbouring codes at this level the same? */
static bool
label_is_shared(const LocalColumn *column, int level, int32 one, int32 other)
{
	const Dimension *dimension = column->column->dimension;

	if (level == column->top)
		return true;
	return dimension && level > 0 && one != DATASET_NULL &&
		   dimension->ancestor[level][one] == dimension->ancestor[level][other];
}

static void
label_codes(LocalTable *table, LocalColumn *column, double weight)
{
	const Dimension *dimension = column->column->dimension;

	column->top = dimension ? dimension->height + (dimension->single_top ? 0 : 1) : 1;
	column->label = palloc(sizeof(int32 *) * (column->top + 1));
	column->cost = palloc(sizeof(int64 *) * (column->top + 1));
	for (int level = 0; level <= column->top; level++)
	{
		int32 *label = budget_allocate(table->budget, column->codes, sizeof(int32), PURPOSE);
		int64 *cost = budget_allocate(table->budget, column->codes, sizeof(int64), PURPOSE);
		int32 labels = 0;

		for (int32 i = 0; i < column->codes; i++)
		{
			RecodedCell cell;

			interrupt_check(i);
			if (i == 0 || !label_is_shared(column, level, column->code[i - 1], column->code[i]))
			{
				/* The single top label has a value's code even if NULL comes first. */
				cell = label_cell(column, level,
								  column->code[level == column->top ? column->codes - 1 : i]);
				cost[labels++] = whole_cost(table, weight, loss_of_cell(column->column, &cell));
			}
			label[i] = labels - 1;
		}
		column->label[level] = label;
		column->cost[level] = cost;
	}
}

static void
place_codes(LocalTable *table, LocalColumn *column, double weight)
{
	RecodedCell all = {.kind = RECODED_ALL};
	RecodedCell span = {.kind = RECODED_SPAN};

	column->all = whole_cost(table, weight, loss_of_cell(column->column, &all));
	column->placing = budget_allocate(table->budget, column->codes, sizeof(int64), PURPOSE);
	for (int32 i = column->lowest; i < column->codes; i++)
	{
		interrupt_check(i);
		span.low = column->code[column->lowest];
		span.high = column->code[i];
		column->placing[i] = whole_cost(table, weight, loss_of_cell(column->column, &span));
	}
}

static void
create_columns(LocalTable *table, const RecodingColumn *columns)
{
	const LocalRequest *request = table->request;
	int32 *codes = budget_allocate(table->budget, table->rows, sizeof(int32), PURPOSE);

	table->column = palloc0(sizeof(LocalColumn) * table->attributes);
	for (int i = 0; i < table->attributes; i++)
	{
		LocalColumn *column = &table->column[i];
		double weight;

		column->place = request->order ? request->order[i] : i;
		column->column = &columns[column->place];
		column->spans = column->column->dimension == NULL && !column->column->plain;
		weight = request->weight ? request->weight[column->place] * table->attributes : 1;
		number_codes(table, column, codes);
		if (column->spans)
			place_codes(table, column, weight);
		else
			label_codes(table, column, weight);
	}
	pfree(codes);
}

/* ---- tuples */

static int
compare_records(const void *a, const void *b, void *arg)
{
	const LocalTable *table = arg;
	const int32 *one = a;
	const int32 *other = b;

	CHECK_FOR_INTERRUPTS();
	for (int i = 0; i < table->attributes; i++)
	{
		int32 x = one[table->column[i].place];
		int32 y = other[table->column[i].place];

		if (x != y)
			return x < y ? -1 : 1;
	}
	return 0;
}

static void
create_tuples(LocalTable *table)
{
	const Dataset *dataset = table->dataset;
	int32 *code;
	int32 tuple = -1;

	table->first = budget_allocate(table->budget, table->rows + 1, sizeof(int32), PURPOSE);
	qsort_arg(dataset_record(dataset, table->begin), table->rows, sizeof(int32) * dataset->stride,
			  compare_records, table);
	for (int64 i = 0; i < table->rows; i++)
	{
		const int32 *record = dataset_record(dataset, table->begin + i);

		interrupt_check(i);
		if (i == 0 || compare_records(record - dataset->stride, record, table) != 0)
			table->first[table->tuples++] = (int32) i;
	}
	table->first[table->tuples] = (int32) table->rows;
	code = budget_allocate(table->budget, (Size) table->tuples * table->attributes, sizeof(int32),
						   PURPOSE);
	table->code = code;
	while (++tuple < table->tuples)
	{
		const int32 *record = dataset_record(dataset, table->begin + table->first[tuple]);

		interrupt_check(tuple);
		for (int i = 0; i < table->attributes; i++)
			*code++ = code_here(&table->column[i], record[table->column[i].place]);
	}
}

LocalTable *
local_table_create(Dataset *dataset, int64 begin, int64 end, const RecodingColumn *column,
				   const LocalRequest *request, RowJudge *judge)
{
	LocalTable *table = palloc0(sizeof(LocalTable));

	table->dataset = dataset;
	table->begin = begin;
	table->rows = end - begin;
	table->request = request;
	table->budget = request->budget;
	table->attributes = dataset->attributes;
	table->unit = cost_unit(table->rows, table->attributes);
	table->judge = judge;
	table->demanded = request->k;
	if (request->models)
		table->demanded = Max(table->demanded, demand_least_rows(&request->models->demand));
	create_columns(table, column);
	create_tuples(table);
	return table;
}

/* ---- sets of tuples */

int64
local_rows(const LocalTable *table, const int32 *tuple, int32 count)
{
	int64 rows = 0;

	for (int32 i = 0; i < count; i++)
		rows += local_tuple_rows(table, tuple[i]);
	return rows;
}

LocalCell
local_cell(const LocalColumn *column, int32 low, int32 high)
{
	LocalCell cell = {.low = low, .high = high};

	if (column->spans && low < column->lowest && low != high)
		cell.low = cell.high = -1;
	if (column->spans)
		return cell;
	while (column->label[cell.level][low] != column->label[cell.level][high])
		cell.level++;
	cell.low = cell.high = column->label[cell.level][low];
	return cell;
}

int64
local_region_cost(const LocalTable *table, const int32 *low, const int32 *high)
{
	int64 cost = 0;

	for (int i = 0; i < table->attributes; i++)
		cost += local_cell_cost(&table->column[i], low[i], high[i]);
	return cost;
}

int64
local_region_measure(const LocalTable *table, const int32 *tuple, int32 count, int32 *low,
					 int32 *high)
{
	memcpy(low, local_tuple(table, tuple[0]), sizeof(int32) * table->attributes);
	memcpy(high, low, sizeof(int32) * table->attributes);
	for (int32 i = 1; i < count; i++)
	{
		const int32 *code = local_tuple(table, tuple[i]);

		interrupt_check(i);
		for (int attribute = 0; attribute < table->attributes; attribute++)
		{
			low[attribute] = Min(low[attribute], code[attribute]);
			high[attribute] = Max(high[attribute], code[attribute]);
		}
	}
	return local_region_cost(table, low, high);
}

/* Puts the rows of these tuples into the judge's rest. */
static void
fill_judge(const LocalTable *table, const int32 *tuple, int32 count)
{
	const Dataset *dataset = table->dataset;

	row_judge_begin(table->judge);
	for (int32 i = 0; i < count; i++)
		for (int32 at = table->first[tuple[i]]; at < table->first[tuple[i] + 1]; at++)
		{
			interrupt_check(at);
			row_judge_add(table->judge,
						  dataset_row(dataset, dataset_record(dataset, table->begin + at)));
		}
	row_judge_end(table->judge);
}

bool
local_satisfies(const LocalTable *table, const int32 *tuple, int32 count)
{
	if (local_rows(table, tuple, count) < table->demanded)
		return false;
	if (table->judge == NULL)
		return true;
	fill_judge(table, tuple, count);
	return row_judge_holds(table->judge, GROUP_REST);
}

int64
local_people(const LocalTable *table, const int32 *tuple, int32 count)
{
	if (table->judge == NULL || table->request->models->people == NULL)
		return 0;
	fill_judge(table, tuple, count);
	return row_judge_people(table->judge, GROUP_REST);
}
