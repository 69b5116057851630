/*
 * counterexample.h
 *		How large the class of one group is, at every node of the lattice.
 *
 * A node fails if any class is too small.  A group that lies in a small class
 * at one node tends to do so at many others, and one pass over the frequency
 * set finds all of them: two groups share a class at a node if and only if the
 * node lies at or above the levels at which their ancestors meet, attribute by
 * attribute.  So count every group at the vector of levels where it meets the
 * chosen one, and sum up the lattice.
 */
#ifndef KANON_COUNTEREXAMPLE_H
#define KANON_COUNTEREXAMPLE_H

#include "postgres.h"

#include "frequency/frequency_set.h"
#include "lattice/lattice.h"

/*
 * Rows of the class of the group with this key (of set's own node) at every
 * node at or above the set's; 0 elsewhere.  sizes: lattice->nodes entries, of a
 * lattice of all attributes.  Cost: a pass over the set with a table look-up for
 * each attribute, then nodes * attributes additions.
 */
extern void counterexample_sizes(FrequencySet *set, FrequencySpace *space, const Lattice *lattice,
								 const uint64 *key, int64 *sizes);

#endif /* KANON_COUNTEREXAMPLE_H */
