/*
 * risk.c
 *		See risk.h.
 *
 * Example: classes of 1, 2 and 5 rows, which have 4, 2 and 10 rows in the population.  Prosecutor:
 * highest 1 / 1, average 3 / 8; 3 of 8 rows are above 0.2, since 1 / 5 is not.  Journalist: highest
 * 1 / 2; classes / sum F is 3 / 16; sum (f / F) is 1/4 + 1 + 1/2 = 1.75, divided by 8 rows 0.21875,
 * the greater one; again 3 of 8 rows are above 0.2.  Marketer: 0.21875.
 */
#include "postgres.h"

#include "metric/risk.h"

static int64
least_of(int64 least, int64 size)
{
	return least == 0 ? size : Min(least, size);
}

/* 1 / size is rounded to the double that its decimal form reads as: 1 / 5 is not above 0.2. */
static bool
above(const RiskTally *tally, int64 size)
{
	return 1.0 / (double) size > tally->threshold;
}

void
risk_add(RiskTally *tally, int64 classes, int64 f, int64 F)
{
	int64 rows = classes * f;

	tally->classes += classes;
	tally->rows += rows;
	tally->uniques += f == 1 ? rows : 0;
	tally->smallest = least_of(tally->smallest, f);
	tally->rows_at_risk += above(tally, f) ? rows : 0;
	tally->expected += (double) rows / (double) F;
	tally->population += classes * F;
	tally->least = least_of(tally->least, F);
	tally->exposed += above(tally, F) ? rows : 0;
	tally->exposed_uniques += F == 1 ? classes : 0;
}

RiskAgainst
risk_prosecutor(const RiskTally *tally)
{
	double rows = (double) tally->rows;

	return (RiskAgainst){.highest = 1.0 / (double) tally->smallest,
						 .average = (double) tally->classes / rows,
						 .at_risk = (double) tally->rows_at_risk / rows};
}

RiskAgainst
risk_journalist(const RiskTally *tally)
{
	double rows = (double) tally->rows;
	double of_population = (double) tally->classes / (double) tally->population;

	return (RiskAgainst){.highest = 1.0 / (double) tally->least,
						 .average = Max(of_population, tally->expected / rows),
						 .at_risk = (double) tally->exposed / rows};
}

double
risk_marketer(const RiskTally *tally)
{
	return tally->expected / (double) tally->rows;
}
