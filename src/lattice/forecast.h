/*
 * forecast.h
 *		Foretells a share of the rows at the nodes of a lattice, from nodes where it is known.
 *
 * The share may be that of the rows in small classes, or the number of classes for each row: both
 * fall from one end to the other as nodes become more general.  A forecast decides nothing.  It
 * only says which node a search should look at next, so that the search learns much from it.
 *
 * The log odds of the share are taken for a sum of
 *
 * - PRIOR times the entropies of the attributes at their levels, which is what independent
 *   attributes roughly show;
 * - a number for each level of each attribute, and
 * - a number for each pair of attributes, times the product of their entropies, because attributes
 *   that depend on each other, such as zip code and state, tell fewer rows apart.
 *
 * These numbers are learnt from each known node by recursive least squares (Plackett, Some theorems
 * in least squares, Biometrika 37, 1950).  After some dozens of nodes, errors are about .15, as
 * measured on Adults and KDD Cup 98.
 */
#ifndef KANON_FORECAST_H
#define KANON_FORECAST_H

#include "postgres.h"

#include "frequency/frequency_space.h"

typedef struct Forecast Forecast;

/*
 * A forecast that knows nothing yet, in the current context.  Needs the marginals of the space.
 * Cost: the codes of all dimensions; later O(attributes^2) for a forecast, and O(numbers^2) for a
 * node learnt, of at most FORECAST_NUMBERS numbers.  Where there would be more, pairs are left out,
 * and then levels, too.
 */
#define FORECAST_NUMBERS 128
extern Forecast *forecast_create(const FrequencySpace *space);

extern void forecast_free(Forecast *forecast);

/* The log odds of so many out of all rows of the space. */
extern double forecast_odds(const Forecast *forecast, double rows);

/* The log odds foretold for a node.  Carried attributes do not count. */
extern double forecast_at(const Forecast *forecast, const Level *node);

/* Learns the log odds of a node. */
extern void forecast_learn(Forecast *forecast, const Level *node, double odds);

#endif /* KANON_FORECAST_H */
