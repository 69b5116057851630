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

/* Sums over classes; initially zero except for the threshold. */
typedef struct RiskTally
{
	double threshold; /* a row is at risk above this */
	int64 classes;
	int64 rows;
	int64 uniques;
	int64 smallest;        /* rows of the smallest class, 0 before the first */
	int64 rows_at_risk;    /* in classes with 1 / f above the threshold */
	double expected;       /* sum of f / F */
	int64 population;      /* sum of F */
	int64 least;           /* F of the class that has the fewest, 0 before the first */
	int64 exposed;         /* rows in classes with 1 / F above the threshold */
	int64 exposed_uniques; /* classes with F = 1 */
} RiskTally;

typedef struct RiskAgainst
{
	double highest;
	double average;
	double at_risk; /* share of rows */
} RiskAgainst;

/* Adds "classes" classes with f rows in the table and F in the population each; F >= f >= 1. */
extern void risk_add(RiskTally *tally, int64 classes, int64 f, int64 F);

/* The tally must have rows. */
extern RiskAgainst risk_prosecutor(const RiskTally *tally);
extern RiskAgainst risk_journalist(const RiskTally *tally);
extern double risk_marketer(const RiskTally *tally);

#endif /* KANON_RISK_H */
