/*
 * matching_draw.h
 *		Which of the rows that it covers each record belongs to, by chance.
 *
 * One of the k disjoint perfect matchings of the graph says whose other values go with each
 * record (Wong, Mamoulis, Cheung 2010: the identity must not be taken for granted).  It is drawn
 * with equal chances: each row has come to each of the k records that cover it with chance 1/k,
 * exactly.
 *
 * Rows that no pairs connect are drawn with numbers of their own, which depend on the key and
 * on the part of the graph: the names of its rows and which record covers which.  So who knows
 * how one part was drawn knows nothing of any other; and a part that is the same when a table
 * is drawn again is drawn the same, wherever in the table it stands, for two draws of it
 * together tell more than either.
 */
#ifndef KANON_MATCHING_DRAW_H
#define KANON_MATCHING_DRAW_H

#include "postgres.h"

#include "base/random.h"
#include "matching/matching.h"

/* Rows of the same values have the same name, and others have others. */
typedef struct RowName
{
	uint64 word[2];
} RowName;

/*
 * [row]: its record.  "name" is by row; those of the same name stand side by side, and which of
 * them a record goes to is drawn once more.  palloc'd in the current context, against the budget.
 * Expected O(rows * k * log rows): random walks find perfect matchings of a regular graph (Goel,
 * Kapralov, Khanna 2010).
 */
extern int32 *matching_draw(const Matching *matching, const RowName *name, RandomSource *source,
							Budget *budget);

#endif /* KANON_MATCHING_DRAW_H */
