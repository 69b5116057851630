/*
 * model.h
 *		Privacy models beyond k: what every equivalence class must show of a sensitive column.
 *
 * A model is a value such as distinct(disease, 3): a kind, a column and up to two parameters.  A
 * table of ops lists the kinds.  A model decides from two things alone: the histogram of the
 * class's sensitive values, and the domain of these values in the whole table (histogram.h).
 *
 * Two properties decide how a search may prune (class_judge.h):
 *
 * - All models are monotone under generalization: if two disjoint classes satisfy, so does their
 *   union.  Each ops' file says why.
 * - Some are monotone under inclusion: if a class satisfies, so does any class that contains it.
 *
 * So the histograms that satisfy form a convex cone, and a plane separates it from one that fails.
 * "refute" returns that plane: a weight for each value, such that a class whose members weigh more
 * than 0 in total fails, too.  With it, callers that judge many similar classes skip most of them.
 *
 * Comparisons of real numbers have a tolerance of MODEL_TOLERANCE, in favour of the class if
 * equality satisfies, otherwise against it: a result must not depend on the last bit.
 */
#ifndef KANON_MODEL_H
#define KANON_MODEL_H

#include "postgres.h"

#include <float.h>

#include "model/histogram.h"
#include "model/sample_test.h"
#include "nodes/pg_list.h"

#define MODEL_PARAMETERS 2
#define MODEL_TOLERANCE 1e-12

/* A further tolerance for two sums over this many shares, or logarithms of shares. */
#define MODEL_MARGIN(values) (2 * MODEL_TOLERANCE + 64 * DBL_EPSILON * (values))

/* What a model needs of the sensitive column's domain besides its codes. */
#define MODEL_NEEDS_DISTANCE 1 /* an order or hierarchy, if there is one */
#define MODEL_NEEDS_NUMBERS 2  /* a number for each code; NULL has none */

typedef struct ModelParameter
{
	const char *name;
	bool whole;      /* whole numbers only */
	double least;    /* smallest value allowed .. */
	bool above;      /* .. or, if set, a bound that itself is not allowed */
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
	const char *name; /* in the text of a model */
	int parameters;
	ModelParameter parameter[MODEL_PARAMETERS];
	int values_parameter; /* index of the parameter that is the least number of distinct values
						   * of a class; -1: none */
	int needs;            /* MODEL_NEEDS_* */
	bool at_most;         /* "value" must be at most the parameter; otherwise at least */
	bool monotone_under_inclusion;
	bool class_alone; /* the class decides, independently of the whole table's counts */

	/*
	 * Does a class satisfy?  The histogram is finished and belongs to this domain.  It may be
	 * empty: a class whose rows belong to nobody.
	 */
	bool (*holds)(const Model *model, const Histogram *class, const SensitiveDomain *domain);

	/*
	 * Does a class almost certainly satisfy, judging by a sample's histogram?  NULL: it does if the
	 * sample does.
	 */
	bool (*expects)(const Model *model, const Histogram *sample, const SensitiveDomain *domain,
					const SampleTest *test);

	/*
	 * For models that are not class_alone: the class, which satisfies, still does after the
	 * distribution of the whole table has changed by less than this, in total variation (half the
	 * sum of the changes of all shares).  NULL: 0, so the class is judged again after every change;
	 * safe, only slower.
	 */
	double (*slack)(const Model *model, const Histogram *class, const SensitiveDomain *domain);

	/*
	 * For a class that fails: fills in weight[] for ascending codes that include the class's.
	 * Every class of these values whose members weigh more than 0 in total must fail, by more than
	 * the rounding errors of holds.  The class itself should weigh more than 0, but nothing relies
	 * on it.  NULL: every class is judged.  Cost: as holds, over all these codes.
	 */
	void (*refute)(const Model *model, const Histogram *class, const SensitiveDomain *domain,
				   const int32 *code, int32 codes, double *weight);

	/*
	 * Fills in so many members of the class, at most all: if they satisfy, so do any others of the
	 * same number.  NULL: those with the most frequent values (histogram_most_frequent).
	 */
	void (*hardest)(const Model *model, const Histogram *class, const SensitiveDomain *domain,
					int64 members, Histogram *part);

	/*
	 * The figure that people read, rounded, in the units of the parameter that it is compared with.
	 */
	double (*value)(const Model *model, const Histogram *class, const SensitiveDomain *domain);
};

