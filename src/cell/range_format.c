/*
 * range_format.c
 *		See range_format.h.
 *
 * Ranges are written without their type's canonical function: to it the last
 * value of a type, which has no successor, is an error.  Here [1, 2147483647] of
 * int4 becomes [1,).
 *
 * To measure them, ends of ranges, values and constants become numeric: the number itself, days
 * or seconds since 1970.  numeric is exact and has infinities.  For column 1,
 * age, and the release's cells of type int4range:
 *
 *	extent1  (least, greatest): finite values of the source
 *	whole1   the cells with their ends, brought to the least and greatest number inside
 *	         (lo, hi), NULL where there is none
 *	ends1    .. with the source's where there is none: what the cell stands for,
 *	         or is it NULL itself (own)?
 *	cell1    its loss, and the shares that predicates cover
 *
 * Each is materialized: the planner would otherwise write their expressions
 * into one another, and hundreds of predicates would each have a copy.
 *
 * What they cover goes by the order of values alone, whatever their type:
 *
 *	event1   the values and the ends of cells, in places on one scale; ends that take
 *	         equal values along come behind these (lower: before)
 *	rank1    how many values lie before each end
 */
#include "postgres.h"

#include "cell/range_format.h"

#include "base/compat.h"
#include "catalog/pg_type.h"
#include "cell/cell_writer.h"
#include "cell/hidden_format.h"
#include "proof/cell_cover.h"
#include "sql/loss_query.h"
#include "sql/type_query.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/lsyscache.h"
#include "utils/rangetypes.h"
#include "utils/typcache.h"

/* ----------------------------------------------------------------
 * Writing
 * ----------------------------------------------------------------
 */

static void
prepare_range(CellWriter *writer)
{
	writer->range = lookup_type_cache(writer->type, TYPECACHE_RANGE_INFO);
}

/* A value as one of the range's subtype. */
static Datum
bound_value(Oid type, Datum value)
{
	return type == INT2OID ? Int32GetDatum(DatumGetInt16(value)) : value;
}

/* Turns a bound after a value of a discrete type into one before the next value. */
static void
step_over(Oid type, RangeBound *bound)
{
	switch (type)
	{
		case INT2OID:
		case INT4OID:
			bound->infinite = DatumGetInt32(bound->val) == PG_INT32_MAX;
			bound->val = Int32GetDatum((int32) ((uint32) DatumGetInt32(bound->val) + 1));
			break;
		case INT8OID:
			bound->infinite = DatumGetInt64(bound->val) == PG_INT64_MAX;
			bound->val = Int64GetDatum((int64) ((uint64) DatumGetInt64(bound->val) + 1));
			break;
		case DATEOID:
		{
			DateADT day = DatumGetDateADT(bound->val);

			/* Infinity has no successor, as in PostgreSQL's own canonical form. */
			if (DATE_NOT_FINITE(day))
				return;
			bound->val = DateADTGetDatum(IS_VALID_DATE(day + 1) ? day + 1 : DATEVAL_NOEND);
			break;
		}
		default:
			return;
	}
	bound->inclusive = bound->lower;
}

static Datum
write_range(CellWriter *writer, const RecodedCell *cell, bool *isnull)
{
	const DatasetColumn *column = writer->column;
	Oid type = writer->value_type;
	RangeBound lower = {.infinite = true, .lower = true};
	RangeBound upper = {.infinite = true};

	(void) isnull;
	if (cell->kind != RECODED_ALL)
	{
		lower = (RangeBound){.val = bound_value(type, dataset_column_value(column, cell->low)),
							 .inclusive = true,
							 .lower = true};
		upper = (RangeBound){.val = bound_value(type, dataset_column_value(column, cell->high)),
							 .inclusive = true};
		step_over(type, &upper);
	}
	return RangeTypePGetDatum(compat_range_serialize(writer->range, &lower, &upper, false));
}

/* ---- as texts */

/* Quotes a bound as range types do. */
static const char *
quote_bound(const char *text)
{
	StringInfoData quoted;

	if (*text && strpbrk(text, "\"\\()[], \t\n\r\v\f") == NULL)
		return pstrdup(text);
	initStringInfo(&quoted);
	appendStringInfoChar(&quoted, '"');
	for (; *text; text++)
	{
		if (*text == '"' || *text == '\\')
			appendStringInfoChar(&quoted, *text);
		appendStringInfoChar(&quoted, *text);
	}
	appendStringInfoChar(&quoted, '"');
	return quoted.data;
}

