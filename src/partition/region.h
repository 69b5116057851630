/*
 * region.h
 *		Where the rows of a part lie: the range of codes of every attribute.
 */
#ifndef KANON_REGION_H
#define KANON_REGION_H

#include "postgres.h"

#include "data/dataset.h"
#include "data/dimension.h"
#include "partition/partition.h"

/* Ranges of codes; entries behind the attributes mean nothing. */
typedef struct Region
{
	int32 *minimum; /* [stride]; DATASET_NULL: there are NULLs */
	int32 *maximum; /* [stride]; DATASET_NULL: there are only NULLs */
} Region;

/* Room for one region of the dataset, in the current context. */
extern Region *region_create(const Dataset *dataset);

/* The region of the records [begin, end), at least one.  One pass. */
extern void region_measure(Region *region, const Dataset *dataset, int64 begin, int64 end);

/* NULLs and values together. */
static inline bool
region_is_mixed(const Region *region, int attribute)
{
	return region->minimum[attribute] == DATASET_NULL && region->maximum[attribute] != DATASET_NULL;
}

/* One code, or only NULLs. */
static inline bool
region_is_point(const Region *region, int attribute)
{
	return region->minimum[attribute] == region->maximum[attribute];
}

/* The lowest code but NULL of the attribute in records some of which have one.  One pass. */
extern int32 region_find_lowest(const Dataset *dataset, int64 begin, int64 end, int attribute);

/*
 * The lowest code of the attribute but NULL, of records [begin, end) whose region
 * this is; NULL if there are only NULLs.  One pass where the attribute is mixed,
 * none otherwise.
 */
static inline int32
region_lowest_value(const Region *region, const Dataset *dataset, int64 begin, int64 end,
					int attribute)
{
	if (region_is_mixed(region, attribute))
		return region_find_lowest(dataset, begin, end, attribute);
	return region->minimum[attribute];
}

/*
 * The extent of each attribute in all rows, NULLs apart, which widths are
 * measured against: palloc'd, [attribute].  The region becomes that of all rows.
 */
extern double *region_whole(Region *region, const Dataset *dataset,
							const PartitionAttribute *attribute);

/*
 * How much of the whole lies between two codes of an attribute, 0 .. 1 (002,
 * section 4): the range of positions, or of the leaves under the least common
 * ancestor less one.
 */
extern double region_width(const PartitionAttribute *attribute, double whole, int32 minimum,
						   int32 maximum);

/*
 * The lowest level at which two ground codes have the same ancestor; height +
 * 1 if there is none, as if one root stood above the top labels.
 */
extern int region_common_level(const Dimension *dimension, int32 one, int32 other);

#endif /* KANON_REGION_H */
