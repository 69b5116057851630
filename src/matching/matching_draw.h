/*
 * matching_draw.h
 *		Draws at random which of the rows that it covers each record belongs to.
 *
 * One of the k disjoint perfect matchings of the graph decides whose other values go with each
 * record; the identity would be predictable (Wong, Mamoulis, Cheung 2010).  All k are equally
 * likely: each row is assigned to each of the k records that cover it with probability exactly 1/k.
 *
 * Each connected part of the graph has its own random numbers, which depend on the key and on the
 * part: the names of its rows and which record covers which.  So a reader who learns how one part
 * was drawn learns nothing of any other.  And a part that is unchanged when a table is drawn again
 * gets the same draw, wherever in the table it is, because two draws together reveal more than one.
 */
#ifndef KANON_MATCHING_DRAW_H
#define KANON_MATCHING_DRAW_H

#include "postgres.h"

#include "base/random.h"
#include "matching/matching.h"

/* Rows with equal values have the same name, others have different names. */
typedef struct RowName
{
	uint64 word[2];
} RowName;

/*
 * [row]: its record. "name" is by row; rows with the same name must be adjacent, and a further draw
 * permutes their records.  Palloc'd in the current context, against the budget.  Expected O(rows *
 * k * log rows): random walks find perfect matchings of a regular graph (Goel, Kapralov, Khanna
 * 2010).
 */
extern int32 *matching_draw(const Matching *matching, const RowName *name, RandomSource *source,
							Budget *budget);

#endif /* KANON_MATCHING_DRAW_H */
