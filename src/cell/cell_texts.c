/*
 * cell_texts.c
 *		See cell_texts.h.
 *
 * To measure column 1, age with the dimension ages(age, range, top), the predicate
 * age < 30 being number 0:
 *
 *	kin1   (level, key, members, h0): how many values lie under a label, and how many of
 *	       them are below 30; above all labels: the whole domain, any1
 *	run1   (at, m, one, h0, u0): how many values of the domain lie up to this one, which is
 *	       one itself; does the predicate take it, and how many up to it?
 *	read1  the cells with the first of their terms; are they NULL themselves (own)?
 *	found1 .. looked up in kin1, or in run1
 *	cell1  their loss, and the shares that predicates cover
 */
#include "postgres.h"

#include "cell/cell_texts.h"

#include "catalog/pg_type.h"
#include "cell/hidden_format.h"
#include "dimension/star_query.h"
#include "parser/parse_coerce.h"
#include "proof/cell_cover.h"
#include "sql/comparison.h"
#include "sql/loss_query.h"
#include "utils/lsyscache.h"

/* Appends the tables of the formats, then their terms together. */
static CellTexts
append_terms(StringInfo sql, const CellColumn *column)
{
	const DescribedAttribute *attribute = cell_format_attribute(column);
	Oid type = getBaseType(column->type);
	bool same = type == getBaseType(attribute->type);
	CellTexts texts = {.column = column, .text = TypeCategory(type) == TYPCATEGORY_STRING};

	texts.stray = same && (!texts.text || column->level == 0);
	texts.values = same && ((texts.stray && column->predicates != NIL) ||
							!comparison_is_exact(attribute->type, -1, attribute->collation));
	texts.height = cell_format_height(column);
	if (texts.height > 0)
	{
		texts.labels = palloc0(sizeof(StarColumn) * (texts.height + 1));
		for (int level = 1; level <= texts.height; level++)
			texts.labels[level] = cell_format_star(column, level);
	}
	for (const CellFormat *const *format = cell_formats; *format; format++)
		if ((*format)->tables)
			(*format)->tables(sql, &texts);
	appendStringInfo(sql, ", term%d (t, level, key, lo, hi) AS MATERIALIZED (", column->number);
	for (const CellFormat *const *format = cell_formats; *format; format++)
		if ((*format)->terms)
			(*format)->terms(sql, &texts);
	appendStringInfoChar(sql, ')');
	return texts;
}

static void
append_counts(StringInfo sql, const CellTexts *texts)
{
	const CellColumn *column = texts->column;
	int number = column->number;
	int all = CELL_TEXTS_ALL(texts);

	appendStringInfo(
		sql, ", kin%d AS MATERIALIZED (SELECT x.level, x.key, count(*) AS members%s FROM (", number,
		cell_format_each(column, ", count(*) FILTER (WHERE %c) AS h%i", "x.v"));
	if (texts->height > 0)
		appendStringInfo(sql,
						 "SELECT d.level, d.key, d.v FROM node%d d"
						 " UNION ALL SELECT %d, '', d.v FROM node%d d WHERE d.level = 1",
						 number, all, number);
	else
		appendStringInfo(sql, "SELECT %d AS level, '' AS key, o.v FROM one%d o WHERE o.origin < 2",
						 all, number);
	appendStringInfo(
		sql,
		") x GROUP BY x.level, x.key),"
		" any%d AS MATERIALIZED (SELECT k.members FROM kin%d k WHERE k.level = %d),"
		" run%d AS MATERIALIZED (SELECT o.at, (o.origin < 2)::int AS one,"
		" count(*) FILTER (WHERE o.origin < 2) OVER (ORDER BY o.at) AS m%s FROM one%d o)",
		number, number, all, number,
		cell_format_each(column,
						 ", (%c)::int AS h%i, count(*) FILTER (WHERE %c AND o.origin < 2)"
						 " OVER (ORDER BY o.at) AS u%i",
						 "o.v"),
		number);
}

/* The levels that cells may have, if known. */
static const char *
level_condition(const CellTexts *texts)
{
	switch (texts->column->level)
	{
		case CELL_LEVEL_UNKNOWN:
			return "";
		case 0:
			return psprintf(" WHERE t.level IN (0, %d)", CELL_TEXTS_STRAY(texts));
		default: /* values the dimension lacks are at the top */
			return psprintf(" WHERE t.level IN (%d, %d, %d)", texts->column->level, texts->height,
							CELL_TEXTS_ALL(texts));
	}
}

