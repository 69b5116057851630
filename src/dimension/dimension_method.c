/*
 * dimension_method.c
 *		See dimension_method.h.
 *
 * Labels are SQL expressions over one row of the source.  For methods by value, they use only the
 * plan's operand and no subqueries, which Citus would not send to the rows.  They are part of the
 * texts of releases, so every name is qualified, and no setting matters.
 */
#include "postgres.h"

#include "dimension/dimension_method.h"

#include <math.h>

#include "access/stratnum.h"
#include "base/names.h"
#include "catalog/pg_type.h"
#include "data/dimension.h"
#include "nodes/value.h"
#include "parser/parse_coerce.h"
#include "relation/grouped_rows.h"
#include "sql/cast_settings.h"
#include "sql/comparison.h"
#include "sql/query.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/numeric.h"

#define NUMERIC_HINT                                                                               \
	"It takes numbers; for dates there is method \"dates\", for anything with an order "           \
	"\"quantiles\"."
#define TEXT_HINT "It takes text and integers."
#define DATE_HINT "It takes date, timestamp and timestamptz."

/* Building blocks of SQL. */
#define TEXT "::pg_catalog.text"
#define NUMERIC "::pg_catalog.numeric"
#define DOUBLE "::pg_catalog.float8"
#define JOINED " OPERATOR(pg_catalog.||) "
#define TRIMMED(number) "pg_catalog.trim_scale(" number ")"

/* ---- the plan */

char *
dimension_plan_values(const DimensionPlan *plan, bool counted)
{
	const char *column = psprintf("s.%s", quote_identifier(plan->attribute->name));
	GroupedRows rows =
		grouped_rows(plan->relation, bms_make_singleton(plan->attribute->number), GROUPED_FOR_ROWS);
	StringInfoData sql;

	initStringInfo(&sql);
	appendStringInfo(&sql, "SELECT DISTINCT ON (%s) %s AS v", column, column);
	if (counted)
		appendStringInfo(&sql, ", (%s OVER (PARTITION BY %s))::int8 AS n",
						 rows.members ? psprintf("sum(%s)", rows.members) : "count(*)", column);
	appendStringInfo(&sql, " FROM %s s WHERE %s IS DISTINCT FROM NULL ORDER BY %s", rows.relation,
					 column, column);
	if (!comparison_is_exact(plan->attribute->type, -1, plan->attribute->collation))
		appendStringInfo(&sql, ", %s", comparison_bytes(column));
	return sql.data;
}

void
dimension_plan_add(DimensionPlan *plan, char *name, char *label)
{
	if (list_length(plan->names) >= DIMENSION_MAX_LEVELS)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("method \"%s\" would make more than %d levels for column \"%s\"",
							   plan->method->name, DIMENSION_MAX_LEVELS, plan->attribute->name),
						errhint("Choose fewer levels in \"arguments\".")));
	while (list_member(plan->names, makeString(name)) || strcmp(plan->attribute->name, name) == 0)
		name = psprintf("%s_", name);
	plan->names = lappend(plan->names, makeString(name));
	plan->labels = lappend(plan->labels, label);
}

void
dimension_plan_add_top(DimensionPlan *plan)
{
	dimension_plan_add(plan, "top", "'" HIDDEN_TEXT "'");
}

pg_noreturn static void
report_unsuited(const DimensionPlan *plan, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("method \"%s\" does not apply to column \"%s\" of type %s", plan->method->name,
					plan->attribute->name, format_type_be(plan->attribute->type)),
			 errhint("%s", hint)));
}

static const char *
argument(const DimensionPlan *plan, int i)
{
	return list_nth(plan->arguments, i);
}

/* An argument as a whole number of at least "least"; "noun" names it in the message. */
static int
read_count(const char *text, const char *noun, int least)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 10);
	if (end == text || *end != '\0')
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("%s \"%s\" is not a whole number", noun, text)));
	if (errno == ERANGE || value < least || value > PG_INT32_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s \"%s\" is not between %d and %d", noun, text, least, PG_INT32_MAX)));
	return (int) value;
}

