/*
 * sensitive_domain.h
 *		The values of one sensitive column, as privacy models see them.
 *
 * Codes are dense and stand for the values of the whole table.  If the values have an order, codes
 * follow it; if they have a hierarchy, codes keep siblings together, as in Dimension.  NULL, if it
 * occurs, is the last code.
 *
 * The ground distance of two values, for the earth mover's distance (Li, Li, Venkatasubramanian
 * 2007, section 4):
 *
 * - equal: 1 between any two;
 * - ordered: ranks between them / (values - 1);
 * - hierarchical: level of the lowest common ancestor / height; a hierarchy whose highest level has
 *   several labels counts one level more.
 *
 * NULL has distance 1 from every value in all three.
 */
#ifndef KANON_SENSITIVE_DOMAIN_H
#define KANON_SENSITIVE_DOMAIN_H

#include "postgres.h"

#include "base/budget.h"
#include "data/dimension.h"

typedef struct SensitiveDomain
{
	const char *name;           /* of the column, for messages */
	int32 codes;                /* values that occur, NULL included */
	bool has_null;              /* NULL's code is codes - 1 */
	bool ordered;               /* the ground distance goes by rank */
	const Dimension *hierarchy; /* the ground distance goes by this hierarchy; or NULL */
	const double *number;       /* [code]: finite; NULL: no model needs numbers */
	const int64 *count;         /* [code]: members in the whole table */
	int64 members;              /* sum of count */
	int64 *below;               /* [code]: members of all codes up to this one */
	double *sum_below;          /* [i]: sum of below[0 .. i - 1], codes + 1 entries */
	int64 **level_count;        /* [1 .. height][code]: members under a label */
} SensitiveDomain;

/*
 * Computes the sums of a domain whose other fields are set, in the current context, against the
 * budget.  Keeps the pointers count and hierarchy.  O(codes), for a hierarchy times its height.
 * _sum computes them again after the counts changed.
 */
extern void sensitive_domain_prepare(SensitiveDomain *domain, Budget *budget);
extern void sensitive_domain_sum(SensitiveDomain *domain);

#endif /* KANON_SENSITIVE_DOMAIN_H */
