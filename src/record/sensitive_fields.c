/*
 * sensitive_fields.c
 *		See sensitive_fields.h.
 */
#include "postgres.h"

#include "record/sensitive_fields.h"

#include "model/model_text.h"
#include "sql/comparison.h"
#include "sql/model_array.h"
#include "sql/number_query.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

bool
sensitive_fields_have(const SensitiveFields *fields, int number)
{
	for (int i = 0; i < fields->columns; i++)
		if (fields->column[i].field.number == number)
			return true;
	return fields->person && fields->person->number == number;
}

SensitiveFields
sensitive_fields_read(ArrayType *models)
{
	List *list = model_array_read(models);
	int count = Max(list_length(list), 1);
	SensitiveFields fields = {.model = palloc(sizeof(Model *) * count),
							  .column_of = palloc(sizeof(int) * count),
							  .column = palloc0(sizeof(SensitiveField) * count)};
	ListCell *cell;

	foreach (cell, list)
		fields.model[fields.models++] = lfirst(cell);
	return fields;
}

static void
check_type(const Model *model, const RecordField *field)
{
	if (!comparison_has_order(field->type))
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_FUNCTION),
						errmsg("field \"%s\" cannot be a sensitive column", field->name),
						errdetail("Type %s has no default btree operator class.",
								  format_type_be(field->type))));
	if ((model->ops->needs & MODEL_NEEDS_NUMBERS) &&
		!number_query_is_numeric(getBaseType(field->type)))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("%s needs a column of numbers", model_text_write(model)),
				 errdetail("Field \"%s\" has type %s.", field->name, format_type_be(field->type))));
}

void
sensitive_fields_add(SensitiveFields *fields, int model, RecordField field)
{
	int column = 0;

	check_type(fields->model[model], &field);
	while (column < fields->columns && fields->column[column].field.number != field.number)
		column++;
	if (column == fields->columns)
		fields->column[fields->columns++].field = field;
	fields->column[column].needs |= fields->model[model]->ops->needs;
	fields->column_of[model] = column;
}

AttributeDomain *
sensitive_fields_dimension(const RecordField *field, Oid dimension, Budget *budget)
{
	static const Description rows = {.name = NULL, .handed_rows = true};
	DescribedAttribute *attribute = palloc0(sizeof(DescribedAttribute));

	attribute->name = field->name;
	attribute->number = field->number + 1;
	attribute->type = field->type;
	attribute->collation = field->collation;
	attribute->dimension = dimension;
	return dimension_query_load(&rows, attribute, budget);
}
