/*
 * release_request.c
 *		See release_request.h.
 */
#include "postgres.h"

#include "release/release_request.h"

#include "base/limits.h"
#include "partition/split_name.h"

typedef struct GivenOption
{
	RecodingOption option;
	const char *name;
	bool given;
} GivenOption;

static void
refuse_option(const ReleaseRequest *request, const GivenOption *given)
{
	int count;
	char *takers = release_recoding_takers(given->option, &count);

	ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					errmsg("recoding \"%s\" takes no %s", request->recoding->name, given->name),
					count == 1 ? errhint("The recoding that does is %s.", takers)
							   : errhint("Recodings that do are %s.", takers)));
}

void
release_request_check(const ReleaseRequest *request)
{
	PartitionSplit split = request->split ? split_name_require(request->split) : SPLIT_MEDIAN;
	const GivenOption options[] = {
		{RECODING_LEVELS, "levels", request->levels != NULL},
		{RECODING_SUPPRESSION, "suppression", request->suppression > 0},
		{RECODING_MEANS, "means", request->means},
		{RECODING_SPLIT, "split", request->split != NULL},
		{RECODING_TARGET, "target", request->target != NULL},
		{RECODING_MODELS, "models", request->demand.models != NIL},
		{RECODING_PERSON, "person", request->demand.person != NULL},
		{RECODING_RANDOMIZE, "randomize", !request->randomize},
		{RECODING_SEED, "seed", request->seed != NULL},
	};

	limits_check_k(request->demand.k);
	limits_check_suppression(request->suppression);
	for (int i = 0; i < (int) lengthof(options); i++)
		if (options[i].given && !(request->recoding->options & options[i].option))
			refuse_option(request, &options[i]);
	split_name_check_target(split, request->target);
	if (request->seed && !request->randomize)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("without randomize nothing is drawn that takes a seed")));
}
