/*
 * sample_uniques.h
 *		Which sets of columns single rows out?
 *
 * A row is unique on a set of columns, which is not empty, if no other row has the same values
 * in all of them.  A set is a minimal sample unique of a row if the row is unique on it and on
 * no proper subset: that is what somebody has to know, and no less (Elliot, Manning, Ford 2002;
 * Manning, Haglin, Keane 2008).
 */
#ifndef KANON_SAMPLE_UNIQUES_H
#define KANON_SAMPLE_UNIQUES_H

#include "postgres.h"

#include "base/budget.h"
#include "data/dataset.h"

#define SAMPLE_UNIQUES_MOST_SETS 1000000

/* One set of columns; what it points to lives only during the call. */
typedef struct SampleUniques
{
	const int *column; /* ascending */
	int size;
	int64 uniques; /* rows that are unique on it */
	int64 minimal; /* rows whose minimal sample unique it is */
} SampleUniques;

typedef void (*SampleUniquesConsumer)(void *state, const SampleUniques *set);

typedef struct SampleUniquesRequest
{
	const Dataset *table;           /* columns, dense */
	int size;                       /* of the largest sets: 1 .. columns */
	SampleUniquesConsumer consumer; /* NULL: not wanted */
	void *state;
	int32 *minimal_of_row; /* [row * size + i - 1]: counts the row's minimal sample uniques of i
							* columns; NULL: not wanted */
	Budget *budget;
} SampleUniquesRequest;

/*
 * ERRCODE_PROGRAM_LIMIT_EXCEEDED if there are more than SAMPLE_UNIQUES_MOST_SETS sets of 1 ..
 * size among so many columns.
 */
extern void sample_uniques_check(int columns, int size);

/*
 * Pushes each set of 1 .. size columns once, subsets before their supersets; the consumer runs in
 * a context that is emptied at the end.  Time: O(rows) for a set, less those already unique on
 * the set without its first column.  Memory: O(size * rows), and a bit for each row and each set
 * below the largest on which other rows are unique than on a smaller one.
 */
extern void sample_uniques_find(const SampleUniquesRequest *request);

/* A minimal_of_row of zeros, for a request that has its table; in the current context. */
extern int32 *sample_uniques_counters(const SampleUniquesRequest *request);

/*
 * SUDA's score of a row, 0 without minimal sample uniques: the sum over these, of i columns each,
 * of the product over j = i .. m of (columns - j), where m is the size searched, at most columns
 * - 1: how many ways lead, a column at a time, up to a larger set of m + 1.
 */
extern double sample_uniques_score(int columns, int size, const int32 *minimal);

#endif /* KANON_SAMPLE_UNIQUES_H */
