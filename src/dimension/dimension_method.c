/*
 * dimension_method.c
 *		See dimension_method.h.
 *
 * Labels are SQL expressions over a row of the source.  The source carries
 * the value itself (v) and what the labels need of it: the value as a number
 * (x), as text (t), as a timestamp (t) with its year (y) and era, or the
 * numbers of its bins (b1, b2, ..).
 */
#include "postgres.h"

#include "dimension/dimension_method.h"

#include <math.h>

#include "base/names.h"
#include "catalog/pg_type.h"
#include "data/hidden.h"
#include "dimension/dimension_taxonomy.h"
#include "parser/parse_coerce.h"
#include "sql/query.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/numeric.h"

#define NUMERIC_HINT                                                                               \
	"It takes numbers; for dates there is method \"dates\", for anything with an order "           \
	"\"quantiles\"."
#define TEXT_HINT "It takes text and integers."
#define DATE_HINT "It takes date, timestamp and timestamptz."

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
	plan->source = dimension_plan_values(plan);
	dimension_plan_add_top(plan);
}

/* Argument i as a positive number without trailing zeros. */
static Numeric
range_width(const DimensionPlan *plan, int i)
{
	const char *text = plan->arguments[i];
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

/* Ranges start at multiples of their width, so a multiple keeps them whole. */
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
						plan->arguments[i], plan->arguments[i - 1]),
				 errdetail("The levels would not be many-to-one.")));
}

/* 20-24 for integers, [20-25) for numbers with fractions; x is numeric. */
static char *
range_label(const DimensionPlan *plan, const char *width)
{
	const char *range = "trim_scale(low) || CASE WHEN low < 0 THEN ' - ' ELSE '-' END || ";

	if (is_integer(plan->base_type))
		range = strcmp(width, "1") == 0 ? "low" : psprintf("%s(low + %s - 1)", range, width);
	else
		range = psprintf("'[' || %strim_scale(low + %s) || ')'", range, width);
	/* Infinities and NaN lie in no range: they stay until the top. */
	return psprintf("(SELECT CASE WHEN x - x = 0 THEN (%s)::text ELSE x::text END"
					" FROM (SELECT x - mod(mod(x, %s) + %s, %s) AS low) r)",
					range, width, width, width);
}

/* ranges 5, 10: 23 -> 20-24 -> 20-29 -> * */
static void
make_ranges(DimensionPlan *plan)
{
	Numeric before = NULL;

	if (!is_integer(plan->base_type) && !is_float(plan->base_type) && plan->base_type != NUMERICOID)
		dimension_plan_unsuited(plan, NUMERIC_HINT);
	/* By way of text a float becomes just the number that it shows. */
	plan->source = psprintf("SELECT v, v%s::numeric AS x FROM (%s) s",
							is_float(plan->base_type) ? "::text" : "", dimension_plan_values(plan));
	for (int i = 0; i < plan->argument_count; i++)
	{
		Numeric width = range_width(plan, i);
		char *text = DatumGetCString(DirectFunctionCall1(numeric_out, NumericGetDatum(width)));

		if (is_integer(plan->base_type) && strchr(text, '.') != NULL)
			ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
							errmsg("width \"%s\" is not a whole number", plan->arguments[i]),
							errdetail("Column \"%s\" has type %s.", plan->attribute->name,
									  format_type_be(plan->attribute->type))));
		if (before != NULL)
			check_range_width(plan, i, width, before);
		before = width;
		dimension_plan_add(plan, psprintf("range_%s", text), range_label(plan, text));
	}
	dimension_plan_add_top(plan);
}

/* The values of a bin, from the least to the largest. */
static char *
quantile_label(const DimensionPlan *plan, int level)
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

/*
 * quantiles 4, 2, of the rows 1 1 1 2 3 5 6 9: 5 -> [3 - 5] -> [3 - 9] -> *.
 * Values are ranked by their rows and never split between bins.
 */
static void
make_quantiles(DimensionPlan *plan)
{
	const char *key = "v";

	plan->source = dimension_plan_counts(plan);
	for (int i = 0, before = 0; i < plan->argument_count; i++)
	{
		int count = dimension_plan_count(plan, i, "count", 2);

		if (i > 0 && count >= before)
			ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
							errmsg("count \"%s\" is not smaller than the count \"%s\" before it",
								   plan->arguments[i], plan->arguments[i - 1])));
		before = count;
		/* Each bin (or value) below, "key", goes where the middle of its rows ranks among all. */
		plan->source =
			psprintf("SELECT *, div((2 * sum(n) OVER (ORDER BY %s) - sum(n) OVER (PARTITION BY %s))"
					 " * %d, 2 * sum(n) OVER ()) AS b%d FROM (%s) s",
					 key, key, count, i + 1, plan->source);
		key = psprintf("b%d", i + 1);
		dimension_plan_add(plan, psprintf("quantile_%d", count), quantile_label(plan, i + 1));
	}
	dimension_plan_add_top(plan);
}

/* Values no longer than the mask are all stars: 5 -> ** as 15 -> **. */
static void
add_mask(DimensionPlan *plan, int masked)
{
	dimension_plan_add(plan, psprintf("masked_%d", masked),
					   psprintf("left(t, %d) || repeat('" HIDDEN_TEXT "', %d)", -masked, masked));
}

