/*
 * cell_interval.c
 *		See cell_interval.h.
 *
 * Ends of ranges, values and constants become numeric: the number itself, days
 * or seconds since 1970.  numeric is exact and has infinities.  For column 1,
 * age, and the release's cells c1 of type int4range:
 *
 *	extent1  (least, greatest): finite values of the source
 *	raw1     the cells with their ends (l, u), NULL where there is none
 *	whole1   .. brought to the least and greatest number inside (lo, hi)
 *	ends1    .. with the source's where there is none: what the cell stands for,
 *	         or is it NULL itself (own)?
 *	cell1    its loss, and the shares that predicates cover
 *
 * Each is materialized: the planner would otherwise write their expressions
 * into one another, and hundreds of predicates would each have a copy.
 */
#include "postgres.h"

#include "cell/cell_interval.h"

#include "catalog/pg_type.h"
#include "relation/predicate.h"
#include "sql/loss_query.h"
#include "sql/number_query.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

/* A share as float8, which has no numbers as small as numeric's: those are 0. */
static char *
share(const char *numeric)
{
	return psprintf("trim_scale(round(%s, 300))::float8", numeric);
}

/* The place of a value of some type on the scale. */
static char *
place(Oid type, const char *value)
{
	switch (type)
	{
		case DATEOID:
			return psprintf("(EXTRACT(epoch FROM %s) / 86400)", value);
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			return psprintf("EXTRACT(epoch FROM %s)", value);
		default:
			return psprintf("(%s)::numeric", value);
	}
}

static bool
is_whole(Oid type)
{
	return type == INT2OID || type == INT4OID || type == INT8OID || type == DATEOID;
}

static bool
is_number(Oid type)
{
	return type == INT2OID || type == INT4OID || type == INT8OID || type == NUMERICOID;
}

/* SQL: is a value of the source finite? */
static char *
is_finite(Oid type, const char *value)
{
	if (type == NUMERICOID)
		return psprintf("%s NOT IN ('NaN', 'Infinity', '-Infinity')", value);
	if (is_number(type))
		return psprintf("%s IS NOT NULL", value);
	return psprintf("isfinite(%s)", value);
}

static Oid
check_range(const CellColumn *column)
{
	const DescribedAttribute *attribute = cell_query_attribute(column);
	Oid value = getBaseType(attribute->type);
	Oid type = getBaseType(column->type);
	Oid subtype = getBaseType(get_range_subtype(type));

	if (subtype != value && !(is_number(subtype) && is_number(value)))
		ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
						errmsg("column \"%s\" of relation %s cannot be understood",
							   column->released, column->release),
						errdetail("Its type is %s, that of column \"%s\" in relation %s is %s.",
								  format_type_be(column->type), attribute->name,
								  column->source->name, format_type_be(attribute->type))));
	if (!is_number(subtype) && !is_whole(subtype) && subtype != TIMESTAMPOID &&
		subtype != TIMESTAMPTZOID)
		ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
						errmsg("column \"%s\" of relation %s cannot be understood",
							   column->released, column->release),
						errdetail("Widths of type %s are not known.", format_type_be(type))));
	return subtype;
}

