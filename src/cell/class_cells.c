/*
 * class_cells.c
 *		See class_cells.h.
 *
 * The records of a class lie side by side in the dataset once it is partitioned,
 * so the region of one is a pass over them.
 *
 * Example: ages 25, 26, 26 and zip codes 53706, 53711, 53711 of a dimension with
 * 537** above them, class 3, with means: (3, [25,27), 25.67, 537**).
 */
#include "postgres.h"

#include <math.h>

#include "cell/class_cells.h"

#include "access/htup_details.h"
#include "base/interrupt.h"
#include "catalog/pg_type.h"
#include "cell/cell_format.h"
#include "cell/interval_format.h"
#include "cell/label_format.h"
#include "cell/range_format.h"
#include "cell/recoding_loss.h"
#include "data/hidden.h"
#include "funcapi.h"
#include "partition/region.h"
#include "sql/number_query.h"
#include "sql/type_query.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#define PURPOSE "recoding"

/* How the cells of one attribute are made. */
typedef struct CellMaker
{
	DatasetColumn *column;
	const PartitionAttribute *attribute;
	AttributeDomain *domain; /* hierarchical */
	RangeWriter *range;      /* or NULL: text */
	Oid type;                /* base type of the values */
	ValueText value_text;    /* not hierarchical */
	DomainText label_text;   /* hierarchical */
	int32 *value_of_code;    /* [ground code], hierarchical: in the domain's dictionary */
	bool mean;
} CellMaker;

struct ClassCells
{
	MemoryContext context;
	const RecordCodes *codes;
	const Partition *partition;
	CellMaker *maker; /* [attribute] */
	Region *region;
	double *whole; /* [attribute]: region_whole */
	TupleDesc fields;
	Datum *values;
	bool *nulls;
	MemoryContext scratch;   /* of the record that is not kept */
	HeapTupleHeader *record; /* [class]: those kept; NULL before the first */
	HeapTupleHeader last;    /* not kept */
	int32 last_number;
	RecodingLoss loss; /* of the records made */
};

