/*
 * choice.h
 *		The figures of the nodes that a search found, and the order in which they are chosen.
 *
 * The rule: the node of least *total loss* comes first; of equal ones, the first in the answer,
 * which is the lowest.  Total loss is the mean over all rows of the table: a row that is published
 * loses what its cells lose, and a suppressed one has lost everything, 1 in every attribute.  So a
 * node does not look good because it drops the rows that it would have to generalize.
 */
#ifndef KANON_CHOICE_H
#define KANON_CHOICE_H

#include "postgres.h"

#include "lattice/search.h"
#include "metric/loss.h"

/*
 * Figures of the equivalence classes of a node: C_DM and C_AVG as in LeFevre, DeWitt, Ramakrishnan
 * 2005b, section 2.  Rows in classes that fail, by k or by a model, count as suppressed; each
 * counts like a class of the whole table.
 */
typedef struct ClassMetrics
{
	int64 classes;         /* released */
	int64 smallest;        /* rows, or people, of the smallest released class, 0 if none */
	int64 suppressed;      /* rows in classes that fail */
	double discernibility; /* sum of squared class sizes + suppressed * rows */
	double average_class;  /* released rows / classes / k, 0 if none */
	double total_loss;
} ClassMetrics;

/*
 * The metrics of every node of an answer, palloc'd.  Reads the table once, at the lowest levels of
 * all nodes; then rolls up from the smallest available set for each node.
 */
extern ClassMetrics *class_metrics_compute(Search *search, const Answer *answer,
										   const LossTable *loss);

/* The nodes of an answer, in that order. */
typedef struct Choice Choice;

/*
 * In the current context.  Unless rows may be suppressed, a node's total loss is its loss, and the
 * order needs no classes.  Otherwise nodes are counted as they are asked for: the loss is a lower
 * bound of the total loss, so that few of them need to be counted, from one more scan of the table.
 */
extern Choice *choice_begin(Search *search, const Answer *answer, const LossTable *loss);

/* The number in the answer of the next node; -1: there are no more. */
extern int64 choice_next(Choice *choice);

/* The metrics of a node of the answer; reads the table if nothing was counted yet. */
extern ClassMetrics choice_metrics(Choice *choice, int64 number);

extern void choice_end(Choice *choice);

#endif /* KANON_CHOICE_H */