/* ---- methods */

static bool
is_integer(Oid type)
{
	return type == INT2OID || type == INT4OID || type == INT8OID;
}

static bool
is_float(Oid type)
{
	return type == FLOAT4OID || type == FLOAT8OID;
}

/* suppress: 53715 -> * */
static void
make_suppress(DimensionPlan *plan)
{
	dimension_plan_add_top(plan);
}

/* Argument i as a positive number without trailing zeros. */
static Numeric
range_width(const DimensionPlan *plan, int i)
{
	const char *text = argument(plan, i);
	char *end;
	double value = strtod(text, &end);
	Datum width;

	if (end == text || *end != '\0' || isnan(value) || isinf(value))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("width \"%s\" is not a number", text)));
	if (value <= 0)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("width \"%s\" is not positive", text)));
	width = DirectFunctionCall3(numeric_in, CStringGetDatum(text), ObjectIdGetDatum(InvalidOid),
								Int32GetDatum(-1));
	return DatumGetNumeric(DirectFunctionCall1(numeric_trim_scale, width));
}

/* Each width must be a multiple of the one before, so that ranges nest. */
static void
check_range_width(const DimensionPlan *plan, int i, Numeric width, Numeric before)
{
	Datum rest = DirectFunctionCall2(numeric_mod, NumericGetDatum(width), NumericGetDatum(before));
	Datum zero = NumericGetDatum(int64_to_numeric(0));

	if (!DatumGetBool(
			DirectFunctionCall2(numeric_gt, NumericGetDatum(width), NumericGetDatum(before))) ||
		!DatumGetBool(DirectFunctionCall2(numeric_eq, rest, zero)))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("width \"%s\" is not a larger multiple of the width \"%s\" before it",
						argument(plan, i), argument(plan, i - 1)),
				 errdetail("The levels would not be many-to-one.")));
}

/* 20-24 for an integer x. */
static char *
integer_range_label(const char *low, const char *width)
{
	Datum less =
		DirectFunctionCall2(numeric_sub,
							DirectFunctionCall3(numeric_in, CStringGetDatum(width),
												ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1)),
							NumericGetDatum(int64_to_numeric(1)));

	if (strcmp(width, "1") == 0)
		return psprintf("%s" TEXT, low);
	return psprintf("%1$s" JOINED
					"CASE WHEN %1$s OPERATOR(pg_catalog.<) 0 THEN ' - ' ELSE '-' END" JOINED
					"(%1$s OPERATOR(pg_catalog.+) %2$s)",
					low, DatumGetCString(DirectFunctionCall1(numeric_out, less)));
}

/* 20-24 for integers, [20-25) for numbers with fractions; x is numeric. */
static char *
range_label(const DimensionPlan *plan, const char *x, const char *width)
{
	const char *low = psprintf("(%1$s OPERATOR(pg_catalog.-) pg_catalog.mod(pg_catalog.mod(%1$s,"
							   " %2$s) OPERATOR(pg_catalog.+) %2$s, %2$s))",
							   x, width);

	if (is_integer(plan->base_type))
		return integer_range_label(low, width);
	/* Infinities and NaN are in no range: they stay as they are up to the top. */
	return psprintf(
		"CASE WHEN (%1$s OPERATOR(pg_catalog.-) %1$s) OPERATOR(pg_catalog.=) 0 THEN"
		" '['" JOINED TRIMMED("%2$s") JOINED
		"CASE WHEN %2$s OPERATOR(pg_catalog.<) 0 THEN ' - ' ELSE '-' END" JOINED TRIMMED(
			"%2$s OPERATOR(pg_catalog.+) %3$s") JOINED "')'"
													   " ELSE %1$s" TEXT " END",
		x, low, width);
}

/*
 * SQL: the operand as a numeric.  A float becomes its shown value, whatever extra_float_digits is:
 * with the digits that are always exact, or with more if those do not identify it.
 */
