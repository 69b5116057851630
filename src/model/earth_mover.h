/*
 * earth_mover.h
 *		The earth mover's distance between a class and the whole table.
 */
#ifndef KANON_EARTH_MOVER_H
#define KANON_EARTH_MOVER_H

#include "postgres.h"

#include "model/histogram.h"
#include "model/sensitive_domain.h"

/*
 * The distance, in 0 .. 1; 0 for a class without members.  With v values in the class and m in the
 * domain: equal O(v), by a hierarchy of height h O(v h), by order O(v log m), or O(m log m) if the
 * table has NULLs (Li, Li, Venkatasubramanian 2007, section 4).
 */
extern double earth_mover_distance(const Histogram *class, const SensitiveDomain *domain);

/*
 * Fills in weight[] for ascending codes that include the class's.  Every class of these values is
 * at least as far from the table as the mean of its members' weights, up to rounding.  For this
 * class, which has members, the mean equals its distance, or nearly so if the domain has both an
 * order and NULLs.  O(codes) for each level of a hierarchy, by order O(codes log m).
 */
extern void earth_mover_bound(const Histogram *class, const SensitiveDomain *domain,
							  const int32 *code, int32 codes, double *weight);

#endif /* KANON_EARTH_MOVER_H */
