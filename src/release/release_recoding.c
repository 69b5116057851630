/*
 * release_recoding.c
 *		See release_recoding.h.  A new recoding is an entry in the table here, by name.
 */
#include "postgres.h"

#include "release/release_recoding.h"

#include "base/names.h"
#include "catalog/pg_type.h"
#include "record/matching_recoding.h"
#include "record/mondrian_recoding.h"
#include "release/release_cells.h"
#include "release/release_cohort.h"
#include "release/release_full_domain.h"
#include "utils/builtins.h"

#define MODELS (RECODING_MODELS | RECODING_PERSON)
#define CLASSES (RECODING_ROWS | RECODING_BESIDE | RECODING_CLASSES | MODELS)
#define DRAW (RECODING_ROWS | RECODING_DRAW)

static const RecodingOps recodings[] = {
	{
		.name = "full_domain",
		.takes = RECODING_LEVELS | RECODING_SUPPRESSION | MODELS | RECODING_WEIGHTS,
		.has_classes = true,
		.write = release_full_domain_write,
		.members = release_full_domain_members,
	},
	{
		.name = "mondrian",
		.takes = CLASSES | RECODING_TARGET | RECODING_PARTITIONING,
		.has_classes = true,
		.write = release_cells_write,
		.members = release_cells_members,
		.recode = mondrian_recode,
		.takes_tape = true,
	},
	{
		.name = "relaxed_mondrian",
		.takes = CLASSES,
		.has_classes = true,
		.write = release_cells_write,
		.members = release_cells_members,
		.recode = relaxed_mondrian_recode,
		.order_matters = true,
		.takes_tape = true,
	},
	{
		.name = "ring",
		.takes = DRAW,
		.keeps_types = true,
		.write = release_cells_write,
		.members = release_cells_members,
		.recode = ring_recode,
		.order_matters = true,
		.ranks = true,
	},
	{
		.name = "two_phase",
		.takes = DRAW,
		.keeps_types = true,
		.write = release_cells_write,
		.members = release_cells_members,
		.recode = two_phase_recode,
		.order_matters = true,
		.ranks = true,
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

char *
release_recoding_takers(int takes, int *count)
{
	StringInfoData names;
	int left = 0;

	for (int i = 0; i < (int) lengthof(recodings); i++)
		left += (recodings[i].takes & takes) == takes;
	*count = left;
	initStringInfo(&names);
	for (int i = 0; i < (int) lengthof(recodings); i++)
		if ((recodings[i].takes & takes) == takes)
			names_add(&names, recodings[i].name, --left);
	return names.data;
}

ArrayType *
release_recoding_names(int takes)
{
	Datum names[lengthof(recodings)];
	int count = 0;

	for (int i = 0; i < (int) lengthof(recodings); i++)
		if ((recodings[i].takes & takes) == takes)
			names[count++] = CStringGetTextDatum(recodings[i].name);
	return construct_array(names, count, TEXTOID, -1, false, TYPALIGN_INT);
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
release_recoding_all(int takes)
{
	List *all = NIL;

	for (int i = 0; i < (int) lengthof(recodings); i++)
		if ((recodings[i].takes & takes) == takes)
			all = lappend(all, unconstify(RecodingOps *, &recodings[i]));
	return all;
}

void
release_recoding_check_taken(List *list, int takes, const char *what)
{
	const char *message = list_length(list) == 1
							  ? psprintf("recoding \"%s\" takes no %s",
										 ((const RecodingOps *) linitial(list))->name, what)
							  : psprintf("none of these recodings takes %s", what);
	char *takers;
	ListCell *cell;
	int count;

	foreach (cell, list)
		if (((const RecodingOps *) lfirst(cell))->takes & takes)
			return;
	takers = release_recoding_takers(takes, &count);
	ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg_internal("%s", message),
					count == 1 ? errhint("The recoding that does is %s.", takers)
							   : errhint("Recodings that do are %s.", takers)));
}
