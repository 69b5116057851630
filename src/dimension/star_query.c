/*
 * star_query.c
 *		See star_query.h.
 *
 * Example: patients(age, zipcode, disease), zipcode with the dimension
 * zips(zip text, zip3 text, everywhere text), levels {0, 1}:
 *
 *	FROM public.patients s
 *	     LEFT JOIN (SELECT DISTINCT ON (d.zip::integer) d.zip::integer AS zip,
 *	                       (ARRAY[d.zip3])[1] AS zip3
 *	                FROM public.zips d
 *	                ORDER BY d.zip::integer, d.zip3) zipcode_dim
 *	     ON zipcode_dim.zip OPERATOR(pg_catalog.=) s.zipcode
 *
 * with the columns s.age and zipcode_dim.zip3.
 */
#include "postgres.h"

#include "dimension/star_query.h"

#include "access/relation.h"
#include "catalog/pg_type.h"
#include "data/hidden.h"
#include "relation/dimension_source.h"
#include "sql/cast_settings.h"
#include "sql/comparison.h"
#include "sql/fresh_value.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

/* A dimension table as a hierarchy: its live columns. */
typedef struct Hierarchy
{
	const char *table; /* qualified and quoted */
	int height;
	const char **column; /* [0 .. height], quoted */
	Form_pg_attribute *form;
} Hierarchy;

static Hierarchy
hierarchy_load(Oid dimension)
{
	Relation relation = relation_name_open(dimension);
	TupleDesc tupdesc = RelationGetDescr(relation);
	Hierarchy hierarchy = {.height = -1};

	dimension_source_check(dimension);
	hierarchy.table = relation_name(dimension);
	hierarchy.column = palloc0(sizeof(char *) * (tupdesc->natts + 1));
	hierarchy.form = palloc0(sizeof(Form_pg_attribute) * (tupdesc->natts + 1));
	for (int i = 0; i < tupdesc->natts; i++)
	{
		Form_pg_attribute column = TupleDescAttr(tupdesc, i);

		if (column->attisdropped)
			continue;
		hierarchy.height++;
		hierarchy.form[hierarchy.height] = palloc(ATTRIBUTE_FIXED_PART_SIZE);
		memcpy(hierarchy.form[hierarchy.height], column, ATTRIBUTE_FIXED_PART_SIZE);
		hierarchy.column[hierarchy.height] = pstrdup(quote_identifier(NameStr(column->attname)));
	}
	relation_close(relation, NoLock);
	return hierarchy;
}

int
star_query_height(const DescribedAttribute *attribute)
{
	return OidIsValid(attribute->dimension) ? hierarchy_load(attribute->dimension).height : 1;
}

static void
check_level(const DescribedAttribute *attribute, int level, int height)
{
	if (level < 0 || level > height)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("level %d of quasi-identifier \"%s\" is out of range", level,
							   attribute->name),
						errdetail("Its levels are 0 to %d.", Max(height, 0))));
}

static StarColumn
ground_column(const Description *description, const DescribedAttribute *attribute)
{
	StarColumn column = {.expression = psprintf("s.%s", quote_identifier(attribute->name))};

	get_atttypetypmodcoll(description->relation, attribute->number, &column.type, &column.typmod,
						  &column.collation);
	return column;
}

static StarColumn
constant_column(const char *expression, Oid type)
{
	return (StarColumn){
		.expression = expression,
		.constant = true,
		.type = type,
		.typmod = -1,
		.collation = get_typcollation(type),
	};
}

/* A value as the constant of a type that is no domain, whose CHECK would run. */
static const char *
literal(const char *value, Oid type)
{
	return psprintf("%s::%s", quote_literal_cstr(value), value_cast_type_name(type));
}

/* ORDER BY for a level: equal labels, too, in one order. */
static const char *
label_order(const Hierarchy *hierarchy, int level)
{
	Form_pg_attribute form = hierarchy->form[level];
	const char *label = psprintf("d.%s", hierarchy->column[level]);

	return comparison_is_exact(form->atttypid, form->atttypmod, form->attcollation)
			   ? label
			   : psprintf("%s, %s", label, comparison_spelling(label, form->atttypid));
}

/*
 * The single label of a level as an expression, or NULL if there is none or several.  Where
 * the text of a label may be read in several ways, or by its owner's code, the dimension
 * itself is asked.
 */
