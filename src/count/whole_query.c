/*
 * whole_query.c
 *		See whole_query.h.
 */
#include "postgres.h"

#include "count/whole_query.h"

#include "base/interrupt.h"
#include "common/int.h"
#include "sql/comparison.h"
#include "sql/query.h"
#include "sql/type_query.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/json.h"
#include "utils/lsyscache.h"

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

/* ---- the extents of columns whose values are coded by their places */

#define MOST_PLACES (1 << 30) /* which dataset_column surely codes so, whatever comes first */

static bool
may_have_places(const DescribedAttribute *column)
{
	Oid type = getBaseType(column->type);

	return column->domain == NULL && number_query_is_whole(type) &&
		   OidIsValid(type_query_range(type));
}

/* Asks for the least and the greatest value, and the NULLs, of all such columns. */
static void
query_extents(const Description *description)
{
	StringInfoData sql;

	initStringInfo(&sql);
	appendStringInfoString(&sql, "SELECT count(*)");
	for (int i = 0; i < description->quasi_count; i++)
	{
		const char *name = quote_identifier(description->quasi[i]->name);

		if (may_have_places(description->quasi[i]))
			appendStringInfo(&sql, ", min(s.%s), max(s.%s), count(s.%s)", name, name, name);
	}
	appendStringInfo(&sql, " FROM %s s", description->name);
	query_run(sql.data, true);
}

/* What the query says of a column, from this field on; NULL if its places are too far apart. */
static const char *
extent_of(const DescribedAttribute *column, int field)
{
	Oid type = getBaseType(column->type);
	ValueText writer = value_text_writer(column->type);
	int64 rows = query_int8(0, field + 2);
	int64 nulls = query_int8(0, 1) - rows;
	bool none;
	Datum least = query_value(0, field, &none);
	Datum greatest = query_value(0, field + 1, &none);
	StringInfoData values;
	StringInfoData counts;
	int64 low;
	int64 high;

	initStringInfo(&values);
	initStringInfo(&counts);
	if (!none)
	{
		if (!number_query_whole(type, least, &low) || !number_query_whole(type, greatest, &high) ||
			pg_sub_s64_overflow(high, low, &high) || high >= MOST_PLACES)
			return NULL;
		escape_json(&values, value_text_write(&writer, least));
		appendStringInfo(&counts, INT64_FORMAT, high > 0 ? rows - 1 : rows);
		if (high > 0)
		{
			appendStringInfoString(&values, ", ");
			escape_json(&values, value_text_write(&writer, greatest));
			appendStringInfoString(&counts, ", 1");
		}
	}
	if (nulls > 0)
	{
		appendStringInfo(&values, "%snull", none ? "" : ", ");
		appendStringInfo(&counts, "%s" INT64_FORMAT, none ? "" : ", ", nulls);
	}
	return psprintf(": {\"values\": [%s], \"rows\": [%s]}", values.data, counts.data);
}

/* [quasi-identifier]: its extent as part of a whole; NULL: its values are needed. */
static const char **
find_extents(const Description *description)
{
	const char **extent = palloc0(sizeof(char *) * description->quasi_count);
	int field = 2;
	bool any = false;

	for (int i = 0; i < description->quasi_count; i++)
		any = any || may_have_places(description->quasi[i]);
	if (any)
		query_extents(description);
	for (int i = 0; i < description->quasi_count; i++)
		if (may_have_places(description->quasi[i]))
		{
			extent[i] = extent_of(description->quasi[i], field);
			field += 3;
		}
	return extent;
}

Datum
whole_query_run(const Description *description, bool places)
{
	const char *people = description->person ? psprintf("count(DISTINCT s.%s)",
														quote_identifier(description->person->name))
											 : "count(*)";
	const char **extent = places ? find_extents(description) : NULL;
	StringInfoData json;

	initStringInfo(&json);
	appendStringInfoChar(&json, '{');
	for (int i = 0; i < description->quasi_count; i++)
	{
		if (extent == NULL || extent[i] == NULL)
		{
			append_column(&json, description, description->quasi[i], NULL);
			continue;
		}
		appendStringInfoString(&json, json.len > 1 ? ", " : "");
		escape_json(&json, description->quasi[i]->name);
		appendStringInfoString(&json, extent[i]);
	}
	for (int i = 0; i < description->demand.columns; i++)
		append_column(&json, description, description->sensitive[i], people);
	appendStringInfoChar(&json, '}');
	return DirectFunctionCall1(jsonb_in, CStringGetDatum(json.data));
}
