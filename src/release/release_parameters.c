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
#include "utils/float.h"

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

/* The parameters that only releases by cohorts have. */
static const char *
cohort_parameters(const ReleaseCohort *cohort)
{
	if (cohort->given == 0)
		return "";
	return psprintf(" || jsonb_build_object('key', %s::text, 'wait', %d, 'target_loss', %s::float8,"
					" 'leavers', %s::text, 'stale', %s::float8, 'reading', %s::text,"
					" 'weights', %s)",
					literal(cohort->key), cohort->wait,
					quote_literal_cstr(float8out_internal(cohort->target_loss)),
					literal(cohort->leavers), quote_literal_cstr(float8out_internal(cohort->stale)),
					literal(cohort->reading), boolean(cohort->weights));
}

Datum
release_parameters_rest(const ReleaseRequest *request)
{
	bool isnull;

	query_run(psprintf("SELECT jsonb_build_object('means', %s, 'split', %s::text,"
					   " 'target', %s::text, 'randomize', %s, 'redraw', %s, 'models_after', %s,"
					   " 'ranges', %s, 'partitioning', %s::text, 'memory_limit', %d)%s",
					   boolean(request->means), literal(request->split), literal(request->target),
					   boolean(request->randomize), boolean(request->redraw),
					   boolean(request->models_after), boolean(request->ranges),
					   literal(request->partitioning), request->memory,
					   cohort_parameters(&request->cohort)),
			  true);
	return datumCopy(query_value(0, 1, &isnull), false, -1);
}

/* Queries columns of the release's row; false if there is none. */
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

static void
read_cohort(ReleaseCohort *cohort, int first)
{
	cohort->key = text_field(first);
	if (cohort->key == NULL)
		return;
	cohort->given = RECODING_KEY;
	cohort->wait = (int) query_int8(0, first + 1);
	cohort->target_loss = strtod(query_text(0, first + 2), NULL);
	cohort->leavers = text_field(first + 3);
	cohort->stale = strtod(query_text(0, first + 4), NULL);
	cohort->reading = text_field(first + 5);
	cohort->weights = query_int8(0, first + 6) == 1;
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
						  " parameters ->> 'partitioning', (parameters ->> 'memory_limit')::int8,"
						  " parameters ->> 'key', (parameters ->> 'wait')::int8,"
						  " parameters ->> 'target_loss', parameters ->> 'leavers',"
						  " parameters ->> 'stale', parameters ->> 'reading',"
						  " (parameters ->> 'weights')::boolean::int::int8,"
						  " (parameters ->> 'models_after')::boolean::int::int8,"
						  " (parameters ->> 'ranges')::boolean::int::int8,"
						  " (NOT parameters ? 'ranges')::int::int8"))
		return request;
	request.means = query_int8(0, 1) == 1;
	request.randomize = query_int8(0, 2) == 1;
	request.redraw = query_int8(0, 3) == 1;
	request.split = text_field(4);
	request.target = text_field(5);
	request.partitioning = text_field(6);
	request.memory = (int) query_int8(0, 7);
	read_cohort(&request.cohort, 8);
	request.models_after = query_int8(0, 15) == 1;
	/* Older releases have ranges where their recoding makes any. */
	request.ranges = query_int8(0, 16) == 1 ||
					 (query_int8(0, 17) == 1 && (entry->recoding->options & RECODING_RANGES));
	return request;
}

void
release_parameters_pin_memory(Oid catalog, const ReleaseEntry *entry)
{
	int memory = release_parameters_request(catalog, entry).memory;

	if (memory > budget_kilobytes())
		text_settings_pin_one("kanon.memory_limit", psprintf("%d", memory));
}

static void
set_release_limit(int kilobytes)
{
	text_settings_local("kanon.release_memory_limit", psprintf("%d", kilobytes));
}

void
release_parameters_lend_memory(Oid catalog, const ReleaseEntry *entry)
{
	int memory = release_parameters_request(catalog, entry).memory;

	if (memory > budget_kilobytes())
		set_release_limit(memory);
}

void
release_parameters_return_memory(void)
{
	if (budget_release_limit > 0)
		set_release_limit(0);
}
