/*
 * dimension_query.c
 *		See dimension_query.h.
 */
#include "postgres.h"

#include "dimension/dimension_query.h"

#include "base/interrupt.h"
#include "dimension/value_labels.h"
#include "lib/stringinfo.h"
#include "relation/dimension_source.h"
#include "sql/comparison.h"
#include "sql/rights.h"
#include "sql/row_query.h"
#include "sql/type_query.h"
#include "utils/builtins.h"

#define HIERARCHY "generalization hierarchy" /* names what exceeds the budget */

typedef struct DimensionReader
{
	AttributeDomain *domain;
	const Description *table; /* the dimension table */
} DimensionReader;

static Datum
label_value(const DimensionReader *reader, int level, int32 label)
{
	return dictionary_value(reader->domain->label[level], label);
}

static void
report_two_parents(const DimensionReader *reader, int level, int32 label, int32 one, int32 other)
{
	const DescribedAttribute *columns = reader->table->attributes;

	ereport(
		ERROR,
		(errcode(ERRCODE_CARDINALITY_VIOLATION),
		 errmsg("dimension %s is not many-to-one", reader->table->name),
		 value_labels_shown(reader->domain)
			 ? errdetail("Label \"%s\" of column \"%s\" has both \"%s\" and \"%s\" above it in "
						 "column \"%s\".",
						 value_text(columns[level].type, label_value(reader, level, label)),
						 columns[level].name,
						 value_text(columns[level + 1].type, label_value(reader, level + 1, one)),
						 value_text(columns[level + 1].type, label_value(reader, level + 1, other)),
						 columns[level + 1].name)
			 : errdetail("A label of column \"%s\" has two above it in column \"%s\".",
						 columns[level].name, columns[level + 1].name)));
}

static void
report_two_labels(const DimensionReader *reader, int32 ground, int32 other)
{
	const AttributeDomain *domain = reader->domain;
	const DescribedAttribute *column = &reader->table->attributes[1];
	int32 one = domain->label_of_ground[1][ground];

	if (!value_labels_shown(domain))
		ereport(ERROR,
				(errcode(ERRCODE_UNIQUE_VIOLATION),
				 errmsg("dimension %s has a ground value more than once", reader->table->name),
				 errdetail("It has two labels above it in column \"%s\".", column->name)));
	ereport(ERROR,
			(errcode(ERRCODE_UNIQUE_VIOLATION),
			 errmsg("dimension %s has ground value \"%s\" more than once", reader->table->name,
					dimension_query_text(domain, 0, ground)),
			 errdetail("It has both \"%s\" and \"%s\" above it in column \"%s\".",
					   value_text(column->type, label_value(reader, 1, one)),
					   value_text(column->type, label_value(reader, 1, other)), column->name)));
}

static void
check_nulls(const DimensionReader *reader, const Datum *values, const bool *nulls)
{
	const DescribedAttribute *columns = reader->table->attributes;

	if (nulls[0])
		ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
						errmsg("dimension %s has a null ground value in column \"%s\"",
							   reader->table->name, columns[0].name),
						errdetail("NULL needs no row: it generalizes to the top by itself.")));
	for (int level = 1; level <= reader->domain->height; level++)
		if (nulls[level])
			ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
							errmsg("dimension %s has a null label in column \"%s\"",
								   reader->table->name, columns[level].name),
							value_labels_shown(reader->domain)
								? errdetail("The ground value is \"%s\".",
											value_text(reader->domain->attribute->type, values[0]))
								: 0));
}

/*
 * Repeated rows are fine.  If a ground value comes again with the same label above it, the levels
 * above cannot differ either, because each label has one parent.
 */
static void
read_dimension_row(void *state, const Datum *values, const bool *nulls, int64 count)
{
	DimensionReader *reader = state;
	AttributeDomain *domain = reader->domain;
	int32 ground;
	int32 below = 0;
	int32 other;
	bool again;

	(void) count;
	check_nulls(reader, values, nulls);
	ground = dictionary_encode(domain->ground, values[0]);
	again = ground < domain->declared;
	domain->declared = Max(domain->declared, ground + 1);
	value_labels_reserve(domain, ground + 1);
	for (int level = 1; level <= domain->height; level++)
	{
		int32 label = dictionary_encode(domain->label[level], values[level]);

		if (level == 1 && again && domain->label_of_ground[level][ground] != label)
			report_two_labels(reader, ground, label);
		domain->label_of_ground[level][ground] = label;
		if (level > 1 && (other = value_labels_link(domain, level - 1, below, label)) >= 0)
			report_two_parents(reader, level - 1, below, other, label);
		below = label;
	}
}

