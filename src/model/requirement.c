/*
 * requirement.c
 *		See requirement.h.
 *
 * The monotone parts:
 *
 * - k: merging classes makes no class smaller, and rows in classes of at least k stay in such
 *   classes.  The same holds for people.
 * - Models that are monotone under inclusion: with k, with suppression and with people.
 * - Other models, if nothing may be suppressed and rows are counted: then all classes of a node
 *   satisfy, and so do their unions.  If some classes may fail, they may spoil those they are
 *   merged with.  A person may be in two classes, so that the histogram of the union is not the
 *   sum.
 * - What another model implies (model_least_values): a class that satisfies has at least that many
 *   distinct values, and so does any class that contains it.  With suppression, rows in classes
 *   with enough values stay in such classes.
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
	/* There are at most so many large classes, and each small one costs a row. */
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

/* The monotone part of a model: itself, the number of values that it implies, or NULL for none. */
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
