/*
 * recoding_figures.h
 *		What the last recoding of this session did: its loss, its classes and people.
 *
 * A release is filled by PostgreSQL's own REFRESH, whose query calls kanon's window
 * functions: nothing but the cells comes out of it.  Whoever recorded the refresh asks
 * here afterwards.  What is kept are plain numbers, and of recodings only that were
 * read to their end; a release that has rows was filled by the last one of these,
 * since its window function is the outermost of its query.  They are taken once, and
 * before anything else is run: so no later release gets those of an earlier one.
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
 * So many rows, PG_INT32_MAX in all, lose a share, 0 .. 1, of an attribute.  The sum is that of
 * whole numbers: the order of the rows does not matter.  "rows" is the caller's to count.
 */
extern void recoding_figures_add_loss(RecodingFigures *figures, int attribute, double share,
									  int64 rows);

/* Of a recoding all of whose rows have been read. */
extern void recoding_figures_keep(const RecodingFigures *figures);

/* Those kept last, which are forgotten; no rows if there are none. */
extern RecodingFigures recoding_figures_take(void);

/* The mean loss over the rows for each attribute; false if it was not added up for so many. */
extern bool recoding_figures_loss(const RecodingFigures *figures, int attributes, double *mean);

#endif /* KANON_RECODING_FIGURES_H */
