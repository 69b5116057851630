/*
 * risk.h
 *		The risk of re-identification: how likely is it that somebody finds out whom a row is about?
 *
 * The measures of El Emam 2013, part III, which ARX and others use too.  A class has f rows in the
 * table and F in the population that the table was drawn from.
 *
 * - Prosecutor: the intruder knows that someone is in the table.  A row's risk is 1 / f.  Highest:
 *   1 / smallest f.  Average: classes / rows.  At risk: the share of rows whose risk is above a
 *   threshold.
 * - Journalist: the intruder wants to show that anyone can be found.  The intruder has the
 *   population but does not know who is in the table.  A row's risk is 1 / F. Highest and at risk
 *   likewise.  Average: the greater of classes / sum F and sum (f / F) / rows.
 * - Marketer: the intruder links as many rows as possible.  The expected share of right links: sum
 *   (f / F) / rows.  Without a population: classes / rows.
 * - Uniques: rows alone in their class, in the table and in the population.
 */
#ifndef KANON_RISK_H
#define KANON_RISK_H

#include "postgres.h"

/* Sums over classes by their sizes, f or F. */
typedef struct RiskSums
{
	int64 smallest;  /* the least size, 0 before the first */
	int64 members;   /* sum of the sizes */
	int64 uniques;   /* classes of size 1 */
	int64 at_risk;   /* rows of the table in classes with 1 / size above the threshold */
	double expected; /* sum of f / size */
} RiskSums;

/* Initially zero except for the threshold. */
typedef struct RiskTally
{
	double threshold; /* a row is at risk above this */
	int64 classes;
	int64 rows;
	RiskSums table;
	RiskSums population;
} RiskTally;

typedef struct RiskAgainst
{
	double highest;
	double average;
	double at_risk; /* share of rows */
} RiskAgainst;

/* Adds "classes" classes with f rows in the table and F in the population each; F >= f >= 1. */
extern void risk_add(RiskTally *tally, int64 classes, int64 f, int64 F);

/*
 * The prosecutor's risk, from the sums by the table's sizes, or the journalist's, from those by the
 * population's.  The tally must have rows.
 */
extern RiskAgainst risk_against(const RiskTally *tally, const RiskSums *sums);
extern double risk_marketer(const RiskTally *tally);

#endif /* KANON_RISK_H */
