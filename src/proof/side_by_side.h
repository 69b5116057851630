/*
 * side_by_side.h
 *		What several releases of the same people reveal together.
 *
 * Assume a reader who has all of them, and knows everybody's quasi-identifiers and which releases
 * they are in.  So the reader knows everybody's class in each release, and may recognize a record
 * in another release by the values beside its cells.  Then the records that can be Ann's are those
 * of the people who are beside her in all releases: in each, their record is one that may be hers.
 * If all releases have classes, nobody can learn more: for two people who share their class in
 * every release, exchange the values beside their cells, and each release stays the same.
 *
 * If cells are generalized one by one, a person has a kind (a set of equal rows), and a record
 * covers rows of k kinds: it may belong to any of them.  This does not check which of the k
 * matchings can hold in all releases at once, so a reader may learn more there.
 *
 * Example: one release has Ann and Bob in class 1, Cid in class 2; another has Ann and Cid in class
 * 1, Bob in class 2.  Each of the three is alone.
 */
#ifndef KANON_SIDE_BY_SIDE_H
#define KANON_SIDE_BY_SIDE_H

#include "postgres.h"

#include "base/budget.h"

typedef struct SideBySide SideBySide;

/* No people yet, for this many releases; in the current context, against the budget. */
extern SideBySide *side_by_side_create(int releases, Budget *budget);

/*
 * Adds a person. who, [release]: the class alone, or the person's kind and the kinds that the
 * record covers, always as many for one release. count, [release]: how many numbers that are; 0:
 * the person is not in that release, but every person is in at least one.  Numbers start at 0.
 */
extern void side_by_side_add(SideBySide *people, const int32 *const *who, const int *count);

typedef struct SideBySideReport
{
	int64 people;
	int64 below;    /* people with fewer than k candidates, themselves included */
	int64 alone;    /* people without any other candidate */
	int64 smallest; /* fewest candidates; 0: no people */
	int64 size_end; /* at most k, and one more than there are people */
	int64 *sizes;   /* [1 .. size_end - 1]: people with that many candidates */
	int weakest_count;
	int32 *weakest; /* some of the people with the fewest, by the order of adding, from 0 */
} SideBySideReport;

#define SIDE_BY_SIDE_WEAKEST 10

/*
 * The report, in the current context; nobody can be added afterwards.  Cost: sorts the people; if
 * cells are generalized one by one, compares each group with its shortest list of candidates.
 */
extern SideBySideReport side_by_side_judge(SideBySide *people, int k);

#endif /* KANON_SIDE_BY_SIDE_H */
