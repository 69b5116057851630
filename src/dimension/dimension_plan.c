/*
 * dimension_plan.c
 *		See dimension_plan.h.
 */
#include "postgres.h"

#include "dimension/dimension_plan.h"

#include "data/hidden.h"
#include "lib/stringinfo.h"
#include "nodes/value.h"
#include "relation/grouped_rows.h"
#include "sql/comparison.h"
#include "utils/builtins.h"

static char *
values_text(const DimensionPlan *plan, bool counted)
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

char *
dimension_plan_values(const DimensionPlan *plan)
{
	return values_text(plan, false);
}

char *
dimension_plan_counts(const DimensionPlan *plan)
{
	return values_text(plan, true);
}

void
dimension_plan_add(DimensionPlan *plan, char *name, char *label)
{
	if (list_length(plan->names) >= DIMENSION_MAX_LEVELS)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("method \"%s\" would make more than %d levels for column \"%s\"",
							   plan->method, DIMENSION_MAX_LEVELS, plan->attribute->name),
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

void
dimension_plan_unsuited(const DimensionPlan *plan, const char *hint)
{
	ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
					errmsg("method \"%s\" does not apply to column \"%s\" of type %s", plan->method,
						   plan->attribute->name, format_type_be(plan->attribute->type)),
					errhint("%s", hint)));
}

int
dimension_plan_count(const char *text, const char *noun, int least)
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
