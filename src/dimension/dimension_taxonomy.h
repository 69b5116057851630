/*
 * dimension_taxonomy.h
 *		Dimensions out of a table of (child, parent).
 *
 * A value's path leads from itself through its parents to a root.  Levels
 * are aligned at the top, so that what lies right beneath the root shares a
 * level whatever the depth of its branch; a value on a shorter branch repeats
 * itself on the levels below its own.  Example, with France under Europe under
 * World, Tokyo under Japan under Asia under World:
 *
 *		value	level 1	level 2	level 3
 *		France	France	Europe	World
 *		Tokyo	Japan	Asia	World
 *
 * A label stands at the one level that its distance from the root gives, or
 * repeats below it: so levels are many-to-one.  The top is the root, or '*'
 * above several roots.  A value may be an inner node.
 */
#ifndef KANON_DIMENSION_TAXONOMY_H
#define KANON_DIMENSION_TAXONOMY_H

#include "postgres.h"

#include "dimension/dimension_plan.h"

/*
 * Fills the answer of a plan with plan->taxonomy, within a query scope.  The
 * first two columns of that table are child and parent, compared as text; a
 * root has no parent, NULL or no row.
 *
 * Errors, each naming what is wrong: fewer than two columns; a row without
 * child; a child with two parents; a cycle; values missing from the taxonomy.
 */
extern void dimension_taxonomy_make(DimensionPlan *plan);

#endif /* KANON_DIMENSION_TAXONOMY_H */