/* The source's least and greatest finite value, and the cells with their ends. */
static void
append_raw(StringInfo sql, const CellColumn *column, Oid subtype, bool whole)
{
	const DescribedAttribute *attribute = cell_query_attribute(column);
	const char *value = psprintf("s.%s", quote_identifier(attribute->name));
	Oid type = getBaseType(attribute->type);
	const char *finite = is_finite(type, value);
	int number = column->number;

	appendStringInfo(
		sql, ", extent%d AS MATERIALIZED (SELECT %s AS least, %s AS greatest FROM %s s)", number,
		place(type, psprintf("min(%s) FILTER (WHERE %s)", value, finite)),
		place(type, psprintf("max(%s) FILTER (WHERE %s)", value, finite)), column->source->name);
	appendStringInfo(sql,
					 ", raw%d AS MATERIALIZED (SELECT c.i%d AS id, c.c%d AS v, sum(c.n) AS n,"
					 " %s AS l, %s AS u FROM coded c GROUP BY c.i%d, c.c%d)",
					 number, number, number, place(subtype, psprintf("lower(c.c%d)", number)),
					 place(subtype, psprintf("upper(c.c%d)", number)), number, number);
	appendStringInfo(sql, ", whole%d AS MATERIALIZED (SELECT r.*, %s FROM raw%d r)", number,
					 whole
						 ? "CASE WHEN lower_inc(r.v) THEN ceil(r.l) ELSE floor(r.l) + 1 END AS lo,"
						   " CASE WHEN upper_inc(r.v) THEN floor(r.u) ELSE ceil(r.u) - 1 END AS hi"
						 : "r.l AS lo, r.u AS hi",
					 number);
}

/* An infinite end stays where the cell is that point. */
static void
append_ends(StringInfo sql, const CellColumn *column)
{
	appendStringInfo(
		sql,
		", ends%d AS MATERIALIZED (SELECT r.id, r.n, r.v, %s AS own,"
		" isempty(r.v) OR r.lo > r.hi AS empty,"
		" CASE WHEN r.lo = r.hi OR r.lof IS NOT NULL THEN r.lo ELSE least(e.least, r.hif) END AS "
		"lo,"
		" CASE WHEN r.lo = r.hi OR r.hif IS NOT NULL THEN r.hi ELSE greatest(e.greatest, r.lof) END"
		" AS hi, e.greatest - e.least AS width"
		" FROM (SELECT r.*, CASE WHEN r.lo NOT IN ('NaN', 'Infinity', '-Infinity') THEN r.lo END"
		" AS lof, CASE WHEN r.hi NOT IN ('NaN', 'Infinity', '-Infinity') THEN r.hi END AS hif"
		" FROM whole%d r) r, extent%d e)",
		column->number, cell_query_own_null(column), column->number, column->number);
}

/* A constant as a place. */
static char *
place_of(const CellColumn *column, const void *constant)
{
	return place(getBaseType(cell_query_attribute(column)->type), constant);
}

static char *
list_of(const CellColumn *column, const Comparison *comparison)
{
	StringInfoData list;
	ListCell *cell;

	initStringInfo(&list);
	foreach (cell, comparison->constants)
		appendStringInfo(&list, "%s%s", list.len > 0 ? ", " : "", place_of(column, lfirst(cell)));
	return list.data;
}

/* What a predicate asks of the attribute's place. */
typedef struct Demand
{
	bool null;            /* that it be NULL */
	StringInfoData inner; /* condition over the place p */
	StringInfoData point; /* the same over r.lo */
	StringInfoData lower; /* bounds, each after a comma */
	StringInfoData upper;
	const char *points; /* list of the first set of points, or NULL */
} Demand;

static void
add_test(Demand *demand, const char *operator, const char * operand)
{
	appendStringInfo(&demand->inner, " AND p %s %s", operator, operand);
	appendStringInfo(&demand->point, " AND r.lo %s %s", operator, operand);
}

/* The bounds of whole numbers are taken at the least or greatest number that satisfies. */
static void
add_bound(Demand *demand, ComparisonKind kind, const char *bound, bool whole)
{
	switch (kind)
	{
		case COMPARE_LESS:
			appendStringInfo(&demand->upper, whole ? ", ceil(%s) - 1" : ", %s", bound);
			break;
		case COMPARE_LESS_EQUAL:
			appendStringInfo(&demand->upper, whole ? ", floor(%s)" : ", %s", bound);
			break;
		case COMPARE_GREATER:
			appendStringInfo(&demand->lower, whole ? ", floor(%s) + 1" : ", %s", bound);
			break;
		default:
			appendStringInfo(&demand->lower, whole ? ", ceil(%s)" : ", %s", bound);
			break;
	}
}

