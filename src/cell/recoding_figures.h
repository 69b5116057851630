/*
 * recoding_figures.h
 *		Figures of the session's last recoding: its loss, classes and people.
 */
#ifndef KANON_RECODING_FIGURES_H
#define KANON_RECODING_FIGURES_H

#include "postgres.h"

#include "metric/loss.h"
#include "record/record_roles.h"

typedef struct RecodingFigures
{
	int64 rows;     /* so far */
	int64 classes;  /* as formed: two may look alike; 0: none */
	int64 people;   /* distinct people in the class that has fewest; 0: rows are counted */
	int attributes; /* attributes with a loss */
	LossSum loss[RECORD_ROLES_MOST]; /* [attribute]: over those rows */
} RecodingFigures;

/*
 * _keep: keeps the figures of a recoding all of whose rows were read. _take: returns those kept
 * last and forgets them; 0 rows if there are none.
 */
extern void recoding_figures_keep(const RecodingFigures *figures);
extern RecodingFigures recoding_figures_take(void);

/*
 * The mean loss over the rows for each attribute; false if it was added up for another number of
 * attributes.
 */
extern bool recoding_figures_loss(const RecodingFigures *figures, int attributes, double *mean);

/* The weighted mean of all attributes' losses; 0 if no weight is above 0. */
extern double recoding_figures_weigh(const double *mean, const double *weight, int attributes);

#endif /* KANON_RECODING_FIGURES_H */
