/*
 * release_recoding.c
 *		See release_recoding.h.  A new recoding is an entry in the table here, by name.
 */
#include "postgres.h"

#include "release/release_recoding.h"

#include "base/names.h"
#include "record/matching_recoding.h"
#include "record/record_codes.h"
#include "record/single_recoding.h"
#include "record/suppress_recoding.h"
#include "release/release_cells.h"
#include "release/release_cohort.h"
#include "release/release_full_domain.h"

#define MODELS (RECODING_MODELS | RECODING_PERSON)
#define CLASSES (RECODING_ROWS | RECODING_BESIDE | RECODING_CLASSES | MODELS | RECODING_RANGES)
#define DRAW (RECODING_ROWS | RECODING_DRAW | RECODING_WEIGHTS | RECODING_WEIGHED | RECODING_RANGES)
#define RULE                                                                                       \
	(RECODING_ROWS | RECODING_BESIDE | RECODING_SUPPRESSION | MODELS | RECODING_WEIGHTS |          \
	 RECODING_RULE)
#define BY_CELLS(function)                                                                         \
	.write = release_cells_write, .members = release_cells_members, .recode = (function)

static const RecodingOps recodings[] = {
	{
		.name = "full_domain",
		.takes =
			RECODING_LEVELS | RECODING_SUPPRESSION | MODELS | RECODING_WEIGHTS | RECODING_KNOWN,
		.has_classes = true,
		.write = release_full_domain_write,
		.members = release_full_domain_members,
	},
	{
		.name = "local",
		.takes = CLASSES | RECODING_SUPPRESSION | RECODING_WEIGHTS | RECODING_WEIGHED,
		.has_classes = true,
		BY_CELLS(local_recode),
		.nodes = local_nodes,
		.ranks = true,
		.regions = true,
		.takes_tape = true,
	},
	{
		.name = "mondrian",
		.takes = CLASSES | RECODING_TARGET | RECODING_PARTITIONING | RECODING_WEIGHTS |
				 RECODING_WEIGHED | RECODING_REST,
		.has_classes = true,
		BY_CELLS(mondrian_recode),
		.nodes = mondrian_nodes,
		.takes_tape = true,
	},
	{
		.name = "strict_mondrian",
		.takes = CLASSES | RECODING_TARGET | RECODING_PARTITIONING,
		.has_classes = true,
		BY_CELLS(strict_mondrian_recode),
		.nodes = strict_mondrian_nodes,
		.takes_tape = true,
	},
	{
		.name = "relaxed_mondrian",
		.takes = CLASSES,
		.has_classes = true,
		BY_CELLS(relaxed_mondrian_recode),
		.order_matters = true,
		.takes_tape = true,
	},
	{
		.name = "ring",
		.takes = DRAW,
		.keeps_types = true,
		BY_CELLS(ring_recode),
		.order_matters = true,
		.ranks = true,
	},
	{
		.name = "two_phase",
		.takes = DRAW,
		.keeps_types = true,
		BY_CELLS(two_phase_recode),
		.order_matters = true,
		.ranks = true,
	},
	{
		.name = "subtree",
		.takes = RULE | RECODING_BOUND,
		.has_classes = true,
		.keeps_types = true,
		BY_CELLS(subtree_recode),
		.ranks = true,
	},
	{
		.name = "unrestricted",
		.takes = RULE,
		.has_classes = true,
		.keeps_types = true,
		BY_CELLS(unrestricted_recode),
		.ranks = true,
	},
	{
		.name = "ordered",
		.takes = RULE | RECODING_BOUND,
		.has_classes = true,
		BY_CELLS(ordered_recode),
		.ranks = true,
		.flat = true,
	},
	{
		.name = "suppress_cells",
		.takes = RECODING_ROWS | RECODING_BESIDE | MODELS | RECODING_WEIGHTS | RECODING_WEIGHED |
				 RECODING_KNOWN | RECODING_MATCHES,
		.has_classes = true,
		.keeps_types = true,
		.nulls = true,
		BY_CELLS(suppress_recode),
		.order_matters = true,
		.ranks = true,
		.flat = true,
	},
	{
		.name = "cohorts",
		.takes = RECODING_COHORT | RECODING_MODELS | RECODING_WEIGHTS,
		.has_classes = true,
		.write = release_cohort_write,
		.advance = release_cohort_advance,
		.losses = release_cohort_losses,
	},
};

List *
release_recoding_all(int takes)
{
	List *all = NIL;

	for (int i = 0; i < (int) lengthof(recodings); i++)
		if (takes == RECODING_ANY || (recodings[i].takes & takes) == takes)
			all = lappend(all, unconstify(RecodingOps *, &recodings[i]));
	return all;
}

List *
release_recoding_takers(int takes)
{
	List *names = NIL;

	foreach_ptr (const RecodingOps, recoding, release_recoding_all(takes))
		names = lappend(names, unconstify(char *, recoding->name));
	return names;
}

const RecodingOps *
release_recoding_find(const char *name)
{
	for (int i = 0; i < (int) lengthof(recodings); i++)
		if (strcmp(recodings[i].name, name) == 0)
			return &recodings[i];
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("unrecognized recoding \"%s\"", name),
			 errhint("The recodings are %s.", names_join(release_recoding_takers(0)))));
}

const RecodingOps *
release_recoding_of_text(const char *name, bool rest)
{
	const RecodingOps *recoding = release_recoding_find(name);

	return (recoding->takes & RECODING_REST) && !rest ? release_recoding_find("strict_mondrian")
													  : recoding;
}

void
release_recoding_check_taken(List *list, int takes, const char *what)
{
	const char *message = list_length(list) == 1
							  ? psprintf("recoding \"%s\" takes no %s",
										 ((const RecodingOps *) linitial(list))->name, what)
							  : psprintf("none of these recodings takes %s", what);
	List *takers = release_recoding_takers(takes);

	foreach_ptr (const RecodingOps, recoding, list)
		if (recoding->takes & takes)
			return;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg_internal("%s", message),
			 list_length(takers) == 1 ? errhint("The recoding that does is %s.", names_join(takers))
									  : errhint("Recodings that do are %s.", names_join(takers))));
}
