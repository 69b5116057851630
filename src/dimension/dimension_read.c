/*
 * dimension_read.c
 *		Reads a dimension table into a domain, see dimension_query.h.
 */
#include "postgres.h"

#include "dimension/dimension_query.h"

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
dimension_read_reserve(AttributeDomain *domain, int32 needed)
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
dimension_read_link(AttributeDomain *domain, int level, int32 below, int32 label)
{
	int32 *parent;

	grow_codes(domain->budget, &domain->parent[level], &domain->parents[level], below + 1);
	parent = &domain->parent[level][below];
	if (*parent >= 0 && *parent != label)
		return *parent;
	*parent = label;
	return -1;
}

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
		 dimension_query_quotes(reader->domain)
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

	if (!dimension_query_quotes(domain))
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
							dimension_query_quotes(reader->domain)
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
	dimension_read_reserve(domain, ground + 1);
	for (int level = 1; level <= domain->height; level++)
	{
		int32 label = dictionary_encode(domain->label[level], values[level]);

		if (level == 1 && again && domain->label_of_ground[level][ground] != label)
			report_two_labels(reader, ground, label);
		domain->label_of_ground[level][ground] = label;
		if (level > 1 && (other = dimension_read_link(domain, level - 1, below, label)) >= 0)
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
	Oid type = getBaseType(domain->label_type[level]);
	Oid input;
	Oid parameter;

	bool single = dimension_query_has_top(domain);

	if (!holds_top(domain->label_type[level],
				   single ? domain->label_type[domain->height] : InvalidOid))
		return false;
	if (single && type == getBaseType(domain->label_type[domain->height]))
		*value = dictionary_value(domain->label[domain->height], 0);
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
	int32 *label = domain->label_of_unknown;
	bool single = dimension_query_has_top(domain);
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

void
dimension_read_table(AttributeDomain *domain, const Description *table)
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
		label_unknown(domain);
}
