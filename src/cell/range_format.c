/*
 * range_format.c
 *		See range_format.h.
 *
 * Ranges are written without their type's canonical function: to it the last
 * value of a type, which has no successor, is an error.  Here [1, 2147483647] of
 * int4 becomes [1,).
 *
 * To measure them, ends become numeric: the number itself, days or microseconds.  numeric is exact
 * and has infinities.  The domain's values are such places, not those of the source, of which only
 * the least and the greatest are read.
 */
#include "postgres.h"

#include "cell/range_format.h"

#include <math.h>

#include "base/compat.h"
#include "catalog/pg_type.h"
#include "cell/cell_reader.h"
#include "relation/grouped_rows.h"
#include "sql/query.h"
#include "sql/type_query.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/numeric.h"
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
range_format_before(const char *text)
{
	return (RangeCut){.text = quote_bound(text), .before_next = true};
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

static const DescribedAttribute *
attribute_of(const CellColumn *column)
{
	return column->source->quasi[column->quasi];
}

/* A label of the dimension means what the dimension says, even if it is a range. */
static bool
is_label_type(const CellColumn *column)
{
	Oid dimension = attribute_of(column)->dimension;
	Description *table;

	if (!OidIsValid(dimension))
		return false;
	table = description_load_columns(dimension);
	for (int i = 1; i < table->attribute_count; i++)
		if (table->attributes[i].type == column->released->type)
			return true;
	return false;
}

/* Are the cells ranges of values, rather than values or labels? */
static bool
are_ranges(const CellColumn *column)
{
	Oid type = getBaseType(column->released->type);

	return column->level == CELL_LEVEL_UNKNOWN && type_is_range(type) && !is_label_type(column) &&
		   type != getBaseType(attribute_of(column)->type);
}

static bool
is_number(Oid type)
{
	return type == INT2OID || type == INT4OID || type == INT8OID || type == NUMERICOID;
}

/* Are widths of ranges of the type known, and can they be drawn? */
static bool
has_widths(Oid type)
{
	return is_number(type) || type == DATEOID || type == TIMESTAMPOID || type == TIMESTAMPTZOID;
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
					errmsg("column \"%s\" of relation %s cannot be understood",
						   column->released->name, column->release),
					errdetail_internal("%s", detail)));
}

/* The ranges' subtype, which must match the values. */
static Oid
subtype_of(const CellColumn *column)
{
	const DescribedAttribute *attribute = attribute_of(column);
	Oid value = getBaseType(attribute->type);
	Oid subtype = getBaseType(get_range_subtype(getBaseType(column->released->type)));

	if (subtype != value && !(is_number(subtype) && is_number(value)))
		report_range(column, ERRCODE_DATATYPE_MISMATCH,
					 psprintf(_("Its type is %s, that of column \"%s\" in relation %s is %s."),
							  format_type_be(column->released->type), attribute->name,
							  column->source->name, format_type_be(attribute->type)));
	return subtype;
}

/* What a reader of ranges knows. */
typedef struct RangeDomain
{
	TypeCacheEntry *range;
	Oid type;    /* base type of the values */
	Oid subtype; /* of the ranges */
	/* To measure: */
	Numeric least; /* the place of the source's least finite value; NULL: there is none */
	Numeric greatest;
	Numeric width;
	double *position; /* of places, as shares of the width */
	int64 room;
	/* To cover: */
	ValueType value; /* compares values and ends, if they have the same type */
	bool mixed;      /* they are numbers of two types */
} RangeDomain;

/* ---- places */

static Numeric
numeric_of(PGFunction function, Numeric a, Numeric b)
{
	return DatumGetNumeric(DirectFunctionCall2(function, NumericGetDatum(a), NumericGetDatum(b)));
}

int
range_place_compare(Numeric a, Numeric b)
{
	return DatumGetInt32(DirectFunctionCall2(numeric_cmp, NumericGetDatum(a), NumericGetDatum(b)));
}

double
range_place_share(Numeric part, Numeric whole)
{
	Numeric share = numeric_of(numeric_div, part, whole);

	return DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow, NumericGetDatum(share)));
}

static bool
is_finite(Numeric place)
{
	return !numeric_is_nan(place) && !numeric_is_inf(place);
}