static void *
allocate(const ClassCells *cells, Size count, Size size)
{
	Size bytes = mul_size(Max(count, 1), size);

	budget_take(cells->codes->dataset->budget, bytes, PURPOSE);
	return MemoryContextAllocExtended(cells->context, bytes, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
}

static void
prepare_labels(const ClassCells *cells, CellMaker *maker)
{
	const AttributeDomain *domain = maker->domain;

	maker->label_text = domain_text_create(domain);
	maker->value_of_code =
		allocate(cells, maker->attribute->dimension->cardinality[0], sizeof(int32));
	for (int32 value = 0; value < domain->declared; value++)
	{
		interrupt_check(value);
		if (domain->final_code[value + 1] >= 0)
			maker->value_of_code[domain->final_code[value + 1]] = value;
	}
}

static void
prepare_maker(const ClassCells *cells, int attribute, bool means)
{
	const RecordField *field = &cells->codes->shape->quasi[attribute];
	CellMaker *maker = &cells->maker[attribute];

	maker->column = cells->codes->column[attribute];
	maker->attribute = &cells->codes->attribute[attribute];
	maker->domain = field->domain;
	maker->type = getBaseType(field->type);
	maker->mean = means && maker->domain == NULL && number_query_is_numeric(maker->type);
	if (maker->domain)
		prepare_labels(cells, maker);
	else if (OidIsValid(type_query_range(maker->type)))
		maker->range = range_format_writer(maker->type);
	else
		maker->value_text = value_text_writer(maker->type);
}

static TupleDesc
describe_record(const ClassCells *cells)
{
	const RecordShape *shape = cells->codes->shape;
	int count = 1;
	TupleDesc fields;

	for (int i = 0; i < shape->quasi_count; i++)
		count += cells->maker[i].mean ? 2 : 1;
	fields = CreateTemplateTupleDesc(count);
	TupleDescInitEntry(fields, 1, "class", INT4OID, -1, 0);
	count = 1;
	for (int i = 0; i < shape->quasi_count; i++)
	{
		const RecordField *field = &shape->quasi[i];

		TupleDescInitEntry(fields, ++count, field->name,
						   cell_format_class_type(field->type, field->domain != NULL), -1, 0);
		if (cells->maker[i].mean)
			TupleDescInitEntry(fields, ++count, "mean", FLOAT8OID, -1, 0);
	}
	return BlessTupleDesc(fields);
}

ClassCells *
class_cells_create(const RecordCodes *codes, const Partition *partition, bool means)
{
	ClassCells *cells = palloc0(sizeof(ClassCells));

	cells->context = CurrentMemoryContext;
	cells->codes = codes;
	cells->partition = partition;
	cells->loss.attributes = codes->shape->quasi_count;
	cells->region = region_create(codes->dataset);
	cells->whole = region_whole(cells->region, codes->dataset, codes->attribute);
	cells->maker = palloc0(sizeof(CellMaker) * codes->shape->quasi_count);
	for (int i = 0; i < codes->shape->quasi_count; i++)
		prepare_maker(cells, i, means);
	cells->fields = describe_record(cells);
	cells->values = palloc0(sizeof(Datum) * cells->fields->natts);
	cells->nulls = palloc0(sizeof(bool) * cells->fields->natts);
	cells->scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon cells", ALLOCSET_DEFAULT_SIZES);
	return cells;
}

/* Values and NULLs of a class together: what is above all. */
static Datum
mixed_cell(CellMaker *maker)
{
	const Dimension *dimension = maker->attribute->dimension;

	if (maker->range)
		return range_format_write_all(maker->range);
	if (dimension && dimension->single_top)
		return CStringGetTextDatum(
			label_format_write(&maker->label_text, dimension->height, maker->value_of_code[0]));
	return CStringGetTextDatum(HIDDEN_TEXT);
}

static Datum
value_cell(CellMaker *maker, int32 minimum, int32 maximum)
{
	Datum low;
	Datum high;
	char *text;

	if (maker->domain)
	{
		int level = region_common_level(maker->attribute->dimension, minimum, maximum);

		return CStringGetTextDatum(
			label_format_write(&maker->label_text, level, maker->value_of_code[minimum]));
	}
	low = dataset_column_value(maker->column, minimum);
	high = dataset_column_value(maker->column, maximum);
	if (maker->range)
		return range_format_write(maker->range, low, high);
	text = value_text_write(&maker->value_text, low);
	if (minimum != maximum)
		text = interval_format_write(text, value_text_write(&maker->value_text, high));
	return CStringGetTextDatum(text);
}

static int
compare_codes(const void *a, const void *b)
{
	int32 x = *(const int32 *) a;
	int32 y = *(const int32 *) b;

	CHECK_FOR_INTERRUPTS();
	return x < y ? -1 : x > y;
}

/* The sum of these values, each divided. */
static double
sum_of(const CellMaker *maker, const int32 *codes, int64 count, double divisor)
{
	double sum = 0;

	for (int64 at = 0; at < count; at++)
	{
		interrupt_check(at);
		sum += number_query_scaled(maker->type, dataset_column_value(maker->column, codes[at])) /
			   divisor;
	}
	return sum;
}

/*
 * Added up in the order of the values, so that the sum does not depend on that of the rows.  A
 * sum may be beyond all numbers where the mean is not.
 */
static double
mean_of(const ClassCells *cells, int attribute, int64 begin, int64 end)
{
	const Dataset *dataset = cells->codes->dataset;
	const CellMaker *maker = &cells->maker[attribute];
	int32 *codes = budget_allocate(dataset->budget, end - begin, sizeof(int32), PURPOSE);
	double count = (double) (end - begin);
	double mean;

	for (int64 at = begin; at < end; at++)
	{
		interrupt_check(at);
		codes[at - begin] = dataset_record(dataset, at)[attribute];
	}
	qsort(codes, end - begin, sizeof(int32), compare_codes);
	mean = sum_of(maker, codes, end - begin, 1) / count;
	if (isinf(mean))
		mean = sum_of(maker, codes, end - begin, count);
	budget_give(dataset->budget, mul_size(sizeof(int32), end - begin));
	pfree(codes);
	return mean;
}

static void
fill_attribute(ClassCells *cells, int attribute, int field, int64 begin, int64 end)
{
	CellMaker *maker = &cells->maker[attribute];
	const Region *region = cells->region;
	int32 minimum = region->minimum[attribute];
	int32 maximum = region->maximum[attribute];
	bool no_values = maximum == DATASET_NULL;
	bool mixed = region_is_mixed(region, attribute);

	cells->nulls[field] = no_values;
	if (!no_values)
		cells->values[field] = mixed ? mixed_cell(maker) : value_cell(maker, minimum, maximum);
	if (!maker->mean)
		return;
	cells->nulls[field + 1] = no_values || mixed;
	if (!cells->nulls[field + 1])
		cells->values[field + 1] = Float8GetDatum(mean_of(cells, attribute, begin, end));
}

static double
cell_loss(const ClassCells *cells, int attribute)
{
	const Region *region = cells->region;

	if (region_is_mixed(region, attribute))
		return 1;
	return region_width(&cells->codes->attribute[attribute], cells->whole[attribute],
						region->minimum[attribute], region->maximum[attribute]);
}

static void
add_loss(ClassCells *cells, int64 rows)
{
	RecodingLoss *loss = &cells->loss;

	loss->rows += rows;
	for (int i = 0; i < loss->attributes; i++)
		recoding_loss_add(loss, i, cell_loss(cells, i), rows);
	if (loss->rows == cells->codes->dataset->rows)
		recoding_loss_keep(loss);
}

/* In the current context. */
static HeapTupleHeader
make_record(ClassCells *cells, int32 number)
{
	int64 begin = cells->partition->class_end[number - 1];
	int64 end = cells->partition->class_end[number];
	int field = 0;

	region_measure(cells->region, cells->codes->dataset, begin, end);
	add_loss(cells, end - begin);
	cells->values[field] = Int32GetDatum(number);
	cells->nulls[field++] = false;
	for (int i = 0; i < cells->codes->shape->quasi_count; i++)
	{
		fill_attribute(cells, i, field, begin, end);
		field += cells->maker[i].mean ? 2 : 1;
	}
	return heap_form_tuple(cells->fields, cells->values, cells->nulls)->t_data;
}

static HeapTupleHeader
keep_record(ClassCells *cells, HeapTupleHeader record)
{
	Size length = HeapTupleHeaderGetDatumLength(record);

	return memcpy(allocate(cells, length, 1), record, length);
}

HeapTupleHeader
class_cells_record(ClassCells *cells, int32 number, bool keep)
{
	MemoryContext previous;
	HeapTupleHeader record;

	if (keep && cells->record == NULL)
		cells->record =
			allocate(cells, (Size) cells->partition->classes + 1, sizeof(HeapTupleHeader));
	if (keep && cells->record[number])
		return cells->record[number];
	if (!keep && cells->last && cells->last_number == number)
		return cells->last;
	cells->last = NULL;
	MemoryContextReset(cells->scratch);
	previous = MemoryContextSwitchTo(cells->scratch);
	record = make_record(cells, number);
	MemoryContextSwitchTo(previous);
	if (keep)
		return cells->record[number] = keep_record(cells, record);
	cells->last_number = number;
	return cells->last = record;
}