static Demand
demand_of(const CellColumn *column, const Predicate *predicate, bool whole)
{
	Demand demand = {.null = false};
	ListCell *cell;

	initStringInfo(&demand.inner);
	initStringInfo(&demand.point);
	initStringInfo(&demand.lower);
	initStringInfo(&demand.upper);
	appendStringInfoString(&demand.inner, "p = floor(p)");
	appendStringInfoString(&demand.point, "true");
	foreach (cell, predicate->comparisons)
	{
		const Comparison *comparison = lfirst(cell);

		if (comparison->attribute != column->source->quasi[column->quasi])
			continue;
		if (comparison->kind == COMPARE_NULL)
			demand.null = true;
		else if (comparison->kind == COMPARE_IN)
		{
			const char *list = list_of(column, comparison);

			demand.points = demand.points ? demand.points : list;
			add_test(&demand, "IN", psprintf("(%s)", list));
		}
		else if (comparison->kind != COMPARE_NOT_NULL)
		{
			const char *bound = place_of(column, linitial(comparison->constants));

			add_test(&demand, predicate_operator(comparison->kind), bound);
			add_bound(&demand, comparison->kind, bound, whole);
		}
	}
	return demand;
}

/*
 * The share of the interval r that a predicate covers.  A point is in or out;
 * points have no length in what has.  Written without subqueries where
 * possible: each would be planned by itself.
 */
static char *
share_of(const CellColumn *column, const Predicate *predicate, bool whole)
{
	Demand demand = demand_of(column, predicate, whole);
	const char *one = whole ? " + 1" : "";
	const char *covered = "0";

	if (demand.null)
		return pstrdup("0");
	if (demand.points && whole)
		covered = psprintf("(SELECT count(DISTINCT p) FROM unnest(ARRAY[%s]) p"
						   " WHERE p BETWEEN r.lo AND r.hi AND %s)",
						   demand.points, demand.inner.data);
	else if (!demand.points)
	{
		const char *lower = psprintf("greatest(r.lo%s)", demand.lower.data);
		const char *upper = psprintf("least(r.hi%s)", demand.upper.data);

		covered = psprintf("CASE WHEN %s >= %s THEN %s - %s%s ELSE 0 END", upper, lower, upper,
						   lower, one);
	}
	return psprintf("CASE WHEN r.lo = r.hi THEN (%s)::int"
					" ELSE coalesce((%s) / (r.hi - r.lo%s), 0) END",
					demand.point.data, covered, one);
}

void
cell_interval_append(StringInfo sql, const CellColumn *column)
{
	Oid subtype = check_range(column);
	bool whole = is_whole(subtype) || is_whole(getBaseType(cell_query_attribute(column)->type));
	int number = column->number;
	ListCell *cell;

	append_raw(sql, column, subtype, whole);
	append_ends(sql, column);
	appendStringInfo(sql,
					 ", cell%d AS MATERIALIZED (SELECT r.id, r.n,"
					 " CASE WHEN r.empty THEN format('%%s', r.v) END AS strange,"
					 " CASE WHEN r.own THEN 0"
					 " WHEN lower_inf(r.v) AND upper_inf(r.v) AND coalesce(r.width, 0) = 0"
					 " THEN %s ELSE %s END AS loss",
					 number,
					 loss_query_of_all("(r.width IS NOT NULL)::int", cell_query_has_null(column)),
					 share(loss_query_of_part("r.hi - r.lo", "r.width")));
	foreach (cell, column->predicates)
		if (predicate_names(lfirst(cell), column->source->quasi[column->quasi]))
			appendStringInfo(sql, ", CASE WHEN r.own THEN %d ELSE %s END AS s%d",
							 cell_query_takes_null(column, lfirst(cell)),
							 share(share_of(column, lfirst(cell), whole)),
							 foreach_current_index(cell));
	appendStringInfo(sql, " FROM ends%d r)", number);
}
