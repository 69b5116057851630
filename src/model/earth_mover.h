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
 * In 0 .. 1; 0 for a class without members.  With v values in the class and m in the domain:
 * equal O(v), by hierarchy of height h O(v h), by order O(v log m), but O(m log m) where the
 * table has NULLs.
 */
extern double earth_mover_distance(const Histogram *class, const SensitiveDomain *domain);

/*
 * Fills in weight[] at each of some ascending codes, those of the class among them: no class of
 * these values is nearer to the table than the mean of its members' weights, but for rounding, and
 * this one, of at least one member, just as near, or nearly so where the domain has an order and
 * NULLs.  O(codes) for each level of a hierarchy, by order O(codes log m).
 */
extern void earth_mover_bound(const Histogram *class, const SensitiveDomain *domain,
							  const int32 *code, int32 codes, double *weight);

#endif /* KANON_EARTH_MOVER_H */
