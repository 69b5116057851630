/*
 * risk_query.c
 *		See risk_query.h.
 *
 * The query of patients(age, sex) with the population voters:
 *
 *	SELECT f, p, count(*)
 *	FROM (SELECT sum(f)::int8 AS f, sum(p)::int8 AS p
 *	      FROM (SELECT s.age AS c1, s.sex AS c2, count(*) AS f, 0 AS p
 *	            FROM public.patients s GROUP BY s.age, s.sex
 *	            UNION ALL
 *	            SELECT s.age AS c1, s.sex AS c2, 0 AS f, count(*) AS p
 *	            FROM public.voters s GROUP BY s.age, s.sex) parts
 *	      GROUP BY c1, c2 HAVING sum(f) > 0) classes
 *	GROUP BY f, p ORDER BY f, p
 *
 * Classes are matched by GROUP BY and not by a join, so that NULL meets NULL.
 */
#include "postgres.h"

#include "count/risk_query.h"

#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "relation/grouped_rows.h"
#include "sql/row_query.h"
#include "utils/builtins.h"

typedef struct RiskScan
{
	RiskTally tally;
	int64 impossible; /* classes with fewer rows in the population than in the relation */
} RiskScan;

static char *
column_names(const Description *description, bool numbered)
{
	StringInfoData names;

	initStringInfo(&names);
	for (int i = 0; i < description->quasi_count; i++)
	{
		const char *name = description->quasi[i]->name;

		appendStringInfo(&names, "%ss.%s", i > 0 ? ", " : "", quote_identifier(name));
		if (numbered)
			appendStringInfo(&names, " AS c%d", i + 1);
	}
	return names.data;
}

/* The classes of a relation, counted as f, as p or as both. */
static char *
part_text(const Description *description, bool f, bool p)
{
	GroupedRows rows = grouped_rows(description, description_quasi_columns(description));

	return psprintf("SELECT %s, %s AS f, %s AS p FROM %s s GROUP BY %s",
					column_names(description, true), f ? rows.count : "0::int8",
					p ? rows.count : "0::int8", rows.relation, column_names(description, false));
}

static char *
risk_text(const Description *description, const Description *population)
{
	const char *parts = part_text(description, true, population == NULL);
	StringInfoData columns;

	initStringInfo(&columns);
	for (int i = 1; i <= description->quasi_count; i++)
		appendStringInfo(&columns, "%sc%d", i > 1 ? ", " : "", i);
	if (population)
		parts = psprintf("%s UNION ALL %s", parts, part_text(population, false, true));
	return psprintf("SELECT f, p, count(*) FROM (SELECT sum(f)::int8 AS f, sum(p)::int8 AS p"
					" FROM (%s) parts GROUP BY %s HAVING sum(f) > 0) classes"
					" GROUP BY f, p ORDER BY f, p",
					parts, columns.data);
}

static void
check_columns(const Description *description, const Description *population)
{
	for (int i = 0; i < description->quasi_count; i++)
	{
		const DescribedAttribute *here = description->quasi[i];
		const DescribedAttribute *there = population->quasi[i];

		if (here->type != there->type)
			ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
							errmsg("column \"%s\" has another type in population %s", there->name,
								   population->name),
							errdetail("It has type %s there and %s in relation %s.",
									  format_type_be(there->type), format_type_be(here->type),
									  description->name)));
	}
}

static void
consume_sizes(void *state, const Datum *values, const bool *nulls, int64 count)
{
	RiskScan *scan = state;
	int64 rows = DatumGetInt64(values[0]);
	int64 population = DatumGetInt64(values[1]);

	(void) nulls;
	if (population < rows)
		scan->impossible += count;
	else
		risk_add(&scan->tally, count, rows, population);
}

RiskTally
risk_query_tally(const Description *description, const Description *population, double threshold)
{
	RiskScan scan = {.tally = {.threshold = threshold}};
	RowSource *sizes;

	if (population)
		check_columns(description, population);
	sizes = row_query_create(risk_text(description, population), (const Oid[]){INT8OID, INT8OID}, 2,
							 true);
	sizes->scan(sizes, consume_sizes, &scan);
	if (scan.impossible > 0)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("relation %s was not drawn from population %s", description->name,
							   population->name),
						errdetail_plural(INT64_FORMAT " class has fewer rows in the population.",
										 INT64_FORMAT " classes have fewer rows in the population.",
										 scan.impossible, scan.impossible)));
	return scan.tally;
}
