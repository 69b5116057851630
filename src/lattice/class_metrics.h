/*
 * class_metrics.h
 *		Figures of the equivalence classes of each node of an answer.
 */
#ifndef KANON_CLASS_METRICS_H
#define KANON_CLASS_METRICS_H

#include "postgres.h"

#include "lattice/search.h"

/*
 * C_DM and C_AVG as in LeFevre, DeWitt, Ramakrishnan 2005b, section 2.  Rows in classes that fail,
 * by k or by a model, count as suppressed; each counts like a class of the whole table.
 */
typedef struct ClassMetrics
{
	int64 classes;         /* released */
	int64 smallest;        /* rows, or people, of the smallest released class, 0 if none */
	int64 suppressed;      /* rows in classes that fail */
	double discernibility; /* sum of squared class sizes + suppressed * rows */
	double average_class;  /* released rows / classes / k, 0 if none */
} ClassMetrics;

/*
 * The metrics of every node of an answer, palloc'd.  Reads the table once, at the lowest levels of
 * all nodes; then rolls up from the smallest available set for each node.
 */
extern ClassMetrics *class_metrics_compute(Search *search, const Answer *answer);

#endif /* KANON_CLASS_METRICS_H */
