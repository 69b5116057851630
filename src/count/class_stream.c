/*
 * class_stream.c
 *		See class_stream.h.
 *
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
#include "postgres.h"

#include "count/class_stream.h"

#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "relation/grouped_rows.h"
#include "sql/row_query.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/datum.h"

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
	int columns = description->demand.columns;
	GroupedRows rows =
		grouped_rows(description, description_used_columns(description), GROUPED_FOR_SETS);
	const char *names = description_list(description->sensitive, columns);
	StringInfoData sets;

	initStringInfo(&sets);
	for (int i = 0; i < columns; i++)
		appendStringInfo(&sets, ", (%s, s.%s)", classes,
						 quote_identifier(description->sensitive[i]->name));
	return psprintf("SELECT %s, %s%s%s, %s, %s FROM %s s"
					" GROUP BY GROUPING SETS ((%s)%s) ORDER BY %s, 2 DESC",
					with_values ? psprintf("ARRAY[%s]", text_list(description)) : "NULL::text[]",
					columns > 0 ? psprintf("GROUPING(%s)", names) : "0", columns > 0 ? ", " : "",
					names, grouped_rows_members(&rows, description->person), rows.count,
					rows.relation, classes, sets.data, classes);
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
class_stream_run(const Description *description, bool with_values, ClassConsumer consumer,
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