/*
 * A SELECT of the columns in order, the ground value as the attribute's base type.  Sorted by its
 * bytes, then rows of equal values by their bytes: codes follow the order of the rows, and classes,
 * ties and draws follow the codes.
 */
static char *
dimension_select(const Description *table, const DescribedAttribute *attribute)
{
	const char *ground =
		value_cast_expression(psprintf("d.%s", quote_identifier(table->attributes[0].name)),
							  table->attributes[0].type, attribute->type);
	StringInfoData sql;
	StringInfoData keys;

	initStringInfo(&sql);
	initStringInfo(&keys);
	comparison_append_byte_order(&keys, ground, attribute->type, -1, attribute->collation);
	appendStringInfo(&sql, "SELECT %s", ground);
	for (int i = 1; i < table->attribute_count; i++)
		appendStringInfo(&sql, ", d.%s", quote_identifier(table->attributes[i].name));
	appendStringInfo(&sql, " FROM %s d ORDER BY %s, %s", table->name, keys.data + strlen(", "),
					 comparison_bytes("d.*"));
	return sql.data;
}

static void
read_dimension(AttributeDomain *domain, const Description *table)
{
	int levels = table->attribute_count;
	DimensionReader reader = {.domain = domain, .table = table};
	Oid *types = palloc(sizeof(Oid) * levels);
	QueryRights rights;
	RowSource *rows;

	domain->declared = 0;
	domain->height = levels - 1;
	domain->label = palloc0(sizeof(Dictionary *) * levels);
	domain->label_type = palloc0(sizeof(Oid) * levels);
	domain->text = repalloc(domain->text, sizeof(ValueText) * levels);
	domain->label_of_ground = palloc0(sizeof(int32 *) * levels);
	domain->label_of_unknown = palloc(sizeof(int32) * levels);
	domain->parent = palloc0(sizeof(int32 *) * levels);
	domain->parents = palloc0(sizeof(int32) * levels);
	types[0] = domain->attribute->type;
	for (int level = 1; level < levels; level++)
	{
		ValueType type = type_query_value_type(table->attributes[level].type,
											   table->attributes[level].collation);

		domain->label[level] = dictionary_create(&type, domain->budget);
		types[level] = domain->label_type[level] = table->attributes[level].type;
		domain->text[level] = value_text_writer(table->attributes[level].type);
	}
	rows = row_query_create(dimension_select(table, domain->attribute), types, levels, false);
	rights = dimension_source_enter(table->relation);
	rows->scan(rows, read_dimension_row, &reader);
	rights_leave(&rights);
	domain->labelled = domain->table_values = domain->declared;
	domain->rule = dimension_rule_load(table, domain->attribute);
	if (domain->height > 0)
		value_labels_prepare(domain);
}

AttributeDomain *
dimension_query_values(const Description *description, const DescribedAttribute *attribute,
					   Budget *budget)
{
	AttributeDomain *domain = palloc0(sizeof(AttributeDomain));
	ValueType type = type_query_value_type(attribute->type, attribute->collation);

	domain->description = description;
	domain->attribute = attribute;
	domain->budget = budget;
	domain->ground = dictionary_create(&type, budget);
	domain->declared = -1;
	domain->text = palloc(sizeof(ValueText));
	domain->text[0] = value_text_writer(attribute->type);
	return domain;
}

AttributeDomain *
dimension_query_load(const Description *description, const DescribedAttribute *attribute,
					 UnknownValues unknown, Budget *budget)
{
	AttributeDomain *domain = dimension_query_values(description, attribute, budget);

	domain->unknown = unknown;
	domain->height = 1;
	if (OidIsValid(attribute->dimension))
		read_dimension(domain, dimension_source_load(attribute->dimension, attribute, 0));
	return domain;
}

int32
dimension_query_encode(AttributeDomain *domain, Datum value, bool is_null)
{
	return is_null ? 0 : 1 + dictionary_encode(domain->ground, value);
}

int32
dimension_query_codes(const AttributeDomain *domain)
{
	return 1 + dictionary_size(domain->ground);
}

