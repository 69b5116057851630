/*
 * cell_query.c
 *		See cell_query.h.
 */
#include "postgres.h"

#include "cell/cell_query.h"

#include "catalog/pg_type.h"
#include "cell/cell_digits.h"
#include "cell/cell_interval.h"
#include "cell/cell_label.h"
#include "parser/parse_coerce.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

const DescribedAttribute *
cell_query_attribute(const CellColumn *column)
{
	return &column->source->attributes[column->source->quasi[column->quasi]];
}

/* Does NULL hide whatever was there? */
static bool
null_hides(const CellColumn *column)
{
	return column->cellwise && !OidIsValid(cell_query_attribute(column)->dimension) &&
		   TypeCategory(getBaseType(column->type)) != TYPCATEGORY_STRING;
}

char *
cell_query_has_null(const CellColumn *column)
{
	return psprintf("EXISTS (SELECT FROM %s s WHERE s.%s IS NOT DISTINCT FROM NULL)",
					column->source->name, quote_identifier(cell_query_attribute(column)->name));
}

char *
cell_query_own_null(const CellColumn *column)
{
	if (null_hides(column))
		return pstrdup("false");
	return psprintf("(r.v IS NOT DISTINCT FROM NULL AND %s)", cell_query_has_null(column));
}

char *
cell_query_each(const CellColumn *column, const char *format, const char *value)
{
	int attribute = column->source->quasi[column->quasi];
	StringInfoData sql;
	ListCell *cell;

	initStringInfo(&sql);
	foreach (cell, column->predicates)
	{
		const Predicate *predicate = lfirst(cell);

		if (!predicate_names(predicate, attribute))
			continue;
		for (const char *at = format; *at; at++)
			if (at[0] == '%' && at[1] == 'i')
			{
				appendStringInfo(&sql, "%d", foreach_current_index(cell));
				at++;
			}
			else if (at[0] == '%' && at[1] == 'c')
			{
				appendStringInfoString(
					&sql, predicate_condition(predicate, column->source, attribute, value));
				at++;
			}
			else
				appendStringInfoChar(&sql, *at);
	}
	return sql.data;
}

bool
cell_query_takes_null(const CellColumn *column, const Predicate *predicate)
{
	ListCell *cell;

	foreach (cell, predicate->comparisons)
	{
		const Comparison *comparison = lfirst(cell);

		if (comparison->attribute == column->source->quasi[column->quasi] &&
			comparison->kind != COMPARE_NULL)
			return false;
	}
	return true;
}

void
cell_query_append_shares(StringInfo sql, const CellColumn *column, const char *counted)
{
	ListCell *cell;

	foreach (cell, column->predicates)
	{
		int i = foreach_current_index(cell);

		if (predicate_names(lfirst(cell), column->source->quasi[column->quasi]))
			appendStringInfo(sql,
							 ", CASE WHEN r.own THEN %d ELSE coalesce(%s.h%d::float8 / %s.members, "
							 "0) END AS s%d",
							 cell_query_takes_null(column, lfirst(cell)), counted, i, counted, i);
	}
}

/* A label of the dimension is what the dimension says, also if it is a range. */
static bool
is_label_type(const CellColumn *column)
{
	Oid dimension = cell_query_attribute(column)->dimension;
	Description *table;

	if (!OidIsValid(dimension))
		return false;
	table = description_load_columns(dimension);
	for (int i = 1; i < table->attribute_count; i++)
		if (table->attributes[i].type == column->type)
			return true;
	return false;
}

bool
cell_query_is_interval(const CellColumn *column)
{
	return column->level == CELL_LEVEL_UNKNOWN && type_is_range(getBaseType(column->type)) &&
		   !is_label_type(column) &&
		   getBaseType(column->type) != getBaseType(cell_query_attribute(column)->type);
}

void
cell_query_append(StringInfo sql, const CellColumn *column)
{
	const MaskedDigits *digits = cell_digits_find(column);

	if (digits)
		cell_digits_append(sql, column, digits);
	else if (cell_query_is_interval(column))
		cell_interval_append(sql, column);
	else
		cell_label_append(sql, column);
}
