/*
 * rank_select.h
 *		Finds the code of a given rank among rows, without sorting them.
 */
#ifndef KANON_RANK_SELECT_H
#define KANON_RANK_SELECT_H

#include "postgres.h"

#include "base/budget.h"
#include "data/dataset.h"

typedef struct RankSelect RankSelect;

typedef struct RankedCode
{
	int32 code;
	int64 below; /* rows with a lower code */
	int64 equal; /* rows with this code */
} RankedCode;

/* Scratch space for parts of up to "rows" rows, 4 bytes each, in the current context. */
extern RankSelect *rank_select_create(int64 rows, Budget *budget);

/*
 * The code at place "rank" (from 0) if the records [begin, end) were sorted by the attribute, whose
 * codes lie in [minimum, maximum].  O(rows), whatever the codes.
 */
extern RankedCode rank_select_find(RankSelect *select, const Dataset *dataset, int64 begin,
								   int64 end, int attribute, int32 minimum, int32 maximum,
								   int64 rank);

#endif /* KANON_RANK_SELECT_H */
