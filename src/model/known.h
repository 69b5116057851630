/*
 * known.h
 *		k on any L columns: what somebody learns who knows at most so many of a person's
 *		quasi-identifiers.
 *
 * A table satisfies if each set of up to L quasi-identifiers divides it into classes that satisfy
 * (Demand.known).  This is the subset property of LeFevre, DeWitt, Ramakrishnan 2005a, section 2,
 * read as a demand.  Rows in a class that fails by any set are dropped.  That can make classes of
 * other sets fail, so sets are judged again until no row drops out.
 *
 * With k, and models that are monotone under inclusion, what remains is the largest part of the
 * table that satisfies, whatever the order in which rows drop out.  So if a node satisfies, its
 * generalizations do, and lose no more rows.
 */
#ifndef KANON_KNOWN_H
#define KANON_KNOWN_H

#include "postgres.h"

#include "model/class_judge.h"

#define KNOWN_SETS_MOST 10000 /* sets of columns */

/* Sets of "size" out of so many columns, one after the other, in lexicographic order. */
typedef struct KnownSets
{
	int columns;
	int size;
	int *member; /* [size]: the columns of this set, ascending */
} KnownSets;

/* The first set; size is at most the number of columns.  In the current context. */
extern KnownSets known_sets_begin(int columns, int size);

/* The next set; false if there is none. */
extern bool known_sets_next(KnownSets *sets);

/* Does the demand ask for fewer than so many columns? */
static inline bool
known_is_asked(const Demand *demand, int columns)
{
	return demand->known > 0 && demand->known < columns;
}

/*
 * The sizes of the sets to judge, out of so many columns.  Classes of fewer columns are unions of
 * those that satisfy.  So the least size is the most, unless a person may be in two classes and a
 * model may then fail for both together.
 */
extern int known_least_size(const Demand *demand, int columns);

static inline int
known_most_size(const Demand *demand, int columns)
{
	return known_is_asked(demand, columns) ? demand->known : columns;
}

/*
 * Raises ERRCODE_PROGRAM_LIMIT_EXCEEDED, with their number, if there are more sets of so many out
 * of all columns than KNOWN_SETS_MOST.
 */
extern void known_check_sets(const Demand *demand, int columns);

/* Must a node be tallied by known_tally? */
extern bool known_applies(const Requirement *requirement, const FrequencySpace *space,
						  const Level *node);

/*
 * Like class_judge_tally or, if the judge is NULL, rollup_tally: tallies the classes of all columns
 * at the node.  Small ones are those that drop out, and "smallest" is the smallest of the classes
 * that the sets leave.  Cost: one rollup, and for each set of columns a rollup from there and, if
 * rows drop out, a copy of the rest; as many times as rows drop out in turn.
 */
extern FrequencyTally known_tally(ClassJudge *judge, const Requirement *requirement,
								  FrequencySet *source, const Level *node,
								  const TallyRequest *request);

/*
 * Tallies the classes of all sets of columns in a set that is at the node, without dropping any:
 * "groups", "small_groups" and "smallest" are of all sets together, and small_rows counts the rows
 * in small groups of any set once.
 */
extern FrequencyTally known_tally_sets(ClassJudge *judge, const Requirement *requirement,
									   FrequencySet *set);

#endif /* KANON_KNOWN_H */
