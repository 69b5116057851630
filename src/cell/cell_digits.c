/*
 * cell_digits.c
 *		See cell_digits.h.
 *
 * For column 1, zip with five digits masked by *, the predicate zip < '53700' as
 * number 0:
 *
 *	raw1   the cells as texts (t)
 *	read1  .. NULL being *****, unless it means itself (own); the places of hidden
 *	       digits (hidden)
 *	kin1   (t, members, h0): the ground values with the same digits hidden as some
 *	       cell, how many look alike, and how many of these are below 53700
 *	cell1  the share of digits hidden, and the shares that predicates cover
 */
#include "postgres.h"

#include "cell/cell_digits.h"

#include "dimension/dimension_query.h"
#include "dimension/star_query.h"
#include "matching/cell_rows.h"
#include "sql/value_text.h"
#include "utils/builtins.h"

const MaskedDigits *
cell_digits_find(const CellColumn *column)
{
	const DescribedAttribute *attribute = cell_query_attribute(column);
	Budget budget = budget_begin();

	if (!column->cellwise || !OidIsValid(attribute->dimension))
		return NULL;
	return masked_digits_find(dimension_query_load(column->source, attribute, &budget), NULL, 0,
							  CELL_ATTRIBUTES_MOST);
}

static void
append_read(StringInfo sql, const CellColumn *column, const MaskedDigits *masked)
{
	const char *mask = quote_literal_cstr(masked->mask);
	int number = column->number;

	appendStringInfo(sql,
					 ", raw%d AS MATERIALIZED (SELECT c.i%d AS id, c.c%d AS v,"
					 " coalesce(%s, repeat(%s, %d)) COLLATE \"C\" AS t, sum(c.n) AS n"
					 " FROM coded c GROUP BY c.i%d, c.c%d)",
					 number, number, number,
					 value_text_expression(psprintf("c.c%d", number), column->type), mask,
					 masked->digits, number, number);
	appendStringInfo(sql,
					 ", read%d AS MATERIALIZED (SELECT r.*, %s AS own, ARRAY(SELECT i FROM"
					 " generate_series(1, length(r.t)) i WHERE substr(r.t, i, 1) = %s) AS hidden"
					 " FROM raw%d r)",
					 number, cell_query_own_null(column), mask, number);
}

/* The ground values, each hidden in all the ways that cells are. */
static void
append_kin(StringInfo sql, const CellColumn *column, const MaskedDigits *masked)
{
	int number = column->number;
	int *levels = palloc0(sizeof(int) * column->source->quasi_count);

	levels[column->quasi] = 1;
	appendStringInfo(
		sql,
		", kin%d AS MATERIALIZED (SELECT x.t, count(*) AS members%s FROM (SELECT p.v,"
		" (SELECT string_agg(CASE WHEN i = ANY (m.hidden) THEN %s"
		" ELSE substr(%s, i, 1) END, '' ORDER BY i)"
		" FROM generate_series(1, %d) i) COLLATE \"C\" AS t"
		" FROM (%s) p (v, l), (SELECT DISTINCT r.hidden FROM read%d r) m) x GROUP BY x.t)",
		number, cell_query_each(column, ", count(*) FILTER (WHERE %c) AS h%i", "x.v"),
		quote_literal_cstr(masked->mask),
		value_text_expression("p.v", cell_query_attribute(column)->type), masked->digits,
		star_query_build(column->source, levels, 0).columns[column->quasi].pairs, number);
}

void
cell_digits_append(StringInfo sql, const CellColumn *column, const MaskedDigits *masked)
{
	int number = column->number;
	StringInfoData shares;

	initStringInfo(&shares);
	cell_query_append_shares(&shares, column, "k");
	append_read(sql, column, masked);
	if (shares.len > 0)
		append_kin(sql, column, masked);
	appendStringInfo(sql,
					 ", cell%d AS MATERIALIZED (SELECT r.id, r.n,"
					 " CASE WHEN length(r.t) <> %d THEN r.t END AS strange,"
					 " CASE WHEN r.own THEN 0 ELSE cardinality(r.hidden)::float8 / %d END AS loss%s"
					 " FROM read%d r",
					 number, masked->digits, masked->digits, shares.data, number);
	if (shares.len > 0)
		appendStringInfo(sql, " LEFT JOIN kin%d k ON k.t = r.t", number);
	appendStringInfoChar(sql, ')');
}
