/*
 * loss.h
 *		How much a full-domain generalization loses.
 *
 * loss is the normalized certainty penalty: a cell generalized to a value with
 * m of the domain's M ground values under it loses (m - 1) / (M - 1); the mean
 * over the rows, then the mean over the attributes by their weights.  NULL is no part of
 * the domain, but a value to hide: where everything is generalized to one label, NULL
 * too, 1 is lost also if there was one value beside it.  It needs only the marginals, and
 * takes no account of suppressed rows.
 *
 * precision is Sweeney's Prec (Int. J. Uncertainty, Fuzziness and
 * Knowledge-based Systems 10(5), 2002): one minus the mean of level / height
 * over the attributes; attributes without levels lose nothing.
 */
#ifndef KANON_LOSS_H
#define KANON_LOSS_H

#include "postgres.h"

#include "data/recoding.h"
#include "frequency/frequency_space.h"

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

/*
 * The penalty of one cell of any recoding, in [0, 1]: of a span its extent on the scale of the
 * column, of a label as above, of digits the share that is masked.
 */
extern double loss_of_cell(const RecodingColumn *column, const RecodedCell *cell);

#endif /* KANON_LOSS_H */