static const char *
single_label(const Hierarchy *hierarchy, int level)
{
	Oid type = hierarchy->form[level]->atttypid;
	char *label;

	query_run(psprintf("SELECT d.%s FROM (SELECT DISTINCT ON (d.%s) d.* FROM %s d ORDER BY %s) d"
					   " LIMIT 2",
					   hierarchy->column[level], hierarchy->column[level], hierarchy->table,
					   label_order(hierarchy, level)),
			  true);
	label = query_rows() == 1 ? query_text(0, 1) : NULL;
	if (label == NULL || cast_settings_none_to_read(type))
		return label ? literal(label, type) : NULL;
	return psprintf("(SELECT %s FROM %s d ORDER BY %s LIMIT 1)",
					fresh_value(psprintf("d.%s", hierarchy->column[level]), type,
								hierarchy->form[level]->atttypmod),
					hierarchy->table, label_order(hierarchy, level));
}

/* What is not in ISO form when the text runs is nobody's ground value. */
static const char *
guarded_cast(const char *value, Oid source, Oid target)
{
	const char *pattern = cast_settings_pattern(source, target);
	const char *cast = value_cast_expression(value, source, target);

	return pattern ? psprintf("CASE WHEN %s OPERATOR(pg_catalog.~) %s THEN %s END", value,
							  quote_literal_cstr(pattern), cast)
				   : cast;
}

/* Whoever asks now hears of it. */
static void
check_ground(const Hierarchy *hierarchy, const DescribedAttribute *attribute)
{
	const char *pattern = cast_settings_pattern(hierarchy->form[0]->atttypid, attribute->type);

	if (pattern == NULL)
		return;
	query_run(psprintf("SELECT d.%s FROM %s d WHERE d.%s !~ %s ORDER BY d.%s COLLATE \"C\" LIMIT 1",
					   hierarchy->column[0], hierarchy->table, hierarchy->column[0],
					   quote_literal_cstr(pattern), hierarchy->column[0]),
			  true);
	if (query_rows() > 0)
		ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
						errmsg("ground value \"%s\" of dimension %s may be read in several ways",
							   query_text(0, 1), hierarchy->table),
						errhint("Write it in ISO form, or give the ground value the type of the "
								"column.")));
}

/*
 * The dimension's first column as the attribute would write it.  A type outside pg_catalog may
 * get a cast from its owner at any time: it goes by its text.
 */
static const char *
ground_value(const Hierarchy *hierarchy, const DescribedAttribute *attribute)
{
	Form_pg_attribute form = hierarchy->form[0];
	const char *value = psprintf("d.%s", hierarchy->column[0]);
	Oid source = getBaseType(form->atttypid);
	Oid target = getBaseType(attribute->type);
	Oid collation = form->attcollation;

	if (source != target)
	{
		if (type_is_enum(source))
		{
			value = value_text_expression(value, source);
			source = TEXTOID;
		}
		value = guarded_cast(value, source, target);
		if (!OidIsValid(collation))
			collation = get_typcollation(target);
	}
	if (OidIsValid(attribute->collation) && collation != attribute->collation)
		value = psprintf("%s %s", value, comparison_collation(attribute->collation));
	return value;
}

/* SELECT (ground value, label), each ground value once; lines indented. */
static const char *
dimension_pairs(const Hierarchy *hierarchy, const DescribedAttribute *attribute, int level,
				int indent)
{
	Form_pg_attribute form = hierarchy->form[level];
	const char *column = psprintf("d.%s", hierarchy->column[0]);
	const char *ground = ground_value(hierarchy, attribute);
	const char *label = psprintf("d.%s", hierarchy->column[level]);
	const char *fresh = fresh_value(label, form->atttypid, form->atttypmod);

	if (strcmp(ground, column) != 0)
		column = psprintf("%s AS %s", ground, hierarchy->column[0]);
	if (strcmp(fresh, label) != 0)
		fresh = psprintf("%s AS %s", fresh, hierarchy->column[level]);
	return psprintf("SELECT DISTINCT ON (%s) %s, %s\n"
					"%*sFROM %s d\n"
					"%*sORDER BY %s, %s",
					ground, column, fresh, indent, "", hierarchy->table, indent, "", ground,
					label_order(hierarchy, level));
}

