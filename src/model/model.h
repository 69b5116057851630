/*
 * model.h
 *		Privacy models beyond k: what every equivalence class must show of a sensitive
 *		column.
 *
 * A model is a value like distinct(disease, 3): a kind, a column and up to two parameters.  The
 * kinds stand in one table of ops.  A model sees of a class the histogram of its sensitive
 * values, and of the table the domain of these (sensitive_domain.h), and decides from that
 * alone.
 *
 * Two properties decide how a search may prune (requirement.h):
 *
 *	- All models are monotone under generalization: if two disjoint classes satisfy, their
 *	  union does (each ops' file says why).
 *	- Only some are monotone under inclusion: if a class satisfies, any class that contains it
 *	  does.
 *
 * So the histograms that satisfy are a convex cone, and a plane parts it from one that fails: a
 * weight for each value, such that whatever members weigh more than 0 together fails as well
 * ("refute").  Who judges many classes that differ by a few members need not judge each.
 *
 * Comparisons of real numbers allow for MODEL_TOLERANCE, in favour of the class where equality
 * satisfies and against it where it does not: what is equal on paper must not hang on the last
 * bit.
 */
#ifndef KANON_MODEL_H
#define KANON_MODEL_H

#include "postgres.h"

#include <float.h>

#include "model/histogram.h"
#include "model/sample_test.h"
#include "model/sensitive_domain.h"

#define MODEL_PARAMETERS 2
#define MODEL_TOLERANCE 1e-12

/* How far two sums over so many values may be apart, besides: shares, or logarithms of them. */
#define MODEL_MARGIN(values) (2 * MODEL_TOLERANCE + 64 * DBL_EPSILON * (values))

/* What a model asks of the sensitive column's domain, beyond its codes. */
#define MODEL_NEEDS_DISTANCE 1 /* an order or hierarchy, where there is one */
#define MODEL_NEEDS_NUMBERS 2  /* a number for each code; NULL is left out */

typedef struct ModelParameter
{
	const char *name;
	bool whole;      /* a whole number */
	double least;    /* smallest value allowed .. */
	bool above;      /* .. or, where this is set, a bound that itself is not */
	double greatest; /* largest value allowed */
} ModelParameter;

typedef struct ModelOps ModelOps;

typedef struct Model
{
	const ModelOps *ops;
	const char *column;
	double parameter[MODEL_PARAMETERS]; /* in the order of the text form */
} Model;

struct ModelOps
{
	const char *name; /* in the text form */
	int parameters;
	ModelParameter parameter[MODEL_PARAMETERS];
	int values_parameter; /* the least number of values of a class, see below; -1: none */
	int needs;            /* MODEL_NEEDS_* */
	bool at_most;         /* "value" may be at most the parameter; else it is at least that */
	bool monotone_under_inclusion;
	bool class_alone; /* the class decides, whatever the counts of the whole table are */

	/*
	 * Does a class satisfy?  The histogram is of this domain, finished, and may
	 * be empty: a class of rows that belong to nobody.
	 */
	bool (*holds)(const Model *model, const Histogram *class, const SensitiveDomain *domain);

	/*
	 * Is it clear that a class satisfies of which the histogram is a sample?  NULL: where the
	 * sample does.
	 */
	bool (*expects)(const Model *model, const Histogram *sample, const SensitiveDomain *domain,
					const SampleTest *test);

	/*
	 * Of a model that is not class_alone: a class that satisfies still does after the
	 * distribution of the whole table has changed by less than this, in total variation: half
	 * the sum of the changes of all shares.  NULL: 0, so that the class is judged again
	 * after every change.  That is always safe and costs time alone.
	 */
	double (*slack)(const Model *model, const Histogram *class, const SensitiveDomain *domain);

	/*
	 * Of a class that fails: fills in weight[] at each of some ascending codes, the class's among
	 * them, so that every class of these values fails whose members weigh more than 0 in all: by
	 * more than holds may be off in rounding.  The class itself should, which nobody relies on.
	 * NULL: every class is judged.  As fast as holds, but over all these codes.
	 */
	void (*refute)(const Model *model, const Histogram *class, const SensitiveDomain *domain,
				   const int32 *code, int32 codes, double *weight);

	/*
	 * The figure behind the answer, in the units of the parameter it is
	 * compared with: rounded, for people to read.
	 */
	double (*value)(const Model *model, const Histogram *class, const SensitiveDomain *domain);
};

/* The ops of that name, or NULL. */
extern const ModelOps *model_find(const char *name);

/* "distinct, entropy, .. and variance", for messages; palloc'd. */
extern char *model_names(void);

/* Shorthands. */
extern bool model_holds(const Model *model, const Histogram *class, const SensitiveDomain *domain);
extern bool model_expects(const Model *model, const Histogram *sample,
						  const SensitiveDomain *domain, const SampleTest *test);
extern double model_value(const Model *model, const Histogram *class,
						  const SensitiveDomain *domain);

/* As in the ops, but infinite where the class alone decides. */
extern double model_slack(const Model *model, const Histogram *class,
						  const SensitiveDomain *domain);

/*
 * How many different values every class shows that satisfies, and so as many rows at least, also
 * where people are counted; 0: the model says nothing of it.
 */
extern int32 model_least_values(const Model *model);

/* How many rows a class needs for what any of the models asks for; 0: none. */
extern int32 model_least_rows(int models, const Model *const *model);

/*
 * ERRCODE_INVALID_PARAMETER_VALUE if the model asks for more different values than the column of
 * a table with rows has.
 */
extern void model_check_values(const Model *model, const SensitiveDomain *domain);

#endif /* KANON_MODEL_H */