RangeCut
range_format_cut(Oid type, Datum value, const char *text)
{
	RangeBound above = {.val = bound_value(type, value), .lower = true};
	Oid function;
	bool varlena;

	step_over(type, &above);
	if (above.inclusive)
	{
		getTypeOutputInfo(get_range_subtype(type_query_range(type)), &function, &varlena);
		text = OidOutputFunctionCall(function, above.val);
	}
	return (RangeCut){.text = above.infinite ? "" : quote_bound(text),
					  .before_next = above.inclusive};
}

char *
range_format_between(const RangeCut *lower, const RangeCut *upper)
{
	return psprintf("%c%s,%s%c", lower && lower->before_next ? '[' : '(', lower ? lower->text : "",
					upper ? upper->text : "", upper && !upper->before_next ? ']' : ')');
}

/* ----------------------------------------------------------------
 * Reading
 * ----------------------------------------------------------------
 */

/* A label of the dimension means what the dimension says, even if it is a range. */
static bool
is_label_type(const CellColumn *column)
{
	Oid dimension = cell_format_attribute(column)->dimension;
	Description *table;

	if (!OidIsValid(dimension))
		return false;
	table = description_load_columns(dimension);
	for (int i = 1; i < table->attribute_count; i++)
		if (table->attributes[i].type == column->type)
			return true;
	return false;
}

/* Are the cells ranges of values, rather than values or labels? */
static bool
are_ranges(const CellColumn *column)
{
	Oid type = getBaseType(column->type);

	return column->level == CELL_LEVEL_UNKNOWN && type_is_range(type) && !is_label_type(column) &&
		   type != getBaseType(cell_format_attribute(column)->type);
}

static bool
is_number(Oid type)
{
	return type == INT2OID || type == INT4OID || type == INT8OID || type == NUMERICOID;
}

static bool
is_whole(Oid type)
{
	return type == INT2OID || type == INT4OID || type == INT8OID || type == DATEOID;
}

static void
report_range(const CellColumn *column, int sqlstate, const char *detail)
{
	ereport(ERROR, (errcode(sqlstate),
					errmsg("column \"%s\" of relation %s cannot be understood", column->released,
						   column->release),
					errdetail_internal("%s", detail)));
}

/* The ranges' subtype, which must match the values. */
static Oid
subtype_of(const CellColumn *column)
{
	const DescribedAttribute *attribute = cell_format_attribute(column);
	Oid value = getBaseType(attribute->type);
	Oid subtype = getBaseType(get_range_subtype(getBaseType(column->type)));

	if (subtype != value && !(is_number(subtype) && is_number(value)))
		report_range(column, ERRCODE_DATATYPE_MISMATCH,
					 psprintf(_("Its type is %s, that of column \"%s\" in relation %s is %s."),
							  format_type_be(column->type), attribute->name, column->source->name,
							  format_type_be(attribute->type)));
	return subtype;
}

/* ---- to measure */

/* A share as float8; numbers too small for float8 become 0. */
static char *
share(const char *numeric)
{
	return psprintf("trim_scale(round(%s, 300))::float8", numeric);
}

/* The place of a value on the scale of its type. */
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

/* The source's least and greatest finite value, and the intervals of the cells. */
static void
append_ends(StringInfo sql, const CellColumn *column, Oid subtype, bool whole)
{
	const char *value = cell_format_value(column);
	Oid type = getBaseType(cell_format_attribute(column)->type);
	const char *finite = type == NUMERICOID
							 ? psprintf("%s NOT IN ('NaN', 'Infinity', '-Infinity')", value)
						 : is_number(type) ? psprintf("%s IS NOT NULL", value)
										   : psprintf("isfinite(%s)", value);
	int number = column->number;

	appendStringInfo(
		sql,
		", extent%d AS MATERIALIZED (SELECT %s AS least, %s AS greatest FROM %s s),"
		" whole%d AS MATERIALIZED (SELECT r.*, %s"
		" FROM (SELECT r.*, %s AS l, %s AS u FROM raw%d r) r)",
		number, place(type, psprintf("min(%s) FILTER (WHERE %s)", value, finite)),
		place(type, psprintf("max(%s) FILTER (WHERE %s)", value, finite)), column->rows, number,
		whole ? "CASE WHEN lower_inc(r.v) THEN ceil(r.l) ELSE floor(r.l) + 1 END AS lo,"
				" CASE WHEN upper_inc(r.v) THEN floor(r.u) ELSE ceil(r.u) - 1 END AS hi"
			  : "r.l AS lo, r.u AS hi",
		place(subtype, "lower(r.v)"), place(subtype, "upper(r.v)"), number);
	/* An infinite end is kept if the cell is that point. */
	appendStringInfo(
		sql,
		", ends%d AS MATERIALIZED (SELECT r.id, r.n, r.v, r.t, %s AS own,"
		" isempty(r.v) OR r.lo > r.hi AS empty,"
		" CASE WHEN r.lo = r.hi OR r.lof IS NOT NULL THEN r.lo ELSE least(e.least, r.hif) END"
		" AS lo,"
		" CASE WHEN r.lo = r.hi OR r.hif IS NOT NULL THEN r.hi ELSE greatest(e.greatest, r.lof) END"
		" AS hi, e.greatest - e.least AS width"
		" FROM (SELECT r.*, CASE WHEN r.lo NOT IN ('NaN', 'Infinity', '-Infinity') THEN r.lo END"
		" AS lof, CASE WHEN r.hi NOT IN ('NaN', 'Infinity', '-Infinity') THEN r.hi END AS hif"
		" FROM whole%d r) r, extent%d e)",
		number, hidden_format_own_null(column), number, number);
}