/* Where zipcode_dim would be cut short, a numbered name, which ends in a digit and so meets no
 * other. */
const char *
star_query_alias(const DescribedAttribute *attribute)
{
	if (strlen(attribute->name) + strlen("_dim") < NAMEDATALEN)
		return pstrdup(quote_identifier(psprintf("%s_dim", attribute->name)));
	return psprintf("dim_%d", attribute->number);
}

/* Joins the dimension and takes its column. */
static StarColumn
joined_column(StringInfo from, const Hierarchy *hierarchy, const DescribedAttribute *attribute,
			  int level, int indent)
{
	const char *alias = star_query_alias(attribute);
	const char *value = psprintf("s.%s", quote_identifier(attribute->name));
	Form_pg_attribute form = hierarchy->form[level];
	int inner = indent + strlen("     LEFT JOIN (");
	StarColumn column = {
		.expression = psprintf("%s.%s", alias, hierarchy->column[level]),
		.type = form->atttypid,
		.typmod = form->atttypmod,
		.collation = form->attcollation,
		.pairs = dimension_pairs(hierarchy, attribute, level, inner),
		.missing = psprintf("%s IS DISTINCT FROM NULL AND %s.%s IS NOT DISTINCT FROM NULL", value,
							alias, hierarchy->column[0]),
		.ground = pstrdup(NameStr(hierarchy->form[0]->attname)),
		.ground_type = hierarchy->form[0]->atttypid,
	};

	check_ground(hierarchy, attribute);
	appendStringInfo(
		from, "\n%*sLEFT JOIN (%s) %s\n%*sON %s", indent + 5, "", column.pairs, alias, indent + 5,
		"",
		comparison_equal(psprintf("%s.%s", alias, hierarchy->column[0]), value, attribute->type));
	return column;
}

static StarColumn
dimension_column(StringInfo from, const DescribedAttribute *attribute, int level, int indent)
{
	Hierarchy hierarchy = hierarchy_load(attribute->dimension);
	const char *label;
	StarColumn column;

	check_level(attribute, level, hierarchy.height);
	(void) dimension_source_load(attribute->dimension, attribute, 0);
	label = level == hierarchy.height ? single_label(&hierarchy, level) : NULL;
	if (label == NULL)
		return joined_column(from, &hierarchy, attribute, level, indent);
	column = constant_column(label, getBaseType(hierarchy.form[level]->atttypid));
	column.pairs = dimension_pairs(&hierarchy, attribute, level, 0);
	return column;
}

StarQuery
star_query_build(const Description *description, const int *levels, int indent)
{
	StringInfoData from;
	StarQuery query = {.columns = palloc0(sizeof(StarColumn) * Max(description->quasi_count, 1))};

	initStringInfo(&from);
	appendStringInfo(&from, "%s s", description->name);
	for (int i = 0; i < description->quasi_count; i++)
	{
		const DescribedAttribute *attribute = &description->attributes[description->quasi[i]];

		if (levels[i] == 0)
			query.columns[i] = ground_column(description, attribute);
		else if (OidIsValid(attribute->dimension))
			query.columns[i] = dimension_column(&from, attribute, levels[i], indent);
		else
		{
			check_level(attribute, levels[i], 1);
			query.columns[i] = constant_column(literal(HIDDEN_TEXT, TEXTOID), TEXTOID);
		}
	}
	query.from = from.data;
	return query;
}

char *
star_query_frequency_set(const Description *description, const int *levels)
{
	StarQuery query = star_query_build(description, levels, 0);
	StringInfoData select;
	StringInfoData group;

	initStringInfo(&select);
	initStringInfo(&group);
	for (int i = 0; i < description->quasi_count; i++)
	{
		const StarColumn *column = &query.columns[i];

		appendStringInfo(&select, "%s, ", column->expression);
		if (!column->constant)
			appendStringInfo(&group, "%s%s", group.len > 0 ? ", " : "\nGROUP BY ",
							 column->expression);
	}
	/* Without GROUP BY an empty table would have a group of no rows. */
	return psprintf("SELECT %scount(*)\nFROM %s%s", select.data, query.from,
					group.len > 0 ? group.data : "\nHAVING count(*) > 0");
}
