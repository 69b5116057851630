/*
 * model_query.c
 *		See model_query.h.
 */
#include "postgres.h"

#include "dimension/model_query.h"

#include <math.h>

#include "base/interrupt.h"
#include "lib/stringinfo.h"
#include "model/model_text.h"
#include "parser/parse_coerce.h"
#include "sql/comparison.h"
#include "sql/number_query.h"
#include "sql/query.h"
#include "sql/row_query.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

static void
check_not_quasi_identifier(const Description *description, const Model *model,
						   const DescribedAttribute *attribute)
{
	for (int i = 0; i < description->quasi_count; i++)
		if (&description->attributes[description->quasi[i]] == attribute)
			ereport(
				ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("column \"%s\" of relation %s is both sensitive and a quasi-identifier",
						attribute->name, description->name),
				 errdetail("The model is %s. Within a class, all values of a quasi-identifier are "
						   "alike.",
						   model_text_write(model))));
}

static void
check_type(const Description *description, const Model *model, const DescribedAttribute *attribute)
{
	if (!comparison_has_order(attribute->type))
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_FUNCTION),
						errmsg("column \"%s\" of relation %s cannot be a sensitive column",
							   attribute->name, description->name),
						errdetail("Type %s has no default btree operator class.",
								  format_type_be(attribute->type))));
	if ((model->ops->needs & MODEL_NEEDS_NUMBERS) &&
		!number_query_is_numeric(getBaseType(attribute->type)))
		ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
						errmsg("%s needs a column of numbers", model_text_write(model)),
						errdetail("Column \"%s\" of relation %s has type %s.", attribute->name,
								  description->name, format_type_be(attribute->type))));
}

/* The number of the column that a model asks for. */
static int
add_column(ModelQuery *query, const Model *model)
{
	const Description *description = query->description;
	DescribedAttribute *attribute = description_get(description, model->column);
	int number = 0;

	check_not_quasi_identifier(description, model, attribute);
	check_type(description, model, attribute);
	while (number < query->columns && query->column[number].attribute.number != attribute->number)
		number++;
	if (number == MODEL_QUERY_COLUMNS)
		ereport(ERROR, (errcode(ERRCODE_TOO_MANY_ARGUMENTS),
						errmsg("privacy models name more than %d columns", MODEL_QUERY_COLUMNS)));
	if (number == query->columns)
		query->column[query->columns++].attribute = *attribute;
	query->column[number].needs |= model->ops->needs;
	return number;
}

ModelQuery *
model_query_create(const Description *description, List *models, Budget *budget)
{
	ModelQuery *query = palloc0(sizeof(ModelQuery));
	int count = list_length(models);
	ListCell *cell;

	query->description = description;
	query->budget = budget;
	query->model = palloc(sizeof(Model *) * Max(count, 1));
	query->column_of = palloc(sizeof(int) * Max(count, 1));
	query->column = palloc0(sizeof(SensitiveColumn) * MODEL_QUERY_COLUMNS);
	foreach (cell, models)
	{
		const Model *model = lfirst(cell);

		query->column_of[query->models] = add_column(query, model);
		query->model[query->models++] = model;
	}
	return query;
}

DescribedAttribute *
model_query_person(const Description *description, const char *name)
{
	DescribedAttribute *person = name ? description_get(description, name) : NULL;

	if (person && !comparison_has_order(person->type))
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_FUNCTION),
						errmsg("column \"%s\" of relation %s cannot tell people apart", name,
							   description->name),
						errdetail("Type %s has no default btree operator class.",
								  format_type_be(person->type))));
	return person;
}

char *
model_query_person_text(const DescribedAttribute *person)
{
	return person ? psprintf("s.%s", quote_identifier(person->name)) : NULL;
}

/* In an order of values that is the same everywhere: codes, given as they appear, follow it. */
static char *
distribution_text(const ModelQuery *query, const SensitiveColumn *column, const char *person)
{
	const char *name = quote_identifier(column->attribute.name);
	const char *members = person ? psprintf("count(DISTINCT %s)", person) : "count(*)";

	StringInfoData keys;

	initStringInfo(&keys);
	comparison_append_byte_order(&keys, psprintf("s.%s", name), column->attribute.type, -1,
								 column->attribute.collation);
	return psprintf("SELECT s.%s, %s FROM %s s GROUP BY s.%s HAVING %s > 0 ORDER BY %s", name,
					members, query->description->name, name, members, keys.data + strlen(", "));
}

/* The numbers of the values that occur, by final code. */
static double *
read_numbers(const ModelQuery *query, const SensitiveColumn *column)
{
	Oid type = getBaseType(column->attribute.type);
	const AttributeDomain *values = column->values;
	double *number = budget_allocate(query->budget, column->domain.codes, sizeof(double),
									 "distribution of a sensitive column");

	for (int32 i = 0; i < dictionary_size(values->ground); i++)
	{
		int32 code = values->final_code[i + 1];

		interrupt_check(i);
		if (code < 0)
			continue;
		number[code] = number_query_scaled(type, dictionary_value(values->ground, i));
		if (!isfinite(number[code]))
			ereport(ERROR, (errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
							errmsg("column \"%s\" of relation %s holds a number that is not finite",
								   column->attribute.name, query->description->name),
							errdetail("Variance is not defined with it.")));
	}
	return number;
}

bool
model_query_is_ordered(Oid type)
{
	char category = TypeCategory(type);

	return number_query_is_numeric(type) || category == TYPCATEGORY_DATETIME ||
		   category == TYPCATEGORY_TIMESPAN;
}

static void
read_column(ModelQuery *query, SensitiveColumn *column, const char *person)
{
	SensitiveDomain *domain = &column->domain;
	Dimension *dimension;
	int64 *marginal;

	if (!(column->needs & MODEL_NEEDS_DISTANCE))
		column->attribute.dimension = InvalidOid;
	column->values = dimension_query_load(query->description, &column->attribute, query->budget);
	dimension = dimension_query_read(
		column->values, row_query_create(distribution_text(query, column, person), true),
		&marginal);
	*domain = (SensitiveDomain){.name = column->attribute.name,
								.codes = dimension->cardinality[0],
								.has_null = dimension->has_null,
								.count = marginal};
	if (OidIsValid(column->attribute.dimension))
		domain->hierarchy = dimension;
	else
		domain->ordered = model_query_is_ordered(getBaseType(column->attribute.type));
	if (column->needs & MODEL_NEEDS_NUMBERS)
		domain->number = read_numbers(query, column);
	sensitive_domain_prepare(domain, query->budget);
}

void
model_query_read(ModelQuery *query, const char *person)
{
	for (int i = 0; i < query->columns; i++)
		read_column(query, &query->column[i], person);
}

void
model_query_check_values(const ModelQuery *query)
{
	for (int i = 0; i < query->models; i++)
		model_check_values(query->model[i], &query->column[query->column_of[i]].domain);
}

int32
model_query_code(const ModelQuery *query, int column, Datum value, bool is_null)
{
	int32 code = dimension_query_find(query->column[column].values, value, is_null);

	if (code < 0)
		description_report_change(query->description);
	return code;
}
