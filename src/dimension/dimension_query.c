/*
 * dimension_query.c
 *		See dimension_query.h.
 */
#include "postgres.h"

#include "dimension/dimension_query.h"

#include "base/interrupt.h"
#include "lib/stringinfo.h"
#include "relation/dimension_source.h"
#include "sql/name_array.h"
#include "sql/query.h"
#include "sql/type_query.h"
#include "utils/lsyscache.h"

#define HIERARCHY "generalization hierarchy" /* names what exceeds the budget */

static void *
allocate(const AttributeDomain *domain, Size count, Size size)
{
	return budget_allocate(domain->budget, count, size, HIERARCHY);
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
	domain->level = palloc(sizeof(DomainLevel));
	domain->level[0] =
		(DomainLevel){.labels = domain->ground, .text = value_text_writer(attribute->type)};
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
		dimension_read_table(domain, dimension_source_load(attribute->dimension, attribute, 0));
	return domain;
}

int32
dimension_query_encode(AttributeDomain *domain, Datum value, bool is_null)
{
	return is_null ? 0 : 1 + dictionary_encode(domain->ground, value);
}

static int32
ground_values(const AttributeDomain *domain)
{
	return dictionary_size(domain->ground);
}

int32
dimension_query_codes(const AttributeDomain *domain)
{
	return 1 + ground_values(domain);
}

/* Five arrays of codes for each level, plus two of codes and two of counts. */
Size
dimension_query_room(const AttributeDomain *domain)
{
	Size bytes = sizeof(int32) * (5 * domain->height + 4) + 2 * sizeof(int64);

	/* .. and the order of the values while it is made, if some have no labels. */
	if (domain->declared >= 0 && domain->labelled < ground_values(domain))
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

	for (int i = 1; domain->declared >= 0 && i <= domain->height; i++)
		bytes += dictionary_bytes(domain->level[i].labels) +
				 2 * sizeof(int32) * (Size) dictionary_size(domain->level[i].labels);
	return bytes;
}

/* ---- labels */

#define EXAMPLES 3

bool
dimension_query_quotes(const AttributeDomain *domain)
{
	return !domain->description->handed_rows && domain->description->caller_reads;
}

/* Values labelled by one query. */
#define CHUNK 1000

/* The ground values without labels, in an order other than that of appearance. */
static int32 *
values_without_labels(const AttributeDomain *domain)
{
	int32 *order = dictionary_order(domain->ground, DICTIONARY_BY_BYTES);
	int32 count = 0;

	for (int32 i = 0; i < ground_values(domain); i++)
	{
		interrupt_check(i);
		if (order[i] >= domain->labelled)
			order[count++] = order[i];
	}
	return order;
}

/*
 * Stores the labels of one value, in a row of the last query.  Returns false if the table has
 * another label above one of them.
 */
static bool
take_labels(AttributeDomain *domain, uint64 row)
{
	bool single = dimension_query_has_top(domain);
	bool isnull;
	int32 ground = dictionary_find(domain->ground, query_value(row, 1, &isnull));
	int32 below = 0;

	if (ground < 0)
		description_report_change(domain->description);
	for (int level = 1; level <= domain->height; level++)
	{
		Datum value = query_value(row, level + 1, &isnull);
		int32 label = isnull || (single && level == domain->height)
						  ? domain->level[level].label_of_unknown
						  : dictionary_encode(domain->level[level].labels, value);

		if (level > 1 && dimension_read_link(domain, level - 1, below, label) >= 0)
			return false;
		domain->level[level].label_of_ground[ground] = below = label;
	}
	return true;
}

/* Labels this many values by one query. */
static bool
label_by_rule(AttributeDomain *domain, const int32 *value, int32 count)
{
	Oid type = getBaseType(domain->attribute->type);
	Datum *values = palloc(sizeof(Datum) * count);
	MemoryContext context = CurrentMemoryContext;
	QueryScope scope = query_begin();
	bool agrees = true;

	for (int32 i = 0; i < count; i++)
		values[i] = dictionary_value(domain->ground, value[i]);
	query_run_with(dimension_rule_labels(domain->rule, "SELECT v FROM unnest($1) v"), QUERY_READ,
				   "v", get_array_type(type), PointerGetDatum(array_of(type, values, NULL, count)));
	MemoryContextSwitchTo(context);
	for (uint64 row = 0; agrees && row < query_rows(); row++)
		agrees = take_labels(domain, row);
	query_end(scope);
	pfree(values);
	return agrees;
}

