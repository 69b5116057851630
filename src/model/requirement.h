/*
 * requirement.h
 *		What a release must fulfil: every equivalence class holds at least k rows, or
 *		people, and satisfies all privacy models, where a few rows in classes that do not
 *		may be suppressed.
 *
 * A node satisfies if at most so many rows lie in classes that fail.  Searches prune by what is
 * *monotone* of that: if a node satisfies, all its generalizations do, and with it every subset
 * of its attributes (LeFevre, DeWitt, Ramakrishnan 2005a, section 2, with the suppression limit
 * of Samarati 2001).  What is not monotone must be asked of each node by itself.
 */
#ifndef KANON_REQUIREMENT_H
#define KANON_REQUIREMENT_H

#include "postgres.h"

#include "frequency/rollup.h"
#include "model/model.h"

/* What is asked beyond k, over the attributes that a space carries: columns, then person. */
typedef struct Demand
{
	int models;
	const Model **model;
	const int *column_of; /* [model] */
	int columns;          /* sensitive: the first attributes carried */
	const SensitiveDomain **domain;
	bool person; /* the last attribute carried: count its different codes, not rows */
} Demand;

typedef struct Requirement
{
	int64 k;
	int64 rows;         /* a class of fewer fails: k, or what models need for their values */
	int64 suppressible; /* rows that may lie in classes that fail */
	int64 max_groups;   /* with more groups than that it cannot hold */
	Demand demand;
} Requirement;

/* suppression: the share of rows in [0, 1) that may be suppressed.  The demand is kept. */
extern Requirement requirement_create(int64 k, double suppression, int64 rows,
									  const Demand *demand);

/*
 * The part of it that is monotone, which whatever satisfies the whole satisfies; in the current
 * context.
 */
extern Requirement requirement_monotone(const Requirement *requirement);

/* Is all of it monotone? */
extern bool requirement_is_monotone(const Requirement *requirement);

/* Is it decided by the number of rows in each class? */
static inline bool
requirement_is_plain(const Requirement *requirement)
{
	return requirement->demand.models == 0 && !requirement->demand.person;
}

/*
 * What must be tallied of a node to decide on it by rows alone, until the answer is no: what
 * fails so fails.
 */
extern TallyRequest requirement_request(const Requirement *requirement);

/* Does the node satisfy, of which this is the tally? */
extern bool requirement_holds(const Requirement *requirement, const FrequencyTally *tally);

#endif /* KANON_REQUIREMENT_H */