/* Five arrays of codes for each level, plus two of codes and two of counts. */
Size
dimension_query_room(const AttributeDomain *domain)
{
	Size bytes = sizeof(int32) * (5 * domain->height + 4) + 2 * sizeof(int64);

	/* .. and the order of the values while it is made, if some have no labels. */
	if (domain->declared >= 0 && domain->labelled < dictionary_size(domain->ground))
		bytes += 6 * sizeof(int32);
	return mul_size(bytes, dimension_query_codes(domain));
}

Size
dimension_query_bytes(const AttributeDomain *domain)
{
	/* A count of each value, and at most twice its labels: their arrays are doubled. */
	Size of_value = sizeof(int64) + 2 * sizeof(int32) * domain->height;
	Size bytes = dictionary_bytes(domain->ground) + dimension_query_room(domain) +
				 mul_size(of_value, dimension_query_codes(domain));

	for (int level = 1; domain->declared >= 0 && level <= domain->height; level++)
		bytes += dictionary_bytes(domain->label[level]) +
				 2 * sizeof(int32) * (Size) dictionary_size(domain->label[level]);
	return bytes;
}

static int
compare_paths(const void *a, const void *b, void *arg)
{
	const AttributeDomain *domain = arg;
	int32 x = *(const int32 *) a;
	int32 y = *(const int32 *) b;

	CHECK_FOR_INTERRUPTS();
	for (int level = domain->height; level > 0; level--)
	{
		int32 lx = domain->label_of_ground[level][x];
		int32 ly = domain->label_of_ground[level][y];

		if (lx != ly)
			return lx < ly ? -1 : 1;
	}
	x = value_labels_place(domain, x);
	y = value_labels_place(domain, y);
	return x < y ? -1 : x > y;
}

/* The values that occur, siblings together; *count of them, in an array for all. */
static int32 *
occurring_values(AttributeDomain *domain, const int64 *rows, int32 *count)
{
	int32 size = dictionary_size(domain->ground);
	int32 *order = domain->by_bytes
					   ? dictionary_order(domain->ground, DICTIONARY_BY_BYTES)
					   : budget_allocate(domain->budget, size, sizeof(int32), HIERARCHY);

	*count = 0;
	for (int32 i = 0; i < size; i++)
	{
		int32 value = domain->by_bytes ? order[i] : i;

		interrupt_check(i);
		if (rows[value + 1] > 0 &&
			!(domain->unknown == UNKNOWN_AS_NULL && value_labels_unknown(domain, value)))
			order[(*count)++] = value;
	}
	if (domain->declared >= 0)
		qsort_arg(order, *count, sizeof(int32), compare_paths, domain);
	return order;
}

/* The labels of the occurring values at one level, and the ground values below each label. */
static void
fill_labels(const AttributeDomain *domain, const int32 *order, DimensionInput *input, int level,
			int32 **labels, int32 **leaves, int32 *label_count)
{
	bool alone = domain->unknown == UNKNOWN_ALONE;
	int32 unknown;

	label_count[level] = domain->declared < 0 ? 1 : dictionary_size(domain->label[level]);
	if (level == domain->height && label_count[level] == 1)
		alone = false;
	labels[level] = budget_allocate(domain->budget, input->ground_count, sizeof(int32), HIERARCHY);
	for (int32 i = 0; domain->declared >= 0 && i < input->ground_count; i++)
	{
		interrupt_check(i);
		labels[level][i] = alone && value_labels_unknown(domain, order[i])
							   ? label_count[level]++
							   : domain->label_of_ground[level][order[i]];
	}
	leaves[level] = budget_allocate(domain->budget, label_count[level], sizeof(int32), HIERARCHY);
	if (domain->declared < 0)
	{
		leaves[level][0] = input->domain;
		return;
	}
	for (int32 value = 0; value < domain->declared; value++)
	{
		interrupt_check(value);
		leaves[level][domain->label_of_ground[level][value]]++;
	}
	/* A value with this label may be anything, unless the table has values below it. */
	unknown = domain->label_of_unknown[level];
	if (unknown >= 0 && leaves[level][unknown] == 0)
		leaves[level][unknown] = input->domain + 1;
}