Numeric
range_place(Oid type, Datum value)
{
	int64 number;
	double place;

	if (type == NUMERICOID)
		return DatumGetNumericCopy(value);
	if (!number_query_is_whole(type))
		place = number_query_scaled(type, value);
	else if (number_query_whole(type, value, &number))
		return int64_to_numeric(number);
	else
		place = number < 0 ? -INFINITY : INFINITY;
	return DatumGetNumeric(DirectFunctionCall1(float8_numeric, Float8GetDatum(place)));
}

Numeric
range_place_whole(Numeric place, bool lower, bool inclusive)
{
	Numeric whole = DatumGetNumeric(DirectFunctionCall1(
		lower == inclusive ? numeric_ceil : numeric_floor, NumericGetDatum(place)));

	return inclusive ? whole : numeric_of(numeric_add, whole, int64_to_numeric(lower ? 1 : -1));
}

Numeric
range_place_length(Numeric from, Numeric to, bool whole)
{
	Numeric length = numeric_of(numeric_sub, to, from);

	return whole ? numeric_of(numeric_add, length, int64_to_numeric(1)) : length;
}

/* ---- to measure */

/* The code of a place; -1 for none. */
static int32
code_of(CellReader *reader, Numeric place)
{
	RangeDomain *domain = reader->state;
	Dictionary *places = reader->domain->values;
	int32 before = dictionary_size(places);
	int32 code;

	if (place == NULL)
		return -1;
	code = dictionary_encode(places, NumericGetDatum(place));
	if (code < before)
		return code;
	domain->position = budget_room(reader->budget, domain->position, &domain->room,
								   (int64) code + 1, sizeof(double), "places of ranges");
	reader->domain->column.position = domain->position;
	domain->position[code] =
		reader->domain->column.whole > 0
			? range_place_share(numeric_of(numeric_sub, place, domain->least), domain->width)
			: 0;
	return code;
}

/* SQL: is the source's value finite? */
static const char *
finite_text(Oid type, const char *value)
{
	if (type == NUMERICOID)
		return psprintf("%s NOT IN ('NaN', 'Infinity', '-Infinity')", value);
	return is_number(type) ? psprintf("%s IS NOT NULL", value) : psprintf("isfinite(%s)", value);
}

/* Reads the source's least and greatest finite value, and whether it has NULLs. */
static void
read_extent(CellReader *reader)
{
	const DescribedAttribute *attribute = reader->attribute;
	RangeDomain *domain = reader->state;
	CellDomain *cells = reader->domain;
	const char *value = psprintf("s.%s", quote_identifier(attribute->name));
	const char *finite = finite_text(domain->type, value);
	GroupedRows rows = grouped_rows(reader->column->source, bms_make_singleton(attribute->number),
									GROUPED_FOR_ONE);
	bool isnull;
	Datum least;

	query_run(psprintf("SELECT min(%s) FILTER (WHERE %s), max(%s) FILTER (WHERE %s),"
					   " count(*) FILTER (WHERE %s IS NULL) FROM %s s",
					   value, finite, value, finite, value, rows.relation),
			  true);
	cells->dimension.has_null = query_int8(0, 3) > 0;
	cells->dimension.single_top = true;
	domain->position = palloc(sizeof(double) * domain->room);
	least = query_value(0, 1, &isnull);
	if (isnull)
		return;
	domain->least = range_place(domain->type, least);
	domain->greatest = range_place(domain->type, query_value(0, 2, &isnull));
	domain->width = numeric_of(numeric_sub, domain->greatest, domain->least);
	cells->column.whole = range_place_compare(domain->greatest, domain->least) > 0 ? 1 : 0;
	cells->dimension.domain = cells->column.whole > 0 ? 2 : 1;
	reader->all.low = code_of(reader, domain->least);
	reader->all.high = code_of(reader, domain->greatest);
}

/* An end, brought to the least or greatest number in the range; NULL: there is none. */
static Numeric
place_of_end(const CellReader *reader, const RangeBound *end)
{
	const RangeDomain *domain = reader->state;
	Numeric place;

	if (end->infinite)
		return NULL;
	place = range_place(domain->subtype, end->val);
	return reader->whole ? range_place_whole(place, end->lower, end->inclusive) : place;
}

/* What stands for an end that is open or infinite: the source's last value, or the other end. */
static Numeric
last_place(Numeric last, Numeric other, int sign)
{
	if (last == NULL || (other && range_place_compare(other, last) * sign > 0))
		return other;
	return last;
}

