/*
 * local.h
 *		Local recoding: classes of rows that lose as little as can be found, each recoded to its own
 *		labels.
 *
 * Rows that are equal in all quasi-identifiers share a class.  Which rows share one depends on the
 * multiset of rows alone: neither on their order nor on that of the attributes, for ties between
 * attributes go by "order".
 */
#ifndef KANON_LOCAL_H
#define KANON_LOCAL_H

#include "postgres.h"

#include "base/budget.h"
#include "data/dataset.h"
#include "data/recoding.h"
#include "model/row_judge.h"
#include "partition/partition.h"

/* How far a table that is recoded in parts has come; local_run counts on. */
typedef struct LocalProgress
{
	int64 rows;     /* of the table */
	int64 done;     /* in earlier parts, those left out with them */
	int64 left_out; /* of these */
} LocalProgress;

typedef struct LocalRequest
{
	int64 k;
	const RowModels *models;      /* by row number; NULL: k rows suffice */
	const RecodingColumn *column; /* [dataset->attributes] */
	const double *weight; /* [attribute], sum 1: what its cells' losses weigh; NULL: alike */
	const int *order; /* the attributes in the order of ties: fewest distinct values in the table
					   * first, then by name; NULL: as they come */
	int64 suppressed; /* rows of the table that may be left out, at most */
	bool of_part;     /* the rows are part of a table that satisfies, whole regions in their order;
					   * columns have the table's extent */
	bool unjudged;    /* .. but rows may have come in between: whether they satisfy is not known */
	LocalProgress *progress; /* of_part: that of the table */
	bool places_only;        /* group_of_row is not needed */
	Budget *budget;
} LocalRequest;

/*
 * More rows than this are divided first, as Mondrian divides by gain with rest parts, into regions
 * of at most so many where that is possible.  Each region is recoded by itself, in memory.
 */
#define LOCAL_REGION_ROWS 131072

/* How a table of so many rows is divided into regions, in memory or elsewhere. */
extern PartitionRequest local_region_request(const LocalRequest *request, int64 rows);

/* About the bytes needed to recode the regions of so many rows, without the dataset. */
extern Size local_bytes(int64 rows, int attributes);

/*
 * Recodes the rows.  Moves the dataset's records into class order.  A class's cells are the region
 * of its rows (partition/region.h): its labels are tight.  The recoding keeps using the dataset.
 *
 * Up to "suppressed" rows are left out: those without which their classes save most, as long as
 * that is more than a row can lose, which those lose.  Their records come after those of the last
 * class, from class_end[groups] on, and they have the group 0.
 *
 * Returns NULL for fewer than k rows, or if all rows together do not satisfy.  In the current
 * context.  Answers cancels.
 */
extern Recoding *local_run(Dataset *dataset, const LocalRequest *request);

#endif /* KANON_LOCAL_H */
