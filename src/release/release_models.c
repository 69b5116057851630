/*
 * release_models.c
 *		See release_models.h.
 */
#include "postgres.h"

#include "release/release_models.h"

#include "base/budget.h"
#include "base/interrupt.h"
#include "io/model_array.h"
#include "model/model_text.h"
#include "release/release_column.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

void
release_models_check(const Description *description, List *models)
{
	Budget budget = budget_begin();
	ModelQuery *query = model_query_create(description, models, &budget);

	for (int i = 0; i < query->models; i++)
	{
		const char *name = query->column[query->column_of[i]].attribute.name;
		const DescribedAttribute *attribute = description_get(description, name);
		int quasi;

		if (!release_column_publishes(description, attribute - description->attributes, &quasi))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("column \"%s\" of %s is not published", name,
							model_text_write(query->model[i])),
					 errhint("Declare it sensitive or insensitive with kanon_set_attribute.")));
	}
}

void
release_models_check_values(const Description *description, List *models)
{
	Budget budget = budget_begin();
	ModelQuery *query = model_query_create(description, models, &budget);

	release_models_check(description, models);
	model_query_read(query, NULL);
	model_query_check_values(query);
}

/* That of the model's column, if the model asks for distances. */
static Oid
dimension_of(const Description *description, const Model *model)
{
	return (model->ops->needs & MODEL_NEEDS_DISTANCE)
			   ? description_get(description, model->column)->dimension
			   : InvalidOid;
}

static void
append_dimensions(StringInfo text, const Description *description, List *models)
{
	const char *separator = ", model_dimensions => ARRAY[";
	ListCell *cell;

	foreach (cell, models)
	{
		Oid dimension = dimension_of(description, lfirst(cell));

		appendStringInfoString(text, separator);
		separator = ", ";
		if (OidIsValid(dimension))
			appendStringInfo(
				text, "%s::regclass",
				quote_literal_cstr(quote_qualified_identifier(
					get_namespace_name(get_rel_namespace(dimension)), get_rel_name(dimension))));
		else
			appendStringInfoString(text, "NULL");
	}
	appendStringInfoChar(text, ']');
}

char *
release_models_arguments(const Description *description, List *models)
{
	StringInfoData text;
	ListCell *cell;
	bool any = false;

	release_models_check(description, models);
	initStringInfo(&text);
	appendStringInfo(&text, "models => %s", model_array_text(models));
	foreach (cell, models)
		any = any || OidIsValid(dimension_of(description, lfirst(cell)));
	if (any)
		append_dimensions(&text, description, models);
	return text.data;
}

char *
release_models_names(List *models)
{
	StringInfoData text;
	int number = 0;
	ListCell *cell;

	initStringInfo(&text);
	foreach (cell, models)
	{
		appendStringInfo(&text, "%s%s",
						 number == 0                         ? ""
						 : number == list_length(models) - 1 ? " and "
															 : ", ",
						 model_text_write(lfirst(cell)));
		number++;
	}
	return text.data;
}

/* All rows as one class. */
static const Histogram *
whole_histogram(const SensitiveDomain *domain, Budget *budget)
{
	Histogram *histogram = histogram_create(domain->codes, budget);

	for (int32 code = 0; code < domain->codes; code++)
	{
		interrupt_check(code);
		histogram_add(histogram, code, domain->count[code]);
	}
	histogram_finish(histogram);
	return histogram;
}

const Model *
release_models_failing(const Description *description, List *models)
{
	Budget budget = budget_begin();
	ModelQuery *query = model_query_create(description, models, &budget);

	model_query_read(query, NULL);
	for (int i = 0; i < query->models; i++)
	{
		const SensitiveDomain *domain = &query->column[query->column_of[i]].domain;

		if (!model_holds(query->model[i], whole_histogram(domain, &budget), domain))
			return query->model[i];
	}
	return NULL;
}
