/*
 * odd_values.c
 *		See odd_values.h.
 *
 * The shape of a value has 9 for each digit and a for each letter: 99999 for 53703, 99999-9999 for
 * 53703-2110.  Short for another one is a value of letters, of up to three, if it begins the other,
 * which is longer by three at least: m and male, US and USA are told apart from A and AB.
 */
#include "postgres.h"

#include "relation/odd_values.h"

#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "sql/query.h"
#include "sql/query_jobs.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#define MOST_LETTERS "100"
#define MOST_EXAMPLES 5
#define MARKERS "'', '?', '-', 'n/a', 'null', 'unknown'" /* of missing values */

char *
odd_values_query(const DescribedAttribute *attribute, const char *rows, const char *members)
{
	const char *value = psprintf("s.%s", quote_identifier(attribute->name));
	Oid type = getBaseType(attribute->type);

	/* What is alike to other types, as capitals are to citext, they alone know; so do collations.
	 */
	if ((type != TEXTOID && type != VARCHAROID && type != BPCHAROID && type != NAMEOID) ||
		(OidIsValid(attribute->collation) && !get_collation_isdeterministic(attribute->collation)))
		return NULL;
	return psprintf(
		"WITH v AS MATERIALIZED (SELECT x.value, sum(x.n)::int8 AS rows FROM (SELECT %s"
		" COLLATE \"C\" AS value, %s AS n FROM %s s) x"
		" WHERE length(x.value) <= " MOST_LETTERS " GROUP BY x.value),"
		" f AS MATERIALIZED (SELECT v.value, v.rows,"
		" btrim(regexp_replace(v.value, '\\s+', ' ', 'g')) AS bare,"
		" lower(btrim(v.value) COLLATE pg_catalog.\"default\") COLLATE \"C\" AS fold,"
		" regexp_replace(regexp_replace(v.value, '[0-9]', '9', 'g'), '[[:alpha:]]', 'a', 'g')"
		" AS shape FROM v),"
		" common AS (SELECT f.shape, (array_agg(f.value ORDER BY f.rows DESC, f.value))[1] AS "
		"value,"
		" sum(f.rows) / (SELECT sum(v.rows) FROM v) AS share FROM f GROUP BY f.shape"
		" ORDER BY 3 DESC, 1 LIMIT 1),"
		" fold AS MATERIALIZED (SELECT f.fold,"
		" (array_agg(f.value ORDER BY f.rows DESC, f.value))[1] AS value FROM f GROUP BY f.fold)"
		" SELECT f.value, f.rows, CASE"
		" WHEN f.fold IN (" MARKERS ") THEN 'may stand for a missing value'"
		" WHEN f.value <> f.bare THEN 'has stray blanks'"
		" WHEN f.value <> c.value THEN 'differs from \"' || c.value || '\" in capitals only'"
		" WHEN l.value IS NOT NULL THEN 'may be short for \"' || l.value || '\"'"
		" WHEN u.shape <> f.shape AND u.share >= 0.95 AND u.shape LIKE '%%9%%'"
		" THEN 'is written unlike \"' || u.value || '\" and most others' END AS detail"
		" FROM f JOIN fold c ON c.fold = f.fold CROSS JOIN common u"
		" LEFT JOIN LATERAL (SELECT min(o.value) AS value FROM fold o"
		" WHERE f.fold ~ '^[[:alpha:]]{1,3}$' AND (SELECT count(*) FROM fold) <= 1000"
		" AND starts_with(o.fold, f.fold) AND o.fold NOT IN (" MARKERS ")"
		" AND length(o.fold) >= length(f.fold) + 3 HAVING count(*) = 1) l ON true",
		value_text_expression(value, attribute->type), members, rows);
}

typedef struct OddColumn
{
	const Description *description;
	const DescribedAttribute *attribute;
	StringInfoData examples;
	int count;
} OddColumn;

static void
find_odd(void *state)
{
	OddColumn *column = state;
	const char *name = quote_identifier(column->attribute->name);
	const char *sql = odd_values_query(column->attribute,
									   psprintf("(SELECT r.%s FROM %s r LIMIT %d)", name,
												column->description->name, ODD_VALUES_ROWS),
									   "1");

	query_run(psprintf("SELECT format('\"%%s\" %%s', o.value, o.detail), count(*) OVER ()"
					   " FROM (%s) o WHERE o.detail IS NOT NULL"
					   " ORDER BY o.rows DESC, o.value LIMIT %d",
					   sql, MOST_EXAMPLES),
			  true);
	for (uint64 i = 0; i < query_rows(); i++)
	{
		column->count = (int) query_int8(i, 2);
		appendStringInfo(&column->examples, "%s%s", i > 0 ? "; " : "", query_text(i, 1));
	}
}

static void
notice_column(const Description *description, const DescribedAttribute *attribute, bool built)
{
	OddColumn column = {.description = description, .attribute = attribute};
	ErrorData *error;

	initStringInfo(&column.examples);
	error = query_attempt(find_odd, &column);
	if (error || column.count == 0)
		return;
	if (column.count > MOST_EXAMPLES)
		appendStringInfo(&column.examples, "; and %d more", column.count - MOST_EXAMPLES);
	ereport(NOTICE,
			(errmsg("%s has values that look odd", description_title(description, attribute)),
			 errdetail_internal("%s.", column.examples.data),
			 errhint("Values that are written differently are different values, to k and "
					 "to privacy models.  Correct them in the relation if they are not%s.",
					 built ? "; then drop the dimension, and make it again" : "")));
}

void
odd_values_notice(Oid relation, const List *columns, bool built)
{
	const Description *description;
	char kind = get_rel_relkind(relation);
	ListCell *cell;

	/* A view may have to be evaluated as a whole, and a foreign table to be fetched. */
	if (kind != RELKIND_RELATION && kind != RELKIND_MATVIEW && kind != RELKIND_PARTITIONED_TABLE)
		return;
	description = description_load_columns(relation);
	foreach (cell, columns)
	{
		const DescribedAttribute *attribute = description_get(description, lfirst(cell));

		if (odd_values_query(attribute, "", ""))
			notice_column(description, attribute, built);
	}
}
