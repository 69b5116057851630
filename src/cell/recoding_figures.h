/*
 * recoding_figures.h
 *		What the last recoding of this session did: its loss, its classes and people.
 */
#ifndef KANON_RECODING_FIGURES_H
#define KANON_RECODING_FIGURES_H

#include "postgres.h"

#include "record/record_shape.h"

typedef struct RecodingFigures
{
	int64 rows;     /* so far */
	int64 classes;  /* as they were formed: two may look alike; 0: none */
	int64 people;   /* different ones in the class that has fewest; 0: rows are counted */
	int attributes; /* whose loss was added up */
	/* [attribute]: over those rows, of the share lost (NCP); in units of 2^-30 and 2^-60 */
	int64 sum[RECORD_SHAPE_MOST];
	int64 rest[RECORD_SHAPE_MOST];
} RecodingFigures;

/*
 * So many rows, PG_INT32_MAX in all, lose a share, 0 .. 1, of an attribute; in whatever order,
 * the sum is the same.  "rows" is the caller's to count.
 */
extern void recoding_figures_add_loss(RecodingFigures *figures, int attribute, double share,
									  int64 rows);

/*
 * Of a recoding all of whose rows have been read; those kept last, which are forgotten, without
 * rows if there are none.
 */
extern void recoding_figures_keep(const RecodingFigures *figures);
extern RecodingFigures recoding_figures_take(void);

/* The mean loss over the rows for each attribute; false if it was not added up for so many. */
extern bool recoding_figures_loss(const RecodingFigures *figures, int attributes, double *mean);

/* What all attributes lost, by their weights; 0 where none weighs anything. */
extern double recoding_figures_weigh(const double *mean, const double *weight, int attributes);

#endif /* KANON_RECODING_FIGURES_H */
