/*
 * matching.h
 *		Non-homogeneous generalization: which rows each released record covers (Wong, Mamoulis,
 *		Cheung 2010; Murakami, Uno 2017, section 2).
 *
 * A record stands for the row with its number and covers k rows, itself first.  Every row is
 * covered by k records.  So the pairs (record, row) form a k-regular bipartite graph, which is the
 * union of k disjoint perfect matchings (König).  A reader who knows all original rows finds k of
 * them behind every record, and k records for every row, all alike.
 */
#ifndef KANON_MATCHING_H
#define KANON_MATCHING_H

#include "postgres.h"

#include "matching/matching_table.h"

typedef struct Matching
{
	int64 rows;
	int k;
	int32 *covered; /* [record * k + i]: rows; the record's own for i = 0 */
} Matching;

/* An algorithm.  Needs at least k rows; the matching is palloc'd against the rows' budget. */
typedef Matching *(*MatchingRun)(const MatchingTable *rows, int k);

/* A matching to be filled in; palloc'd in the current context, against the budget. */
extern Matching *matching_create(int64 rows, int k, Budget *budget);

static inline int32 *
matching_covered(const Matching *matching, int64 record)
{
	return matching->covered + record * matching->k;
}

/* The cell of a record: the lowest node above the values of all rows it covers.  O(k * height). */
extern int32 matching_cell(const Matching *matching, const MatchingTable *rows, int64 record,
						   int attribute);

/* The digit patterns of all records in a column, counted; in the current context. */
extern DigitLeaves *matching_digits(const Matching *matching, const MatchingTable *rows,
									const CellDigits *digits);

/*
 * Calls elog unless each record covers itself and k distinct rows in all, and each row is covered
 * by k records.  O(rows * k).
 */
extern void matching_verify(const Matching *matching, Budget *budget);

#endif /* KANON_MATCHING_H */
