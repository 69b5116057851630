/*
 * release_mondrian.c
 *		See release_mondrian.h.
 *
 * Example: patients(name, age, zipcode, disease), name an identifier, zipcode with
 * a dimension, k = 2:
 *
 *	WITH zipcode_dim AS (SELECT d.zip, d.zip3 FROM public.zips d)
 *	SELECT public.kanon_cell(cells, 2, NULL::pg_catalog.int4range) AS age,
 *	       public.kanon_cell(cells, 3, NULL::pg_catalog.text) AS zipcode,
 *	       disease
 *	FROM (SELECT (ARRAY[s.disease])[1] AS disease,
 *	             public.kanon_mondrian_cells(2, quasi.*, dimensions => ARRAY[NULL,
 *	                 'public.zips'::pg_catalog.regclass]) OVER () AS cells
 *	      FROM public.patients s,
 *	           LATERAL (SELECT s.age, s.zipcode) quasi) recoded
 *	WHERE cells IS DISTINCT FROM NULL
 *	ORDER BY public.kanon_cell(cells, 1, NULL::integer), disease
 */
#include "postgres.h"

#include "release/release_mondrian.h"

#include "cell/cell_format.h"
#include "model/model.h"
#include "nodes/value.h"
#include "parser/scansup.h"
#include "release/release_cells.h"
#include "release/release_dimension.h"
#include "release/release_models.h"
#include "sql/number_query.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

typedef struct MondrianText
{
	ReleaseCells base;
	const MondrianRecoding *recoding;
	int *cell; /* [quasi-identifier]: number of its cell */
} MondrianText;

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
number_cells(const Description *description, const MondrianRecoding *recoding)
{
	MondrianText text = {.base = release_cells_begin(description),
						 .recoding = recoding,
						 .cell = palloc(sizeof(int) * Max(description->quasi_count, 1))};
	int cell = 1;

	for (int i = 0; i < description->quasi_count; i++)
	{
		text.cell[i] = ++cell;
		if (release_mondrian_has_mean(recoding, release_cells_attribute(description, i)))
			cell++;
	}
	return text;
}

/* A range or label, and the mean. */
static void
append_quasi(StringInfo sql, const void *state, int quasi)
{
	const MondrianText *text = state;
	const DescribedAttribute *attribute = release_cells_attribute(text->base.description, quasi);
	Oid type = cell_format_class_type(attribute->type, OidIsValid(attribute->dimension));

	appendStringInfo(
		sql, "%s AS %s",
		release_cells_field(&text->base, text->cell[quasi], value_cast_type_name(type)),
		quote_identifier(attribute->name));
	if (release_mondrian_has_mean(text->recoding, attribute))
		appendStringInfo(
			sql, ",\n       %s AS %s",
			release_cells_field(&text->base, text->cell[quasi] + 1, "double precision"),
			mean_name(text->base.description, attribute));
}

/* The quasi-identifiers are named where the record holds other columns, too. */
static void
append_quasi_names(StringInfo sql, const MondrianText *text)
{
	const char *separator = ", quasi_identifiers => ARRAY[";

	if (text->recoding->target == NULL && !release_models_any(&text->recoding->demand))
		return;
	for (int i = 0; i < text->base.description->quasi_count; i++)
	{
		appendStringInfo(
			sql, "%s%s", separator,
			quote_literal_cstr(release_cells_attribute(text->base.description, i)->name));
		separator = ", ";
	}
	appendStringInfoString(sql, "]::pg_catalog.name[]");
}

static void
append_options(StringInfo sql, const MondrianText *text)
{
	const MondrianRecoding *recoding = text->recoding;

	if (release_models_any(&recoding->demand))
		appendStringInfoString(sql,
							   release_models_arguments(text->base.description, &recoding->demand,
														recoding->demand.person));
	if (recoding->target)
		appendStringInfo(sql, ", split => %s::pg_catalog.text, target => %s::pg_catalog.name",
						 quote_literal_cstr(recoding->split), quote_literal_cstr(recoding->target));
	if (recoding->relaxed)
		appendStringInfoString(sql, ", relaxed => true");
}

/* Rows that are equal but for what is published beside them are dealt in its order. */
static char *
window_order(const MondrianText *text)
{
	if (!text->recoding->relaxed)
		return pstrdup("");
	return release_column_window_order(text->base.plain, text->base.plain_count);
}

static char *
call_text(const MondrianText *text)
{
	StringInfoData sql;

	initStringInfo(&sql);
	appendStringInfo(&sql, "%s.kanon_mondrian_cells(%d, quasi.*", text->base.schema,
					 text->recoding->demand.k);
	append_quasi_names(&sql, text);
	append_options(&sql, text);
	release_cells_append_dimensions(&sql, text->base.description);
	if (text->recoding->means)
		appendStringInfoString(&sql, ", means => true");
	if (text->base.plain_count == 0)
		appendStringInfoString(&sql, ", by_class => true");
	appendStringInfo(&sql, ") OVER (%s)", window_order(text));
	return sql.data;
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
append_order(StringInfo sql, const MondrianText *text)
{
	const ReleaseCells *base = &text->base;
	StringInfoData order;

	if (base->plain_count == 0)
		return;
	initStringInfo(&order);
	release_column_sort(&order, release_cells_field(base, 1, "integer"));
	release_column_sort_plain(&order, base->plain, base->plain_count, true);
	appendStringInfoString(sql, order.data);
}

char *
release_mondrian_text(const Description *description, const MondrianRecoding *recoding)
{
	StringInfoData sql;
	MondrianText text;

	check_target(description, recoding);
	text = number_cells(description, recoding);
	initStringInfo(&sql);
	appendStringInfoString(&sql, release_dimension_with(list_concat(
									 release_cells_attributes(description),
									 release_models_dimensions(description, &recoding->demand))));
	release_cells_append_select(&sql, &text.base, append_quasi, &text);
	release_cells_append_from(&sql, &text.base, call_text(&text), other_fields(recoding));
	append_order(&sql, &text);
	return sql.data;
}
