/*
 * two_phase.h
 *		Two-phase generalization (Murakami, Uno 2017, section 3).
 */
#ifndef KANON_TWO_PHASE_H
#define KANON_TWO_PHASE_H

#include "postgres.h"

#include "matching/matching.h"

/*
 * A MatchingRun.  Time: for each block of rows, about k + 2 * rounds calls of candidates_collect
 * and assignment_solve.
 */
extern Matching *two_phase_run(const MatchingTable *rows, int k);

#endif /* KANON_TWO_PHASE_H */
