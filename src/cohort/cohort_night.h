/*
 * cohort_night.h
 *		What becomes of cohorts in one night: who is admitted, which cells are divided, which
 *		are shown.
 *
 * A cell is at least k people who are published together from some night on, under one label.
 * Cells are only ever divided, into parts of at least k; a cell is shown whole or not at all; and
 * everything here follows from quasi-identifiers, presence and parameters alone.  So whoever
 * keeps all copies, and knows all of these, cannot tell the people of a cell apart: exchange the
 * histories of two of them, and every copy stays the same.
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

typedef struct CohortRules
{
	int k;
	int wait;           /* nights after which people are admitted at any loss */
	double target_loss; /* cells that lose no more are not divided */
	bool keep;          /* rows of people who left stay; else living ones are withheld with them */
	double stale;       /* .. up to that share of a cell */
	bool together;      /* values are read whenever all of a cell are there; else once */
} CohortRules;

#define COHORT_DIGEST RANDOM_NAME

typedef struct CohortDigest
{
	uint8 byte[COHORT_DIGEST];
} CohortDigest;

typedef struct CohortPerson
{
	CohortDigest digest;
	int64 cell;    /* 0: waits */
	int32 since;   /* night since which this person has waited, or was admitted */
	int32 row;     /* of the dataset; -1: is not there tonight */
	bool known;    /* was before tonight */
	bool repeated; /* the key stands there twice, so nobody is there */
	bool changed;  /* cell or since */
	bool read;     /* tonight's values are published from now on */
} CohortPerson;

typedef struct CohortCell
{
	int64 number;
	int32 *member; /* people, by their places */
	int32 members;
	int32 low; /* rows of the dataset: where the label begins and ends so far; -1: nowhere */
	int32 high;
	bool shown;
	bool changed; /* is new, or shown other than before */
	bool failing; /* privacy models: its sensitive columns are NULL */
	int32 parent; /* the place of the cell that became this one and others tonight; -1: none did */
} CohortCell;

typedef struct CohortNight
{
	CohortRules rules;
	int32 night;   /* from 1 */
	int64 numbers; /* of cells that were given so far */
	const Dataset *dataset;
	const RecodingColumn *column; /* [attribute], with the extent of all rows */
	PartitionStop stop;           /* at the target */
	CohortPerson *person;
	int32 people;
	CohortCell *cell; /* in the order of their numbers; new ones are appended */
	int32 cells;
	int32 capacity;
	Budget *budget;
} CohortNight;

/*
 * Decides for all cells and people; in the current context, against the budget.  A cell that is
 * divided leaves its number and its place to the part with most people: few change theirs.  It
 * depends neither on the order of rows nor on that of people.  O(people log people), and that of
 * Mondrian for those who wait and for cells that are divided.  Answers interrupts.
 */
extern void cohort_night_pass(CohortNight *night);

#endif /* KANON_COHORT_NIGHT_H */
