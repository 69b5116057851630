/*
 * star_query.c
 *		See star_query.h.
 *
 * Example: patients(age, zipcode, disease), zipcode with the dimension
 * zips(zip text, zip3 text, everywhere text), levels {0, 1}:
 *
 *	FROM public.patients s
 *	     LEFT JOIN (SELECT DISTINCT ON (d.zip::integer) d.zip::integer AS zip, d.zip3
 *	                FROM public.zips d
 *	                ORDER BY d.zip::integer, d.zip3) zipcode_dim
 *	     ON zipcode_dim.zip = s.zipcode
 *
 * with the columns s.age and zipcode_dim.zip3.
 */
#include "postgres.h"

#include "io/star_query.h"

#include "access/relation.h"
#include "catalog/pg_type.h"
#include "io/comparison.h"
#include "io/dimension_source.h"
#include "io/query.h"
#include "io/relation_name.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/ruleutils.h"

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

/* The type's name, qualified unless it is PostgreSQL's own. */
static char *
type_text(Oid type)
{
	return format_type_extended(type, -1, FORMAT_TYPE_TYPEMOD_GIVEN);
}

static StarColumn
constant_column(const char *value, Oid type)
{
	return (StarColumn){
		.expression = psprintf("%s::%s", quote_literal_cstr(value), type_text(type)),
		.constant = true,
		.type = type,
		.typmod = -1,
		.collation = get_typcollation(type),
	};
}

/* The single label of a level, or NULL if it has none or several. */
static char *
single_label(const Hierarchy *hierarchy, int level)
{
	query_run(psprintf("SELECT DISTINCT d.%s::text FROM %s d LIMIT 2", hierarchy->column[level],
					   hierarchy->table),
			  true);
	return SPI_processed == 1 ? query_text(0, 1) : NULL;
}

/* The dimension's first column as the attribute would write it. */
static const char *
ground_value(const Hierarchy *hierarchy, const DescribedAttribute *attribute)
{
	Form_pg_attribute form = hierarchy->form[0];
	const char *value = psprintf("d.%s", hierarchy->column[0]);
	Oid collation = form->attcollation;

	if (form->atttypid != attribute->type)
	{
		value = psprintf("%s::%s", value, type_text(attribute->type));
		if (!OidIsValid(collation))
			collation = get_typcollation(attribute->type);
	}
	if (OidIsValid(attribute->collation) && collation != attribute->collation)
		value = psprintf("%s COLLATE %s", value, generate_collation_name(attribute->collation));
	return value;
}

/* SELECT (ground value, label), each ground value once; lines indented. */
static const char *
dimension_pairs(const Hierarchy *hierarchy, const DescribedAttribute *attribute, int level,
				int indent)
{
	const char *ground = ground_value(hierarchy, attribute);
	bool plain = strcmp(ground, psprintf("d.%s", hierarchy->column[0])) == 0;

	return psprintf("SELECT DISTINCT ON (%s) %s%s%s, d.%s\n"
					"%*sFROM %s d\n"
					"%*sORDER BY %s, d.%s",
					ground, ground, plain ? "" : " AS ", plain ? "" : hierarchy->column[0],
					hierarchy->column[level], indent, "", hierarchy->table, indent, "", ground,
					hierarchy->column[level]);
}

/*
 * zipcode_dim for zipcode.  Where that would be cut short, a numbered name,
 * which ends in a digit and so meets no other.
 */
static const char *
dimension_alias(const DescribedAttribute *attribute)
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
	const char *alias = dimension_alias(attribute);
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
	};

	appendStringInfo(from, "\n%*sLEFT JOIN (%s) %s\n%*sON %s.%s %s %s", indent + 5, "",
					 column.pairs, alias, indent + 5, "", alias, hierarchy->column[0],
					 comparison_equality(attribute->type), value);
	return column;
}

static StarColumn
dimension_column(StringInfo from, const DescribedAttribute *attribute, int level, int indent)
{
	Hierarchy hierarchy = hierarchy_load(attribute->dimension);
	char *label;
	StarColumn column;

	check_level(attribute, level, hierarchy.height);
	label = level == hierarchy.height ? single_label(&hierarchy, level) : NULL;
	if (label == NULL)
		return joined_column(from, &hierarchy, attribute, level, indent);
	column = constant_column(label, hierarchy.form[level]->atttypid);
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
			query.columns[i] = constant_column("*", TEXTOID);
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
