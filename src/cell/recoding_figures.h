/*
 * recoding_figures.h
 *		Figures of the session's last recoding: its loss, classes and people.
 */
#ifndef KANON_RECODING_FIGURES_H
#define KANON_RECODING_FIGURES_H

#include "postgres.h"

#include "record/record_roles.h"

typedef struct RecodingFigures
{
	int64 rows;     /* so far */
	int64 classes;  /* as formed: two may look alike; 0: none */
	int64 people;   /* distinct people in the class that has fewest; 0: rows are counted */
	int attributes; /* attributes with a loss */
	/* [attribute]: sums over those rows of the share lost (NCP), in units of 2^-30 and 2^-60 */
	int64 sum[RECORD_ROLES_MOST];
	int64 rest[RECORD_ROLES_MOST];
} RecodingFigures;

/*
 * Adds the loss of an attribute, 0 .. 1, for this many rows, at most PG_INT32_MAX in all.  The sum
 * does not depend on the order.  The caller counts "rows".
 */
extern void recoding_figures_add_loss(RecodingFigures *figures, int attribute, double share,
									  int64 rows);

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
