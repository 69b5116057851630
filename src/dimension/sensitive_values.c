/*
 * sensitive_values.c
 *		See sensitive_values.h.
 */
#include "postgres.h"

#include "dimension/sensitive_values.h"

#include <math.h>

#include "base/interrupt.h"
#include "parser/parse_coerce.h"
#include "relation/grouped_rows.h"
#include "sql/row_query.h"
#include "sql/type_query.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#define MOST_COLUMNS 30 /* GROUPING has a bit for each */

AttributeDomain *
sensitive_values_load(const Description *description, const DescribedAttribute *attribute,
					  Budget *budget)
{
	AttributeDomain *values;

	if (sensitive_values_has_levels(attribute))
		return dimension_query_load(description, attribute, UNKNOWN_ALONE, budget);
	values = dimension_query_values(description, attribute, budget);
	values->by_bytes = true;
	return values;
}

/* The numbers of the occurring values, by final code. */
static const double *
read_numbers(const AttributeDomain *values, int32 codes)
{
	Oid type = getBaseType(values->attribute->type);
	double *number = budget_allocate(values->budget, codes, sizeof(double),
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
							errmsg("%s holds a number that is not finite",
								   description_title(values->description, values->attribute)),
							errdetail("Its variance is undefined.")));
	}
	return number;
}

SensitiveDomain *
sensitive_values_finish(AttributeDomain *values)
{
	const Dimension *dimension = values->dimension;
	Oid type = getBaseType(values->attribute->type);
	char category = TypeCategory(type);
	SensitiveDomain *domain = &values->sensitive;

	*domain = (SensitiveDomain){.name = values->attribute->name,
								.codes = dimension->cardinality[0],
								.has_null = dimension->has_null,
								.count = values->marginal};
	if (values->declared >= 0)
		domain->hierarchy = dimension;
	else /* values of these types have a scale */
		domain->ordered = number_query_is_numeric(type) || category == TYPCATEGORY_DATETIME ||
						  category == TYPCATEGORY_TIMESPAN;
	if (values->attribute->needs & MODEL_NEEDS_NUMBERS)
		domain->number = read_numbers(values, domain->codes);
	sensitive_domain_prepare(domain, values->budget);
	return domain;
}

void
sensitive_values_check_columns(const Description *description)
{
	if (description->demand.columns > MOST_COLUMNS)
		ereport(ERROR, (errcode(ERRCODE_TOO_MANY_ARGUMENTS),
						errmsg("privacy models name more than %d columns", MOST_COLUMNS)));
}

/* The values of a sensitive column with their members: none of values of nobody. */
static RowSource *
count_values(const Description *description, DescribedAttribute *attribute)
{
	const DescribedAttribute *person = description->person;
	Bitmapset *columns = bms_make_singleton(attribute->number);
	GroupedRows rows = grouped_rows(
		description, person ? bms_add_member(columns, person->number) : columns, GROUPED_FOR_ONE);

	rows.count = grouped_rows_members(&rows, person);
	return grouped_rows_select(&rows, &attribute, 1, NULL, true);
}

void
sensitive_values_read(Description *description, Budget *budget)
{
	Demand *demand = &description->demand;

	sensitive_values_check_columns(description);
	demand->domain = palloc(sizeof(SensitiveDomain *) * Max(demand->columns, 1));
	for (int i = 0; i < demand->columns; i++)
	{
		DescribedAttribute *attribute = description->sensitive[i];
		RowSource *counted = count_values(description, attribute);

		attribute->domain = sensitive_values_load(description, attribute, budget);
		dimension_query_read(attribute->domain, counted);
		demand->domain[i] = sensitive_values_finish(attribute->domain);
	}
}

void
sensitive_values_check(const Description *description)
{
	const Demand *demand = &description->demand;

	for (int i = 0; i < demand->models; i++)
		model_check_values(demand->model[i], demand->domain[demand->column_of[i]]);
}

int32
sensitive_values_code(const Description *description, int column, Datum value, bool is_null)
{
	int32 code = dimension_query_find(description->sensitive[column]->domain, value, is_null);

	if (code < 0)
		description_report_change(description);
	return code;
}
