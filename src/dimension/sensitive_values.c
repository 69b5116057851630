/*
 * sensitive_values.c
 *		See sensitive_values.h.
 */
#include "postgres.h"

#include "dimension/sensitive_values.h"

#include <math.h>

#include "base/interrupt.h"
#include "parser/parse_coerce.h"
#include "sql/number_query.h"
#include "utils/lsyscache.h"

AttributeDomain *
sensitive_values_load(const SensitiveColumns *columns, int column, Budget *budget)
{
	const DescribedAttribute *attribute = &columns->column[column].attribute;
	AttributeDomain *values =
		dimension_query_load(columns->description, attribute, UNKNOWN_ALONE, budget);

	if (values->declared < 0)
	{
		values->height = 0;
		values->by_bytes = true;
	}
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

SensitiveDomain
sensitive_values_finish(const AttributeDomain *values, int needs, const Dimension *dimension,
						const int64 *marginal)
{
	Oid type = getBaseType(values->attribute->type);
	char category = TypeCategory(type);
	SensitiveDomain domain = {.name = values->attribute->name,
							  .codes = dimension->cardinality[0],
							  .has_null = dimension->has_null,
							  .count = marginal};

	if (values->declared >= 0)
		domain.hierarchy = dimension;
	else /* values of these types have a scale */
		domain.ordered = number_query_is_numeric(type) || category == TYPCATEGORY_DATETIME ||
						 category == TYPCATEGORY_TIMESPAN;
	if (needs & MODEL_NEEDS_NUMBERS)
		domain.number = read_numbers(values, domain.codes);
	sensitive_domain_prepare(&domain, values->budget);
	return domain;
}