static const char *
number_of_value(const DimensionPlan *plan)
{
	const char *d = psprintf("%s" DOUBLE, plan->operand);
	const char *number;

	if (!is_float(plan->base_type))
		return psprintf("%s" NUMERIC, plan->operand);
	number = psprintf("CASE WHEN pg_catalog.abs(%1$s) OPERATOR(pg_catalog.>=) 1e300" DOUBLE
					  " OR %1$s" NUMERIC DOUBLE " OPERATOR(pg_catalog.=) %1$s THEN %1$s" NUMERIC
					  " ELSE %1$s" NUMERIC " OPERATOR(pg_catalog.+)"
					  " (%1$s OPERATOR(pg_catalog.-) %1$s" NUMERIC DOUBLE ")" NUMERIC " END",
					  d);
	if (plan->base_type == FLOAT4OID)
		number = psprintf("CASE WHEN pg_catalog.abs(%2$s) OPERATOR(pg_catalog.<) 3.4e38" DOUBLE
						  " AND %1$s" NUMERIC "::pg_catalog.float4 OPERATOR(pg_catalog.=) %1$s"
						  " THEN %1$s" NUMERIC " ELSE %3$s END",
						  plan->operand, d, number);
	return psprintf("(%s)", number);
}

/* ranges 5, 10: 23 -> 20-24 -> 20-29 -> * */
static void
make_ranges(DimensionPlan *plan)
{
	Numeric before = NULL;
	const char *x;

	if (!is_integer(plan->base_type) && !is_float(plan->base_type) && plan->base_type != NUMERICOID)
		report_unsuited(plan, NUMERIC_HINT);
	x = number_of_value(plan);
	for (int i = 0; i < list_length(plan->arguments); i++)
	{
		Numeric width = range_width(plan, i);
		char *text = DatumGetCString(DirectFunctionCall1(numeric_out, NumericGetDatum(width)));

		if (is_integer(plan->base_type) && strchr(text, '.') != NULL)
			ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
							errmsg("width \"%s\" is not a whole number", argument(plan, i)),
							errdetail("Column \"%s\" has type %s.", plan->attribute->name,
									  format_type_be(plan->attribute->type))));
		if (before != NULL)
			check_range_width(plan, i, width, before);
		before = width;
		dimension_plan_add(plan, psprintf("range_%s", text), range_label(plan, x, text));
	}
	dimension_plan_add_top(plan);
}

/* The label of a bin, from its least to its greatest value, if the source counts them. */
static char *
counted_bin_label(const DimensionPlan *plan, int level)
{
	const char *first = psprintf("(first_value(v) OVER (PARTITION BY b%d ORDER BY v))", level);
	const char *last = psprintf("(last_value(v) OVER (PARTITION BY b%d ORDER BY v ROWS BETWEEN"
								" UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING))",
								level);

	return psprintf("CASE count(*) OVER (PARTITION BY b%d) WHEN 1 THEN %s ELSE"
					" '[' || %s || ' - ' || %s || ']' END",
					level, value_text_expression("v", plan->attribute->type),
					value_text_expression(first, plan->attribute->type),
					value_text_expression(last, plan->attribute->type));
}

/* Can bounds be stored as text and read alike under all settings by PostgreSQL's own code? */
static bool
has_bounds(Oid type)
{
	return value_cast_is_own(TEXTOID, type) && OidIsValid(get_array_type(type)) &&
		   (cast_settings_none_to_read(type) || cast_settings_pattern(TEXTOID, type) != NULL);
}

/* Adds the least and greatest value of each bin of a level to the bounds. */
static void
add_bins(DimensionPlan *plan, const char *source, int level)
{
	Oid type = plan->attribute->type;

	query_run(psprintf("SELECT %s, %s FROM (SELECT DISTINCT ON (b%d) b%d AS b,"
					   " first_value(v) OVER bin AS low, last_value(v) OVER bin AS high FROM (%s) s"
					   " WINDOW bin AS (PARTITION BY b%d ORDER BY v"
					   " ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)) s ORDER BY b",
					   value_text_expression("low", type), value_text_expression("high", type),
					   level, level, source, level),
			  true);
	for (uint64 row = 0; row < query_rows(); row++)
	{
		plan->bounds = lappend(plan->bounds, psprintf("%d", level));
		plan->bounds = lappend(plan->bounds, query_text(row, 1));
		plan->bounds = lappend(plan->bounds, query_text(row, 2));
	}
}

