/*
 * release_recoding.c
 *		See release_recoding.h.  A new recoding is an entry in the table here, by name.
 */
#include "postgres.h"

#include "release/release_recoding.h"

#include "base/names.h"
#include "port/pg_bitutils.h"
#include "record/matching_recoding.h"
#include "record/mondrian_recoding.h"
#include "release/release_cells.h"
#include "release/release_cohort.h"
#include "release/release_full_domain.h"

#define MODELS (RECODING_MODELS | RECODING_PERSON)
#define CLASSES                                                                                    \
	(RECODING_ROWS | RECODING_BESIDE | RECODING_MEANS | RECODING_SPLIT | MODELS |                  \
	 RECODING_MODELS_AFTER | RECODING_RANGES)
#define COHORTS                                                                                    \
	(RECODING_KEY | RECODING_WAIT | RECODING_TARGET_LOSS | RECODING_LEAVERS | RECODING_STALE |     \
	 RECODING_READING | RECODING_PRESENT | RECODING_ANEW)
#define DRAW (RECODING_ROWS | RECODING_RANDOMIZE | RECODING_SEED | RECODING_REDRAW)

static const RecodingOps recodings[] = {
	{
		.name = "full_domain",
		.options = RECODING_LEVELS | RECODING_SUPPRESSION | MODELS | RECODING_WEIGHTS,
		.has_classes = true,
		.write = release_full_domain_write,
		.members = release_full_domain_members,
	},
	{
		.name = "mondrian",
		.options = CLASSES | RECODING_TARGET | RECODING_PARTITIONING,
		.has_classes = true,
		.write = release_cells_write,
		.members = release_cells_members,
		.recode = mondrian_recode,
		.spills = true,
	},
	{
		.name = "relaxed_mondrian",
		.options = CLASSES,
		.has_classes = true,
		.write = release_cells_write,
		.members = release_cells_members,
		.recode = relaxed_mondrian_recode,
		.deals = true,
		.spills = true,
	},
	{
		.name = "ring",
		.options = DRAW,
		.keeps_types = true,
		.write = release_cells_write,
		.members = release_cells_members,
		.recode = ring_recode,
		.deals = true,
		.dense = true,
	},
	{
		.name = "two_phase",
		.options = DRAW,
		.keeps_types = true,
		.write = release_cells_write,
		.members = release_cells_members,
		.recode = two_phase_recode,
		.deals = true,
		.dense = true,
	},
	{
		.name = "cohorts",
		.options = COHORTS | RECODING_MODELS | RECODING_WEIGHTS,
		.has_classes = true,
		.write = release_cohort_write,
		.advance = release_cohort_advance,
		.losses = release_cohort_losses,
	},
};

/* The argument names, in the order of RecodingOption. */
static const char *const option_names[] = {
	"rows",   "levels",  "suppression",  "means",   "split",       "target",
	"models", "person",  "randomize",    "seed",    "beside",      "partitioning",
	"redraw", "weights", "key",          "wait",    "target_loss", "leavers",
	"stale",  "reading", "models_after", "weights", "anew",        "ranges"};

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

List *
release_recoding_all(int options)
{
	List *all = NIL;

	for (int i = 0; i < (int) lengthof(recodings); i++)
		if ((recodings[i].options & options) == options)
			all = lappend(all, unconstify(RecodingOps *, &recodings[i]));
	return all;
}

void
release_recoding_check_options(const RecodingOps *recoding, int given)
{
	int refused = given & ~recoding->options;
	int count;
	char *takers;
	int option;

	if (refused == 0)
		return;
	option = pg_rightmost_one_pos32(refused);
	takers = release_recoding_takers(1 << option, &count);
	ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					errmsg("recoding \"%s\" takes no %s", recoding->name, option_names[option]),
					count == 1 ? errhint("The recoding that does is %s.", takers)
							   : errhint("Recodings that do are %s.", takers)));
}
