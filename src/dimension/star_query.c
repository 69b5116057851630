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
 * with the columns s.age and
 *
 *	coalesce(zipcode_dim.zip3,
 *	         CASE WHEN s.zipcode IS DISTINCT FROM NULL THEN '*'::pg_catalog.text END)
 *
 * or, instead of '*', the rule that made zips.  DISTINCT ON ensures that a row never matches two of
 * the dimension's rows, however the dimension changes later.  Constants have the base type, because
 * a domain's CHECK is its owner's code.
 */
#include "postgres.h"

#include "dimension/star_query.h"

#include "access/stratnum.h"
#include "catalog/pg_type.h"
#include "data/dimension.h"
#include "dimension/dimension_query.h"
#include "parser/parse_coerce.h"
#include "relation/dimension_source.h"
#include "sql/cast_settings.h"
#include "sql/comparison.h"
#include "sql/query.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

/* A column of a dimension table with alias d: 0 is the ground value, then the levels. */
static const char *
column_name(const Description *table, int level)
{
	return quote_identifier(table->attributes[level].name);
}

static const char *
column_text(const Description *table, int level)
{
	return psprintf("d.%s", column_name(table, level));
}

int
star_query_height(const DescribedAttribute *attribute)
{
	return OidIsValid(attribute->dimension)
			   ? dimension_source_load(attribute->dimension, attribute, 0)->attribute_count - 1
			   : 1;
}

void
star_query_check_level(const DescribedAttribute *attribute, int level, int height)
{
	if (level < 0 || level > height)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("level %d of quasi-identifier \"%s\" is out of range", level,
							   attribute->name),
						errdetail("Its levels are 0 to %d.", height)));
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

/* A value as a constant of its base type: a domain's CHECK would run. */
static const char *
literal(const char *value, Oid type)
{
	return psprintf("%s::%s", quote_literal_cstr(value), value_cast_type_name(type));
}

/* ORDER BY for a level; equal labels with different spellings are ordered, too. */
static const char *
label_order(const Description *table, int level)
{
	const DescribedAttribute *column = &table->attributes[level];
	const char *label = column_text(table, level);

	return comparison_is_exact(column->type, column->typmod, column->collation)
			   ? label
			   : psprintf("%s, %s", label, comparison_spelling(label, column->type));
}

/*
 * The single label at the top as an expression, or NULL.  If its text depends on settings or runs
 * its owner's code, the expression reads the dimension itself.
 */
static const char *
single_label(const Description *table, const AttributeDomain *domain)
{
	int top = domain->height;
	const DescribedAttribute *column = &table->attributes[top];

	if (!dimension_query_has_top(domain))
		return NULL;
	if (cast_settings_none_to_read(column->type))
		return literal(dimension_query_top(domain), column->type);
	return psprintf("(SELECT %s FROM %s d ORDER BY %s LIMIT 1)",
					fresh_value(column_text(table, top), column->type, column->typmod), table->name,
					label_order(table, top));
}

/*
 * The label at a level of a value, not NULL, that the dimension lacks; a NULL pointer if it is
 * NULL. Not for a top with a single label.
 */
static const char *
missing_label(const Description *table, const AttributeDomain *domain, int level, const char *value)
{
	const char *label = domain->rule ? dimension_rule_label(domain->rule, level, value) : NULL;
	const char *unknown = label ? NULL : dimension_query_unknown_label(domain, level);

	return unknown ? literal(unknown, table->attributes[level].type) : label;
}

/* Reports ground values not in ISO form now, rather than losing their rows later. */
static void
check_ground(const Description *table, const DescribedAttribute *attribute)
{
	const char *pattern = cast_settings_pattern(table->attributes[0].type, attribute->type);
	const char *ground = column_text(table, 0);

	if (pattern == NULL)
		return;
	query_run(psprintf("SELECT %s FROM %s d WHERE %s !~ %s ORDER BY %s COLLATE \"C\" LIMIT 1",
					   ground, table->name, ground, quote_literal_cstr(pattern), ground),
			  true);
	if (query_rows() > 0)
		ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
						errmsg("ground value \"%s\" of dimension %s may be read in several ways",
							   query_text(0, 1), table->name),
						errhint("Write it in ISO form, or give the ground value the type of the "
								"column.")));
}

/*
 * The owner of a type outside pg_catalog may add a cast at any time, so the value goes through its
 * text.
 */
static const char *
ground_value(const Description *table, const DescribedAttribute *attribute)
{
	const DescribedAttribute *column = &table->attributes[0];
	const char *value = column_text(table, 0);
	Oid source = getBaseType(column->type);
	Oid target = getBaseType(attribute->type);
	Oid collation = column->collation;

	if (source != target)
	{
		const char *cast;
		const char *pattern;

		if (type_is_enum(source))
		{
			value = value_text_expression(value, source);
			source = TEXTOID;
		}
		/* A text that is not in ISO form when the query runs matches no ground value. */
		cast = value_cast_expression(value, source, target);
		pattern = cast_settings_pattern(source, target);
		value = pattern ? psprintf("CASE WHEN %s OPERATOR(pg_catalog.~) %s THEN %s END", value,
								   quote_literal_cstr(pattern), cast)
						: cast;
		if (!OidIsValid(collation))
			collation = get_typcollation(target);
	}
	if (OidIsValid(attribute->collation) && collation != attribute->collation)
		value = psprintf("%s %s", value, comparison_collation(attribute->collation));
	return value;
}