/*
 * quantiles 4, 2, of the rows 1 1 1 2 3 5 6 9: 5 -> [3 - 5] -> [3 - 9] -> *.  Values are ranked by
 * their rows and never split between bins.
 */
static void
resolve_quantiles(DimensionPlan *plan)
{
	bool by_value = has_bounds(plan->base_type);
	const char *source = dimension_plan_values(plan, true);
	const char *key = "v";

	for (int i = 0, before = 0; i < list_length(plan->arguments); i++)
	{
		int count = read_count(argument(plan, i), "count", 2);

		if (i > 0 && count >= before)
			ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
							errmsg("count \"%s\" is not smaller than the count \"%s\" before it",
								   argument(plan, i), argument(plan, i - 1))));
		before = count;
		/*
		 * Each bin (or value) of the level below, "key", goes to the bin where the middle of its
		 * rows ranks.
		 */
		source =
			psprintf("SELECT *, div((2 * sum(n) OVER (ORDER BY %s) - sum(n) OVER (PARTITION BY %s))"
					 " * %d, 2 * sum(n) OVER ()) AS b%d FROM (%s) s",
					 key, key, count, i + 1, source);
		key = psprintf("b%d", i + 1);
		if (by_value)
			add_bins(plan, source, i + 1);
	}
	if (!by_value)
		plan->source = source;
}

/*
 * The label of the operand's bin at a level, NULL if it lies in none: (labels)[CASE WHEN v <=
 * (highs)[n] THEN n END], where n = width_bucket(v, lows).
 */
static char *
bin_label(const DimensionPlan *plan, int level)
{
	const char *type = value_cast_type_name(plan->base_type);
	const char *bin;
	StringInfoData lows;
	StringInfoData highs;
	StringInfoData labels;

	initStringInfo(&lows);
	initStringInfo(&highs);
	initStringInfo(&labels);
	for (int i = 0; i < list_length(plan->bounds); i += 3)
	{
		const char *low = list_nth(plan->bounds, i + 1);
		const char *high = list_nth(plan->bounds, i + 2);
		const char *separator = lows.len > 0 ? ", " : "";

		if (atoi(list_nth(plan->bounds, i)) != level)
			continue;
		appendStringInfo(&lows, "%s%s", separator, quote_literal_cstr(low));
		appendStringInfo(&highs, "%s%s", separator, quote_literal_cstr(high));
		appendStringInfo(
			&labels, "%s%s", separator,
			quote_literal_cstr(strcmp(low, high) == 0 ? low : psprintf("[%s - %s]", low, high)));
	}
	bin = psprintf("pg_catalog.width_bucket(%s::%s, ARRAY[%s]::%s[])", plan->operand, type,
				   lows.data, type);
	return psprintf("(ARRAY[%s]" TEXT "[])[CASE WHEN %s THEN %s END]", labels.data,
					comparison_by_strategy(BTLessEqualStrategyNumber, plan->operand,
										   psprintf("(ARRAY[%s]::%s[])[%s]", highs.data, type, bin),
										   plan->base_type),
					bin);
}

/*
 * A value between two bins generalizes to the first level with a bin that spans it, or to the top.
 */
static void
make_quantiles(DimensionPlan *plan)
{
	for (int level = 1; level <= list_length(plan->arguments); level++)
	{
		StringInfoData label;

		initStringInfo(&label);
		for (int above = level; plan->bounds && above <= list_length(plan->arguments); above++)
			appendStringInfo(&label, "%s, ", bin_label(plan, above));
		dimension_plan_add(plan, psprintf("quantile_%s", argument(plan, level - 1)),
						   plan->bounds ? psprintf("coalesce(%s'" HIDDEN_TEXT "')", label.data)
										: counted_bin_label(plan, level));
	}
	dimension_plan_add_top(plan);
}