/* What is demanded of every class beyond k: models over sensitive columns, and who counts. */
typedef struct Demand
{
	int models;
	const Model **model;
	const int *column_of; /* [model] */
	int columns;          /* sensitive columns */
	const SensitiveDomain **domain;
	bool person; /* count distinct people, not rows */
	int known;   /* quasi-identifiers of a row that somebody may know (known.h); 0: all */
} Demand;

/* The models, each explained in a file of its own; see model_find. */
extern const ModelOps distinct_diversity; /* diversity.c */
extern const ModelOps entropy_diversity;
extern const ModelOps recursive_diversity;
extern const ModelOps closeness;
extern const ModelOps variance_diversity;

/* The ops of that name, or NULL. */
extern const ModelOps *model_find(const char *name);

/*
 * The least number of members, of at least "least", such that any so many of the class satisfy, and
 * any more; beyond the class's members if the class fails.  For models that are class_alone.
 * O(log members) judgements.
 */
extern int64 model_least_members(const Model *model, const Histogram *class,
								 const SensitiveDomain *domain, int64 least);

/* Does the class satisfy?  Do the values that the model needs, and its ops, say so? */
extern bool model_holds(const Model *model, const Histogram *class, const SensitiveDomain *domain);

/* Like slack of the ops, but infinite if the class alone decides. */
extern double model_slack(const Model *model, const Histogram *class,
						  const SensitiveDomain *domain);

/*
 * The least number of distinct values in a class that satisfies, and so of its rows, also when
 * people are counted; 0: the model implies none.
 */
extern int32 model_least_values(const Model *model);

/* The least number of rows that a class needs for all models; 0: none. */
extern int32 demand_least_rows(const Demand *demand);

/* Makes the histogram of a class in a sensitive column, valid until the next call for the column.
 */
typedef const Histogram *(*ClassHistogram)(void *class, int column);

/*
 * The first model that a class fails, or -1: asks for the histogram of each model's column in turn,
 * once for models of one column that follow each other.
 * test: the class is a sample, and its histograms are tested; NULL: all of it.
 */
extern int demand_failed(const Demand *demand, const SampleTest *test, ClassHistogram histogram,
						 void *class);

/*
 * Raises ERRCODE_INVALID_PARAMETER_VALUE if the model needs more distinct values than the column of
 * a nonempty table has.
 */
extern void model_check_values(const Model *model, const SensitiveDomain *domain);

/*
 * ---- Models as text: distinct(disease, 3), closeness("Net salary", 0.2).
 *
 * A list of models is separated by commas.  The name and an unquoted column are folded to lower
 * case (ASCII letters only, whatever the locale).  A quoted column is taken literally, with "" for
 * a quote.  Blanks may stand between any two tokens.
 */

/*
 * In the current context.  Raises ERRCODE_INVALID_TEXT_REPRESENTATION, with what was expected at
 * which position (in bytes, from 1), or ERRCODE_INVALID_PARAMETER_VALUE for a parameter out of
 * range.
 */
extern Model *model_text_read(const char *text);

/*
 * The canonical text of a model: lower case, columns quoted only if needed, numbers in their
 * shortest form.  Reads back as the same model.  Palloc'd.
 */
extern char *model_text_write(const Model *model);

/* A list of models, separated by commas, as a List of Model; NIL for an empty text or NULL. */
extern List *model_text_read_list(const char *text);
extern char *model_text_write_list(List *models);

/* The text of a list of models with another name for a column. */
extern char *model_text_rename(const char *text, const char *old_name, const char *new_name);

#endif /* KANON_MODEL_H */
