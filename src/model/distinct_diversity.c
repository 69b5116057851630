/*
 * distinct_diversity.c
 *		distinct(s, l): every class has at least l different values of s
 *		(Machanavajjhala et al. 2006, section 4).
 *
 * NULL is a value of its own.
 *
 * Of a sample: all its values are in the class, so there is nothing to test.
 *
 * Monotone under generalization and under inclusion: what contains a class has
 * all its values.
 *
 * Example: flu, flu, cold has 2 different values; it satisfies distinct(s, 2)
 * and not distinct(s, 3).
 */
#include "postgres.h"

#include "model/distinct_diversity.h"

static double
distinct_value(const Model *model, const Histogram *class, const SensitiveDomain *domain)
{
	(void) model;
	(void) domain;
	return class->values;
}

static bool
distinct_holds(const Model *model, const Histogram *class, const SensitiveDomain *domain)
{
	return distinct_value(model, class, domain) >= model->parameter[0];
}

const ModelOps distinct_diversity = {
	.name = "distinct",
	.parameters = 1,
	.parameter = {{.name = "l", .whole = true, .least = 1, .greatest = PG_INT32_MAX}},
	.values_parameter = 0,
	.monotone_under_inclusion = true,
	.class_alone = true,
	.holds = distinct_holds,
	.value = distinct_value,
};
