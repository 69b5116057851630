/*
 * release_request.c
 *		See release_request.h.
 */
#include "postgres.h"

#include "release/release_request.h"

#include "base/limits.h"
#include "partition/split_name.h"

/* Cuts must not depend on values. */
static void
check_models_after(const ReleaseRequest *request)
{
	if (!request->models_after)
		return;
	if (request->demand.models == NIL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("models_after needs models")));
	if (request->target)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("models_after goes with cuts at the median only"),
						errdetail("Cuts by a target look at its values.")));
}

void
release_request_check(const ReleaseRequest *request)
{
	PartitionSplit split = request->split ? split_name_require(request->split) : SPLIT_MEDIAN;

	limits_check_k(request->demand.k);
	limits_check_suppression(request->suppression);
	release_recoding_check_options(
		request->recoding,
		(request->levels ? RECODING_LEVELS : 0) |
			/* With models_after, all recodings that support it take a suppression. */
			(request->suppression > 0 && !request->models_after ? RECODING_SUPPRESSION : 0) |
			(request->means ? RECODING_MEANS : 0) | (request->split ? RECODING_SPLIT : 0) |
			(request->target ? RECODING_TARGET : 0) |
			(request->demand.models ? RECODING_MODELS : 0) |
			(request->demand.person ? RECODING_PERSON : 0) |
			(request->randomize ? 0 : RECODING_RANDOMIZE) | (request->seed ? RECODING_SEED : 0) |
			(request->redraw ? RECODING_REDRAW : 0) |
			(request->models_after ? RECODING_MODELS_AFTER : 0) |
			(request->ranges ? RECODING_RANGES : 0) | request->cohort.given);
	split_name_check_target(split, request->target);
	check_models_after(request);
	if (request->seed && !request->randomize)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("without randomize nothing is drawn that takes a seed")));
}
