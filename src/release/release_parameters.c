/*
 * release_parameters.c
 *		See release_parameters.h.
 */
#include "postgres.h"

#include "release/release_parameters.h"

#include "base/budget.h"
#include "sql/own_table.h"
#include "sql/query.h"
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

static void
read_cohort(ReleaseCohort *cohort, int first)
{
	cohort->key = query_text(0, first);
	if (cohort->key == NULL)
		return;
	cohort->given = RECODING_KEY;
	cohort->wait = (int) query_int8(0, first + 1);
	cohort->target_loss = query_double(0, first + 2);
	cohort->leavers = query_text(0, first + 3);
	cohort->stale = query_double(0, first + 4);
	cohort->reading = query_text(0, first + 5);
	cohort->weights = query_int8(0, first + 6);
}

ReleaseRequest
release_parameters_request(const ReleaseEntry *entry)
{
	ReleaseRequest request = {.relation = entry->relation,
							  .recoding = entry->recoding,
							  .quasi_identifiers = entry->quasi_identifiers,
							  .demand = entry->demand,
							  .suppression = entry->suppression};

	own_table_do("SELECT (parameters ->> 'means')::boolean, (parameters ->> 'randomize')::boolean,"
				 " (parameters ->> 'redraw')::boolean, parameters ->> 'split',"
				 " parameters ->> 'target', parameters ->> 'partitioning',"
				 " (parameters ->> 'memory_limit')::int8,"
				 " parameters ->> 'key', (parameters ->> 'wait')::int8,"
				 " (parameters ->> 'target_loss')::float8, parameters ->> 'leavers',"
				 " (parameters ->> 'stale')::float8, parameters ->> 'reading',"
				 " (parameters ->> 'weights')::boolean, (parameters ->> 'models_after')::boolean,"
				 " (parameters ->> 'ranges')::boolean, NOT parameters ? 'ranges'"
				 " FROM @release_state WHERE release = $1",
				 "o", entry->release);
	if (query_rows() != 1)
		return request;
	request.means = query_int8(0, 1);
	request.randomize = query_int8(0, 2);
	request.redraw = query_int8(0, 3);
	request.split = query_text(0, 4);
	request.target = query_text(0, 5);
	request.partitioning = query_text(0, 6);
	request.memory = (int) query_int8(0, 7);
	read_cohort(&request.cohort, 8);
	request.models_after = query_int8(0, 15);
	/* Older releases have ranges where their recoding makes any. */
	request.ranges =
		query_int8(0, 16) || (query_int8(0, 17) && (entry->recoding->options & RECODING_RANGES));
	return request;
}

void
release_parameters_pin_memory(const ReleaseEntry *entry)
{
	int memory = release_parameters_request(entry).memory;

	if (memory > budget_kilobytes())
		text_settings_pin_one("kanon.memory_limit", psprintf("%d", memory));
}

static void
set_release_limit(int kilobytes)
{
	text_settings_local("kanon.release_memory_limit", psprintf("%d", kilobytes));
}

void
release_parameters_lend_memory(const ReleaseEntry *entry)
{
	int memory = release_parameters_request(entry).memory;

	if (memory > budget_kilobytes())
		set_release_limit(memory);
}

void
release_parameters_return_memory(void)
{
	if (budget_release_limit > 0)
		set_release_limit(0);
}
