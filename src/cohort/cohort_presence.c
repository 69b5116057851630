/*
 * cohort_presence.c
 *		See cohort_presence.h.
 */
#include "postgres.h"

#include "cohort/cohort_presence.h"

#include "base/interrupt.h"
#include "cohort/cohort_source.h"

/* Cells come in the order of their numbers. */
static bool
is_shown(const CohortSource *source, int64 number)
{
	int32 low = 0;
	int32 high = source->cells;

	while (low < high)
	{
		int32 middle = low + (high - low) / 2;

		if (source->cell[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low < source->cells && source->cell[low].number == number && source->cell[low].shown;
}

CohortPresence
cohort_presence_count(const CohortState *state)
{
	Budget budget = budget_begin();
	CohortSource *source = cohort_source_read(state, &budget);
	CohortPresence presence = {0};

	for (int32 i = 0; i < source->people; i++)
	{
		const CohortPerson *person = &source->person[i];
		bool present = person->row >= 0;

		interrupt_check(i);
		if (person->cell == 0)
			presence.waiting += present ? 1 : 0;
		else if (is_shown(source, person->cell))
			presence.left += present ? 0 : 1;
		else
			presence.hidden += present ? 1 : 0;
	}
	cohort_source_close(source);
	return presence;
}
