/*
 * quantile.h
 *		Quantiles of the normal and the chi-square distribution.
 */
#ifndef KANON_QUANTILE_H
#define KANON_QUANTILE_H

#include "postgres.h"

/*
 * Where the standard normal distribution leaves so much to its right, in (0, 1): with a relative
 * error of about 1e-15 (Wichura 1988, algorithm AS 241).
 */
extern double quantile_normal(double right);

/*
 * Likewise the chi-square distribution with at least one degree of freedom: to 10 digits up to
 * 1000 degrees of freedom, to 5 beyond (Wilson, Hilferty 1931).
 */
extern double quantile_chi_square(double right, double degrees);

#endif /* KANON_QUANTILE_H */
