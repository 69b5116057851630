/*
 * matching_draw.h
 *		Which of the rows that it covers each record belongs to, by chance.
 *
 * The graph of records and rows is k-regular, so it falls apart into k disjoint
 * perfect matchings (König), and one of them says whose other values go with
 * each record.  If it is drawn with equal chances, each row has come to each of
 * the k records that cover it with chance 1/k, exactly: in whatever way the
 * matchings were found, every pair is in one of them.  (Wong, Mamoulis, Cheung 2010:
 * the identity must not be taken for granted.)
 *
 * Rows that no pairs connect are drawn apart from each other, with numbers of their own
 * that depend on the key and on the part of the graph: the names of its rows and which
 * record covers which.  So whoever has rows in one part, or had, and knows how it was drawn
 * knows nothing of any other; and a part that is the same when a table is drawn again is
 * drawn the same, wherever in the table it stands.  For two draws of one part together
 * tell more than either.  Which of equal rows a record goes to is drawn once more.
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
 * [row]: its record.  "name" is by row; those of the same name stand side by side.  palloc'd
 * in the current context, against the budget.  Expected O(rows * k * log rows): perfect
 * matchings of a regular graph are found by random walks (Goel, Kapralov, Khanna
 * 2010).
 */
extern int32 *matching_draw(const Matching *matching, const RowName *name, RandomSource *source,
							Budget *budget);

#endif /* KANON_MATCHING_DRAW_H */
