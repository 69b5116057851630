/*
 * requirement.c
 *		See requirement.h.
 */
#include "postgres.h"

#include "model/requirement.h"

#include "base/limits.h"

Requirement
requirement_create(int64 k, double suppression, int64 rows, const Demand *demand)
{
	Requirement requirement = {.k = k, .demand = *demand};

	requirement.suppressible = limits_suppressible(suppression, rows);
	/* At most rows / k classes are large enough, and each small one costs a row. */
	requirement.max_groups = rows / k + requirement.suppressible;
	return requirement;
}

Requirement
requirement_monotone(const Requirement *requirement)
{
	const Demand *whole = &requirement->demand;
	bool disjoint = requirement->suppressible == 0 && !whole->person;
	Requirement part = *requirement;
	const Model **model = palloc(sizeof(Model *) * Max(whole->models, 1));
	int *column_of = palloc(sizeof(int) * Max(whole->models, 1));
	int models = 0;

	for (int i = 0; i < whole->models; i++)
		if (disjoint || whole->model[i]->ops->monotone_under_inclusion)
		{
			model[models] = whole->model[i];
			column_of[models++] = whole->column_of[i];
		}
	part.demand.models = models;
	part.demand.model = model;
	part.demand.column_of = column_of;
	return part;
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
