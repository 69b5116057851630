/*
 * class_query.c
 *		See class_query.h.
 *
 * The query of patients(age, zipcode) with k = 2:
 *
 *	SELECT sum(n), count(*), min(size), count(*) FILTER (WHERE size < 2), ..
 *	FROM (SELECT count(*) AS n, count(*) AS size
 *	      FROM public.patients s GROUP BY s.age, s.zipcode) classes
 */
#include "postgres.h"

#include "count/class_query.h"

#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "relation/grouped_rows.h"
#include "sql/query.h"
#include "sql/row_query.h"
#include "utils/builtins.h"

ClassTally
class_query_tally(const Description *description, int k)
{
	GroupedRows rows =
		grouped_rows(description, description_used_columns(description), GROUPED_FOR_ONE);

	query_run(psprintf("SELECT coalesce(sum(n), 0)::int8, count(*), coalesce(min(size), 0),"
					   " count(*) FILTER (WHERE size < %d),"
					   " coalesce(sum(n) FILTER (WHERE size < %d), 0)::int8"
					   " FROM (SELECT %s AS n, %s AS size FROM %s s GROUP BY %s) classes",
					   k, k, rows.count, grouped_rows_members(&rows, description->person),
					   rows.relation,
					   description_list(description->quasi, description->quasi_count)),
			  true);
	return (ClassTally){
		.rows = query_int8(0, 1),
		.classes = query_int8(0, 2),
		.smallest = query_int8(0, 3),
		.small_classes = query_int8(0, 4),
		.small_rows = query_int8(0, 5),
	};
}

char *
class_query_of_rows(const Description *description)
{
	GroupedRows rows = grouped_rows(description, NULL, GROUPED_FOR_ONE);

	return psprintf("SELECT %s FROM %s s", rows.count, rows.relation);
}

int64
class_query_count(const Description *description)
{
	query_run(class_query_of_rows(description), true);
	return query_int8(0, 1);
}

/*
 * ---- Risk
 *
 * The query of patients(age, sex) with the population voters:
 *
 *	SELECT f, p, count(*)
 *	FROM (SELECT sum(f)::int8 AS f, sum(p)::int8 AS p
 *	      FROM (SELECT s.age, s.sex, count(*), 0 FROM public.patients s GROUP BY s.age, s.sex
 *	            UNION ALL
 *	            SELECT s.age, s.sex, 0, count(*) FROM public.voters s GROUP BY s.age, s.sex)
 *	           parts (c1, c2, f, p)
 *	      GROUP BY c1, c2 HAVING sum(f) > 0) classes
 *	GROUP BY f, p ORDER BY f, p
 *
 * Classes are matched by GROUP BY and not by a join, so that NULL meets NULL.
 */

typedef struct RiskScan
{
	RiskTally tally;
	int64 impossible; /* classes with fewer rows in the population than in the relation */
} RiskScan;

/* The classes of a relation, counted as f, as p or as both. */
static char *
part_text(const Description *description, bool f, bool p)
{
	GroupedRows rows =
		grouped_rows(description, description_quasi_columns(description), GROUPED_FOR_ONE);
	const char *columns = description_list(description->quasi, description->quasi_count);

	return psprintf("SELECT %s, %s, %s FROM %s s GROUP BY %s", columns, f ? rows.count : "0::int8",
					p ? rows.count : "0::int8", rows.relation, columns);
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
					" FROM (%s) parts (%s, f, p) GROUP BY %s HAVING sum(f) > 0) classes"
					" GROUP BY f, p ORDER BY f, p",
					parts, columns.data, columns.data);
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
class_query_risk(const Description *description, const Description *population, double threshold)
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