static void
measure_range(CellReader *reader, const RangeBound *lower, const RangeBound *upper)
{
	const RangeDomain *domain = reader->state;
	Numeric low = place_of_end(reader, lower);
	Numeric high = place_of_end(reader, upper);
	Numeric from = low && is_finite(low) ? low : NULL;
	Numeric to = high && is_finite(high) ? high : NULL;
	int order = low && high ? range_place_compare(low, high) : -1;
	RecodedCell cell = {.kind = RECODED_SPAN};

	if (order > 0)
		return;
	/* An infinite end is kept if the cell is that point. */
	if (order < 0)
	{
		low = from ? from : last_place(domain->least, to, -1);
		high = to ? to : last_place(domain->greatest, from, 1);
	}
	cell.low = code_of(reader, low);
	cell.high = code_of(reader, high);
	if ((lower->infinite && upper->infinite) || cell.low < 0)
		cell.kind = RECODED_ALL;
	cell_reader_add_meaning(reader, cell);
}

/* ---- to cover */

/* The number of the source's values that lie below an end, or, with "along", equal it. */
static int32
values_below(const CellReader *reader, Datum end, bool along)
{
	const RangeDomain *domain = reader->state;
	const DatasetColumn *column = reader->values->column[reader->column->quasi];
	Numeric place = domain->mixed ? range_place(domain->subtype, end) : NULL;
	int32 low = 0;
	int32 high = reader->domain->known;

	while (low < high)
	{
		int32 middle = low + (high - low) / 2;
		Datum value = dataset_column_value(column, middle);
		int order = domain->mixed ? range_place_compare(range_place(domain->type, value), place)
								  : domain->value.compare(&domain->value, value, end);

		if (order < 0 || (order == 0 && along))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void
cover_range(CellReader *reader, const RangeBound *lower, const RangeBound *upper)
{
	RecodedCell cell = {.kind = RECODED_SPAN, .high = reader->domain->known - 1};

	if (lower->infinite && upper->infinite)
		cell = reader->all;
	else if (!lower->infinite)
		cell.low = values_below(reader, lower->val, !lower->inclusive);
	if (!upper->infinite)
		cell.high = values_below(reader, upper->val, upper->inclusive) - 1;
	cell_reader_add_meaning(reader, cell);
}

/* ---- both */

static void
read_range(CellReader *reader, Datum value, const char *text)
{
	const RangeDomain *domain = reader->state;
	RangeBound lower;
	RangeBound upper;
	bool empty;

	(void) text;
	range_deserialize(domain->range, DatumGetRangeTypeP(value), &lower, &upper, &empty);
	if (empty)
		return;
	if (reader->values)
		cover_range(reader, &lower, &upper);
	else
		measure_range(reader, &lower, &upper);
}

static bool
open_range(CellReader *reader)
{
	const CellColumn *column = reader->column;
	Oid type = getBaseType(column->released->type);
	RangeDomain *domain;
	ValueType places;

	if (!are_ranges(column))
		return false;
	domain = palloc0(sizeof(RangeDomain));
	*domain = (RangeDomain){.range = lookup_type_cache(type, TYPECACHE_RANGE_INFO),
							.type = getBaseType(reader->attribute->type),
							.subtype = subtype_of(column),
							.room = 64};
	reader->whole = is_whole(domain->subtype) || is_whole(domain->type);
	domain->mixed = domain->subtype != domain->type;
	reader->state = domain;
	places = type_query_value_type(NUMERICOID, InvalidOid);
	cell_domain_create(reader, dictionary_create(&places, reader->budget));
	if (reader->values)
	{
		domain->value = type_query_value_type(domain->type, reader->attribute->collation);
		reader->domain->known = reader->values->groups->values[column->quasi];
		return true;
	}
	if (!has_widths(domain->subtype))
		report_range(column, ERRCODE_FEATURE_NOT_SUPPORTED,
					 psprintf(_("Widths of type %s are not known."), format_type_be(type)));
	read_extent(reader);
	return true;
}

const CellFormat range_format = {
	.type = type_query_range,
	.prepare = prepare_range,
	.write = write_range,
	.open = open_range,
	.read = read_range,
};

/* ---- to draw */

bool
range_format_scale(const CellColumn *column, bool *days)
{
	Oid subtype;

	if (!are_ranges(column))
		return false;
	subtype = getBaseType(get_range_subtype(getBaseType(column->released->type)));
	*days = !is_number(subtype);
	return has_widths(subtype);
}
