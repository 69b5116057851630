/*
 * local_peel.h
 *		Peeling: classes out of a block of rows, from the cheapest labels to the dearest.
 *
 * The nodes of the block's lattice are visited in the order of what the block would lose there, and
 * each takes away the groups of rows with the same labels that satisfy.  Rows that many others are
 * like go first and keep most; each class has the labels that suit its rows.  This is kanon's own.
 *
 * The lattice has a chain of levels for each attribute: for a hierarchy, those up to the least
 * common ancestor of the block's values, without levels that merge nothing here; for ordered
 * values, the values themselves and pieces of them of about as many rows, halved in number from
 * level to level.
 */
#ifndef KANON_LOCAL_PEEL_H
#define KANON_LOCAL_PEEL_H

#include "postgres.h"

#include "local/local_table.h"

typedef struct LocalPeel LocalPeel;

/* Scratch space for blocks of the table, in the current context, against its budget. */
extern LocalPeel *local_peel_create(const LocalTable *table);

/*
 * Has the lattice of these tuples, in ascending order, at most so many nodes?  O(tuples log tuples)
 * for each attribute.
 */
extern bool local_peel_is_small(LocalPeel *peel, const int32 *tuple, int32 count, int64 most);

/*
 * Peels a block of tuples, in ascending order, and sets group[i], for tuple[i], to the number of
 * its group, from 0, or to -1 if it is left over.  Returns the number of groups; all of them
 * satisfy.  Visits at most so many nodes, and 16 for each tuple: O(rows of the rest) each, or with
 * models as much as judging its groups takes.
 */
extern int32 local_peel_run(LocalPeel *peel, const int32 *tuple, int32 count, int64 nodes,
							int32 *group);

#endif /* KANON_LOCAL_PEEL_H */
