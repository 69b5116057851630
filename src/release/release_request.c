/*
 * release_request.c
 *		See release_request.h.
 */
#include "postgres.h"

#include "release/release_request.h"

#include "base/limits.h"
#include "lib/stringinfo.h"

/* In the order of ReleaseRecoding, which is that of their names. */
static const char *const recoding_name[RECODING_COUNT] = {"full_domain", "mondrian",
														  "relaxed_mondrian", "ring", "two_phase"};

#define FULL_DOMAIN (1 << RECODING_FULL_DOMAIN)
#define MULTIDIMENSIONAL ((1 << RECODING_MONDRIAN) | (1 << RECODING_RELAXED_MONDRIAN))
#define CELLWISE ((1 << RECODING_RING) | (1 << RECODING_TWO_PHASE))

/* "mondrian and relaxed_mondrian", the recodings of a set. */
static char *
name_set(int recodings)
{
	StringInfoData names;

	initStringInfo(&names);
	for (int i = 0; i < RECODING_COUNT; i++)
	{
		if ((recodings & (1 << i)) == 0)
			continue;
		recodings &= ~(1 << i);
		appendStringInfo(&names, "%s%s",
						 names.len == 0   ? ""
						 : recodings == 0 ? " and "
										  : ", ",
						 recoding_name[i]);
	}
	return names.data;
}

ReleaseRecoding
release_request_recoding(const char *name)
{
	for (int i = 0; i < RECODING_COUNT; i++)
		if (strcmp(recoding_name[i], name) == 0)
			return (ReleaseRecoding) i;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("unknown recoding \"%s\"", name),
			 errhint("The recodings are %s.", name_set((1 << RECODING_COUNT) - 1))));
}

const char *
release_request_recoding_name(ReleaseRecoding recoding)
{
	return recoding_name[recoding];
}

static void
refuse_option(const ReleaseRequest *request, bool given, const char *option, int takers)
{
	bool single = (takers & (takers - 1)) == 0;

	if (given && (takers & (1 << request->recoding)) == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("recoding \"%s\" takes no %s", recoding_name[request->recoding], option),
				 single ? errhint("The recoding that does is %s.", name_set(takers))
						: errhint("Recodings that do are %s.", name_set(takers))));
}

void
release_request_check(const ReleaseRequest *request)
{
	limits_check_k(request->demand.k);
	limits_check_suppression(request->suppression);
	refuse_option(request, request->levels != NULL, "levels", FULL_DOMAIN);
	refuse_option(request, request->suppression > 0, "suppression", FULL_DOMAIN);
	refuse_option(request, request->means, "means", MULTIDIMENSIONAL);
	refuse_option(request, request->split != NULL, "split", MULTIDIMENSIONAL);
	refuse_option(request, request->target != NULL, "target", MULTIDIMENSIONAL);
	refuse_option(request, request->demand.models != NIL, "models", FULL_DOMAIN | MULTIDIMENSIONAL);
	refuse_option(request, request->demand.person != NULL, "person",
				  FULL_DOMAIN | MULTIDIMENSIONAL);
	refuse_option(request, !request->randomize, "randomize", CELLWISE);
	refuse_option(request, request->seed != NULL, "seed", CELLWISE);
	if (!request->randomize && request->seed)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("without randomize nothing is drawn that takes a seed")));
}
