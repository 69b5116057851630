/*
 * cell_format.c
 *		See cell_format.h.
 */
#include "postgres.h"

#include "cell/cell_format.h"

#include "catalog/pg_type.h"
#include "cell/cell_texts.h"
#include "cell/digits_format.h"
#include "cell/hidden_format.h"
#include "cell/interval_format.h"
#include "cell/label_format.h"
#include "cell/range_format.h"
#include "cell/value_format.h"
#include "sql/type_query.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rls.h"

const CellFormat *const cell_formats[] = {
	&range_format,    &digits_format, &value_format, &label_format,
	&interval_format, &hidden_format, NULL,
};

const CellFormat *
cell_format_choose(Oid type, bool labels, bool digits, bool spans)
{
	if (labels)
		return digits ? &digits_format : &label_format;
	if (!spans)
		return &value_format;
	return OidIsValid(type_query_range(getBaseType(type))) ? &range_format : &interval_format;
}

Oid
cell_format_type(const CellFormat *format, Oid type)
{
	return format->type ? format->type(getBaseType(type)) : TEXTOID;
}

GroupedRows
cell_format_begin(StringInfo sql, const List *columns)
{
	Bitmapset *numbers = NULL;
	const char *table;
	GroupedRows rows;
	ListCell *cell;

	foreach (cell, columns)
		numbers = bms_add_member(numbers, cell_format_attribute(lfirst(cell))->number);
	rows =
		grouped_rows(((const CellColumn *) linitial(columns))->source, numbers, GROUPED_FOR_ROWS);
	table = grouped_rows_once(&rows);
	appendStringInfo(sql, "WITH %s%s", table ? table : "", table ? ", " : "");
	foreach (cell, columns)
		((CellColumn *) lfirst(cell))->rows = rows.relation;
	return rows;
}

void
cell_format_measure(StringInfo sql, const CellColumn *column)
{
	int number = column->number;
	bool asked = cell_format_is_asked(column);

	appendStringInfo(sql,
					 ", raw%d AS MATERIALIZED (SELECT %s AS id, c.c%d AS v, format('%%s', c.c%d)"
					 " COLLATE \"C\" AS t, sum(c.n) AS n FROM %s c GROUP BY 1, 2)",
					 number, asked ? psprintf("c.i%d", number) : "NULL::int8", number, number,
					 asked ? "asked" : "class");
	for (const CellFormat *const *format = cell_formats; *format; format++)
		if ((*format)->measure && (*format)->measure(sql, column))
			return;
	cell_texts_measure(sql, column);
}

/* Equal cells may have several spellings; for ranges any will do. */
void
cell_format_cover(StringInfo sql, const CellColumn *column)
{
	bool one = type_is_range(getBaseType(column->type));

	appendStringInfo(
		sql,
		"raw%d AS MATERIALIZED (SELECT dense_rank() OVER (ORDER BY x.v) - 1 AS id, x.v,"
		" format('%%s', x.v) COLLATE \"C\" AS t, 1 AS n FROM (SELECT r.%s AS v"
		" FROM %s r GROUP BY r.%s%s) x WHERE x.v IS DISTINCT FROM NULL)",
		column->number, quote_identifier(column->released),
		column->cells ? column->cells : column->release, quote_identifier(column->released),
		one ? ""
			: psprintf(", format('%%s', r.%s) COLLATE \"C\"", quote_identifier(column->released)));
	for (const CellFormat *const *format = cell_formats; *format; format++)
		if ((*format)->cover && (*format)->cover(sql, column))
			return;
	cell_texts_cover(sql, column);
}

/* ---- for formats */

int
cell_format_height(const CellColumn *column)
{
	const DescribedAttribute *attribute = cell_format_attribute(column);

	return OidIsValid(attribute->dimension) ? star_query_height(attribute) : 0;
}

const DescribedAttribute *
cell_format_attribute(const CellColumn *column)
{
	return column->source->quasi[column->quasi];
}

static bool
is_hidden_from_caller(Oid relation)
{
	return OidIsValid(relation) && check_enable_rls(relation, InvalidOid, true) == RLS_ENABLED;
}

void
cell_format_report_unrecognized(const CellColumn *column, const char *text, const char *cells)
{
	bool hidden = is_hidden_from_caller(column->source->relation) ||
				  is_hidden_from_caller(cell_format_attribute(column)->dimension);

	ereport(ERROR,
			(errcode(hidden ? ERRCODE_INSUFFICIENT_PRIVILEGE : ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("cell \"%s\" in column \"%s\" of relation %s cannot be understood", text,
					column->released, column->release),
			 errdetail_internal("%s", cells),
			 hidden ? errhint("Row security hides some of the generalized values from you. "
							  "Ask somebody who may see all rows of relation %s.",
							  column->source->name)
					: 0));
}

bool
cell_format_is_asked(const CellColumn *column)
{
	ListCell *cell;

	foreach (cell, column->predicates)
		if (predicate_names(lfirst(cell), cell_format_attribute(column)))
			return true;
	return false;
}

StarColumn
cell_format_star(const CellColumn *column, int level)
{
	int *levels = palloc0(sizeof(int) * column->source->quasi_count);
	Description source = *column->source;

	levels[column->quasi] = level;
	source.name = column->rows;
	return star_query_build(&source, levels, 0).columns[column->quasi];
}

const char *
cell_format_value(const CellColumn *column)
{
	return psprintf("s.%s", quote_identifier(cell_format_attribute(column)->name));
}

char *
cell_format_each(const CellColumn *column, const char *format, const char *value)
{
	const DescribedAttribute *attribute = cell_format_attribute(column);
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
				appendStringInfoString(&sql, predicate_condition(predicate, attribute, value));
				at++;
			}
			else
				appendStringInfoChar(&sql, *at);
	}
	return sql.data;
}

bool
cell_format_takes_null(const CellColumn *column, const Predicate *predicate)
{
	ListCell *cell;

	foreach (cell, predicate->comparisons)
	{
		const Comparison *comparison = lfirst(cell);

		if (comparison->attribute == cell_format_attribute(column) &&
			comparison->kind != COMPARE_NULL)
			return false;
	}
	return true;
}

void
cell_format_append_shares(StringInfo sql, const CellColumn *column, const char *counted)
{
	ListCell *cell;

	foreach (cell, column->predicates)
	{
		int i = foreach_current_index(cell);

		if (predicate_names(lfirst(cell), cell_format_attribute(column)))
			appendStringInfo(sql,
							 ", CASE WHEN r.own THEN %d ELSE coalesce(%s.h%d::float8 / %s.members, "
							 "0) END AS s%d",
							 cell_format_takes_null(column, lfirst(cell)), counted, i, counted, i);
	}
}
