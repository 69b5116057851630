/*
 * dimension_check.c
 *		What is wrong with a dimension, see dimension_build.h.
 *
 * First the ground values are cast one by one.  Then the query for the other problems lists the
 * invalid ones, so that it never casts them.  That query only counts by grouping, which finds a
 * type's equality by its operator class and needs no operator name.
 */
#include "postgres.h"

#include "dimension/dimension_build.h"

#include "base/budget.h"
#include "executor/tstoreReceiver.h"
#include "lib/stringinfo.h"
#include "relation/description.h"
#include "relation/dimension_source.h"
#include "relation/grouped_rows.h"
#include "relation/odd_values.h"
#include "sql/cast_settings.h"
#include "sql/query.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/ruleutils.h"

typedef struct DimensionCheck
{
	const Description *dimension;
	const Description *relation;
	const DescribedAttribute *attribute;
	const char *ground;     /* the ground value's column, quoted */
	const char *values;     /* see values_query */
	StringInfoData invalid; /* SQL: list of ground values without a cast */
	Budget budget;          /* of that list */
	Tuplestorestate *problems;
	TupleDesc row;
} DimensionCheck;

static void
put_invalid(void *state, const char *value, int64 rows, const char *message)
{
	DimensionCheck *check = state;
	Size quoted = mul_size(strlen(value), 2) + sizeof("E'', "); /* at most */

	budget_check(&check->budget, quoted, "list of invalid ground values");
	query_put(check->problems, check->row, "titlt", "invalid ground value", 0, value, rows,
			  message);
	appendStringInfo(&check->invalid, "%s%s", check->invalid.len > 0 ? ", " : "",
					 quote_literal_cstr(value));
}

/* SQL: a column of the dimension as text; the dimension has this alias. */
static const char *
column_text(const DimensionCheck *check, int column, const char *alias)
{
	const DescribedAttribute *attribute = &check->dimension->attributes[column];

	return value_text_expression(psprintf("%s%s", alias, quote_identifier(attribute->name)),
								 attribute->type);
}

/* Casts each distinct ground value once. */
static void
check_casts(DimensionCheck *check)
{
	Oid source = check->dimension->attributes[0].type;

	/* Ground values may have a type without equality. */
	cast_trial_run(value_cast_expression("$1", source, check->attribute->type), source,
				   psprintf("SELECT DISTINCT ON (t) g, count(*) OVER (PARTITION BY t), t FROM"
							" (SELECT %s AS g, %s COLLATE \"C\" AS t FROM %s"
							" WHERE %s IS DISTINCT FROM NULL) d ORDER BY t",
							check->ground, column_text(check, 0, ""), check->dimension->name,
							check->ground),
				   put_invalid, check);
}

/*
 * A SELECT of the dimension's rows: the ground value as text (ground), as the attribute compares it
 * (v, NULL if that fails), and the label above it.  A domain is cast to its base type, because it
 * may not allow NULL.
 */
static char *
values_query(const DimensionCheck *check)
{
	const char *ground = column_text(check, 0, "d.");
	char *value = psprintf("CASE WHEN i.invalid IS NULL THEN %s END",
						   value_cast_expression(psprintf("d.%s", check->ground),
												 check->dimension->attributes[0].type,
												 check->attribute->type));
	const char *label = quote_identifier(check->dimension->attributes[1].name);

	if (OidIsValid(check->attribute->collation))
		value = psprintf("(%s) COLLATE %s", value,
						 generate_collation_name(check->attribute->collation));
	return psprintf("SELECT %s COLLATE \"C\" AS ground, %s AS v, d.%s AS label FROM %s d"
					" LEFT JOIN unnest(ARRAY[%s]::text[]) i (invalid)"
					" ON i.invalid = %s COLLATE \"C\"",
					ground, value, label, check->dimension->name, check->invalid.data, ground);
}

