/*
 * two_phase.c
 *		See two_phase.h.
 */
#include "postgres.h"

#include "matching/two_phase.h"

#include "matching/ring.h"

Matching *
two_phase_run(const CellRows *rows, int k)
{
	return ring_run(rows, k);
}
