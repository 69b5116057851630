/*
 * local_groups.h
 *		Groups of tuples that are to be classes: what they cost, tuples that join them, and groups
 *		that join each other.
 */
#ifndef KANON_LOCAL_GROUPS_H
#define KANON_LOCAL_GROUPS_H

#include "postgres.h"

#include "local/local_table.h"

/* What all these tuples cost if group[i] is the group of tuple[i].  O(tuples). */
extern int64 local_groups_cost(const LocalTable *table, const int32 *tuple, int32 count,
							   const int32 *group, int32 groups);

/*
 * Lets the tuples whose group is -1 join groups, in their order, each that whose cost grows least
 * and that satisfies with it; the first such on a tie.  If there is none, the tuple joins the group
 * whose cost grows least, and that others, likewise, until it satisfies.  Without groups, all
 * tuples become one.  All tuples together must satisfy.  Returns the number of groups, which are
 * numbered anew from 0.
 *
 * A tuple takes as many steps as there are groups, and with models as many as there are tuples in
 * the groups that are judged, at most 32.  After more than so many steps, returns -1: the groups
 * are not complete.
 */
extern int32 local_groups_complete(const LocalTable *table, const int32 *tuple, int32 count,
								   int32 *group, int32 groups, int64 steps);

#endif /* KANON_LOCAL_GROUPS_H */
