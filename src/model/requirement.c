/*
 * requirement.c
 *		See requirement.h.
 */
#include "postgres.h"

#include "model/requirement.h"

#include "base/limits.h"

Requirement
requirement_create(int64 k, double suppression, int64 rows)
{
	Requirement requirement = {.k = k};

	requirement.suppressible = limits_suppressible(suppression, rows);
	/* At most rows / k classes are large enough, and each small one costs a row. */
	requirement.max_groups = rows / k + requirement.suppressible;
	return requirement;
}

bool
requirement_holds(const Requirement *requirement, const FrequencyTally *tally)
{
	return !tally->too_many && tally->small_rows <= requirement->suppressible;
}

TallyRequest
requirement_request(const Requirement *requirement)
{
	return (TallyRequest){.threshold = requirement->k, .max_groups = requirement->max_groups};
}
