/*
 * model.c
 *		See model.h.  A new model is a line in the table of models.
 *
 * Even variance decides from a histogram: sums of squares would lose digits to rounding and depend
 * on the order in which classes are merged.  MODEL_TOLERANCE is far above rounding errors, so
 * monotonicity survives.
 */
#include "postgres.h"

#include "model/model.h"

#include <math.h>

#include "base/names.h"
#include "miscadmin.h"
#include "model/closeness.h"
#include "model/distinct_diversity.h"
#include "model/entropy_diversity.h"
#include "model/model_text.h"
#include "model/recursive_diversity.h"
#include "model/variance_diversity.h"

static const ModelOps *const models[] = {
	&distinct_diversity, &entropy_diversity, &recursive_diversity, &closeness, &variance_diversity,
};

const ModelOps *
model_find(const char *name)
{
	for (size_t i = 0; i < lengthof(models); i++)
		if (strcmp(models[i]->name, name) == 0)
			return models[i];
	return NULL;
}

char *
model_names(void)
{
	StringInfoData names;

	initStringInfo(&names);
	for (int i = 0; i < (int) lengthof(models); i++)
		names_add(&names, models[i]->name, (int) lengthof(models) - 1 - i);
	return names.data;
}

/* A parameter of 1 demands nothing: a class whose rows belong to nobody may satisfy. */
int32
model_least_values(const Model *model)
{
	int number = model->ops->values_parameter;

	return number >= 0 && model->parameter[number] > 1 ? (int32) ceil(model->parameter[number]) : 0;
}

int32
model_least_rows(int models, const Model *const *model)
{
	int32 least = 0;

	for (int i = 0; i < models; i++)
		least = Max(least, model_least_values(model[i]));
	return least;
}

bool
model_holds(const Model *model, const Histogram *class, const SensitiveDomain *domain)
{
	return class->values >= model_least_values(model) && model->ops->holds(model, class, domain);
}

/* Do any so many members of the class satisfy? */
static bool
any_hold(const Model *model, const Histogram *class, const SensitiveDomain *domain, int64 members,
		 Histogram *part)
{
	if (model->ops->hardest)
		model->ops->hardest(model, class, domain, members, part);
	else
		histogram_most_frequent(class, members, part);
	return model_holds(model, part, domain);
}

/*
 * The histogram of a part is a mean of those of its parts of one member less.  Histograms that
 * satisfy form a convex cone, so it satisfies if all of these do: the least number is found by a
 * binary search.
 */
int64
model_least_members(const Model *model, const Histogram *class, const SensitiveDomain *domain,
					int64 least, Histogram *part)
{
	int64 low = least;
	int64 high = class->members;

	Assert(model->ops->class_alone);
	if (!model_holds(model, class, domain))
		return class->members + 1;
	while (low < high)
	{
		int64 middle = low + (high - low) / 2;

		CHECK_FOR_INTERRUPTS();
		if (any_hold(model, class, domain, middle, part))
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

bool
model_expects(const Model *model, const Histogram *sample, const SensitiveDomain *domain,
			  const SampleTest *test)
{
	if (test->alpha == 0 || model->ops->expects == NULL)
		return model_holds(model, sample, domain);
	return sample->values >= model_least_values(model) &&
		   model->ops->expects(model, sample, domain, test);
}

double
model_value(const Model *model, const Histogram *class, const SensitiveDomain *domain)
{
	return model->ops->value(model, class, domain);
}

double
model_slack(const Model *model, const Histogram *class, const SensitiveDomain *domain)
{
	if (model->ops->class_alone)
		return INFINITY;
	return model->ops->slack ? model->ops->slack(model, class, domain) : 0;
}

void
model_check_values(const Model *model, const SensitiveDomain *domain)
{
	int number = model->ops->values_parameter;

	if (number < 0 || domain->codes == (domain->has_null ? 1 : 0) ||
		model->parameter[number] <= domain->codes)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg_plural("no table with %d value of column \"%s\" can satisfy %s",
						   "no table with %d different values of column \"%s\" can satisfy %s",
						   domain->codes, domain->codes, model->column, model_text_write(model)),
			 errdetail("Parameter %s is greater than the number of values.",
					   model->ops->parameter[number].name)));
}