static Dimension *
build_dimension(const AttributeDomain *domain, const int32 *order, int32 count, bool has_null,
				bool has_unknown)
{
	int levels = domain->height + 1;
	int32 **labels = palloc0(sizeof(int32 *) * levels);
	int32 **leaves = palloc0(sizeof(int32 *) * levels);
	int32 *label_count = palloc0(sizeof(int32) * levels);
	DimensionInput input = {.height = domain->height,
							.ground_count = count,
							.domain = domain->declared < 0 ? count : domain->declared,
							.has_null = has_null,
							.has_unknown = has_unknown,
							.label = (const int32 *const *) labels,
							.leaves = (const int32 *const *) leaves,
							.label_count = label_count};
	Dimension *dimension;

	for (int level = 1; level < levels; level++)
		fill_labels(domain, order, &input, level, labels, leaves, label_count);
	dimension = dimension_create(&input, domain->budget);
	for (int level = 1; level < levels; level++)
	{
		pfree(labels[level]);
		pfree(leaves[level]);
	}
	return dimension;
}

/* Counts the rows of unknown values. */
static int64
unknown_rows(const AttributeDomain *domain, const int64 *rows)
{
	int64 unknown = 0;

	for (int32 value = Max(domain->declared, 0);
		 domain->declared >= 0 && value < dictionary_size(domain->ground); value++)
	{
		interrupt_check(value);
		unknown += rows[value + 1];
	}
	return unknown;
}

int64 *
dimension_query_rows(AttributeDomain *domain)
{
	int32 codes = dimension_query_codes(domain);
	MemoryContext previous = MemoryContextSwitchTo(domain->budget->context);

	domain->rows = budget_room(domain->budget, domain->rows, &domain->counted, codes, sizeof(int64),
							   "dictionary of values");
	MemoryContextSwitchTo(previous);
	return domain->rows;
}

void
dimension_query_begin(AttributeDomain *domain)
{
	domain->rows = NULL;
	domain->counted = 0;
}

void
dimension_query_finish(AttributeDomain *domain, const int64 *told)
{
	const int64 *rows = dimension_query_rows(domain);
	int32 codes = dimension_query_codes(domain);
	int64 unknown;
	int64 nulls;
	bool has_null;
	int32 count;
	int32 *order;

	value_labels_complete(domain, told ? told : rows);
	unknown = unknown_rows(domain, rows);
	nulls = rows[0] + (domain->unknown == UNKNOWN_AS_NULL ? unknown : 0);
	has_null = nulls > 0;
	order = occurring_values(domain, rows, &count);
	domain->dimension = build_dimension(domain, order, count, has_null, unknown > 0);
	/* Final codes follow that order; NULL has the last one. */
	domain->value_of_code = order;
	domain->final_code = budget_allocate(domain->budget, codes, sizeof(int32), HIERARCHY);
	memset(domain->final_code, 0xFF, sizeof(int32) * codes);
	domain->marginal = budget_allocate(domain->budget, (Size) count + 1, sizeof(int64), HIERARCHY);
	for (int32 i = 0; i < count; i++)
	{
		interrupt_check(i);
		domain->final_code[order[i] + 1] = i;
		domain->marginal[i] = rows[order[i] + 1];
	}
	if (has_null)
	{
		domain->final_code[0] = count;
		domain->marginal[count] = nulls;
	}
	pfree(domain->rows);
	dimension_query_begin(domain);
}

int32
dimension_query_find(const AttributeDomain *domain, Datum value, bool is_null)
{
	int32 found = is_null ? 0 : 1 + dictionary_find(domain->ground, value);

	return found > 0 || is_null ? domain->final_code[found] : -1;
}

static void
consume_value(void *state, const Datum *values, const bool *nulls, int64 count)
{
	AttributeDomain *domain = state;
	int32 code;

	/* A value of nobody does not occur. */
	if (count == 0)
		return;
	code = dimension_query_encode(domain, values[0], nulls[0]);
	dimension_query_rows(domain)[code] += count;
}

void
dimension_query_read(AttributeDomain *domain, RowSource *values)
{
	values->scan(values, consume_value, domain);
	dimension_query_finish(domain, NULL);
}

char *
dimension_query_text(const AttributeDomain *domain, int level, int32 value)
{
	const Dictionary *known = level == 0 ? domain->ground : domain->label[level];
	int32 number = level == 0 ? value : domain->label_of_ground[level][value];

	return value_text_write(&domain->text[level], dictionary_value(known, number));
}
