/*
 * release_request.c
 *		See release_request.h.
 */
#include "postgres.h"

#include "release/release_request.h"

#include "base/limits.h"
#include "partition/split_name.h"

void
release_request_check(const ReleaseRequest *request)
{
	PartitionSplit split = request->split ? split_name_require(request->split) : SPLIT_MEDIAN;

	limits_check_k(request->demand.k);
	limits_check_suppression(request->suppression);
	release_recoding_check_options(
		request->recoding,
		(request->levels ? RECODING_LEVELS : 0) |
			(request->suppression > 0 ? RECODING_SUPPRESSION : 0) |
			(request->means ? RECODING_MEANS : 0) | (request->split ? RECODING_SPLIT : 0) |
			(request->target ? RECODING_TARGET : 0) |
			(request->demand.models ? RECODING_MODELS : 0) |
			(request->demand.person ? RECODING_PERSON : 0) |
			(request->randomize ? 0 : RECODING_RANDOMIZE) | (request->seed ? RECODING_SEED : 0) |
			(request->redraw ? RECODING_REDRAW : 0));
	split_name_check_target(split, request->target);
	if (request->seed && !request->randomize)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("without randomize nothing is drawn that takes a seed")));
}