/* A predicate's condition on the attribute's place. */
typedef struct PlaceTest
{
	bool null;            /* it must be NULL */
	StringInfoData inner; /* condition over the place p */
	StringInfoData point; /* the same over r.lo */
	StringInfoData lower; /* bounds, each after a comma */
	StringInfoData upper;
	const char *points; /* list of the first set of points, or NULL */
} PlaceTest;

static void
add_test(PlaceTest *demand, const char *operator, const char * operand)
{
	appendStringInfo(&demand->inner, " AND p %s %s", operator, operand);
	appendStringInfo(&demand->point, " AND r.lo %s %s", operator, operand);
}

/* Bounds of whole numbers are taken at the least or greatest number that satisfies. */
static void
add_bound(PlaceTest *demand, ComparisonKind kind, const char *bound, bool whole)
{
	bool above = kind == COMPARE_GREATER || kind == COMPARE_GREATER_EQUAL;
	StringInfo bounds = above ? &demand->lower : &demand->upper;

	if (!whole)
		appendStringInfo(bounds, ", %s", bound);
	else if (kind == COMPARE_LESS || kind == COMPARE_GREATER_EQUAL)
		appendStringInfo(bounds, ", ceil(%s)%s", bound, above ? "" : " - 1");
	else
		appendStringInfo(bounds, ", floor(%s)%s", bound, above ? " + 1" : "");
}

static void
add_comparison(PlaceTest *demand, const Comparison *comparison, Oid type, bool whole)
{
	StringInfoData places;
	ListCell *cell;

	initStringInfo(&places);
	foreach (cell, comparison->constants)
		appendStringInfo(&places, "%s%s", places.len > 0 ? ", " : "", place(type, lfirst(cell)));
	switch (comparison->kind)
	{
		case COMPARE_NULL:
			demand->null = true;
			break;
		case COMPARE_NOT_NULL:
			break;
		case COMPARE_IN:
			demand->points = demand->points ? demand->points : places.data;
			add_test(demand, "IN", psprintf("(%s)", places.data));
			break;
		default:
			add_test(demand, predicate_operator(comparison->kind), places.data);
			add_bound(demand, comparison->kind, places.data, whole);
	}
}

/*
 * The share of the interval r that a predicate covers.  A point is in or out; points have no length
 * within an interval.  Avoids subqueries if possible, because each would be planned separately.
 */
static char *
share_of(const CellColumn *column, const Predicate *predicate, bool whole)
{
	PlaceTest demand = {.null = false};
	const char *one = whole ? " + 1" : "";
	const char *covered = "0";
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

		if (comparison->attribute == cell_format_attribute(column))
			add_comparison(&demand, comparison, getBaseType(cell_format_attribute(column)->type),
						   whole);
	}
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

