/*
 * release_recoding.c
 *		See release_recoding.h.  The table of recodings: a new one is an entry here, by
 *		name.
 */
#include "postgres.h"

#include "release/release_recoding.h"

#include "base/names.h"
#include "release/release_cells.h"
#include "release/release_full_domain.h"

#define MODELS (RECODING_MODELS | RECODING_PERSON)
#define DRAW (RECODING_RANDOMIZE | RECODING_SEED)

static const RecodingOps recodings[] = {
	{
		.name = "full_domain",
		.options = RECODING_LEVELS | RECODING_SUPPRESSION | MODELS | RECODING_WEIGHTS,
		.has_classes = true,
		.write = release_full_domain_write,
	},
	{
		.name = "mondrian",
		.options = RECODING_MEANS | RECODING_SPLIT | RECODING_TARGET | MODELS,
		.has_classes = true,
		.write = release_cells_write,
		.function = "kanon_view_mondrian",
	},
	{
		.name = "relaxed_mondrian",
		.options = RECODING_MEANS | RECODING_SPLIT | MODELS,
		.has_classes = true,
		.write = release_cells_write,
		.function = "kanon_view_mondrian",
		.arguments = ", relaxed => true",
		.deals = true,
	},
	{
		.name = "ring",
		.options = DRAW,
		.keeps_types = true,
		.write = release_cells_write,
		.function = "kanon_ring",
		.deals = true,
	},
	{
		.name = "two_phase",
		.options = DRAW,
		.keeps_types = true,
		.write = release_cells_write,
		.function = "kanon_two_phase",
		.deals = true,
	},
};

char *
release_recoding_takers(int option, int *count)
{
	StringInfoData names;
	int left = 0;

	for (int i = 0; i < (int) lengthof(recodings); i++)
		left += (recodings[i].options & option) == option;
	*count = left;
	initStringInfo(&names);
	for (int i = 0; i < (int) lengthof(recodings); i++)
		if ((recodings[i].options & option) == option)
			names_add(&names, recodings[i].name, --left);
	return names.data;
}

const RecodingOps *
release_recoding_find(const char *name)
{
	int count;

	for (int i = 0; i < (int) lengthof(recodings); i++)
		if (strcmp(recodings[i].name, name) == 0)
			return &recodings[i];
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("unrecognized recoding \"%s\"", name),
			 errhint("The recodings are %s.", release_recoding_takers(0, &count))));
}
