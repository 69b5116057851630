/*
 * side_by_side.h
 *		What several releases of the same people tell together.
 *
 * Whoever has all of them knows everybody's quasi-identifiers and which releases they are in, so
 * that he knows their class in each; and he may know a record again in another release by what
 * stands beside its cells.  Then the records that can be Ann's are those of the people who are
 * beside her in all releases: whose record in each is one of those that may be hers.  Where all
 * have classes nobody can learn more: exchange what two people who share their class in every
 * release have beside their cells, and each release stays as it is.
 *
 * Where cells are generalized one by one, a person is of a kind (rows that are alike) and a record
 * covers rows of k kinds, so it may be theirs.  Which of the k matchings can be true of all
 * releases at once is not asked: a reader may learn more there.
 *
 * Example: Ann and Bob are in class 1 of one release, Cid in class 2; in another Ann and Cid in
 * class 1, Bob in class 2.  Each of the three is alone.
 */
#ifndef KANON_SIDE_BY_SIDE_H
#define KANON_SIDE_BY_SIDE_H

#include "postgres.h"

#include "base/budget.h"

typedef struct SideBySide SideBySide;

/* No people yet, of so many releases; in the current context, against the budget. */
extern SideBySide *side_by_side_create(int releases, Budget *budget);

/*
 * One more person.  who, [release]: the class alone, or the kind and those that the record covers,
 * always as many for the same release; count[release]: of these numbers, from 0 on; 0: the person
 * is not in it, but in one of them at least.
 */
extern void side_by_side_add(SideBySide *people, const int32 *const *who, const int *count);

typedef struct SideBySideReport
{
	int64 people;
	int64 below;    /* who have fewer than k candidates, themselves included */
	int64 alone;    /* who have no other */
	int64 smallest; /* fewest candidates; 0: there are no people */
	int64 *sizes;   /* [1 .. k - 1]: people who have so many */
	int weakest_count;
	int32 *weakest; /* some who have the fewest, by the order of adding, from 0 */
} SideBySideReport;

#define SIDE_BY_SIDE_WEAKEST 10

/*
 * In the current context; nobody can be added afterwards.  Sorts people, and where cells are
 * generalized one by one compares each with the shortest list of those who may be theirs.
 */
extern SideBySideReport side_by_side_judge(SideBySide *people, int k);

#endif /* KANON_SIDE_BY_SIDE_H */