/* Appends the rows of the ground value's problems: order, problem, level, value, rows, detail. */
static void
append_ground_problems(StringInfo sql, const DimensionCheck *check)
{
	const char *label = value_text_expression("label", check->dimension->attributes[1].type);

	appendStringInfo(sql,
					 "SELECT 1 AS place, 'null ground value' AS problem, 0 AS level,"
					 " NULL::text AS value, count(*) AS rows, NULL::text AS detail"
					 " FROM %s WHERE %s IS NOT DISTINCT FROM NULL HAVING count(*) > 0",
					 check->dimension->name, check->ground);
	appendStringInfo(sql,
					 " UNION ALL SELECT 2, 'duplicate ground value', 0, %s, count(*),"
					 " format('under \"%%s\" and under \"%%s\"', min(%s COLLATE \"C\"),"
					 " max(%s COLLATE \"C\")) || CASE WHEN min(ground) <> max(ground)"
					 " THEN ', written ' || string_agg(DISTINCT '\"' || ground || '\"', ', ')"
					 " ELSE '' END FROM (%s) d WHERE v IS DISTINCT FROM NULL GROUP BY v"
					 " HAVING count(DISTINCT label) > 1",
					 value_text_expression("v", check->attribute->type), label, label,
					 check->values);
}

static void
append_level_problems(StringInfo sql, const DimensionCheck *check, int level)
{
	const char *label = quote_identifier(check->dimension->attributes[level].name);
	const char *parent;

	appendStringInfo(sql,
					 " UNION ALL SELECT 3, 'null label', %d, %s, count(*),"
					 " NULL FROM %s WHERE %s IS NOT DISTINCT FROM NULL GROUP BY 4",
					 level, column_text(check, 0, ""), check->dimension->name, label);
	if (level == check->dimension->attribute_count - 1)
		return;
	parent = column_text(check, level + 1, "");
	appendStringInfo(sql,
					 " UNION ALL SELECT 4, 'not many-to-one', %d, %s, count(*),"
					 " format('under \"%%s\" and under \"%%s\"', min(%s COLLATE \"C\"),"
					 " max(%s COLLATE \"C\")) FROM %s WHERE %s IS DISTINCT FROM NULL GROUP BY %s"
					 " HAVING count(DISTINCT %s) > 1",
					 level, column_text(check, level, ""), parent, parent, check->dimension->name,
					 label, label, quote_identifier(check->dimension->attributes[level + 1].name));
}

static void
check_contents(const DimensionCheck *check)
{
	DestReceiver *receiver = CreateTuplestoreDestReceiver();
	const char *column = psprintf("s.%s", quote_identifier(check->attribute->name));
	GroupedRows rows = grouped_rows(check->relation, bms_make_singleton(check->attribute->number),
									GROUPED_FOR_ROWS);
	StringInfoData sql;
	const char *odd;

	initStringInfo(&sql);
	appendStringInfoString(&sql, "SELECT problem, level, value, rows, detail FROM (");
	append_ground_problems(&sql, check);
	for (int level = 1; level < check->dimension->attribute_count; level++)
		append_level_problems(&sql, check, level);
	appendStringInfo(&sql,
					 " UNION ALL SELECT 5, 'missing value', 0, %s, sum(n)::int8, NULL"
					 " FROM (SELECT %s AS v, %s AS n FROM %s s WHERE %s IS DISTINCT FROM NULL"
					 " UNION ALL SELECT v, 0 FROM (%s) d) s"
					 " GROUP BY v HAVING v IS DISTINCT FROM NULL AND min(n) > 0",
					 value_text_expression("v", check->attribute->type), column,
					 rows.members ? rows.members : "1", rows.relation, column, check->values);
	odd = odd_values_query(check->attribute, rows.relation, rows.members ? rows.members : "1");
	if (odd)
		appendStringInfo(&sql,
						 " UNION ALL SELECT 6, 'odd value', 0, o.value, o.rows, o.detail"
						 " FROM (%s) o WHERE o.detail IS NOT NULL",
						 odd);
	appendStringInfoString(&sql, ") p ORDER BY place, level, rows DESC, value COLLATE \"C\"");
	SetTuplestoreDestReceiverParams(receiver, check->problems, CurrentMemoryContext, false, NULL,
									NULL);
	query_stream(sql.data, receiver);
	receiver->rDestroy(receiver);
}

void
dimension_check(Oid dimension, Oid relation, const char *attribute, Tuplestorestate *problems,
				TupleDesc row)
{
	DimensionCheck check = {
		.relation = description_load_columns(relation),
		.budget = budget_begin(),
		.problems = problems,
		.row = row,
	};

	check.attribute = description_get(check.relation, attribute);
	description_check_quasi_identifier(check.relation, check.attribute);
	check.dimension = dimension_source_load(dimension, check.attribute, 1);
	check.ground = quote_identifier(check.dimension->attributes[0].name);
	initStringInfo(&check.invalid);
	if (check.dimension->attributes[0].type != check.attribute->type)
		check_casts(&check);
	check.values = values_query(&check);
	check_contents(&check);
}
