/*
 * region_classes.h
 *		A recoding whose classes are contiguous records, each recoded to the cells of its region.
 */
#ifndef KANON_REGION_CLASSES_H
#define KANON_REGION_CLASSES_H

#include "postgres.h"

#include "base/budget.h"
#include "data/dataset.h"
#include "data/recoding.h"
#include "partition/region.h"

typedef struct RegionClasses
{
	Recoding base;
	Region *region;      /* scratch space for a class */
	int32 *class_of_row; /* [row]: from 1; NULL if it is not wanted */
	int32 *class_end;    /* [class]: the record behind its last; [0]: 0 */
} RegionClasses;

/*
 * A recoding of the dataset without classes yet, of which there will be at most rows / k.  Whoever
 * adds one fills in class_end, class_of_row and base.groups.  of_part: the columns have the extent
 * of a larger table.  In the current context; keeps using dataset and columns.  Against the budget,
 * for the purpose.
 */
extern RegionClasses *region_classes_create(const Dataset *dataset, const RecodingColumn *column,
											bool of_part, int64 k, bool places_only, Budget *budget,
											const char *purpose);

#endif /* KANON_REGION_CLASSES_H */
