/*
 * range_windows.h
 *		What ranges lose at least, by windows that they lie in: for the bound of the loss.
 *
 * Ranges do not form a tree: any two values can be the ends of one.  Windows do: those of a level
 * are equally wide and divide the values.  The next level is twice as wide, and each width comes
 * twice, the second time moved by half of it.  So a range that no window of some width holds is
 * wider than half of that width.
 */
#ifndef KANON_RANGE_WINDOWS_H
#define KANON_RANGE_WINDOWS_H

#include "postgres.h"

#include "base/budget.h"
#include "data/recoding.h"

typedef struct RangeWindows
{
	int levels;
	int32 nodes;
	int32 **node; /* [level][code, NULL's included]: the value itself, or its window */
	double *loss; /* [node, NULL's included]: what ranges lose at least, in [0, 1], that lie in it,
				   * but in no window of a lower level */
} RangeWindows;

/* The number of levels of an attribute with so many values, more than one. */
extern int range_windows_levels(int32 values, bool has_null);

/*
 * The windows of an attribute whose codes are ranks; in the current context, against the budget.
 * O(values * levels).
 */
extern RangeWindows range_windows_create(const RecodingColumn *range, int32 values, bool has_null,
										 Budget *budget);

#endif /* KANON_RANGE_WINDOWS_H */
