/*
 * model_query.c
 *		See model_query.h.
 */
#include "postgres.h"

#include "count/model_query.h"

#include "relation/grouped_rows.h"
#include "sql/row_query.h"
#include "utils/builtins.h"

ModelQuery *
model_query_create(const Description *description, List *models, const char *person, Budget *budget)
{
	ModelQuery *query = palloc0(sizeof(ModelQuery));

	query->sensitive = sensitive_columns_find(description, models, person);
	query->budget = budget;
	if (query->sensitive.columns > MODEL_QUERY_COLUMNS)
		ereport(ERROR, (errcode(ERRCODE_TOO_MANY_ARGUMENTS),
						errmsg("privacy models name more than %d columns", MODEL_QUERY_COLUMNS)));
	query->domain = palloc0(sizeof(SensitiveDomain) * Max(query->sensitive.columns, 1));
	return query;
}

Bitmapset *
model_query_columns(const SensitiveColumns *sensitive, Bitmapset *columns)
{
	for (int i = 0; i < sensitive->columns; i++)
		columns = bms_add_member(columns, sensitive->column[i].attribute.number);
	return sensitive->person ? bms_add_member(columns, sensitive->person->number) : columns;
}

void
model_query_read(ModelQuery *query)
{
	const SensitiveColumns *sensitive = &query->sensitive;
	const DescribedAttribute *person = sensitive->person;

	for (int i = 0; i < sensitive->columns; i++)
	{
		SensitiveColumn *column = &sensitive->column[i];
		const char *name = quote_identifier(column->attribute.name);
		Bitmapset *columns = bms_make_singleton(column->attribute.number);
		GroupedRows rows = grouped_rows(sensitive->description,
										person ? bms_add_member(columns, person->number) : columns);
		const char *members = grouped_rows_members(&rows, person);
		char *counts = psprintf("SELECT s.%s, %s FROM %s s GROUP BY s.%s HAVING %s > 0", name,
								members, rows.relation, name, members);
		AttributeDomain *values = sensitive_values_load(sensitive, i, query->budget);
		int64 *marginal;
		Dimension *dimension = dimension_query_read(
			values, row_query_create(counts, &column->attribute.type, 1, true), &marginal);

		column->attribute.domain = values;
		query->domain[i] = sensitive_values_finish(values, column->needs, dimension, marginal);
	}
}

void
model_query_check_values(const ModelQuery *query)
{
	for (int i = 0; i < query->sensitive.models; i++)
		model_check_values(query->sensitive.model[i],
						   &query->domain[query->sensitive.column_of[i]]);
}

int32
model_query_code(const ModelQuery *query, int column, Datum value, bool is_null)
{
	int32 code =
		dimension_query_find(query->sensitive.column[column].attribute.domain, value, is_null);

	if (code < 0)
		description_report_change(query->sensitive.description);
	return code;
}
