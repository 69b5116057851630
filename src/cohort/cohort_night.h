/*
 * cohort_night.h
 *		Decides what happens to cohorts in one night: who is admitted, which cells are divided, and
 *		which are shown.
 *
 * A cell is at least k people who are published together from some night on, under one label.
 * Cells are only ever divided, into parts of at least k.  A cell is shown whole or not at all.
 * Everything here depends only on quasi-identifiers, presence, parameters and, with privacy
 * models, each cell's own k (cohort_advance.h), which follows from what was published of it.  So a
 * reader who has all copies and knows all of these cannot distinguish the people of a cell: if two
 * of them exchange their histories, every copy stays the same.
 *
 * Known work: Byun, Sohn, Bertino, Li: Secure anonymization for incremental datasets, 2006; Wang,
 * Fung: Anonymizing sequential releases, 2006; Xiao, Tao: m-invariance, 2007; Fung, Wang, Fu, Pei:
 * Anonymity for continuous data publishing, 2008.
 */
#ifndef KANON_COHORT_NIGHT_H
#define KANON_COHORT_NIGHT_H

#include "postgres.h"

#include "base/random.h"
#include "partition/partition.h"

#ifdef KANON_BREAK_RULES
#include "utils/guc.h"
#endif

/*
 * A test build may break the rules of cohorts one by one, to prove that an attack notices.  In any
 * other build all rules hold.
 */
static inline bool
cohort_rule_holds(const char *rule)
{
#ifdef KANON_BREAK_RULES
	const char *broken = GetConfigOption("kanon_test.broken_rule", true, false);

	return broken == NULL || strcmp(broken, rule) != 0;
#else
	(void) rule;
	return true;
#endif
}

typedef struct CohortRules
{
	int k;
	int wait;           /* nights after which people are admitted at any loss */
	double target_loss; /* cells that lose no more are not divided */
	bool keep;          /* rows of people who left stay; otherwise present people are withheld
						 * with them */
	double stale;       /* .. up to this share of a cell */
	bool together;      /* values are read whenever all people of a cell are present; otherwise
						 * once */
} CohortRules;

typedef struct CohortPerson
{
	RandomName digest; /* of the key */
	int64 cell;        /* 0: waiting */
	int32 since;       /* the night on which this person began to wait, or was admitted */
	int32 row;         /* of the dataset; -1: absent tonight */
	bool known;        /* was in the state before tonight */
	bool repeated;     /* the key occurs twice, so both rows are ignored */
	bool changed;      /* cell or since has changed */
	bool read;         /* tonight's values are published from now on */
} CohortPerson;

typedef struct CohortCell
{
	int64 number;
	int32 *member; /* indexes of people */
	int32 members;
	int32 present; /* members who are there; before the pass, on the night before */
	int32 low;     /* rows of the dataset with the bounds of the label so far; -1: none */
	int32 high;
	bool shown;
	bool changed; /* is new, shown differently than before, or has others present */
	bool failing; /* tonight: it is admitted and fails privacy models */
	int32 k;      /* least number of people in each part, if it is divided */
	int32 parent; /* index of the cell that was divided into this one tonight; -1: none */
} CohortCell;

typedef struct CohortNight
{
	CohortRules rules;
	int32 night;   /* from 1 */
	int64 numbers; /* highest cell number so far */
	const Dataset *dataset;
	const RecodingColumn *column; /* [attribute], with the extent of all rows */
	PartitionStop stop;           /* at the target loss */
	const int *order;             /* of attributes, on ties */
	CohortPerson *person;
	int32 people;
	int64 room_for_people;
	CohortCell *cell; /* in the order of their numbers; new ones are appended */
	int32 cells;
	int64 room_for_cells;
	Budget *budget;
} CohortNight;

/* The place after the last person or cell, with room for another one. */
extern CohortPerson *cohort_night_next_person(CohortNight *night);
extern CohortCell *cohort_night_next_cell(CohortNight *night);

/* The index of the cell with that number, or -1. */
extern int32 cohort_night_find_cell(const CohortNight *night, int64 number);

/*
 * Decides for all cells and people; in the current context, against the budget.  The largest part
 * of a divided cell keeps its number and index, so that few people change theirs.  The result
 * depends neither on the order of rows nor on that of people; keyed digests draw who is hidden
 * together with people who left.  O(people log people), plus Mondrian for people who wait and for
 * divided cells.  Answers cancels.
 */
extern void cohort_night_pass(CohortNight *night);

#endif /* KANON_COHORT_NIGHT_H */
