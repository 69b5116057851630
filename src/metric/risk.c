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

static void
add_sizes(const RiskTally *tally, RiskSums *sums, int64 classes, int64 rows, int64 size)
{
	sums->smallest = sums->smallest == 0 ? size : Min(sums->smallest, size);
	sums->members += classes * size;
	sums->uniques += size == 1 ? classes : 0;
	/* 1 / size is rounded to the double that its decimal form reads as: 1 / 5 is not above 0.2. */
	sums->at_risk += 1.0 / (double) size > tally->threshold ? rows : 0;
	sums->expected += (double) rows / (double) size;
}

void
risk_add(RiskTally *tally, int64 classes, int64 f, int64 F)
{
	tally->classes += classes;
	tally->rows += classes * f;
	add_sizes(tally, &tally->table, classes, classes * f, f);
	add_sizes(tally, &tally->population, classes, classes * f, F);
}

RiskAgainst
risk_against(const RiskTally *tally, const RiskSums *sums)
{
	double rows = (double) tally->rows;
	double of_members = (double) tally->classes / (double) sums->members;

	/* By the table's own sizes, both averages are classes / rows. */
	return (RiskAgainst){.highest = 1.0 / (double) sums->smallest,
						 .average = Max(of_members, sums->expected / rows),
						 .at_risk = (double) sums->at_risk / rows};
}

double
risk_marketer(const RiskTally *tally)
{
	return tally->population.expected / (double) tally->rows;
}
