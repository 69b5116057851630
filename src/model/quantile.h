/*
 * quantile.h
 *		Quantiles of the normal and the chi-square distribution.
 */
#ifndef KANON_QUANTILE_H
#define KANON_QUANTILE_H

#include "postgres.h"

/*
 * The point of the standard normal distribution with probability "right" above it, in (0, 1).
 * Relative error: about 1e-15 (Wichura 1988, algorithm AS 241).
 */
extern double quantile_normal(double right);

/*
 * The same for the chi-square distribution with at least one degree of freedom: 10 digits up to
 * 1000 degrees of freedom, 5 digits beyond (Wilson, Hilferty 1931).
 */
extern double quantile_chi_square(double right, double degrees);

#endif /* KANON_QUANTILE_H */
