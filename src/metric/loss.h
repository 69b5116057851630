/*
 * loss.h
 *		The loss of a cell, and of a full-domain generalization.
 *
 * The only measure is the normalized certainty penalty (Xu et al. 2006), by leaves.  A cell that
 * stands for m of the domain's M ground values loses (m - 1) / (M - 1), whatever it looks like: a
 * label, [a - b], or a value with some digits hidden.  A range loses its share of the whole width.
 * The loss of a release is the weighted mean over the attributes of the mean over its rows;
 * suppressed rows do not count.
 *
 * NULL and values unknown to a dimension are not part of the domain, but they can be hidden: a cell
 * that hides everything loses 1 even if the domain has only one value.  NULL loses nothing where it
 * is shown as NULL.
 *
 * Precision is Prec of Sweeney 2002: one minus the mean of level / height over the attributes.
 * Attributes without levels lose nothing.
 */
#ifndef KANON_LOSS_H
#define KANON_LOSS_H

#include "postgres.h"

#include "base/loss_sum.h"
#include "data/recoding.h"
#include "frequency/frequency_space.h"

/* The loss of a cell that covers "part" of "whole": other values that it could be, or widths. */
static inline double
loss_of_part(double part, double whole)
{
	return part > 0 && whole > 0 ? part / whole : 0;
}

/*
 * The loss of a cell that hides everything. "others": the column also has values outside the
 * domain.
 */
static inline double
loss_of_all(int64 domain, bool others)
{
	return domain + (others ? 1 : 0) > 1 ? 1 : 0;
}

/*
 * The loss of a cell that stands for "leaves" values of the domain; more than the domain: for
 * anything.
 */
static inline double
loss_of_leaves(int64 leaves, int64 domain)
{
	return leaves > domain ? loss_of_all(domain, true)
						   : loss_of_part((double) leaves - 1, (double) domain - 1);
}

typedef struct LossTable
{
	const FrequencySpace *space;
	int attributes;        /* quasi-identifiers */
	double *share;         /* [attribute]: of all weights */
	double **loss;         /* [attribute][level], weighted: a node's loss is their sum */
	double **height_share; /* [attribute][level]: level / height / attributes */
} LossTable;

/*
 * weight: one for each quasi-identifier, not negative; if all are zero, nothing is lost.  In the
 * current context.
 */
extern LossTable *loss_table_create(const FrequencySpace *space, const double *weight);

/* Both in [0, 1].  The node has a level for every attribute. */
extern double loss_of(const LossTable *table, const Level *node);
extern double precision_of(const LossTable *table, const Level *node);

/* The loss of each row of one group at a node, by its key there. */
extern double loss_of_group(const LossTable *table, const Level *node, const uint64 *key);

/*
 * The loss of a node if some of its rows are suppressed, in [0, 1]: these have lost everything,
 * whatever the weights, and no longer "losses", which is what they would have lost as published.
 */
static inline double
loss_with_suppressed(const LossTable *table, const Level *node, int64 suppressed,
					 const LossSum *losses)
{
	double all = (double) Max(table->space->rows, 1);

	return loss_of(table, node) + ((double) suppressed - loss_sum_total(losses)) / all;
}

/* The loss of one cell of any recoding, in [0, 1]. */
extern double loss_of_cell(const RecodingColumn *column, const RecodedCell *cell);

#endif /* KANON_LOSS_H */