static void
add_mask(DimensionPlan *plan, int masked)
{
	plan->arguments = lappend(plan->arguments, psprintf("%d", masked));
}

/* A level that would mask all of the longest value is the top itself. */
static void
resolve_digits(DimensionPlan *plan)
{
	List *given = plan->arguments;
	int longest; /* characters of the longest value */

	if (!is_integer(plan->base_type) && TypeCategory(plan->base_type) != TYPCATEGORY_STRING)
		report_unsuited(plan, TEXT_HINT);
	query_run(psprintf("SELECT max(length(%s))::int8 FROM (%s) s",
					   value_text_expression("v", plan->attribute->type),
					   dimension_plan_values(plan, false)),
			  true);
	longest = (int) query_int8(0, 1);
	plan->arguments = NIL;
	for (int masked = 1; given == NIL && masked < longest; masked++)
		add_mask(plan, masked);
	for (int i = 0, before = 0; i < list_length(given); i++)
	{
		int masked = read_count(list_nth(given, i), "number of digits", 1);

		if (masked <= before)
			ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
							errmsg("number of digits \"%s\" is not larger than \"%s\" before it",
								   (char *) list_nth(given, i), (char *) list_nth(given, i - 1))));
		before = masked;
		if (masked < longest)
			add_mask(plan, masked);
	}
}

/* A value of at most one character, where one is masked: a single star would be the top. */
#define MASKED_CHARACTER "_"

/*
 * digits: 53715 -> 5371* -> 537** -> 53*** -> 5**** -> *.  Values no longer than the mask become
 * all stars: 5 -> _ -> **, like 15 -> 1* -> **.
 */
static void
make_digits(DimensionPlan *plan)
{
	const char *text = value_text_expression(plan->operand, plan->attribute->type);

	for (int i = 0; i < list_length(plan->arguments); i++)
	{
		const char *masked = argument(plan, i);
		char *label = psprintf("pg_catalog.left(%1$s, -%2$s)" JOINED
							   "pg_catalog.repeat('" HIDDEN_TEXT "', %2$s)",
							   text, masked);

		if (strcmp(masked, "1") == 0)
			label = psprintf("CASE WHEN pg_catalog.length(%s) OPERATOR(pg_catalog.>) 1 THEN %s"
							 " ELSE '" MASKED_CHARACTER "' END",
							 text, label);
		dimension_plan_add(plan, psprintf("masked_%s", masked), label);
	}
	dimension_plan_add_top(plan);
}

/* Units of time, each within the next, of the moment %1$s. */
#define PART(field) "extract(" field " FROM %1$s)"
#define YEAR "pg_catalog.abs(" PART("year") ")"
#define FLOOR(number, unit) "pg_catalog.div(" number ", " unit ") OPERATOR(pg_catalog.*) " unit
#define FOUR_DIGITS(y) "pg_catalog.to_char(" y ", 'FM9999990000')" /* at least */
#define TWO_DIGITS(field) "pg_catalog.to_char(" PART(field) ", 'FM00')"
#define MONTH FOUR_DIGITS(YEAR) JOINED "'-'" JOINED TWO_DIGITS("month")
#define DAY MONTH JOINED "'-'" JOINED TWO_DIGITS("day")
#define ERA "CASE WHEN " PART("year") " OPERATOR(pg_catalog.<) 0 THEN ' BC' ELSE '' END"
#define CENTURY FLOOR(YEAR, "100")