/*
 * Values that the rule labels become like those of the table; if a label conflicts, the rule is
 * dropped.
 */
static void
follow_rule(AttributeDomain *domain, const int32 *value, int32 count)
{
	for (int32 at = 0; domain->rule && at < count; at += CHUNK)
	{
		CHECK_FOR_INTERRUPTS();
		if (!label_by_rule(domain, value + at, Min(CHUNK, count - at)))
			domain->rule = NULL;
	}
	if (domain->rule)
		domain->declared = ground_values(domain);
}

static void
report_unknown(const AttributeDomain *domain, const int32 *value, int32 count, const int64 *rows)
{
	int32 unknown = 0;
	int64 unknown_rows = 0;
	StringInfoData examples;

	initStringInfo(&examples);
	for (int32 i = 0; i < count; i++)
	{
		interrupt_check(i);
		/* Where people are counted, a value may belong to nobody. */
		if (rows[value[i] + 1] == 0)
			continue;
		unknown_rows += rows[value[i] + 1];
		if (unknown++ < EXAMPLES)
			appendStringInfo(&examples, "%s\"%s\"", unknown > 1 ? ", " : "",
							 dimension_query_text(domain, 0, value[i]));
	}
	if (unknown > 0)
		ereport(NOTICE,
				(errmsg_plural("dimension of %s lacks %d value", "dimension of %s lacks %d values",
							   unknown, description_title(domain->description, domain->attribute),
							   unknown),
				 errdetail("They stand in " INT64_FORMAT
						   " rows and generalize to the top alone; for example: %s.",
						   unknown_rows, examples.data),
				 errhint("kanon_check_dimension lists them all.")));
}

void
dimension_query_label(AttributeDomain *domain, const int64 *rows)
{
	int32 size = ground_values(domain);
	int32 before = domain->labelled - domain->table_values;
	int32 count = size - domain->labelled;
	int32 *value;

	if (domain->declared < 0 || count == 0)
		return;
	value = values_without_labels(domain);
	dimension_read_reserve(domain, size);
	domain->rank =
		dimension_read_enlarge(domain, domain->rank, before, size - domain->table_values);
	for (int32 i = 0; i < count; i++)
		domain->rank[value[i] - domain->table_values] = before + i;
	if (domain->rule)
		follow_rule(domain, value, count);
	for (int32 i = 0; domain->rule == NULL && i < count; i++)
	{
		interrupt_check(i);
		for (int level = 1; level <= domain->height; level++)
			domain->level[level].label_of_ground[value[i]] = domain->level[level].label_of_unknown;
	}
	if (domain->rule == NULL && !domain->description->told && dimension_query_quotes(domain))
		report_unknown(domain, value, count, rows);
	domain->labelled = size;
	pfree(value);
}

/* Is it a value that neither the table nor a rule has? */
static bool
is_unknown(const AttributeDomain *domain, int32 value)
{
	return domain->declared >= 0 && value >= domain->declared;
}

/* The sort position of a value: those of the table first, in its order, then the others. */
static int32
place_of(const AttributeDomain *domain, int32 value)
{
	if (domain->declared < 0 || value < domain->table_values)
		return value;
	return domain->table_values + domain->rank[value - domain->table_values];
}

/* ---- the dimension of the values that occur */

static int
compare_paths(const void *a, const void *b, void *arg)
{
	const AttributeDomain *domain = arg;
	int32 x = *(const int32 *) a;
	int32 y = *(const int32 *) b;

	CHECK_FOR_INTERRUPTS();
	for (int level = domain->height; level > 0; level--)
	{
		int32 lx = domain->level[level].label_of_ground[x];
		int32 ly = domain->level[level].label_of_ground[y];

		if (lx != ly)
			return lx < ly ? -1 : 1;
	}
	x = place_of(domain, x);
	y = place_of(domain, y);
	return x < y ? -1 : x > y;
}

int
dimension_query_compare(const AttributeDomain *domain, int32 one, int32 other)
{
	return compare_paths(&one, &other, unconstify(AttributeDomain *, domain));
}

