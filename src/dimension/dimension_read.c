/*
 * dimension_read.c
 *		Reads a dimension table into a domain, see dimension_query.h.
 */
#include "postgres.h"

#include "dimension/dimension_query.h"

#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "parser/parse_coerce.h"
#include "relation/dimension_source.h"
#include "sql/cast_settings.h"
#include "sql/comparison.h"
#include "sql/rights.h"
#include "sql/row_query.h"
#include "sql/type_query.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#define HIERARCHY "generalization hierarchy" /* names what exceeds the budget */

int32 *
dimension_read_enlarge(const AttributeDomain *domain, int32 *codes, int32 old, int32 count)
{
	MemoryContext previous = MemoryContextSwitchTo(GetMemoryChunkContext(domain->level));

	codes = budget_enlarge(domain->budget, codes, old, count, sizeof(int32), HIERARCHY);
	MemoryContextSwitchTo(previous);
	return codes;
}

static void
grow_codes(const AttributeDomain *domain, int32 **codes, int32 *capacity, int32 needed)
{
	int32 old = *capacity;

	if (needed <= old)
		return;
	*capacity = Max(64, needed * 2);
	*codes = dimension_read_enlarge(domain, *codes, old, *capacity);
	memset(*codes + old, 0xFF, sizeof(int32) * (*capacity - old));
}

void
dimension_read_reserve(AttributeDomain *domain, int32 needed)
{
	int32 room = domain->room;

	for (int i = 1; i <= domain->height; i++)
	{
		room = domain->room;
		grow_codes(domain, &domain->level[i].label_of_ground, &room, needed);
	}
	domain->room = room;
}

int32
dimension_read_link(AttributeDomain *domain, int level, int32 below, int32 label)
{
	DomainLevel *under = &domain->level[level];
	int32 *parent;

	grow_codes(domain, &under->parent, &under->parents, below + 1);
	parent = &under->parent[below];
	if (*parent >= 0 && *parent != label)
		return *parent;
	*parent = label;
	return -1;
}

static void
report_two_parents(const AttributeDomain *domain, int level, int32 label, int32 one, int32 other)
{
	const DescribedAttribute *columns = domain->table->attributes;

	ereport(ERROR,
			(errcode(ERRCODE_CARDINALITY_VIOLATION),
			 errmsg("dimension %s is not many-to-one", domain->table->name),
			 dimension_query_quotes(domain)
				 ? errdetail("Label \"%s\" of column \"%s\" has both \"%s\" and \"%s\" above it in "
							 "column \"%s\".",
							 dimension_query_label_text(domain, level, label), columns[level].name,
							 dimension_query_label_text(domain, level + 1, one),
							 dimension_query_label_text(domain, level + 1, other),
							 columns[level + 1].name)
				 : errdetail("A label of column \"%s\" has two above it in column \"%s\".",
							 columns[level].name, columns[level + 1].name)));
}

static void
report_two_labels(const AttributeDomain *domain, int32 ground, int32 one, int32 other)
{
	const char *column = domain->table->attributes[1].name;

	if (!dimension_query_quotes(domain))
		ereport(ERROR,
				(errcode(ERRCODE_UNIQUE_VIOLATION),
				 errmsg("dimension %s has a ground value more than once", domain->table->name),
				 errdetail("It has two labels above it in column \"%s\".", column)));
	ereport(ERROR, (errcode(ERRCODE_UNIQUE_VIOLATION),
					errmsg("dimension %s has ground value \"%s\" more than once",
						   domain->table->name, dimension_query_label_text(domain, 0, ground)),
					errdetail("It has both \"%s\" and \"%s\" above it in column \"%s\".",
							  dimension_query_label_text(domain, 1, one),
							  dimension_query_label_text(domain, 1, other), column)));
}

static void
check_nulls(const AttributeDomain *domain, const Datum *values, const bool *nulls)
{
	const DescribedAttribute *columns = domain->table->attributes;

	if (nulls[0])
		ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
						errmsg("dimension %s has a null ground value in column \"%s\"",
							   domain->table->name, columns[0].name),
						errdetail("NULL needs no row: it generalizes to the top by itself.")));
	for (int level = 1; level <= domain->height; level++)
		if (nulls[level])
			ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
							errmsg("dimension %s has a null label in column \"%s\"",
								   domain->table->name, columns[level].name),
							dimension_query_quotes(domain)
								? errdetail("The ground value is \"%s\".",
											value_text_write(&domain->level[0].text, values[0]))
								: 0));
}

