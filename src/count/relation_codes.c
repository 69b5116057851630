/*
 * relation_codes.c
 *		See relation_codes.h.
 */
#include "postgres.h"

#include "count/relation_codes.h"

#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "sql/row_query.h"
#include "utils/builtins.h"

typedef struct RelationReader
{
	const RelationRequest *request;
	Dataset *dataset;
	DatasetColumn **column;
	int64 rows;
} RelationReader;

static char *
select_text(const RelationRequest *request, int attributes)
{
	StringInfoData select;
	StringInfoData group;

	initStringInfo(&select);
	initStringInfo(&group);
	for (int i = 0; i < attributes; i++)
	{
		appendStringInfo(&select, "%s s.%s", i > 0 ? "," : "SELECT",
						 quote_identifier(request->attribute[i]->name));
		appendStringInfo(&group, "%s%d", i > 0 ? ", " : " GROUP BY ", i + 1);
	}
	if (request->key)
		appendStringInfo(&select, ", %s", request->key);
	if (request->count)
		appendStringInfo(&select, ", %s", request->count);
	return psprintf("%s FROM %s s%s", select.data, request->relation,
					request->count ? group.data : "");
}

static void
read_row(void *state, const Datum *values, const bool *nulls, int64 count)
{
	RelationReader *reader = state;
	int attributes = reader->dataset->attributes;
	bool groups = reader->dataset->layout == DATASET_GROUPS;

	for (int64 copies = groups ? 1 : Min(count, RELATION_CODES_COPIES); copies > 0; copies--)
	{
		dataset_append(reader->dataset, count);
		for (int i = 0; i < attributes; i++)
			dataset_column_encode(reader->column[i], values[i], nulls[i]);
		if (reader->request->key)
			reader->request->consumer(reader->request->state, values[attributes],
									  nulls[attributes]);
	}
	reader->rows += count;
}

DatasetColumn **
relation_codes_read(Dataset *dataset, const RelationRequest *request, int64 *rows)
{
	RelationReader reader = {.request = request, .dataset = dataset};
	Oid *types = palloc(sizeof(Oid) * (dataset->attributes + 1));
	RowSource *source;

	for (int i = 0; i < dataset->attributes; i++)
		types[i] = request->attribute[i]->type;
	types[dataset->attributes] = TEXTOID;
	source = row_query_create(select_text(request, dataset->attributes), types,
							  dataset->attributes + (request->key ? 1 : 0), request->count != NULL);
	reader.column = palloc(sizeof(DatasetColumn *) * Max(dataset->attributes, 1));
	for (int i = 0; i < dataset->attributes; i++)
		reader.column[i] = dataset_column_create(dataset, i, request->attribute[i], true);
	source->scan(source, read_row, &reader);
	if (rows)
		*rows = reader.rows;
	return reader.column;
}
