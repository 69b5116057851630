/*
 * requirement.c
 *		See requirement.h.
 *
 * What is monotone of it:
 *
 *	- k: merging classes never makes a class smaller, and rows that lie in classes of at least
 *	  k stay in such classes.  The same is true of people.
 *	- Models that are monotone under inclusion, with k, with suppression and with people.
 *	- The other models, where nothing may be suppressed and rows are counted: then all classes
 *	  of a node satisfy, and unions of such classes do.  Where some classes may fail, they may
 *	  spoil those they are merged with; people may lie in both of two classes, so that the
 *	  histogram of the union is not the sum.
 *	- What another model implies (model_least_values): a class that satisfies has so many
 *	  different values, and so does any class that contains it; with suppression, rows in
 *	  classes of enough values stay in such classes.
 */
#include "postgres.h"

#include "model/requirement.h"

#include "base/limits.h"
#include "model/distinct_diversity.h"

Requirement
requirement_create(int64 k, double suppression, int64 rows, const Demand *demand)
{
	Requirement requirement = {.k = k, .demand = *demand};

	requirement.rows = Max(k, model_least_rows(demand->models, demand->model));
	requirement.suppressible = limits_suppressible(suppression, rows);
	/* At most so many classes are large enough, and each small one costs a row. */
	requirement.max_groups = rows / requirement.rows + requirement.suppressible;
	return requirement;
}

static bool
is_monotone(const Requirement *requirement, const Model *model)
{
	bool disjoint = requirement->suppressible == 0 && !requirement->demand.person;

	return disjoint || model->ops->monotone_under_inclusion;
}

bool
requirement_is_monotone(const Requirement *requirement)
{
	for (int i = 0; i < requirement->demand.models; i++)
		if (!is_monotone(requirement, requirement->demand.model[i]))
			return false;
	return true;
}

/* What is monotone of a model: itself, the values it implies, or NULL: nothing. */
static const Model *
monotone_model(const Requirement *requirement, const Model *model)
{
	Model *implied;

	if (is_monotone(requirement, model))
		return model;
	if (model_least_values(model) == 0)
		return NULL;
	implied = palloc0(sizeof(Model));
	*implied = (Model){.ops = &distinct_diversity,
					   .column = model->column,
					   .parameter = {model_least_values(model)}};
	return implied;
}

Requirement
requirement_monotone(const Requirement *requirement)
{
	const Demand *whole = &requirement->demand;
	Requirement part = *requirement;
	const Model **model = palloc(sizeof(Model *) * Max(whole->models, 1));
	int *column_of = palloc(sizeof(int) * Max(whole->models, 1));
	int models = 0;

	for (int i = 0; i < whole->models; i++)
	{
		model[models] = monotone_model(requirement, whole->model[i]);
		column_of[models] = whole->column_of[i];
		models += model[models] != NULL;
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
	return (TallyRequest){.threshold = requirement->rows, .max_groups = requirement->max_groups};
}