/*
 * Reading a table.  Codes follow the order of the values, and classes, ties and draws follow the
 * codes.  Most tables lie in that order, and sorting would take most of the time.  So the rows come
 * as they lie first, and sorted only if they prove not to ascend, or if one is wrong: an error,
 * too, has to be the same wherever the rows lie.
 */
typedef struct TableRead
{
	AttributeDomain *domain;
	int32 *near; /* [level]: the label of the row before, which is often the same */
	bool sorted; /* and what is wrong raises an error */
	bool vain;   /* not sorted, though they have to be */
} TableRead;

/*
 * Repeated rows are fine.  If a ground value comes again with the same label above it, the levels
 * above cannot differ either, because each label has one parent.
 */
static void
read_row(TableRead *read, const Datum *values)
{
	AttributeDomain *domain = read->domain;
	int32 ground = dictionary_encode(domain->ground, values[0]);
	bool repeated = ground < domain->declared;
	int32 below = 0;
	int32 other;

	read->vain = !read->sorted && (repeated || !dictionary_ascends(domain->ground));
	domain->declared = Max(domain->declared, ground + 1);
	dimension_read_reserve(domain, ground + 1);
	for (int level = 1; level <= domain->height && !read->vain; level++)
	{
		int32 *known = &domain->level[level].label_of_ground[ground];
		int32 label =
			dictionary_encode_near(domain->level[level].labels, values[level], &read->near[level]);

		if (level == 1 && repeated && *known != label)
			report_two_labels(domain, ground, *known, label);
		*known = label;
		other = level > 1 ? dimension_read_link(domain, level - 1, below, label) : -1;
		if (other >= 0 && read->sorted)
			report_two_parents(domain, level - 1, below, other, label);
		read->vain = other >= 0;
		below = label;
	}
}

static bool
has_null(const AttributeDomain *domain, const bool *nulls)
{
	for (int level = 0; level <= domain->height; level++)
		if (nulls[level])
			return true;
	return false;
}

static void
consume_row(void *state, const Datum *values, const bool *nulls, int64 count)
{
	TableRead *read = state;

	(void) count;
	if (read->sorted)
		check_nulls(read->domain, values, nulls);
	read->vain = read->vain || has_null(read->domain, nulls);
	if (!read->vain)
		read_row(read, values);
}

/*
 * A SELECT of the columns in order, the ground value as the attribute's base type.  Sorted by its
 * bytes, then rows of equal values by their bytes.
 */
static char *
dimension_select(const AttributeDomain *domain, bool sorted)
{
	const Description *table = domain->table;
	const DescribedAttribute *attribute = domain->attribute;
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
	appendStringInfo(&sql, " FROM %s d", table->name);
	if (sorted)
		appendStringInfo(&sql, " ORDER BY %s, %s", keys.data + strlen(", "),
						 comparison_bytes("d.*"));
	return sql.data;
}

