/*
 * class_query.c
 *		See class_query.h.
 *
 * The query of patients(age, zipcode) with k = 2:
 *
 *	SELECT sum(n), count(*), min(size), count(*) FILTER (WHERE size < 2), ..
 *	FROM (SELECT count(*) AS n, count(*) AS size, s.age AS c1, s.zipcode AS c2
 *	      FROM public.patients s GROUP BY s.age, s.zipcode
 *	      HAVING count(*) > 0) classes
 *
 * With a loss, each class looks up its labels' losses in the dimensions, so
 * that the table is read once only.
 */
#include "postgres.h"

#include "count/class_query.h"

#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "relation/grouped_rows.h"
#include "sql/comparison.h"
#include "sql/loss_query.h"
#include "sql/query.h"
#include "sql/row_query.h"
#include "utils/builtins.h"

/*
 * The classes of a FROM list by grouping expressions (C strings; an empty list: one class of all
 * rows).  HAVING: otherwise an empty relation would be a class with no rows.
 */
static char *
classes_text(const char *from, const List *columns, const char *count, const char *size)
{
	StringInfoData select;
	StringInfoData group;
	ListCell *cell;

	initStringInfo(&select);
	initStringInfo(&group);
	foreach (cell, columns)
	{
		const char *column = lfirst(cell);

		appendStringInfo(&select, ", %s AS c%d", column, foreach_current_index(cell) + 1);
		appendStringInfo(&group, "%s%s", group.len > 0 ? ", " : " GROUP BY ", column);
	}
	return psprintf("(SELECT %s AS n, %s AS size%s FROM %s%s HAVING count(*) > 0) classes", count,
					size, select.data, from, group.data);
}

static char *
tally_text(const char *classes, int k, const char *loss)
{
	return psprintf("SELECT coalesce(sum(n), 0)::int8, count(*), coalesce(min(size), 0),"
					" count(*) FILTER (WHERE size < %d),"
					" coalesce(sum(n) FILTER (WHERE size < %d), 0)::int8,"
					" coalesce(%s, 0)::float8"
					" FROM %s",
					k, k, loss, classes);
}

char *
class_query_of_relation(const Description *description, int k)
{
	const DescribedAttribute *person = description->person;
	Bitmapset *numbers = description_quasi_columns(description);
	GroupedRows rows = grouped_rows(
		description, person ? bms_add_member(numbers, person->number) : numbers, GROUPED_FOR_ONE);
	List *columns = NIL;

	for (int i = 0; i < description->quasi_count; i++)
		columns = lappend(columns, psprintf("s.%s", quote_identifier(description->quasi[i]->name)));
	return tally_text(classes_text(psprintf("%s s", rows.relation), columns, rows.count,
								   grouped_rows_members(&rows, person)),
					  k, "0");
}

/*
 * The loss if everything has one label, which hides all.  Without a dimension, the domain is the
 * table's: does it have two values, NULL included?
 */
static char *
constant_loss(const Description *description, const DescribedAttribute *attribute,
			  const StarColumn *column)
{
	const char *value = quote_identifier(attribute->name);

	if (column->pairs != NULL)
		return psprintf(
			"(SELECT %s FROM (%s) d)",
			loss_query_of_all("count(*)",
							  psprintf("EXISTS (SELECT 1 FROM %s s WHERE %s)", description->name,
									   star_query_is_other(column, attribute))),
			column->pairs);
	return psprintf("EXISTS (SELECT 1 FROM %s s, (SELECT f.%s AS first FROM %s f LIMIT 1) f"
					" WHERE NOT %s OR"
					" (s.%s IS DISTINCT FROM NULL) <> (f.first IS DISTINCT FROM NULL))::int",
					description->name, value, description->name,
					comparison_equal(psprintf("s.%s", value), "f.first", attribute->type), value);
}

/* Adds the loss of one attribute, if it has any, and its joins. */
static void
add_loss(StringInfo loss, StringInfo classes, const Description *description, int attribute,
		 int level, const StarColumn *column, int number)
{
	const DescribedAttribute *described = description->quasi[attribute];
	const char *term;

	if (column->constant)
		term = constant_loss(description, described, column);
	else
	{
		const char *hidden =
			column->shows_null ? star_query_shows_null(description, attribute, level) : NULL;

		appendStringInfo(classes,
						 " LEFT JOIN (SELECT d.label, %s AS loss"
						 " FROM (%s) d (ground, label) GROUP BY d.label) l%d"
						 " ON %s",
						 loss_query_of_leaves("count(*)", "sum(count(*)) OVER ()"), column->pairs,
						 number,
						 comparison_equal(psprintf("l%d.label", number),
										  psprintf("classes.c%d", number), column->type));
		/*
		 * Anything but a label of the dimension hides everything; so does NULL if values are shown
		 * as NULL.
		 */
		term = psprintf("coalesce(l%d.loss, ((classes.c%d IS DISTINCT FROM NULL%s)"
						" AND (SELECT count(*) FROM (%s) d) > 0)::int)",
						number, number, hidden ? psprintf(" OR %s", hidden) : "", column->pairs);
	}
	appendStringInfo(loss, " + %.17g::float8 * %s", described->weight, term);
}

char *
class_query_of_node(const Description *description, const int *levels, const StarQuery *star,
					const char *count, int k)
{
	List *columns = NIL;
	StringInfoData classes;
	StringInfoData loss;
	double weight = 0;

	initStringInfo(&classes);
	initStringInfo(&loss);
	for (int i = 0; i < description->quasi_count; i++)
	{
		const StarColumn *column = &star->columns[i];

		weight += description->quasi[i]->weight;
		if (!column->constant)
			columns = lappend(columns, unconstify(char *, column->expression));
		if (levels[i] > 0)
			add_loss(&loss, &classes, description, i, levels[i], column, list_length(columns));
	}
	return tally_text(
		psprintf("%s%s", classes_text(star->from, columns, count, count), classes.data), k,
		psprintf("sum(n * (0%s) ORDER BY n * (0%s)) / sum(n) / nullif(%.17g::float8, 0)", loss.data,
				 loss.data, weight));
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

ClassTally
class_query_tally(void)
{
	return (ClassTally){
		.rows = query_int8(0, 1),
		.classes = query_int8(0, 2),
		.smallest = query_int8(0, 3),
		.small_classes = query_int8(0, 4),
		.small_rows = query_int8(0, 5),
		.loss = strtod(query_text(0, 6), NULL),
	};
}

/*
 * ---- Risk
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
	GroupedRows rows =
		grouped_rows(description, description_quasi_columns(description), GROUPED_FOR_ONE);

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
