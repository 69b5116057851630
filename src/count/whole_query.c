/*
 * whole_query.c
 *		See whole_query.h.
 */
#include "postgres.h"

#include "count/whole_query.h"

#include "base/interrupt.h"
#include "sql/comparison.h"
#include "sql/query.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/json.h"

/* Appends the values, then their counts. */
static void
append_values(StringInfo json, ValueText *writer)
{
	bool isnull;

	appendStringInfoString(json, ": {\"values\": [");
	for (uint64 row = 0; row < query_rows(); row++)
	{
		Datum value = query_value(row, 1, &isnull);

		interrupt_check((int64) row);
		appendStringInfoString(json, row > 0 ? ", " : "");
		if (isnull)
			appendStringInfoString(json, "null");
		else
			escape_json(json, value_text_write(writer, value));
	}
	appendStringInfoString(json, "], \"rows\": [");
	for (uint64 row = 0; row < query_rows(); row++)
		appendStringInfo(json, "%s" INT64_FORMAT, row > 0 ? ", " : "", query_int8(row, 2));
	appendStringInfoString(json, "]}");
}

/* Equal values may be spelled differently; of quasi-identifiers, one spelling is published. */
static const char *
other_key(const DescribedAttribute *column, const char *name)
{
	if (comparison_is_exact(column->type, column->typmod, column->collation))
		return "";
	return psprintf(", textin(record_out(ROW(s.%s)))", name);
}

/* count: of a sensitive column, the aggregate; NULL: a quasi-identifier. */
static void
append_column(StringInfo json, const Description *description, const DescribedAttribute *column,
			  const char *count)
{
	const char *name = pstrdup(quote_identifier(column->name));
	const char *other = count ? "" : other_key(column, name);
	ValueText writer = value_text_writer(column->type);

	appendStringInfoString(json, json->len > 1 ? ", " : "");
	escape_json(json, column->name);
	query_run(psprintf("SELECT s.%s, %s FROM %s s GROUP BY s.%s%s ORDER BY s.%s%s", name,
					   count ? count : "count(*)", description->name, name, other, name, other),
			  true);
	append_values(json, &writer);
}

Datum
whole_query_run(const Description *description)
{
	const char *people = description->person ? psprintf("count(DISTINCT s.%s)",
														quote_identifier(description->person->name))
											 : "count(*)";
	StringInfoData json;

	initStringInfo(&json);
	appendStringInfoChar(&json, '{');
	for (int i = 0; i < description->quasi_count; i++)
		append_column(&json, description, description->quasi[i], NULL);
	for (int i = 0; i < description->demand.columns; i++)
		append_column(&json, description, description->sensitive[i], people);
	appendStringInfoChar(&json, '}');
	return DirectFunctionCall1(jsonb_in, CStringGetDatum(json.data));
}
