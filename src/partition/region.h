/*
 * region.h
 *		The region of a part: the range of codes of every attribute.
 */
#ifndef KANON_REGION_H
#define KANON_REGION_H

#include "postgres.h"

#include "data/dataset.h"
#include "data/recoding.h"
#include "partition/partition.h"

/* Ranges of codes; entries after the attributes are padding. */
typedef struct Region
{
	int32 *minimum; /* [stride]; DATASET_NULL: the part has NULLs */
	int32 *maximum; /* [stride]; DATASET_NULL: it has only NULLs */
} Region;

/* An uninitialized region for the dataset, in the current context. */
extern Region *region_create(const Dataset *dataset);

/* Computes the region of the records [begin, end), at least one.  One pass. */
extern void region_measure(Region *region, const Dataset *dataset, int64 begin, int64 end);

/* Does the attribute have both NULLs and values? */
static inline bool
region_is_mixed(const Region *region, int attribute)
{
	return region->minimum[attribute] == DATASET_NULL && region->maximum[attribute] != DATASET_NULL;
}

/* Does the attribute have one code, or only NULLs? */
static inline bool
region_is_point(const Region *region, int attribute)
{
	return region->minimum[attribute] == region->maximum[attribute];
}

/*
 * The lowest code without NULL among the records [begin, end), whose region this is; NULL if there
 * are only NULLs.  One pass if the attribute is mixed, otherwise none.
 */
extern int32 region_lowest_value(const Region *region, const Dataset *dataset, int64 begin,
								 int64 end, int attribute);

/*
 * The described attribute, recoded to spans, with the extent of a table whose codes, without NULL,
 * lie in [lowest, maximum]; DATASET_NULL: only NULLs.
 */
extern RecodingColumn region_column(const RecodingColumn *described, int32 lowest, int32 maximum);

/*
 * The described attributes, recoded to spans, with the extent of all rows, without NULL: palloc'd,
 * [attribute].  One pass.
 */
extern RecodingColumn *region_columns(const Dataset *dataset, const RecodingColumn *described);

/*
 * The cell for codes from minimum to maximum: a span, or the label of their least common ancestor;
 * with NULLs, the single top label or RECODED_ALL; of a plain column, RECODED_ALL for several
 * values.
 */
extern RecodedCell region_cell(const RecodingColumn *column, int32 minimum, int32 maximum);

/*
 * The loss of the region's cells (metric/loss.h), by weights that sum to 1; "column" has the scale
 * of its cells.
 */
extern double region_loss(const Region *region, int attributes, const RecodingColumn *column,
						  const double *weight);

#endif /* KANON_REGION_H */