static bool
measure_ranges(StringInfo sql, const CellColumn *column)
{
	int number = column->number;
	Oid subtype;
	bool whole;
	ListCell *cell;

	if (!are_ranges(column))
		return false;
	subtype = subtype_of(column);
	if (!is_number(subtype) && !is_whole(subtype) && subtype != TIMESTAMPOID &&
		subtype != TIMESTAMPTZOID)
		report_range(column, ERRCODE_FEATURE_NOT_SUPPORTED,
					 psprintf(_("Widths of type %s are not known."),
							  format_type_be(getBaseType(column->type))));
	whole = is_whole(subtype) || is_whole(getBaseType(cell_format_attribute(column)->type));
	append_ends(sql, column, subtype, whole);
	appendStringInfo(
		sql,
		", cell%d AS MATERIALIZED (SELECT r.id, r.n, r.t,"
		" CASE WHEN r.empty THEN r.t END AS unrecognized, CASE WHEN r.own THEN 0"
		" WHEN lower_inf(r.v) AND upper_inf(r.v) AND coalesce(r.width, 0) = 0"
		" THEN %s ELSE %s END AS loss, CASE WHEN r.own OR r.lo = r.hi THEN 0"
		" WHEN r.v IS NULL OR lower_inf(r.v) AND upper_inf(r.v) THEN %d ELSE %d END AS level",
		number, loss_query_of_all("(r.width IS NOT NULL)::int", hidden_format_has_others(column)),
		share(loss_query_of_part("CASE WHEN r.lo = r.hi THEN 0 ELSE r.hi - r.lo END", "r.width")),
		CELL_LEVEL_ALL(cell_format_height(column)), CELL_LEVEL_PART(cell_format_height(column)));
	foreach (cell, column->predicates)
		if (predicate_names(lfirst(cell), cell_format_attribute(column)))
			appendStringInfo(sql, ", CASE WHEN r.own THEN %d ELSE %s END AS s%d",
							 cell_format_takes_null(column, lfirst(cell)),
							 share(share_of(column, lfirst(cell), whole)),
							 foreach_current_index(cell));
	appendStringInfo(sql, " FROM ends%d r)", number);
	return true;
}

/* ---- to draw */

char *
range_format_ends(const CellColumn *column, const char *cell, bool *days)
{
	Oid subtype;
	const char *end;

	if (!are_ranges(column))
		return NULL;
	subtype = getBaseType(get_range_subtype(getBaseType(column->type)));
	*days = !is_number(subtype);
	if (is_number(subtype))
		end = "nullif(nullif(nullif(%s(%s)::float8, 'Infinity'), '-Infinity'), 'NaN')";
	else if (subtype == DATEOID || subtype == TIMESTAMPOID || subtype == TIMESTAMPTZOID)
		end = "CASE WHEN isfinite(%1$s(%2$s)) THEN (EXTRACT(epoch FROM %1$s(%2$s)) / 86400)::float8"
			  " END";
	else
		return NULL;
	return psprintf("%s, %s", psprintf(end, "lower", cell), psprintf(end, "upper", cell));
}

/* ---- to cover */

static bool
cover_ranges(StringInfo sql, const CellColumn *column)
{
	const char *value = cell_format_value(column);
	int number = column->number;
	const char *cast;

	if (!are_ranges(column))
		return false;
	cast =
		subtype_of(column) == getBaseType(cell_format_attribute(column)->type) ? "" : "::numeric";
	appendStringInfo(
		sql,
		", event%d AS MATERIALIZED ("
		"SELECT (x.v)%s AS p, 1 AS side, NULL::int8 AS id, NULL::bool AS up FROM"
		" (SELECT %s AS v FROM %s s GROUP BY 1) x WHERE x.v IS DISTINCT FROM NULL"
		" UNION ALL SELECT lower(r.v)%s, CASE WHEN lower_inc(r.v) THEN 0 ELSE 2 END, r.id, false"
		" FROM raw%d r WHERE NOT (isempty(r.v) OR lower_inf(r.v))"
		" UNION ALL SELECT upper(r.v)%s, CASE WHEN upper_inc(r.v) THEN 2 ELSE 0 END, r.id, true"
		" FROM raw%d r WHERE NOT (isempty(r.v) OR upper_inf(r.v))),"
		" rank%d AS MATERIALIZED (SELECT e.id, e.up,"
		" count(*) FILTER (WHERE e.side = 1) OVER (ORDER BY e.p, e.side) AS n FROM event%d e)",
		number, cast, value, column->rows, cast, number, cast, number, number, number);
	appendStringInfo(
		sql,
		", cover%d AS (SELECT r.id, CASE WHEN isempty(r.v) THEN 0 ELSE coalesce(l.n, 0) END AS lo,"
		" CASE WHEN isempty(r.v) THEN 0 WHEN u.id IS NOT NULL THEN u.n"
		" WHEN l.id IS NOT NULL THEN (SELECT count(*) FROM event%d e WHERE e.side = 1)"
		" ELSE %d END AS hi, CASE WHEN isempty(r.v) THEN r.t END AS unrecognized"
		" FROM raw%d r LEFT JOIN rank%d l ON l.id = r.id AND NOT l.up"
		" LEFT JOIN rank%d u ON u.id = r.id AND u.up)",
		number, number, CELL_COVER_ALL, number, number, number);
	return true;
}

const CellFormat range_format = {
	.name = "range",
	.type = type_query_range,
	.prepare = prepare_range,
	.write = write_range,
	.measure = measure_ranges,
	.cover = cover_ranges,
};
