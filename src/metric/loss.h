/*
 * loss.h
 *		How much is lost: by a cell, and by a full-domain generalization.
 *
 * The one measure is the normalized certainty penalty (Xu et al.  2006), by leaves: a cell that
 * stands for m of the domain's M ground values loses (m - 1) / (M - 1), whatever it looks like:
 * a label, [a - b], or a value some of whose digits are hidden.  A range loses its width of the
 * whole width.  A release loses the mean over its rows, then over the attributes by their
 * weights; suppressed rows do not count.  NULL is no part of the domain, nor is what a dimension
 * does not know, but a value to hide: what hides everything loses 1 also if there was one value
 * beside these.  NULL itself loses nothing, but where values are shown as NULL.
 * sql/loss_query.h says the same as SQL.
 *
 * precision is Prec of Sweeney 2002: one minus the mean of level / height over the attributes;
 * attributes without levels lose nothing.
 */
#ifndef KANON_LOSS_H
#define KANON_LOSS_H

#include "postgres.h"

#include "data/recoding.h"
#include "frequency/frequency_space.h"

/* Of a part of the whole: of the other values that it could be, or of the width. */
static inline double
loss_of_part(double part, double whole)
{
	return part > 0 && whole > 0 ? part / whole : 0;
}

/* Of a cell that hides everything, also whether it was of the domain ("others": some were not). */
static inline double
loss_of_all(int64 domain, bool others)
{
	return domain + (others ? 1 : 0) > 1 ? 1 : 0;
}

/* Of a cell that stands for so many values of the domain, or for more than all of them. */
static inline double
loss_of_leaves(int64 leaves, int64 domain)
{
	return leaves > domain ? loss_of_all(domain, true)
						   : loss_of_part((double) leaves - 1, (double) domain - 1);
}

/* Of a label at a level, by its code; of all there is above the dimension's labels. */
static inline double
loss_of_label(const Dimension *dimension, int level, int32 code)
{
	if (level > dimension->height || (level == dimension->height && dimension->single_top))
		return loss_of_all(dimension->domain, dimension_has_others(dimension));
	return loss_of_leaves(dimension->leaves[level][code], dimension->domain);
}

typedef struct LossTable
{
	int attributes;        /* quasi-identifiers */
	double **loss;         /* [attribute][level], weighted: a node's loss is their sum */
	double **height_share; /* [attribute][level]: level / height / attributes */
} LossTable;

/* weight: one for each quasi-identifier, not negative (all zero: nothing is lost).  Current
 * context. */
extern LossTable *loss_table_create(const FrequencySpace *space, const double *weight);

/* Both in [0, 1]; levels for every attribute. */
extern double loss_of(const LossTable *table, const Level *node);
extern double precision_of(const LossTable *table, const Level *node);

/* Of one cell of any recoding, in [0, 1]. */
extern double loss_of_cell(const RecodingColumn *column, const RecodedCell *cell);

#endif /* KANON_LOSS_H */
