/*
 * release_mondrian.c
 *		See release_mondrian.h.
 *
 * Example: patients(name, age, zipcode, disease), name an identifier, zipcode with
 * a dimension, k = 2:
 *
 *	SELECT public.kanon_cell(cells, 2, NULL::int4range) AS age,
 *	       public.kanon_cell(cells, 3, NULL::text) AS zipcode,
 *	       disease
 *	FROM (SELECT s.disease,
 *	             public.kanon_mondrian_cells(2, quasi.*, dimensions => ARRAY[NULL,
 *	                 'public.zips'::regclass]) OVER () AS cells
 *	      FROM public.patients s,
 *	           LATERAL (SELECT s.age, s.zipcode) quasi) recoded
 *	WHERE cells IS DISTINCT FROM NULL
 *	ORDER BY public.kanon_cell(cells, 1, NULL::int4), disease
 *
 * Columns and dimensions stand in the text as such, so that it follows renames, and
 * a dimension cannot be dropped from under it.
 */
#include "postgres.h"

#include "release/release_mondrian.h"

#include "io/cell_type.h"
#include "io/number_query.h"
#include "io/query.h"
#include "model/model.h"
#include "nodes/value.h"
#include "parser/scansup.h"
#include "release/release_column.h"
#include "release/release_models.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

typedef struct MondrianText
{
	const Description *description;
	const MondrianRecoding *recoding;
	const char *schema; /* of kanon's functions, quoted */
	const char *cells;  /* quoted name of the column of cells */
	int *cell;          /* [quasi-identifier]: number of its cell */
	PlainColumn *plain;
	int plain_count;
} MondrianText;

static const DescribedAttribute *
quasi_identifier(const Description *description, int quasi)
{
	return &description->attributes[description->quasi[quasi]];
}

bool
release_mondrian_has_mean(const MondrianRecoding *recoding, const DescribedAttribute *attribute)
{
	return recoding->means && !OidIsValid(attribute->dimension) &&
		   number_query_is_numeric(getBaseType(attribute->type));
}

static const char *
mean_name(const Description *description, const DescribedAttribute *attribute)
{
	char *name = psprintf("%s_mean", attribute->name);
	int quasi;

	truncate_identifier(name, strlen(name), false);
	for (int i = 0; i < description->attribute_count; i++)
		if (release_column_publishes(description, i, &quasi) &&
			strcmp(description->attributes[i].name, name) == 0)
			ereport(ERROR,
					(errcode(ERRCODE_DUPLICATE_COLUMN),
					 errmsg("the mean of column \"%s\" of relation %s cannot be called \"%s\"",
							attribute->name, description->name, name),
					 errdetail("Another column of the release has that name.")));
	return pstrdup(quote_identifier(name));
}

static void
check_target(const Description *description, const MondrianRecoding *recoding)
{
	const DescribedAttribute *target;
	int quasi;

	if (recoding->target == NULL)
		return;
	target = description_get(description, recoding->target);
	if (!release_column_publishes(description, target - description->attributes, &quasi) ||
		quasi >= 0)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("target \"%s\" is not published as it is", target->name),
						errhint("A target is a sensitive or insensitive column.")));
}

static MondrianText
collect_columns(const Description *description, const MondrianRecoding *recoding)
{
	int most = Max(description->attribute_count, 1);
	MondrianText text = {.description = description,
						 .recoding = recoding,
						 .schema = query_extension_schema(),
						 .cells = quote_identifier(release_column_free_name(description, "cells")),
						 .cell = palloc(sizeof(int) * Max(description->quasi_count, 1)),
						 .plain = palloc(sizeof(PlainColumn) * most)};
	int cell = 1;
	int quasi;

	for (int i = 0; i < description->quasi_count; i++)
	{
		text.cell[i] = ++cell;
		if (release_mondrian_has_mean(recoding, quasi_identifier(description, i)))
			cell++;
	}
	for (int i = 0; i < description->attribute_count; i++)
		if (release_column_publishes(description, i, &quasi) && quasi < 0)
			text.plain[text.plain_count++] =
				release_column_plain(description, &description->attributes[i]);
	return text;
}

static char *
cell_call(const MondrianText *text, int number, const char *type)
{
	return psprintf("%s.kanon_cell(%s, %d, NULL::%s)", text->schema, text->cells, number, type);
}

static void
append_quasi(StringInfo sql, const MondrianText *text, int quasi)
{
	const DescribedAttribute *attribute = quasi_identifier(text->description, quasi);
	Oid type = cell_type(attribute->type, OidIsValid(attribute->dimension));

	appendStringInfo(sql, "%s AS %s", cell_call(text, text->cell[quasi], format_type_be(type)),
					 quote_identifier(attribute->name));
	if (release_mondrian_has_mean(text->recoding, attribute))
		appendStringInfo(sql, ",\n       %s AS %s",
						 cell_call(text, text->cell[quasi] + 1, "float8"),
						 mean_name(text->description, attribute));
}

