/*
 * sample_query.c
 *		See sample_query.h.
 */
#include "postgres.h"

#include "io/sample_query.h"

#include "io/comparison.h"
#include "io/query.h"
#include "io/row_query.h"
#include "io/type_query.h"
#include "lib/stringinfo.h"
#include "utils/builtins.h"

static Description *
describe_all(Oid relation)
{
	Description *description = description_load_any(relation);

	description->quasi_count = 0;
	for (int i = 0; i < description->attribute_count; i++)
		if (description->attributes[i].role != ROLE_IDENTIFIER &&
			comparison_has_order(description->attributes[i].type))
			description->quasi[description->quasi_count++] = i;
	return description;
}

Description *
sample_query_describe(Oid relation, ArrayType *columns)
{
	bool named = columns && ArrayGetNItems(ARR_NDIM(columns), ARR_DIMS(columns)) > 0;
	Description *description = named ? description_load(relation, columns) : describe_all(relation);

	if (columns && !named)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("there are no columns to look at"),
						errhint("Name some, or pass NULL for all.")));
	if (description->quasi_count == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("relation %s has no columns to look at", description->name),
				 errdetail("Identifiers and columns whose type has no order are left out.")));
	return description;
}

static char *
select_text(const Description *description)
{
	StringInfoData sql;

	initStringInfo(&sql);
	for (int i = 0; i < description->quasi_count; i++)
		appendStringInfo(&sql, "%s s.%s", i > 0 ? "," : "SELECT",
						 quote_identifier(description->attributes[description->quasi[i]].name));
	appendStringInfo(&sql, " FROM %s s", description->name);
	return sql.data;
}

static void
consume_row(void *state, const Datum *values, const bool *nulls, int64 count)
{
	(void) count; /* rows come one by one */
	code_table_add(state, values, nulls);
}

CodeTable *
sample_query_read(const Description *description, Budget *budget)
{
	ValueType *types = palloc(sizeof(ValueType) * description->quasi_count);
	RowSource *rows = row_query_create(select_text(description), false);
	CodeTable *table;

	for (int i = 0; i < description->quasi_count; i++)
	{
		const DescribedAttribute *attribute = &description->attributes[description->quasi[i]];

		types[i] = type_query_value_type(attribute->type, attribute->collation);
	}
	table = code_table_create(description->quasi_count, types, budget);
	rows->scan(rows, consume_row, table);
	code_table_finish(table);
	return table;
}
