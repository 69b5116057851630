/*
 * closeness.c
 *		closeness(s, t): in every class, the distribution of s is close to that of the whole table:
 *		their earth mover's distance is at most t (Li, Li, Venkatasubramanian 2007).
 *
 * The domain defines the ground distance: by hierarchy, by rank or equal.
 *
 * Monotone under generalization: for every ground distance, the earth mover's distance to a fixed
 * distribution is convex.  So the distance of a union is at most the greater distance of its parts
 * (same paper, property 1).  Not monotone under inclusion: in a table with as many a as b, {a, b}
 * has distance 0 and {a, b, b} has 1/6.
 *
 * Refuted by the potentials that prove the distance of a class: they bound the distance of every
 * other class from below (earth_mover.h).
 *
 * A class without members has distance 0 from everything: it reveals nothing.
 */
#include "postgres.h"

#include "model/closeness.h"

#include <math.h>

#include "base/interrupt.h"
#include "model/earth_mover.h"

static double
closeness_value(const Model *model, const Histogram *class, const SensitiveDomain *domain)
{
	(void) model;
	return earth_mover_distance(class, domain);
}

static bool
closeness_holds(const Model *model, const Histogram *class, const SensitiveDomain *domain)
{
	return closeness_value(model, class, domain) <= model->parameter[0] + MODEL_TOLERANCE;
}

/* The distance is a norm of a difference, and at most the total variation. */
static double
closeness_slack(const Model *model, const Histogram *class, const SensitiveDomain *domain)
{
	return model->parameter[0] - closeness_value(model, class, domain);
}

/*
 * The distance is convex, so a sample's is greater on average.  One row more or less changes it by
 * at most 1 / n_i.  So it is too small by more than sqrt(ln(m / alpha) / (2 n_i)) with a
 * probability of at most alpha / m (McDiarmid 1989).
 */
static bool
closeness_expects(const Model *model, const Histogram *sample, const SensitiveDomain *domain,
				  const SampleTest *test)
{
	double members = (double) Max(sample->members, 1);

	return closeness_value(model, sample, domain) +
			   sqrt(-log(sample_test_share(test)) / (2 * members)) <=
		   model->parameter[0];
}

static void
closeness_refute(const Model *model, const Histogram *class, const SensitiveDomain *domain,
				 const int32 *code, int32 codes, double *weight)
{
	earth_mover_bound(class, domain, code, codes, weight);
	for (int32 i = 0; i < codes; i++)
	{
		interrupt_check(i);
		weight[code[i]] -= model->parameter[0] + MODEL_MARGIN(domain->codes);
	}
}

const ModelOps closeness = {
	.name = "closeness",
	.parameters = 1,
	.parameter = {{.name = "t", .least = 0, .greatest = 1}},
	.values_parameter = -1,
	.needs = MODEL_NEEDS_DISTANCE,
	.at_most = true,
	.holds = closeness_holds,
	.expects = closeness_expects,
	.slack = closeness_slack,
	.refute = closeness_refute,
	.value = closeness_value,
};