/* The values that occur, siblings together; *count of them, in an array for all. */
static int32 *
occurring_values(AttributeDomain *domain, const int64 *rows, int32 *count)
{
	int32 size = ground_values(domain);
	int32 *order = domain->by_bytes ? dictionary_order(domain->ground, DICTIONARY_BY_BYTES)
									: allocate(domain, size, sizeof(int32));

	*count = 0;
	for (int32 i = 0; i < size; i++)
	{
		int32 value = domain->by_bytes ? order[i] : i;

		interrupt_check(i);
		if (rows[value + 1] > 0 &&
			!(domain->unknown == UNKNOWN_AS_NULL && is_unknown(domain, value)))
			order[(*count)++] = value;
	}
	if (domain->declared >= 0)
		qsort_arg(order, *count, sizeof(int32), compare_paths, domain);
	return order;
}

int32 *
dimension_query_declared(AttributeDomain *domain)
{
	int32 *order = allocate(domain, Max(domain->declared, 1), sizeof(int32));

	for (int32 i = 0; i < domain->declared; i++)
		order[i] = i;
	qsort_arg(order, Max(domain->declared, 0), sizeof(int32), compare_paths, domain);
	return order;
}

/* The labels of the occurring values at one level, and the ground values below each label. */
static void
fill_labels(const AttributeDomain *domain, const int32 *order, DimensionInput *input, int level,
			int32 **labels, int32 **leaves, int32 *label_count)
{
	bool alone = domain->unknown == UNKNOWN_ALONE;
	int32 unknown;

	label_count[level] = domain->declared < 0 ? 1 : dictionary_size(domain->level[level].labels);
	if (level == domain->height && label_count[level] == 1)
		alone = false;
	labels[level] = allocate(domain, input->ground_count, sizeof(int32));
	for (int32 i = 0; domain->declared >= 0 && i < input->ground_count; i++)
	{
		interrupt_check(i);
		labels[level][i] = alone && is_unknown(domain, order[i])
							   ? label_count[level]++
							   : domain->level[level].label_of_ground[order[i]];
	}
	leaves[level] = allocate(domain, label_count[level], sizeof(int32));
	if (domain->declared < 0)
	{
		leaves[level][0] = input->domain;
		return;
	}
	for (int32 value = 0; value < domain->declared; value++)
	{
		interrupt_check(value);
		leaves[level][domain->level[level].label_of_ground[value]]++;
	}
	/* A value with this label may be anything, unless the table has values below it. */
	unknown = domain->level[level].label_of_unknown;
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
		 domain->declared >= 0 && value < ground_values(domain); value++)
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

	dimension_query_label(domain, told ? told : rows);
	unknown = unknown_rows(domain, rows);
	nulls = rows[0] + (domain->unknown == UNKNOWN_AS_NULL ? unknown : 0);
	has_null = nulls > 0;
	order = occurring_values(domain, rows, &count);
	domain->dimension = build_dimension(domain, order, count, has_null, unknown > 0);
	/* Final codes follow that order; NULL has the last one. */
	domain->value_of_code = order;
	domain->final_code = allocate(domain, codes, sizeof(int32));
	memset(domain->final_code, 0xFF, sizeof(int32) * codes);
	domain->marginal = allocate(domain, (Size) count + 1, sizeof(int64));
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
dimension_query_label_text(const AttributeDomain *domain, int level, int32 label)
{
	DomainLevel *known = &domain->level[level];

	return value_text_write(&known->text, dictionary_value(known->labels, label));
}

char *
dimension_query_text(const AttributeDomain *domain, int level, int32 value)
{
	return dimension_query_label_text(
		domain, level, level == 0 ? value : domain->level[level].label_of_ground[value]);
}

bool
dimension_query_has_top(const AttributeDomain *domain)
{
	return dictionary_size(domain->level[domain->height].labels) == 1;
}

char *
dimension_query_top(const AttributeDomain *domain)
{
	if (domain->height == 0 || !dimension_query_has_top(domain))
		return pstrdup(HIDDEN_TEXT);
	return dimension_query_label_text(domain, domain->height, 0);
}

char *
dimension_query_unknown_label(const AttributeDomain *domain, int level)
{
	int32 label = domain->level[level].label_of_unknown;

	return label < 0 ? NULL : dimension_query_label_text(domain, level, label);
}
