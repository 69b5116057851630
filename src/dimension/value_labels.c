/*
 * value_labels.c
 *		See value_labels.h.
 */
#include "postgres.h"

#include "dimension/value_labels.h"

#include "base/interrupt.h"
#include "data/dimension.h"
#include "lib/stringinfo.h"
#include "parser/parse_coerce.h"
#include "sql/cast_settings.h"
#include "sql/name_array.h"
#include "sql/query.h"
#include "utils/lsyscache.h"

#define EXAMPLES 3
#define HIERARCHY "generalization hierarchy" /* names what exceeds the budget */

bool
value_labels_shown(const AttributeDomain *domain)
{
	return !domain->description->handed_rows && domain->description->caller_reads;
}

static void
grow_codes(Budget *budget, int32 **codes, int32 *capacity, int32 needed)
{
	int32 old = *capacity;

	if (needed <= old)
		return;
	*capacity = Max(64, needed * 2);
	*codes = budget_enlarge(budget, *codes, old, *capacity, sizeof(int32), HIERARCHY);
	memset(*codes + old, 0xFF, sizeof(int32) * (*capacity - old));
}

void
value_labels_reserve(AttributeDomain *domain, int32 needed)
{
	int32 room = domain->room;

	for (int level = 1; level <= domain->height; level++)
	{
		room = domain->room;
		grow_codes(domain->budget, &domain->label_of_ground[level], &room, needed);
	}
	domain->room = room;
}

int32
value_labels_link(AttributeDomain *domain, int level, int32 below, int32 label)
{
	int32 *parent;

	grow_codes(domain->budget, &domain->parent[level], &domain->parents[level], below + 1);
	parent = &domain->parent[level][below];
	if (*parent >= 0 && *parent != label)
		return *parent;
	*parent = label;
	return -1;
}

/* The parent of a label, -1 if unknown. */
static int32
parent_of(const AttributeDomain *domain, int level, int32 label)
{
	return label < domain->parents[level] ? domain->parent[level][label] : -1;
}

/*
 * Can the label for everything be stored in a level of that type? "top": the type of the top's
 * single label, InvalidOid if there is none.
 */
static bool
holds_top(Oid type, Oid top)
{
	return TypeCategory(getBaseType(type)) == TYPCATEGORY_STRING ||
		   (OidIsValid(top) && getBaseType(type) == getBaseType(top) &&
			cast_settings_none_to_read(type));
}

/* The label for everything as a value of the level's type; false if that type cannot hold it. */
static bool
top_value(const AttributeDomain *domain, int level, Datum *value)
{
	const Dictionary *top = domain->label[domain->height];
	Oid type = getBaseType(domain->label_type[level]);
	Oid input;
	Oid parameter;

	bool single = dictionary_size(top) == 1;

	if (!holds_top(domain->label_type[level],
				   single ? domain->label_type[domain->height] : InvalidOid))
		return false;
	if (single && type == getBaseType(domain->label_type[domain->height]))
		*value = dictionary_value(top, 0);
	else
	{
		getTypeInputInfo(type, &input, &parameter);
		*value = OidInputFunctionCall(input, dimension_query_top(domain), parameter, -1);
	}
	return true;
}

/*
 * The label of unknown values is that for everything, unless the table puts a narrower one above
 * it.
 */
void
value_labels_prepare(AttributeDomain *domain)
{
	int32 *label = domain->label_of_unknown;
	bool single = dictionary_size(domain->label[domain->height]) == 1;
	bool stands = true;

	for (int level = 1; level <= domain->height; level++)
	{
		bool below = level == 1 || label[level - 1] >= 0 || (single && level == domain->height);
		int32 parent = level > 1 && label[level - 1] >= 0
						   ? parent_of(domain, level - 1, label[level - 1])
						   : -1;
		Datum value;

		label[level] = below && top_value(domain, level, &value)
						   ? dictionary_encode(domain->label[level], value)
						   : -1;
		stands = stands && (parent < 0 || parent == label[level]);
	}
	for (int level = 1; !stands && level < domain->height + !single; level++)
		label[level] = -1;
}

/* Values labelled by one query. */
#define CHUNK 1000

/* The ground values without labels, in an order other than that of appearance. */
static int32 *
values_without_labels(const AttributeDomain *domain)
{
	int32 *order = dictionary_order(domain->ground, DICTIONARY_BY_BYTES);
	int32 count = 0;

	for (int32 i = 0; i < dictionary_size(domain->ground); i++)
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
	bool single = dictionary_size(domain->label[domain->height]) == 1;
	bool isnull;
	int32 ground = dictionary_find(domain->ground, query_value(row, 1, &isnull));
	int32 below = 0;

	if (ground < 0)
		description_report_change(domain->description);
	for (int level = 1; level <= domain->height; level++)
	{
		Datum value = query_value(row, level + 1, &isnull);
		int32 label = isnull || (single && level == domain->height)
						  ? domain->label_of_unknown[level]
						  : dictionary_encode(domain->label[level], value);

		if (level > 1 && value_labels_link(domain, level - 1, below, label) >= 0)
			return false;
		domain->label_of_ground[level][ground] = below = label;
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
		domain->declared = dictionary_size(domain->ground);
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
value_labels_complete(AttributeDomain *domain, const int64 *rows)
{
	int32 size = dictionary_size(domain->ground);
	int32 before = domain->labelled - domain->table_values;
	int32 count = size - domain->labelled;
	int32 *value;

	if (domain->declared < 0 || count == 0)
		return;
	value = values_without_labels(domain);
	value_labels_reserve(domain, size);
	domain->rank = budget_enlarge(domain->budget, domain->rank, before, size - domain->table_values,
								  sizeof(int32), HIERARCHY);
	for (int32 i = 0; i < count; i++)
		domain->rank[value[i] - domain->table_values] = before + i;
	if (domain->rule)
		follow_rule(domain, value, count);
	for (int32 i = 0; domain->rule == NULL && i < count; i++)
	{
		interrupt_check(i);
		for (int level = 1; level <= domain->height; level++)
			domain->label_of_ground[level][value[i]] = domain->label_of_unknown[level];
	}
	if (domain->rule == NULL && value_labels_shown(domain))
		report_unknown(domain, value, count, rows);
	domain->labelled = size;
	pfree(value);
}

bool
value_labels_unknown(const AttributeDomain *domain, int32 value)
{
	return domain->declared >= 0 && value >= domain->declared;
}

int32
value_labels_place(const AttributeDomain *domain, int32 value)
{
	if (domain->declared < 0 || value < domain->table_values)
		return value;
	return domain->table_values + domain->rank[value - domain->table_values];
}

char *
dimension_query_top(const AttributeDomain *domain)
{
	const Dictionary *top = domain->label[domain->height];

	return domain->height > 0 && dictionary_size(top) == 1
			   ? value_text_write(&domain->text[domain->height], dictionary_value(top, 0))
			   : pstrdup(HIDDEN_TEXT);
}

char *
dimension_query_unknown_label(const AttributeDomain *domain, int level)
{
	int32 label = domain->label_of_unknown[level];

	return label < 0 ? NULL
					 : value_text_write(&domain->text[level],
										dictionary_value(domain->label[level], label));
}