/* SELECT (ground value, label), each ground value once; indented. */
static const char *
dimension_pairs(const Description *table, const DescribedAttribute *attribute, int level,
				int indent)
{
	const DescribedAttribute *column = &table->attributes[level];
	const char *ground = ground_value(table, attribute);
	const char *named_ground = column_text(table, 0);
	const char *label = column_text(table, level);
	const char *fresh = fresh_value(label, column->type, column->typmod);

	if (strcmp(ground, named_ground) != 0)
		named_ground = psprintf("%s AS %s", ground, column_name(table, 0));
	if (strcmp(fresh, label) != 0)
		fresh = psprintf("%s AS %s", fresh, column_name(table, level));
	return psprintf("SELECT DISTINCT ON (%s) %s, %s\n"
					"%*sFROM %s d\n"
					"%*sORDER BY %s, %s",
					ground, named_ground, fresh, indent, "", table->name, indent, "", ground,
					label_order(table, level));
}

/*
 * If zipcode_dim would be truncated, the alias is numbered; it ends in a digit and so differs from
 * all others.
 */
const char *
star_query_alias(const DescribedAttribute *attribute)
{
	if (strlen(attribute->name) + strlen("_dim") < NAMEDATALEN)
		return pstrdup(quote_identifier(psprintf("%s_dim", attribute->name)));
	return psprintf("dim_%d", attribute->number);
}

/* Joins the dimension and selects its column. */
static StarColumn
joined_column(StringInfo from, const Description *table, const DescribedAttribute *attribute,
			  const AttributeDomain *domain, int level, int indent)
{
	const char *alias = star_query_alias(attribute);
	const char *value = psprintf("s.%s", quote_identifier(attribute->name));
	const char *ground = psprintf("%s.%s", alias, column_name(table, 0));
	const char *missing = missing_label(table, domain, level, value);
	const DescribedAttribute *label = &table->attributes[level];
	int inner = indent + strlen("     LEFT JOIN (");
	StarColumn column = {
		.expression = psprintf("%s.%s", alias, column_name(table, level)),
		.type = label->type,
		.typmod = label->typmod,
		.collation = label->collation,
		.ground = table->attributes[0].name,
		.ground_type = table->attributes[0].type,
	};

	if (missing)
	{
		column.expression = psprintf(
			"coalesce(%s,\n%*sCASE WHEN %s IS DISTINCT FROM NULL THEN %s END)", column.expression,
			indent + (int) strlen("       coalesce("), "", value, missing);
		column.type = getBaseType(label->type);
		column.typmod = -1;
	}
	check_ground(table, attribute);
	appendStringInfo(from, "\n%*sLEFT JOIN (%s) %s\n%*sON %s", indent + 5, "",
					 dimension_pairs(table, attribute, level, inner), alias, indent + 5, "",
					 comparison_by_strategy(BTEqualStrategyNumber, ground, value, attribute->type));
	return column;
}

static StarColumn
dimension_column(StringInfo from, const Description *description, int quasi, int level, int indent)
{
	const DescribedAttribute *attribute = description->quasi[quasi];
	const Description *table = dimension_source_load(attribute->dimension, attribute, 0);
	const AttributeDomain *domain = attribute->domain;
	Budget budget = budget_begin();
	const char *label;

	star_query_check_level(attribute, level, table->attribute_count - 1);
	if (domain == NULL)
	{
		check_ground(table, attribute);
		domain = dimension_query_load(description, attribute, UNKNOWN_AS_NULL, &budget);
	}
	label = level == domain->height ? single_label(table, domain) : NULL;
	return label ? constant_column(label, getBaseType(table->attributes[level].type))
				 : joined_column(from, table, attribute, domain, level, indent);
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
		const DescribedAttribute *attribute = description->quasi[i];

		if (levels[i] == 0)
			query.columns[i] =
				(StarColumn){.expression = psprintf("s.%s", quote_identifier(attribute->name)),
							 .type = attribute->type,
							 .typmod = attribute->typmod,
							 .collation = attribute->collation};
		else if (OidIsValid(attribute->dimension))
			query.columns[i] = dimension_column(&from, description, i, levels[i], indent);
		else
		{
			star_query_check_level(attribute, levels[i], 1);
			query.columns[i] = constant_column(literal(HIDDEN_TEXT, TEXTOID), TEXTOID);
		}
	}
	query.from = from.data;
	return query;
}