static void
append_select(StringInfo sql, const MondrianText *text)
{
	const Description *description = text->description;
	const char *separator = "SELECT ";
	int quasi;

	for (int i = 0; i < description->attribute_count; i++)
	{
		if (!release_column_publishes(description, i, &quasi))
			continue;
		appendStringInfoString(sql, separator);
		separator = ",\n       ";
		if (quasi >= 0)
			append_quasi(sql, text, quasi);
		else
			appendStringInfoString(sql, quote_identifier(description->attributes[i].name));
	}
}

static void
append_dimensions(StringInfo sql, const Description *description)
{
	const char *separator = ", dimensions => ARRAY[";
	bool any = false;

	for (int i = 0; i < description->quasi_count; i++)
		any = any || OidIsValid(quasi_identifier(description, i)->dimension);
	if (!any)
		return;
	for (int i = 0; i < description->quasi_count; i++)
	{
		Oid dimension = quasi_identifier(description, i)->dimension;

		appendStringInfoString(sql, separator);
		separator = ", ";
		if (OidIsValid(dimension))
			appendStringInfo(
				sql, "%s::regclass",
				quote_literal_cstr(quote_qualified_identifier(
					get_namespace_name(get_rel_namespace(dimension)), get_rel_name(dimension))));
		else
			appendStringInfoString(sql, "NULL");
	}
	appendStringInfoChar(sql, ']');
}

/* The quasi-identifiers are named where the record holds other columns, too. */
static void
append_quasi_names(StringInfo sql, const MondrianText *text)
{
	const char *separator = ", quasi_identifiers => ARRAY[";

	if (text->recoding->target == NULL && !release_models_any(&text->recoding->demand))
		return;
	for (int i = 0; i < text->description->quasi_count; i++)
	{
		appendStringInfo(sql, "%s%s", separator,
						 quote_literal_cstr(quasi_identifier(text->description, i)->name));
		separator = ", ";
	}
	appendStringInfoString(sql, "]::name[]");
}

static void
append_options(StringInfo sql, const MondrianText *text)
{
	const MondrianRecoding *recoding = text->recoding;

	if (release_models_any(&recoding->demand))
		appendStringInfoString(sql, release_models_arguments(text->description, &recoding->demand,
															 recoding->demand.person));
	if (recoding->target)
		appendStringInfo(sql, ", split => %s, target => %s", quote_literal_cstr(recoding->split),
						 quote_literal_cstr(recoding->target));
	if (recoding->relaxed)
		appendStringInfoString(sql, ", relaxed => true");
}

static void
append_call(StringInfo sql, const MondrianText *text)
{
	appendStringInfo(sql, "%s.kanon_mondrian_cells(%d, quasi.*", text->schema,
					 text->recoding->demand.k);
	append_quasi_names(sql, text);
	append_options(sql, text);
	append_dimensions(sql, text->description);
	if (text->recoding->means)
		appendStringInfoString(sql, ", means => true");
	if (text->plain_count == 0)
		appendStringInfoString(sql, ", by_class => true");
	appendStringInfo(sql, ") OVER () AS %s", text->cells);
}

/* Names of the columns that the record holds besides the quasi-identifiers, each once. */
static List *
other_fields(const MondrianRecoding *recoding)
{
	List *names = NIL;
	ListCell *cell;

	if (recoding->target)
		names = lappend(names, makeString(pstrdup(recoding->target)));
	foreach (cell, recoding->demand.models)
	{
		const Model *model = lfirst(cell);

		names = list_append_unique(names, makeString(pstrdup(model->column)));
	}
	if (recoding->demand.person)
		names = list_append_unique(names, makeString(pstrdup(recoding->demand.person)));
	return names;
}

static void
append_record(StringInfo sql, const MondrianText *text)
{
	const char *separator = "LATERAL (SELECT ";
	ListCell *cell;

	for (int i = 0; i < text->description->quasi_count; i++)
	{
		appendStringInfo(sql, "%ss.%s", separator,
						 quote_identifier(quasi_identifier(text->description, i)->name));
		separator = ", ";
	}
	foreach (cell, other_fields(text->recoding))
		appendStringInfo(sql, ", s.%s", quote_identifier(strVal(lfirst(cell))));
	appendStringInfoString(sql, ") quasi");
}

static void
append_order(StringInfo sql, const MondrianText *text)
{
	StringInfoData order;

	if (text->plain_count == 0)
		return;
	initStringInfo(&order);
	release_column_sort(&order, cell_call(text, 1, "int4"));
	release_column_sort_plain(&order, text->plain, text->plain_count, true);
	appendStringInfoString(sql, order.data);
}

char *
release_mondrian_text(const Description *description, const MondrianRecoding *recoding)
{
	StringInfoData sql;
	MondrianText text;

	check_target(description, recoding);
	text = collect_columns(description, recoding);
	initStringInfo(&sql);
	append_select(&sql, &text);
	appendStringInfoString(&sql, "\nFROM (SELECT ");
	for (int i = 0; i < text.plain_count; i++)
		appendStringInfo(&sql, "%s,\n             ", text.plain[i].expression);
	append_call(&sql, &text);
	appendStringInfo(&sql, "\n      FROM %s s,\n           ", description->name);
	append_record(&sql, &text);
	appendStringInfo(&sql, ") recoded\nWHERE %s IS DISTINCT FROM NULL", text.cells);
	append_order(&sql, &text);
	return sql.data;
}
