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
#include "count/content_tally.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "relation/grouped_rows.h"
#include "sql/query.h"
#include "sql/row_query.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/memutils.h"

/* Tallies groups by SQL: aggregates of their rows and of their size, of a relation by columns. */
static ClassTally
tally_groups(const char *rows, const char *size, const char *relation, const char *columns, int k,
			 QueryView view)
{
	query_run_with(psprintf("SELECT coalesce(sum(n), 0)::int8, count(*), coalesce(min(size), 0),"
							" count(*) FILTER (WHERE size < %d),"
							" coalesce(sum(n) FILTER (WHERE size < %d), 0)::int8"
							" FROM (SELECT %s AS n, %s AS size FROM %s s GROUP BY %s) classes",
							k, k, rows, size, relation, columns),
				   view, "");
	return (ClassTally){
		.rows = query_int8(0, 1),
		.classes = query_int8(0, 2),
		.smallest = query_int8(0, 3),
		.small_classes = query_int8(0, 4),
		.small_rows = query_int8(0, 5),
	};
}

ClassTally
class_query_tally(const Description *description, int k)
{
	GroupedRows rows =
		grouped_rows(description, description_used_columns(description), GROUPED_FOR_ONE);

	return tally_groups(rows.count, grouped_rows_members(&rows, description->person), rows.relation,
						description_list(description->quasi, description->quasi_count), k,
						QUERY_READ);
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

/* ---- runs
 *
 * Counting 10 million rows by nine ranges takes a fifth of the time of GROUP BY, which hashes each
 * row.  GROUP BY counts what a hash table cannot hold.
 */

ClassTally
class_query_tally_runs(const Description *description, int k, bool read_only)
{
	const char *columns = description_list(description->quasi, description->quasi_count);
	const char *sql = psprintf("SELECT %s FROM %s s", columns, description->name);
	int *all = palloc(sizeof(int) * Max(description->quasi_count, 1));
	ContentTally *tally;
	ClassTally classes;

	for (int i = 0; i < description->quasi_count; i++)
		all[i] = i;
	tally = content_tally_create(
		(ContentQuestion){.classes = true, .column = all, .columns = description->quasi_count});
	if (read_only)
		query_stream(sql, content_tally_receiver(tally));
	else
		query_stream_in_snapshot(sql, content_tally_receiver(tally));
	if (!content_tally_classes(tally, k, &classes))
		classes = tally_groups("count(*)", "count(*)", description->name, columns, k,
							   read_only ? QUERY_READ : QUERY_IN_SNAPSHOT);
	content_tally_free(tally);
	return classes;
}

/* ---- one after the other */

/*
 * The query of patients(age, zipcode) with models over disease and salary:
 *
 *	SELECT NULL::text[], GROUPING(s.disease, s.salary), s.disease, s.salary,
 *	       count(*), count(*)
 *	FROM public.patients s
 *	GROUP BY GROUPING SETS ((s.age, s.zipcode),
 *	                        (s.age, s.zipcode, s.disease),
 *	                        (s.age, s.zipcode, s.salary))
 *	ORDER BY s.age, s.zipcode, 2 DESC
 *
 * or over the groups of its parts, with sum(s.n) in place of count(*) (relation/grouped_rows).
 * The executor sorts and spills, so that memory holds one class at a time.
 * GROUPING has a bit for each sensitive column that a row is not grouped by, so
 * the row of a class as a whole has them all and comes first.
 */
#define FIRST_SENSITIVE 2 /* columns of the query before the sensitive ones */

typedef struct ClassReader
{
	const Description *description;
	bool with_values;
	ClassConsumer consumer;
	void *state;
	bool begun; /* a class was begun and not delivered yet */
	StreamedClass class;
	Histogram **histogram; /* [column] */
} ClassReader;

/* The quasi-identifiers as texts. */
static char *
text_list(const Description *description)
{
	StringInfoData list;

	initStringInfo(&list);
	for (int i = 0; i < description->quasi_count; i++)
	{
		const DescribedAttribute *attribute = description->quasi[i];
		const char *column = psprintf("s.%s", quote_identifier(attribute->name));

		appendStringInfo(&list, "%s%s", i > 0 ? ", " : "",
						 value_text_expression(column, attribute->type));
	}
	return list.data;
}

static char *
class_text(const Description *description, bool with_values)
{
	const char *classes = description_list(description->quasi, description->quasi_count);
	const char *comma = description->quasi_count > 0 ? ", " : "";
	int columns = description->demand.columns;
	GroupedRows rows =
		grouped_rows(description, description_used_columns(description), GROUPED_FOR_SETS);
	const char *names = description_list(description->sensitive, columns);
	StringInfoData sets;

	initStringInfo(&sets);
	for (int i = 0; i < columns; i++)
		appendStringInfo(&sets, ", (%s%ss.%s)", classes, comma,
						 quote_identifier(description->sensitive[i]->name));
	return psprintf("SELECT %s, %s%s%s, %s, %s FROM %s s"
					" GROUP BY GROUPING SETS ((%s)%s) ORDER BY %s%s2 DESC",
					with_values ? psprintf("ARRAY[%s]", text_list(description)) : "NULL::text[]",
					columns > 0 ? psprintf("GROUPING(%s)", names) : "0", columns > 0 ? ", " : "",
					names, grouped_rows_members(&rows, description->person), rows.count,
					rows.relation, classes, sets.data, classes, comma);
}

static void
deliver_class(ClassReader *reader)
{
	if (!reader->begun)
		return;
	CHECK_FOR_INTERRUPTS();
	for (int i = 0; i < reader->description->demand.columns; i++)
		histogram_finish(reader->histogram[i]);
	reader->consumer(reader->state, &reader->class);
	if (reader->with_values)
		pfree(DatumGetPointer(reader->class.values));
	reader->begun = false;
}

static void
consume_group(void *state, const Datum *values, const bool *nulls, int64 count)
{
	ClassReader *reader = state;
	int columns = reader->description->demand.columns;
	int grouped = (1 << columns) - 1 - DatumGetInt32(values[1]);
	int64 members = DatumGetInt64(values[FIRST_SENSITIVE + columns]);
	int64 rows = DatumGetInt64(values[FIRST_SENSITIVE + columns + 1]);

	(void) count;
	if (grouped == 0)
	{
		deliver_class(reader);
		reader->begun = true;
		reader->class.members = members;
		reader->class.rows = rows;
		if (reader->with_values)
			reader->class.values = datumCopy(values[0], false, -1);
		for (int i = 0; i < columns; i++)
			histogram_reset(reader->histogram[i]);
		return;
	}
	/* The first column has the highest bit. */
	for (int i = 0; i < columns && members > 0; i++)
		if (grouped & (1 << (columns - 1 - i)))
			histogram_add(reader->histogram[i],
						  sensitive_values_code(reader->description, i, values[FIRST_SENSITIVE + i],
												nulls[FIRST_SENSITIVE + i]),
						  members);
}

void
class_query_each(const Description *description, bool with_values, ClassConsumer consumer,
				 void *state, Budget *budget)
{
	ClassReader reader = {.description = description,
						  .with_values = with_values,
						  .consumer = consumer,
						  .state = state};
	const Demand *demand = &description->demand;
	Oid *types = palloc(sizeof(Oid) * (demand->columns + FIRST_SENSITIVE + 2));
	RowSource *groups;

	types[0] = TEXTARRAYOID;
	types[1] = INT4OID;
	for (int i = 0; i < demand->columns; i++)
		types[FIRST_SENSITIVE + i] = description->sensitive[i]->type;
	types[FIRST_SENSITIVE + demand->columns] = INT8OID;
	types[FIRST_SENSITIVE + demand->columns + 1] = INT8OID;
	groups = row_query_create(class_text(description, with_values), types,
							  FIRST_SENSITIVE + demand->columns + 2, false);
	reader.histogram = palloc(sizeof(Histogram *) * Max(demand->columns, 1));
	for (int i = 0; i < demand->columns; i++)
		reader.histogram[i] = histogram_create(demand->domain[i]->codes, budget);
	reader.class.histogram = (const Histogram **) reader.histogram;
	groups->scan(groups, consume_group, &reader);
	deliver_class(&reader);
}

/* ---- risk */

/*
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
