/*
 * release_models.c
 *		See release_models.h.
 */
#include "postgres.h"

#include "release/release_models.h"

#include "base/budget.h"
#include "base/names.h"
#include "count/class_query.h"
#include "model/model.h"
#include "release/release_columns.h"
#include "sql/own_extension.h"
#include "utils/builtins.h"

static void
check_published(const Description *description)
{
	for (int i = 0; i < description->demand.models; i++)
	{
		const Model *model = description->demand.model[i];
		const DescribedAttribute *attribute = description_get(description, model->column);

		if (!release_columns_publishes(description, attribute))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("column \"%s\" of %s is not published", model->column,
							model_text_write(model)),
					 errhint("Declare it sensitive or insensitive with kanon_set_attribute.")));
	}
}

void
release_models_describe(Description *description, const ReleaseDemand *demand)
{
	description_demand(description, demand->models, demand->person);
	sensitive_values_check_columns(description);
	check_published(description);
	description_check_person(description);
}

void
release_models_check_values(const Description *description)
{
	Budget budget = budget_begin();
	Description read = *description;

	sensitive_values_read(&read, &budget);
	sensitive_values_check(&read);
}

List *
release_models_dimensions(const Description *description, const ReleaseDemand *demand)
{
	const Demand *has = &description->demand;
	List *attributes = NIL;

	for (int i = 0; demand->models && i < has->models; i++)
		attributes = lappend(attributes, (has->model[i]->ops->needs & MODEL_NEEDS_DISTANCE)
											 ? description->sensitive[has->column_of[i]]
											 : NULL);
	return attributes;
}

char *
release_models_arguments(const Description *description, const ReleaseDemand *demand,
						 const char *person_name)
{
	List *dimensions = release_models_dimensions(description, demand);
	StringInfoData text;

	initStringInfo(&text);
	if (demand->models != NIL)
		appendStringInfo(&text, ", models => %s::%s.kanon_models",
						 quote_literal_cstr(model_text_write_list(demand->models)),
						 own_extension_schema_name());
	if (demand->person)
		appendStringInfo(&text, ", person => %s::pg_catalog.name", quote_literal_cstr(person_name));
	appendStringInfoString(&text,
						   release_columns_dimensions("model_dimensions", dimensions, false));
	return text.data;
}

char *
release_models_guard(const Description *description, const ReleaseDemand *demand,
					 const char *person_name, const char *rows, const char *class)
{
	const char *arguments = release_models_arguments(description, demand, person_name);

	return psprintf("%s.kanon_view_satisfies(%d, %s, %s::pg_catalog.name,\n"
					"                 %s) OVER ()",
					own_extension_schema_name(), demand->k, rows, quote_literal_cstr(class),
					arguments + strlen(", "));
}

char *
release_models_names(const ReleaseDemand *demand)
{
	List *names = list_make1(psprintf("k = %d", demand->k));

	foreach_ptr (const Model, model, demand->models)
		names = lappend(names, model_text_write(model));
	return names_join(names);
}

/* What all rows together fail. */
typedef struct WholeTable
{
	const Description *description;
	int k;
	const char *failing; /* NULL: nothing */
} WholeTable;

/* A ClassConsumer of the only class. */
static void
judge_whole(void *state, const StreamedClass *class)
{
	WholeTable *whole = state;
	const Demand *demand = &whole->description->demand;

	if (class->members < whole->k)
		whole->failing = psprintf("k = %d", whole->k);
	for (int i = 0; i < demand->models && whole->failing == NULL; i++)
	{
		int column = demand->column_of[i];

		if (!model_holds(demand->model[i], class->histogram[column], demand->domain[column]))
			whole->failing = model_text_write(demand->model[i]);
	}
}

const char *
release_models_failing(const Description *description, int k)
{
	Budget budget = budget_begin();
	Description one_class = *description;
	WholeTable whole = {.description = &one_class, .k = k};

	one_class.quasi_count = 0;
	sensitive_values_read(&one_class, &budget);
	class_query_each(&one_class, false, judge_whole, &whole, &budget);
	return whole.failing;
}