void
cell_texts_measure(StringInfo sql, const CellColumn *column)
{
	CellTexts texts = append_terms(sql, column);
	int number = column->number;
	int all = CELL_TEXTS_ALL(&texts);
	const char *domain = psprintf("(SELECT w.members FROM any%d w)", number);

	append_counts(sql, &texts);
	appendStringInfo(
		sql,
		", read%d AS MATERIALIZED (SELECT r.*, %s AS own,"
		" CASE WHEN r.v IS NOT DISTINCT FROM NULL THEN %d ELSE p.level END AS level,"
		" CASE WHEN r.v IS NOT DISTINCT FROM NULL THEN '' ELSE p.key END AS key, p.lo, p.hi"
		" FROM raw%d r LEFT JOIN (SELECT DISTINCT ON (t.t) t.* FROM term%d t%s"
		" ORDER BY t.t, t.level, t.key, t.lo) p ON p.t = r.t AND r.v IS DISTINCT FROM NULL),"
		" found%d AS MATERIALIZED (SELECT r.*,"
		" coalesce(k.members, greatest(b.m - a.m + a.one, 1)) AS members%s FROM read%d r"
		" LEFT JOIN kin%d k ON k.level = r.level AND k.key = r.key"
		" LEFT JOIN run%d a ON a.at = r.lo LEFT JOIN run%d b ON b.at = r.hi)",
		number, hidden_format_own_null(column), all, number, number, level_condition(&texts),
		number, cell_format_each(column, ", coalesce(k.h%i, b.u%i - a.u%i + a.h%i) AS h%i", ""),
		number, number, number, number);
	appendStringInfo(
		sql,
		", cell%d AS MATERIALIZED (SELECT r.id, r.n, r.t,"
		" CASE WHEN r.level IS NULL THEN r.t END AS unrecognized, CASE WHEN r.own THEN 0"
		" WHEN r.level BETWEEN %d AND %d AND r.members = %s THEN %s ELSE %s END AS loss,"
		" CASE WHEN r.own OR r.level = %d THEN 0 ELSE r.level END AS level",
		number, Max(texts.height, 1), all, domain,
		loss_query_of_all(domain, hidden_format_has_others(column)),
		loss_query_of_leaves("r.members", domain), CELL_TEXTS_STRAY(&texts));
	cell_format_append_shares(sql, column, "r");
	appendStringInfo(sql, " FROM found%d r)", number);
}

void
cell_texts_cover(StringInfo sql, const CellColumn *column)
{
	CellTexts texts = append_terms(sql, column);
	int number = column->number;
	const char *all = psprintf("t.level = %d", CELL_TEXTS_ALL(&texts));
	const char *under = "";

	/* So does the single label at the top.  Values below other labels may not be in the source. */
	if (texts.height > 0)
	{
		all = psprintf("(%s OR (t.level = %d AND"
					   " (SELECT count(DISTINCT d.key) FROM node%d d WHERE d.level = %d) = 1))",
					   all, texts.height, number, texts.height);
		under = psprintf(" LEFT JOIN node%d d ON d.level = t.level AND d.key = t.key"
						 " LEFT JOIN one%d o ON %s AND o.origin = 0",
						 number, number,
						 comparison_equal("o.v", "d.v", cell_format_attribute(column)->type));
	}
	appendStringInfo(
		sql,
		", hit%d AS MATERIALIZED (SELECT r.id, t.level, t.key, t.lo, t.hi,"
		" CASE WHEN t.t IS NULL THEN r.t END AS unrecognized"
		" FROM raw%d r LEFT JOIN term%d t ON t.t = r.t),"
		" cover%d AS (SELECT t.id, t.unrecognized, CASE WHEN t.unrecognized IS NOT NULL THEN NULL "
		"WHEN %s"
		" THEN 0 ELSE coalesce(a.upto - (a.origin = 0)::int, %s0) END AS lo,"
		" CASE WHEN %s THEN %d ELSE coalesce(b.upto, %s0) END AS hi"
		" FROM hit%d t LEFT JOIN one%d a ON a.at = t.lo LEFT JOIN one%d b ON b.at = t.hi%s)",
		number, number, number, number, all, texts.height > 0 ? "o.upto - 1, " : "", all,
		CELL_COVER_ALL, texts.height > 0 ? "o.upto, " : "", number, number, number, under);
}
