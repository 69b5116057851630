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
 *	domain1  the ground values (v) and their texts (t)
 *	kin1   (t, members, h0): the ground values with the same digits hidden as some
 *	       cell, how many look alike, and how many of these are below 53700
 *	cell1  the loss, and the shares that predicates cover
 */
#include "postgres.h"

#include "cell/cell_digits.h"

#include "dimension/dimension_query.h"
#include "dimension/star_query.h"
#include "matching/cell_rows.h"
#include "sql/loss_query.h"
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

/* The ground values' texts, and each hidden in all the ways that cells are. */
static void
append_kin(StringInfo sql, const CellColumn *column, const MaskedDigits *masked)
{
	int number = column->number;
	int *levels = palloc0(sizeof(int) * column->source->quasi_count);
	StringInfoData hidden;

	levels[column->quasi] = 1;
	initStringInfo(&hidden);
	for (int digit = 1; digit <= masked->digits; digit++)
		appendStringInfo(&hidden,
						 "%sCASE WHEN %d = ANY (m.hidden) THEN %s ELSE substr(d.t, %d, 1) END",
						 digit > 1 ? " || " : "", digit, quote_literal_cstr(masked->mask), digit);
	appendStringInfo(
		sql,
		", domain%d AS MATERIALIZED (SELECT p.v, %s COLLATE \"C\" AS t FROM (%s) p (v, l)"
		" WHERE p.v IS DISTINCT FROM NULL),"
		" kin%d AS MATERIALIZED (SELECT x.t, count(*) AS members%s FROM (SELECT d.v, %s AS t"
		" FROM domain%d d, (SELECT DISTINCT r.hidden FROM read%d r) m) x GROUP BY x.t)",
		number, value_text_expression("p.v", cell_query_attribute(column)->type),
		star_query_build(column->source, levels, 0).columns[column->quasi].pairs, number,
		cell_query_each(column, ", count(*) FILTER (WHERE %c) AS h%i", "x.v"), hidden.data, number,
		number);
}

void
cell_digits_append(StringInfo sql, const CellColumn *column, const MaskedDigits *masked)
{
	int number = column->number;
	const char *domain = psprintf("(SELECT count(*) FROM domain%d d)", number);

	append_read(sql, column, masked);
	append_kin(sql, column, masked);
	appendStringInfo(sql,
					 ", cell%d AS MATERIALIZED (SELECT r.id, r.n,"
					 " CASE WHEN length(r.t) <> %d THEN r.t END AS strange,"
					 " CASE WHEN r.own THEN 0 WHEN cardinality(r.hidden) = %d THEN %s"
					 " ELSE %s END AS loss",
					 number, masked->digits, masked->digits,
					 loss_query_of_all(domain, cell_query_has_null(column)),
					 loss_query_of_leaves("k.members", domain));
	cell_query_append_shares(sql, column, "k");
	appendStringInfo(sql, " FROM read%d r LEFT JOIN kin%d k ON k.t = r.t)", number, number);
}
