/*
 * region.h
 *		Where the rows of a part lie: the range of codes of every attribute.
 */
#ifndef KANON_REGION_H
#define KANON_REGION_H

#include "postgres.h"

#include "data/dataset.h"
#include "data/recoding.h"
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

/*
 * The lowest code of the attribute but NULL, of records [begin, end) whose region
 * this is; NULL if there are only NULLs.  One pass where the attribute is mixed,
 * none otherwise.
 */
extern int32 region_lowest_value(const Region *region, const Dataset *dataset, int64 begin,
								 int64 end, int attribute);

/*
 * An attribute as described, recoded to spans, with the extent of a table whose codes, NULLs apart,
 * lie in [lowest, maximum]; DATASET_NULL: there are only NULLs.
 */
extern RecodingColumn region_column(const RecodingColumn *described, int32 lowest, int32 maximum);

/*
 * The attributes as described, recoded to spans, with the extent of all rows, NULLs apart:
 * palloc'd, [attribute].  One pass.
 */
extern RecodingColumn *region_columns(const Dataset *dataset, const RecodingColumn *described);

/*
 * The cell of codes from minimum to maximum: a span, the label of their least common ancestor;
 * where there are NULLs as well, the single top label, or RECODED_ALL.
 */
extern RecodedCell region_cell(const RecodingColumn *column, int32 minimum, int32 maximum);

#endif /* KANON_REGION_H */