/* The parent of a label, -1 if unknown. */
static int32
parent_of(const AttributeDomain *domain, int level, int32 label)
{
	const DomainLevel *under = &domain->level[level];

	return label < under->parents ? under->parent[label] : -1;
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
	Oid type = domain->table->attributes[level].type;
	Oid top = domain->table->attributes[domain->height].type;
	bool single = dimension_query_has_top(domain);
	Oid input;
	Oid parameter;

	if (!holds_top(type, single ? top : InvalidOid))
		return false;
	type = getBaseType(type);
	if (single && type == getBaseType(top))
		*value = dictionary_value(domain->level[domain->height].labels, 0);
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
static void
label_unknown(AttributeDomain *domain)
{
	bool single = dimension_query_has_top(domain);
	int32 under = 0; /* the label of the level below */
	bool stands = true;

	for (int i = 1; i <= domain->height; i++)
	{
		DomainLevel *level = &domain->level[i];
		int32 parent = i > 1 && under >= 0 ? parent_of(domain, i - 1, under) : -1;
		bool can = under >= 0 || (single && i == domain->height);
		Datum value;

		under = can && top_value(domain, i, &value) ? dictionary_encode(level->labels, value) : -1;
		level->label_of_unknown = under;
		stands = stands && (parent < 0 || parent == under);
	}
	for (int i = 1; !stands && i < domain->height + !single; i++)
		domain->level[i].label_of_unknown = -1;
}

/* Reads all rows into empty dictionaries; false if that was in vain. */
static bool
read_rows(AttributeDomain *domain, bool sorted)
{
	const Description *table = domain->table;
	TableRead read = {.domain = domain,
					  .near = palloc0(sizeof(int32) * table->attribute_count),
					  .sorted = sorted};
	Oid *types = palloc(sizeof(Oid) * table->attribute_count);
	QueryRights rights;
	RowSource *rows;

	domain->declared = 0;
	types[0] = domain->attribute->type;
	for (int i = 1; i < table->attribute_count; i++)
	{
		const DescribedAttribute *column = &table->attributes[i];
		ValueType type = type_query_value_type(column->type, column->collation);

		types[i] = column->type;
		domain->level[i] = (DomainLevel){.labels = dictionary_create(&type, domain->budget),
										 .text = value_text_writer(column->type)};
	}
	rows = row_query_create(dimension_select(domain, sorted), types, table->attribute_count, false);
	rights = dimension_source_enter(table->relation);
	rows->scan(rows, consume_row, &read);
	rights_leave(&rights);
	return !read.vain;
}

/* Before the rows are read again. */
static void
forget_rows(AttributeDomain *domain)
{
	ValueType type = type_query_value_type(domain->attribute->type, domain->attribute->collation);

	for (int i = 1; i <= domain->height; i++)
	{
		const DomainLevel *level = &domain->level[i];

		dictionary_free(level->labels);
		if (level->label_of_ground)
			pfree(level->label_of_ground);
		if (level->parent)
			pfree(level->parent);
	}
	dictionary_free(domain->ground);
	domain->ground = domain->level[0].labels = dictionary_create(&type, domain->budget);
	domain->room = 0;
}

void
dimension_read_table(AttributeDomain *domain, const Description *table)
{
	domain->table = table;
	domain->height = table->attribute_count - 1;
	domain->level = repalloc(domain->level, sizeof(DomainLevel) * table->attribute_count);
	if (!read_rows(domain, false))
	{
		forget_rows(domain);
		(void) read_rows(domain, true);
	}
	domain->labelled = domain->table_values = domain->declared;
	domain->rule = dimension_rule_load(table, domain->attribute);
	if (domain->height > 0)
		label_unknown(domain);
}

/* ---- handed in */

AttributeDomain *
dimension_query_empty(const Description *description, const DescribedAttribute *attribute,
					  UnknownValues unknown, int height, Budget *budget)
{
	AttributeDomain *domain = dimension_query_values(description, attribute, budget);
	ValueType type = type_query_value_type(TEXTOID, C_COLLATION_OID);

	domain->unknown = unknown;
	domain->height = height;
	domain->declared = 0;
	domain->level = repalloc(domain->level, sizeof(DomainLevel) * (height + 1));
	for (int i = 1; i <= height; i++)
		domain->level[i] = (DomainLevel){.labels = dictionary_create(&type, budget),
										 .text = value_text_writer(TEXTOID)};
	return domain;
}

/* The number of a label that is a text. */
static int32
number_of_text(const AttributeDomain *domain, int level, const char *label)
{
	return dictionary_encode(domain->level[level].labels, CStringGetTextDatum(label));
}

bool
dimension_query_hand(AttributeDomain *domain, Datum value, char *const *label)
{
	int32 ground = dictionary_encode(domain->ground, value);
	int32 below = 0;

	if (ground < domain->declared)
		return false;
	domain->declared = ground + 1;
	dimension_read_reserve(domain, ground + 1);
	for (int level = 1; level <= domain->height; level++)
	{
		int32 number = number_of_text(domain, level, label[level]);

		domain->level[level].label_of_ground[ground] = number;
		if (level > 1 && dimension_read_link(domain, level - 1, below, number) >= 0)
			return false;
		below = number;
	}
	return true;
}

void
dimension_query_handed(AttributeDomain *domain, char *const *unknown)
{
	domain->labelled = domain->table_values = domain->declared;
	for (int level = 1; level <= domain->height; level++)
		domain->level[level].label_of_unknown =
			unknown[level] ? number_of_text(domain, level, unknown[level]) : -1;
}
