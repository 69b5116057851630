/*
 * requirement.h
 *		What a release must fulfil: every equivalence class holds at least k
 *		rows, where a few rows in smaller classes may be suppressed.
 *
 * Monotone upwards: merging classes never makes a class smaller, and rows that
 * lie in classes of at least k stay in such classes; so if a node satisfies,
 * all its generalizations do, and with it every subset of its attributes
 * (Incognito, section 2, with Samarati's suppression limit).  Searches prune by
 * that.
 */
#ifndef KANON_REQUIREMENT_H
#define KANON_REQUIREMENT_H

#include "postgres.h"

#include "frequency/rollup.h"

typedef struct Requirement
{
	int64 k;
	int64 suppressible; /* rows that may lie in classes below k */
	int64 max_groups;   /* with more groups than that it cannot hold */
} Requirement;

/* suppression: the share of rows in [0, 1) that may be suppressed. */
extern Requirement requirement_create(int64 k, double suppression, int64 rows);

/*
 * What must be tallied of a node to decide on it: counting stops where the
 * answer is no already.
 */
extern TallyRequest requirement_request(const Requirement *requirement);

/* Does the node satisfy, of which this is the tally? */
extern bool requirement_holds(const Requirement *requirement, const FrequencyTally *tally);

#endif /* KANON_REQUIREMENT_H */
