/*
 * release_request.c
 *		See release_request.h.
 */
#include "postgres.h"

#include "release/release_request.h"

#include <math.h>

#include "base/budget.h"
#include "common/shortest_dec.h"
#include "model/model.h"
#include "partition/partition.h"
#include "record/record_spill.h"
#include "record/suppress_recoding.h"
#include "release/release_text.h"
#include "sql/own_table.h"
#include "sql/query.h"
#include "sql/text_settings.h"
#include "utils/fmgrprotos.h"

/* What options demand of classes. */
static void
take_demand(ReleaseRequest *request)
{
	request->demand.known = request->options.known;
	request->demand.null_matches = request->options.null_matches;
}

void
release_request_change(ReleaseRequest *request, const ReleaseArguments *arguments)
{
	if (arguments->k)
		request->demand.k = arguments->k;
	if (arguments->recoding)
		request->recoding = arguments->recoding;
	if (arguments->quasi_identifiers)
		request->quasi_identifiers = arguments->quasi_identifiers;
	if (arguments->models)
		request->demand.models = model_text_read_list(arguments->models);
	if (!isnan(arguments->suppression))
		request->suppression = arguments->suppression;
	if (arguments->person)
		request->demand.person = arguments->person[0] ? arguments->person : NULL;
	if (arguments->options)
		release_options_read(&request->options, arguments->options, OPTIONS_OF_REQUEST);
	take_demand(request);
}

List *
release_request_leave(ReleaseRequest *request)
{
	ReleaseRequest before = {0};
	List *left;

	if (request->replaced)
		before = release_request_of(request->replaced);
	left = release_options_leave(&request->options, request->recoding,
								 request->replaced ? &before.options : NULL, before.recoding);
	take_demand(request);
	return left;
}

ReleaseRequest
release_request_new(const ReleaseArguments *arguments)
{
	ReleaseRequest request = {.options = release_options_default()};

	request.options.partitioning = record_spill_for_release();
	request.options.memory_limit = budget_kilobytes();
	release_request_change(&request, arguments);
	return request;
}

/* Cuts must not depend on values. */
static void
check_models_after(const ReleaseRequest *request)
{
	if (!request->options.models_after)
		return;
	if (request->demand.models == NIL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("models_after needs models")));
	if (request->options.target)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("models_after goes with splits that take no target"),
						errdetail("Cuts by a target look at its values.")));
}

void
release_request_check(const ReleaseRequest *request)
{
	const ReleaseOptions *options = &request->options;
	List *recoding = list_make1(unconstify(RecodingOps *, request->recoding));

	/* With models_after, all recodings that support it take a suppression. */
	if (request->suppression > 0 && !options->models_after)
		release_recoding_check_taken(recoding, RECODING_SUPPRESSION, "suppression");
	if (request->demand.models)
		release_recoding_check_taken(recoding, RECODING_MODELS, "models");
	if (request->demand.person)
		release_recoding_check_taken(recoding, RECODING_PERSON, "person");
	release_options_check_taken(options, recoding, false);
	split_name_check_target(release_options_split(options, request->recoding), options->target);
	check_models_after(request);
	if (request->recoding->takes & RECODING_MATCHES)
		suppress_recoding_check(options->null_matches, options->known,
								request->demand.models != NIL, request->demand.person != NULL);
	if (options->seed && !options->randomize)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("without randomize nothing is drawn that takes a seed")));
}

static void
check_target(const ReleaseRequest *request, const Description *description)
{
	const DescribedAttribute *target;

	if (request->options.target == NULL)
		return;
	target = description_get(description, request->options.target);
	if (!release_columns_publishes(description, target) ||
		description_quasi(description, target) >= 0)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("target \"%s\" is not published as it is", target->name),
						errhint("A target is a sensitive or insensitive column.")));
}

Description *
release_request_describe(const ReleaseRequest *request)
{
	Description *description = description_load(request->relation, request->quasi_identifiers);

	release_models_describe(description, &request->demand);
	if (request->recoding->flat)
		description_flatten(description, request->recoding->nulls);
	check_target(request, description);
	return description;
}