static const struct DateUnit
{
	char *name;
	char *label;
} date_units[] = {
	{"hour", DAY JOINED "' '" JOINED TWO_DIGITS("hour") JOINED "'h'" JOINED ERA},
	{"day", DAY JOINED ERA},
	{"month", MONTH JOINED ERA},
	{"quarter", FOUR_DIGITS(YEAR) JOINED "'-Q'" JOINED PART("quarter") JOINED ERA},
	{"year", FOUR_DIGITS(YEAR) JOINED ERA},
	{"decade", FOUR_DIGITS(FLOOR(YEAR, "10")) JOINED "'s'" JOINED ERA},
	{"century", FOUR_DIGITS(CENTURY) JOINED
	 "'-'" JOINED FOUR_DIGITS("(" CENTURY ") OPERATOR(pg_catalog.+) 99") JOINED ERA},
};

static int
date_unit(const char *name)
{
	return names_find("unit", name, &date_units[0].name, sizeof(date_units[0]),
					  lengthof(date_units), pg_strcasecmp);
}

/* dates month, year, decade: 2024-03-05 -> 2024-03 -> 2024 -> 2020s -> * */
static void
make_dates(DimensionPlan *plan)
{
	bool is_date = plan->base_type == DATEOID;
	const char *moment = plan->base_type == TIMESTAMPTZOID
							 ? psprintf("(%s AT TIME ZONE 'UTC')", plan->operand)
							 : plan->operand;

	if (!is_date && plan->base_type != TIMESTAMPOID && plan->base_type != TIMESTAMPTZOID)
		report_unsuited(plan, DATE_HINT);
	for (int i = 0, before = is_date ? date_unit("day") : -1; i < list_length(plan->arguments); i++)
	{
		int unit = date_unit(argument(plan, i));

		if (unit <= before)
			ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
							errmsg("unit \"%s\" is not coarser than %s", argument(plan, i),
								   i == 0 ? "a date"
										  : psprintf("\"%s\" before it", argument(plan, i - 1)))));
		before = unit;
		/* Infinity has no year: it stays as it is up to the top. */
		dimension_plan_add(plan, date_units[unit].name,
						   psprintf("CASE WHEN pg_catalog.isfinite(%s) THEN %s ELSE %s" TEXT " END",
									moment, psprintf(date_units[unit].label, moment),
									plan->operand));
	}
	dimension_plan_add_top(plan);
}

static const DimensionMethod methods[] = {
	{.name = "suppress", .hint = "It takes none.", .make = make_suppress},
	{.name = "ranges",
	 .least_arguments = 1,
	 .most_arguments = DIMENSION_MAX_LEVELS,
	 .hint = "It takes the width of the ranges at each level, for example {5,10,20}.",

	 .make = make_ranges},
	{.name = "quantiles",
	 .least_arguments = 1,
	 .most_arguments = DIMENSION_MAX_LEVELS,
	 .hint = "It takes the number of bins at each level, for example {16,4}.",

	 .resolve = resolve_quantiles,
	 .make = make_quantiles},
	{.name = "digits",
	 .most_arguments = DIMENSION_MAX_LEVELS,
	 .hint = "It takes how many digits each level masks, for example {2,4}, or nothing.",

	 .resolve = resolve_digits,
	 .make = make_digits},
	{.name = "dates",
	 .least_arguments = 1,
	 .most_arguments = DIMENSION_MAX_LEVELS,
	 .hint = "It takes the unit of each level, for example {month,year,decade}.",

	 .make = make_dates},
	{.name = "taxonomy",
	 .least_arguments = 1,
	 .most_arguments = 1,
	 .hint = "It takes the name of a table whose first two columns are child and parent.",
	 .make = dimension_taxonomy_make},
};

const DimensionMethod *
dimension_method_find(const char *name)
{
	return &methods[names_find("method", name, &methods[0].name, sizeof(methods[0]),
							   lengthof(methods), strcmp)];
}

void
dimension_method_make(DimensionPlan *plan)
{
	const DimensionMethod *method = plan->method;

	if (list_length(plan->arguments) < method->least_arguments)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("method \"%s\" needs arguments", method->name),
						errhint("%s", method->hint)));
	if (list_length(plan->arguments) > method->most_arguments)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("method \"%s\" has too many arguments", method->name),
						errhint("%s", method->hint)));
	if (method->resolve)
		method->resolve(plan);
	method->make(plan);
}
