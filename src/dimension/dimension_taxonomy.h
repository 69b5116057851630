/*
 * dimension_taxonomy.h
 *		Dimensions from a table of (child, parent).
 */
#ifndef KANON_DIMENSION_TAXONOMY_H
#define KANON_DIMENSION_TAXONOMY_H

#include "postgres.h"

#include "dimension/dimension_method.h"

/*
 * Fills in the answer of a plan with plan->taxonomy, within a query scope.  The first two columns
 * of that table are child and parent, compared as text.  A root has a NULL parent or no row.  The
 * top level is the root, or '*' if there are several.
 *
 * Errors, each quoting the culprit: fewer than two columns; a row without child; a child with two
 * parents; a cycle; values missing from the taxonomy.
 */
extern void dimension_taxonomy_make(DimensionPlan *plan);

#endif /* KANON_DIMENSION_TAXONOMY_H */
