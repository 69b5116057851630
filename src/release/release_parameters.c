/*
 * release_parameters.c
 *		See release_parameters.h.
 */
#include "postgres.h"

#include "release/release_parameters.h"

#include "base/budget.h"
#include "catalog/pg_type.h"
#include "release/release_table.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "sql/text_settings.h"
#include "utils/builtins.h"
#include "utils/datum.h"

static const char *
literal(const char *text)
{
	return text ? quote_literal_cstr(text) : "NULL";
}

static const char *
boolean(bool value)
{
	return value ? "true" : "false";
}

Datum
release_parameters_rest(const ReleaseRequest *request)
{
	bool isnull;

	query_run(
		psprintf("SELECT jsonb_build_object('means', %s, 'split', %s::text,"
				 " 'target', %s::text, 'randomize', %s, 'redraw', %s, 'partitioning', %s::text,"
				 " 'memory_limit', %d)",
				 boolean(request->means), literal(request->split), literal(request->target),
				 boolean(request->randomize), boolean(request->redraw),
				 literal(request->partitioning), request->memory),
		true);
	return datumCopy(query_value(0, 1, &isnull), false, -1);
}

/* Of the release's row; false where there is none. */
static bool
query_parameters(Oid catalog, Oid release, const char *columns)
{
	Oid types[] = {OIDOID};
	Datum values[] = {ObjectIdGetDatum(release)};

	release_table_run(
		catalog, psprintf("SELECT %s FROM %s WHERE release = $1", columns, relation_name(catalog)),
		lengthof(types), types, values, NULL);
	return query_rows() == 1;
}

static char *
text_field(int column)
{
	char *text = query_text(0, column);

	return text ? pstrdup(text) : NULL;
}

ReleaseRequest
release_parameters_request(Oid catalog, const ReleaseEntry *entry)
{
	ReleaseRequest request = {.relation = entry->relation,
							  .recoding = entry->recoding,
							  .quasi_identifiers = entry->quasi_identifiers,
							  .demand = entry->demand,
							  .suppression = entry->suppression};

	if (!query_parameters(catalog, entry->release,
						  "(parameters ->> 'means')::boolean::int::int8,"
						  " (parameters ->> 'randomize')::boolean::int::int8,"
						  " (parameters ->> 'redraw')::boolean::int::int8,"
						  " parameters ->> 'split', parameters ->> 'target',"
						  " parameters ->> 'partitioning', (parameters ->> 'memory_limit')::int8"))
		return request;
	request.means = query_int8(0, 1) == 1;
	request.randomize = query_int8(0, 2) == 1;
	request.redraw = query_int8(0, 3) == 1;
	request.split = text_field(4);
	request.target = text_field(5);
	request.partitioning = text_field(6);
	request.memory = (int) query_int8(0, 7);
	return request;
}

void
release_parameters_pin_memory(Oid catalog, const ReleaseEntry *entry)
{
	int memory = release_parameters_request(catalog, entry).memory;

	if (memory > budget_kilobytes())
		text_settings_pin_one("kanon.memory_limit", psprintf("%d", memory));
}