/* digits: 53715 -> 5371* -> 537** -> 53*** -> 5**** -> * */
static void
make_digits(DimensionPlan *plan)
{
	const char *text = value_text_expression("v", plan->attribute->type);
	const char *values = dimension_plan_values(plan);
	int longest; /* characters of a value */

	if (!is_integer(plan->base_type) && TypeCategory(plan->base_type) != TYPCATEGORY_STRING)
		dimension_plan_unsuited(plan, TEXT_HINT);
	plan->source = psprintf("SELECT v, %s AS t FROM (%s) s", text, values);
	query_run(psprintf("SELECT max(length(%s))::int8 FROM (%s) s", text, values), true);
	longest = (int) query_int8(0, 1);
	/* Levels that mask all of the longest value are the top itself. */
	for (int masked = 1; plan->argument_count == 0 && masked < longest; masked++)
		add_mask(plan, masked);
	for (int i = 0, before = 0; i < plan->argument_count; i++)
	{
		int masked = dimension_plan_count(plan, i, "number of digits", 1);

		if (masked <= before)
			ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
							errmsg("number of digits \"%s\" is not larger than \"%s\" before it",
								   plan->arguments[i], plan->arguments[i - 1])));
		before = masked;
		if (masked < longest)
			add_mask(plan, masked);
	}
	dimension_plan_add_top(plan);
}

/* Units of time, each a part of the next; y is the year, era ' BC' or empty. */
#define YEAR(y) "lpad((" y ")::text, greatest(4, length((" y ")::text)), '0')"
#define PART(field, width) "lpad(extract(" field " FROM t)::text, " width ", '0')"
#define MONTH YEAR("y") " || '-' || " PART("month", "2")
#define DAY MONTH " || '-' || " PART("day", "2")

static const struct DateUnit
{
	char *name;
	char *label;
} date_units[] = {
	{"hour", DAY " || ' ' || " PART("hour", "2") " || 'h' || era"},
	{"day", DAY " || era"},
	{"month", MONTH " || era"},
	{"quarter", YEAR("y") " || '-Q' || extract(quarter FROM t) || era"},
	{"year", YEAR("y") " || era"},
	{"decade", YEAR("div(y, 10) * 10") " || 's' || era"},
	{"century", YEAR("div(y, 100) * 100") " || '-' || " YEAR("div(y, 100) * 100 + 99") " || era"},
};

static int
date_unit(const char *name)
{
	StringInfoData names;

	initStringInfo(&names);
	for (int i = 0; i < (int) lengthof(date_units); i++)
	{
		if (pg_strcasecmp(name, date_units[i].name) == 0)
			return i;
		names_add(&names, date_units[i].name, (int) lengthof(date_units) - 1 - i);
	}
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("unrecognized unit \"%s\"", name),
			 errhint("Units are %s.", names.data)));
}

/* dates month, year, decade: 2024-03-05 -> 2024-03 -> 2024 -> 2020s -> * */
static void
make_dates(DimensionPlan *plan)
{
	bool is_date = plan->base_type == DATEOID;
	const char *moment = plan->base_type == TIMESTAMPTZOID
							 ? "v::timestamptz AT TIME ZONE 'UTC'"
							 : psprintf("v::%s", format_type_be(plan->base_type));

	if (!is_date && plan->base_type != TIMESTAMPOID && plan->base_type != TIMESTAMPTZOID)
		dimension_plan_unsuited(plan, DATE_HINT);
	/* What lies at no moment (infinity) has no year: it stays until the top. */
	plan->source =
		psprintf("SELECT v, t, abs(year) AS y, CASE WHEN year < 0 THEN ' BC' ELSE '' END AS era"
				 " FROM (SELECT v, t, CASE WHEN isfinite(t) THEN extract(year FROM t) END AS year"
				 " FROM (SELECT v, %s AS t FROM (%s) s) s) s",
				 moment, dimension_plan_values(plan));
	for (int i = 0, before = is_date ? date_unit("day") : -1; i < plan->argument_count; i++)
	{
		int unit = date_unit(plan->arguments[i]);

		if (unit <= before)
			ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
							errmsg("unit \"%s\" is not coarser than %s", plan->arguments[i],
								   i == 0 ? "a date"
										  : psprintf("\"%s\" before it", plan->arguments[i - 1]))));
		before = unit;
		dimension_plan_add(plan, date_units[unit].name,
						   psprintf("coalesce(%s, v::text)", date_units[unit].label));
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
	 .make = make_quantiles},
	{.name = "digits",
	 .most_arguments = DIMENSION_MAX_LEVELS,
	 .hint = "It takes how many digits each level masks, for example {2,4}, or nothing.",
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
	StringInfoData names;

	initStringInfo(&names);
	for (int i = 0; i < (int) lengthof(methods); i++)
	{
		if (strcmp(name, methods[i].name) == 0)
			return &methods[i];
		names_add(&names, methods[i].name, (int) lengthof(methods) - 1 - i);
	}
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("unrecognized method \"%s\"", name),
			 errhint("Methods are %s.", names.data)));
}

void
dimension_method_make(const DimensionMethod *method, DimensionPlan *plan)
{
	if (plan->argument_count < method->least_arguments)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("method \"%s\" needs arguments", method->name),
						errhint("%s", method->hint)));
	if (plan->argument_count > method->most_arguments)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("method \"%s\" has too many arguments", method->name),
						errhint("%s", method->hint)));
	method->make(plan);
}