void
release_request_take_declared(ReleaseRequest *request, const Description *description)
{
	bool differ = false;
	StringInfoData weights;

	initStringInfo(&weights);
	for (int i = 0; i < description->quasi_count; i++)
	{
		char number[DOUBLE_SHORTEST_DECIMAL_LEN];

		double_to_shortest_decimal_buf(description->quasi[i]->weight, number);
		appendStringInfo(&weights, "%s%s", i > 0 ? "," : "", number);
		differ = differ || description->quasi[i]->weight != description->quasi[0]->weight;
	}
	request->options.rest = (request->recoding->takes & RECODING_REST) != 0;
	request->options.column_weights =
		differ && (request->recoding->takes & RECODING_WEIGHED) ? weights.data : NULL;
}

/* ---- recoding */

RecordRequest
release_request_records(const ReleaseRequest *request, bool told)
{
	const RecodingOps *ops = request->recoding;

	return (RecordRequest){.way = {.partitioning = record_spill_partitioning},
						   .roles = {.quasi_identifiers = request->quasi_identifiers,
									 .models = model_text_write_list(request->demand.models),
									 .target = request->options.target,
									 .plain = release_options_plain(&request->options, ops),
									 .flat = ops->flat,
									 .nulls = ops->nulls,
									 .told = told},
						   .split = release_options_split(&request->options, ops),
						   .ranks = ops->ranks,
						   .spans = release_options_spans(&request->options, ops),
						   .regions = ops->regions,
						   .may_spill = ops->takes_tape};
}

RecodeOptions
release_request_recode(const ReleaseRequest *request)
{
	const RecodingOps *ops = request->recoding;
	RecodeOptions recode = {.k = request->demand.k,
							.by_class = ops->has_classes,
							.suppression =
								(ops->takes & RECODING_SUPPRESSION) ? request->suppression : 0};

	release_options_recode(&request->options, ops, &recode);
	return recode;
}

/* ---- parameters */

Datum
release_request_parameters(const ReleaseRequest *request)
{
	return DirectFunctionCall1(
		jsonb_in, CStringGetDatum(release_options_text(&request->options, request->recoding,
													   OPTIONS_OF_PARAMETERS)));
}

ReleaseRequest
release_request_of(const ReleaseEntry *entry)
{
	ReleaseRequest request = {.relation = entry->relation,
							  .recoding = entry->recoding,
							  .quasi_identifiers = entry->quasi_identifiers,
							  .demand = entry->demand,
							  .suppression = entry->suppression,
							  .options = release_options_default()};
	bool isnull;

	own_table_do("SELECT parameters, recoding FROM @release_state WHERE release = $1", "o",
				 entry->release);
	if (query_rows() == 0)
		return request;
	release_options_read(&request.options, DatumGetJsonbP(query_value(0, 1, &isnull)),
						 OPTIONS_OF_PARAMETERS);
	/* A strict release of "mondrian" is of a time when the median was told, but not chosen. */
	if (strcmp(query_text(0, 2), entry->recoding->name) != 0 && request.options.split &&
		split_name_require(request.options.split) == SPLIT_MEDIAN)
		request.options.split = NULL;
	request.options.given = 0;
	request.options.new_secret = false;
	return request;
}

void
release_request_pin_memory(const ReleaseEntry *entry)
{
	int memory = release_request_of(entry).options.memory_limit;

	if (memory > budget_kilobytes())
		text_settings_pin_one("kanon.memory_limit", psprintf("%d", memory));
}

static void
set_release_limit(int kilobytes)
{
	text_settings_local("kanon.release_memory_limit", psprintf("%d", kilobytes));
}

void
release_request_lend_memory(const ReleaseEntry *entry)
{
	int memory = release_request_of(entry).options.memory_limit;

	if (memory > budget_kilobytes())
		set_release_limit(memory);
}

void
release_request_return_memory(void)
{
	if (budget_release_limit > 0)
		set_release_limit(0);
}
