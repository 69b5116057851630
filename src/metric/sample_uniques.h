/*
 * sample_uniques.h
 *		Sets of columns that single rows out.
 *
 * A row is unique on a nonempty set of columns if no other row has the same values in all of them.
 * A set is a minimal sample unique of a row if the row is unique on it and on no proper subset: the
 * least that somebody has to know (Elliot, Manning, Ford 2002; Manning, Haglin, Keane 2008).
 */
#ifndef KANON_SAMPLE_UNIQUES_H
#define KANON_SAMPLE_UNIQUES_H

#include "postgres.h"

#include "base/budget.h"
#include "data/dataset.h"

#define SAMPLE_UNIQUES_MOST_SETS 1000000

/* One set of columns; its pointers are valid only during the call. */
typedef struct SampleUniques
{
	const int *column; /* ascending */
	int size;
	int64 uniques; /* rows that are unique on it */
	int64 minimal; /* rows that have it as a minimal sample unique */
} SampleUniques;

typedef void (*SampleUniquesConsumer)(void *state, const SampleUniques *set);

typedef struct SampleUniquesRequest
{
	const Dataset *table;           /* columns, dense */
	int size;                       /* of the largest sets, 1 .. columns */
	SampleUniquesConsumer consumer; /* NULL: not wanted */
	void *state;
	int32 *minimal_of_row; /* [row * size + i - 1]: counts the row's minimal sample uniques with i
							  columns; NULL: not wanted */
	Budget *budget;
} SampleUniquesRequest;

/* How many sets of 1 .. size columns there are; if more than SAMPLE_UNIQUES_MOST_SETS, not all. */
extern int64 sample_uniques_sets(int columns, int size);

/*
 * Raises ERRCODE_PROGRAM_LIMIT_EXCEEDED if so many columns have more than SAMPLE_UNIQUES_MOST_SETS
 * sets of 1 .. size.
 */
extern void sample_uniques_check(int columns, int size);

/*
 * Pushes each set of 1 .. size columns once, subsets before supersets.  The consumer runs in a
 * context that is reset at the end.  Time: for each set, O(rows) less those already unique on the
 * set without its first column.  Memory: O(size * rows), plus a bit for each row and each set below
 * the largest size that adds unique rows.
 */
extern void sample_uniques_find(const SampleUniquesRequest *request);

/* A zeroed minimal_of_row for a request that has its table; in the current context. */
extern int32 *sample_uniques_counters(const SampleUniquesRequest *request);

/*
 * SUDA's score of a row (Elliot, Manning, Ford 2002).  The score is the sum over the row's minimal
 * sample uniques, with i columns each, of the product over j = i .. m of (columns - j); m is the
 * size searched, at most columns - 1.  It counts the ways to reach a larger set of m + 1 columns
 * one column at a time. 0 without minimal sample uniques.
 */
extern double sample_uniques_score(int columns, int size, const int32 *minimal);

#endif /* KANON_SAMPLE_UNIQUES_H */
