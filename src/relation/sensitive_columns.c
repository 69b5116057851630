/*
 * sensitive_columns.c
 *		See sensitive_columns.h.
 */
#include "postgres.h"

#include "relation/sensitive_columns.h"

#include "model/model_text.h"
#include "sql/number_query.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

static void
check_column(const Description *description, const Model *model,
			 const DescribedAttribute *attribute)
{
	const char *title = description_title(description, attribute);

	if (description_quasi(description, attribute) >= 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s is both sensitive and a quasi-identifier", title),
				 errdetail("The model is %s. Within a class, all values of a quasi-identifier are "
						   "alike.",
						   model_text_write(model))));
	description_check_order(description, attribute, _("be a sensitive column"));
	if ((model->ops->needs & MODEL_NEEDS_NUMBERS) &&
		!number_query_is_numeric(getBaseType(attribute->type)))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("%s needs a column of numbers", model_text_write(model)),
				 errdetail("The type of %s is %s.", title, format_type_be(attribute->type))));
}

static SensitiveColumns
create_columns(const Description *description, List *models)
{
	int count = Max(list_length(models), 1);

	return (SensitiveColumns){.description = description,
							  .model = palloc(sizeof(Model *) * count),
							  .column_of = palloc(sizeof(int) * count),
							  .column = palloc0(sizeof(SensitiveColumn) * count)};
}

static void
add_model(SensitiveColumns *columns, const Model *model, const DescribedAttribute *attribute)
{
	int number = 0;

	while (number < columns->columns &&
		   columns->column[number].attribute.number != attribute->number)
		number++;
	if (number == columns->columns)
		columns->column[columns->columns++].attribute = *attribute;
	columns->column[number].needs |= model->ops->needs;
	columns->column_of[columns->models] = number;
	columns->model[columns->models++] = model;
}

SensitiveColumns
sensitive_columns_find(const Description *description, List *models, const char *person)
{
	SensitiveColumns columns = create_columns(description, models);
	ListCell *cell;

	foreach (cell, models)
	{
		const Model *model = lfirst(cell);
		const DescribedAttribute *attribute = description_get(description, model->column);

		check_column(description, model, attribute);
		add_model(&columns, model, attribute);
	}
	for (int i = 0; i < columns.columns; i++)
		if (!(columns.column[i].needs & MODEL_NEEDS_DISTANCE))
			columns.column[i].attribute.dimension = InvalidOid;
	if (person)
	{
		columns.person = description_get(description, person);
		description_check_order(description, columns.person, _("tell people apart"));
	}
	return columns;
}

SensitiveColumns
sensitive_columns_unknown(const Description *description, List *models, const char *person)
{
	SensitiveColumns columns = create_columns(description, models);
	ListCell *cell;

	foreach (cell, models)
		add_model(&columns, lfirst(cell), &description->attributes[0]);
	columns.person = person ? &description->attributes[0] : NULL;
	return columns;
}

bool
sensitive_columns_have(const SensitiveColumns *columns, const DescribedAttribute *attribute)
{
	for (int i = 0; i < columns->columns; i++)
		if (columns->column[i].attribute.number == attribute->number)
			return true;
	return columns->person == attribute;
}

void
sensitive_columns_check_person(const SensitiveColumns *columns)
{
	if (columns->person && description_quasi(columns->description, columns->person) >= 0)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("person \"%s\" is a quasi-identifier", columns->person->name)));
}
