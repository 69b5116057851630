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
 * GROUPING has a bit for each sensitive column that a row is not grouped by, so
 * the row of a class as a whole has them all and comes first.
 */
#include "postgres.h"

#include "count/class_stream.h"

#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "sql/row_query.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/datum.h"

#define FIRST_SENSITIVE 2 /* columns of the query before the sensitive ones */

typedef struct ClassReader
{
	const ClassStream *stream;
	ClassConsumer consumer;
	void *state;
	bool begun; /* a class is there that was not delivered */
	StreamedClass class;
	Histogram **histogram; /* [column] */
} ClassReader;

static char *
column_list(const ClassStream *stream, bool as_text)
{
	const Description *description = stream->description;
	StringInfoData list;

	initStringInfo(&list);
	for (int i = 0; i < description->quasi_count; i++)
	{
		const DescribedAttribute *attribute = &description->attributes[description->quasi[i]];
		const char *column = psprintf("s.%s", quote_identifier(attribute->name));

		appendStringInfo(&list, "%s%s", i > 0 ? ", " : "",
						 as_text ? value_text_expression(column, attribute->type) : column);
	}
	return list.data;
}

static char *
sensitive_name(const ClassStream *stream, int column)
{
	return psprintf("s.%s", quote_identifier(stream->query->column[column].attribute.name));
}

static char *
class_text(const ClassStream *stream)
{
	const char *classes = column_list(stream, false);
	int columns = stream->query->columns;
	StringInfoData names;
	StringInfoData sets;

	initStringInfo(&names);
	initStringInfo(&sets);
	for (int i = 0; i < columns; i++)
	{
		const char *name = sensitive_name(stream, i);

		appendStringInfo(&names, "%s%s", i > 0 ? ", " : "", name);
		appendStringInfo(&sets, ", (%s, %s)", classes, name);
	}
	return psprintf(
		"SELECT %s, %s%s%s, count(%s), count(*) FROM %s s"
		" GROUP BY GROUPING SETS ((%s)%s) ORDER BY %s, 2 DESC",
		stream->with_values ? psprintf("ARRAY[%s]", column_list(stream, true)) : "NULL::text[]",
		columns > 0 ? psprintf("GROUPING(%s)", names.data) : "0", columns > 0 ? ", " : "",
		names.data, stream->person ? psprintf("DISTINCT %s", stream->person) : "*",
		stream->description->name, classes, sets.data, classes);
}

static void
deliver_class(ClassReader *reader)
{
	if (!reader->begun)
		return;
	CHECK_FOR_INTERRUPTS();
	for (int i = 0; i < reader->stream->query->columns; i++)
		histogram_finish(reader->histogram[i]);
	reader->consumer(reader->state, &reader->class);
	if (reader->stream->with_values)
		pfree(DatumGetPointer(reader->class.values));
	reader->begun = false;
}

static void
begin_class(ClassReader *reader, Datum values, int64 members, int64 rows)
{
	deliver_class(reader);
	reader->begun = true;
	reader->class.members = members;
	reader->class.rows = rows;
	if (reader->stream->with_values)
		reader->class.values = datumCopy(values, false, -1);
	for (int i = 0; i < reader->stream->query->columns; i++)
		histogram_reset(reader->histogram[i]);
}

static void
consume_group(void *state, const Datum *values, const bool *nulls, int64 count)
{
	ClassReader *reader = state;
	const ModelQuery *query = reader->stream->query;
	int grouped = (1 << query->columns) - 1 - DatumGetInt32(values[1]);
	int64 members = DatumGetInt64(values[FIRST_SENSITIVE + query->columns]);
	int64 rows = DatumGetInt64(values[FIRST_SENSITIVE + query->columns + 1]);

	(void) count;
	if (grouped == 0)
	{
		begin_class(reader, values[0], members, rows);
		return;
	}
	/* The first column has the highest bit. */
	for (int i = 0; i < query->columns && members > 0; i++)
		if (grouped & (1 << (query->columns - 1 - i)))
			histogram_add(
				reader->histogram[i],
				model_query_code(query, i, values[FIRST_SENSITIVE + i], nulls[FIRST_SENSITIVE + i]),
				members);
}

void
class_stream_run(const ClassStream *stream, ClassConsumer consumer, void *state)
{
	const ModelQuery *query = stream->query;
	ClassReader reader = {.stream = stream, .consumer = consumer, .state = state};
	RowSource *groups = row_query_create(class_text(stream), false);

	reader.histogram = palloc(sizeof(Histogram *) * Max(query->columns, 1));
	for (int i = 0; i < query->columns; i++)
		reader.histogram[i] = histogram_create(query->column[i].domain.codes, query->budget);
	reader.class.histogram = (const Histogram **) reader.histogram;
	groups->scan(groups, consume_group, &reader);
	deliver_class(&reader);
}
