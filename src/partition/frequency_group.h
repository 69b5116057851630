/*
 * frequency_group.h
 *		The counts from which a split is chosen: rows of a part for each code of each attribute
 *		(LeFevre, DeWitt 2007, section 2: AV, AVC and AVS groups).
 *
 * For each code it may also count rows by the value of something else, such as the class of a
 * target or a sensitive value, and sum up the values of a numeric target.
 */
#ifndef KANON_FREQUENCY_GROUP_H
#define KANON_FREQUENCY_GROUP_H

#include "postgres.h"

#include <math.h>

#include "base/budget.h"
#include "data/dataset.h"

/*
 * ---- A numeric target's values as whole numbers, so that sums are exact in any order.
 *
 * The values of a part are put on a grid of 2^30 steps across their range.  The error of a part is
 * at least half the square of its range, so rounding to the grid does not matter, and sums of all
 * rows fit in an int64.
 */

/* The range of the known values, which are the finite ones, of some rows. */
typedef struct ValueRange
{
	double minimum;
	double maximum;
	int64 rows;
} ValueRange;

/* The number of rows with a known value, and the sums of values and squares on the grid. */
typedef struct ValueSums
{
	int64 rows;
	int64 sum;
	uint64 low; /* sums of the lower and upper halves of the squares: 2^31 squares of up to 2^58
				 * exceed an int64 */
	uint64 high;
} ValueSums;

#define VALUE_NOT_KNOWN PG_INT32_MIN

/* Extends a range by another. */
static inline void
value_range_join(ValueRange *range, const ValueRange *other)
{
	if (other->rows == 0)
		return;
	range->minimum = range->rows == 0 ? other->minimum : Min(range->minimum, other->minimum);
	range->maximum = range->rows == 0 ? other->maximum : Max(range->maximum, other->maximum);
	range->rows += other->rows;
}

/* Extends a range by a value; ignores values that are not finite. */
static inline void
value_range_add(ValueRange *range, double value)
{
	if (!isfinite(value))
		return;
	range->minimum = range->rows == 0 ? value : Min(range->minimum, value);
	range->maximum = range->rows == 0 ? value : Max(range->maximum, value);
	range->rows++;
}

#define VALUE_HALF_STEPS 536870912.0 /* 2^29 steps from the middle of the range to an end */

/*
 * The value on the grid of the range, VALUE_NOT_KNOWN if it is not finite.  Halves are subtracted
 * because the whole range may overflow a double.
 */
static inline int32
value_grid_place(const ValueRange *range, double value)
{
	double middle = range->minimum / 2 + range->maximum / 2;
	double half = range->maximum / 2 - range->minimum / 2;

	if (!isfinite(value))
		return VALUE_NOT_KNOWN;
	return half > 0 ? (int32) rint((value - middle) / half * VALUE_HALF_STEPS) : 0;
}

/* Adds a value on the grid if it is known. */
static inline void
value_sums_add(ValueSums *sums, int32 value)
{
	uint64 square = (uint64) ((int64) value * value);

	if (value == VALUE_NOT_KNOWN)
		return;
	sums->rows++;
	sums->sum += value;
	sums->low += (uint32) square;
	sums->high += square >> 32;
}

/* The mean rounded to the grid, and the squared error around it. */
extern int32 value_sums_mean(const ValueSums *sums);
extern double value_sums_squares(const ValueSums *sums);

/* The range of a part's codes, without NULL. */
typedef struct CodeBounds
{
	int32 minimum;
	int32 maximum; /* below the minimum: only NULLs */
} CodeBounds;

/* A second count for each code. */
typedef struct FrequencySide
{
	int32 values; /* codes are 0 .. values - 1 */
	int32 *rows;  /* [slot * values + value] */
} FrequencySide;

/* The known values of a target with one code: their range, and their sum on the grid of all. */
typedef struct SlotValues
{
	ValueRange range;
	int64 sum;
} SlotValues;

typedef struct FrequencyTarget
{
	ValueRange range;  /* of all rows, including those not counted yet */
	ValueSums all;     /* .. of those counted */
	SlotValues *value; /* [slot]; NULL: there is no target */
} FrequencyTarget;

/* A set of attributes, one bit each. */
typedef uint64 AttributeSet;

/*
 * The range of codes is known for each attribute.  An attribute whose codes are counted has a slot
 * for NULL and one for each code of its range; the slots of all attributes are adjacent.
 */
typedef struct FrequencyGroup
{
	int attributes;
	int64 counted;      /* rows counted */
	AttributeSet codes; /* attributes whose codes are counted */
	CodeBounds *bounds; /* [attribute]: possible range */
	int64 *nulls;       /* [attribute]: rows */
	uint32 *lowest;     /* [attribute]: lowest code without NULL, as unsigned; NULL's if there is
						 * none */
	int32 *highest;     /* [attribute]: highest code, likewise */
	int64 *first_slot;  /* [attribute]; one more at the end */
	int32 *rows;        /* [slot] */
	int sides;
	FrequencySide *side;
	FrequencyTarget target;
} FrequencyGroup;

/* What to count in a part. */
typedef struct FrequencyRequest
{
	int attributes;
	const CodeBounds *bounds; /* [attribute] */
	AttributeSet codes;
	const int32 *side_values; /* [side] */
	int sides;
	const ValueRange *target; /* of the rows to be counted; NULL: no target */
} FrequencyRequest;

/* Bytes that a group takes. */
extern Size frequency_group_bytes(const FrequencyRequest *request);

/* An empty group, in the current context, against the budget.  Copies the request. */
extern FrequencyGroup *frequency_group_create(const FrequencyRequest *request,
											  const Budget *budget);

/*
 * Counts a row, given its codes of the attributes and the sides, and its target value.
 * O(attributes).
 */
extern void frequency_group_add(FrequencyGroup *group, const int32 *code, const int32 *side,
								double target);

extern void frequency_group_free(FrequencyGroup *group);

static inline bool
frequency_group_has(const FrequencyGroup *group, int attribute)
{
	return (group->codes >> attribute) & 1;
}

/* The code of a slot of the attribute. */
static inline int32
frequency_group_code(const FrequencyGroup *group, int attribute, int64 slot)
{
	int64 place = slot - group->first_slot[attribute];

	return place == 0 ? DATASET_NULL : (int32) (group->bounds[attribute].minimum + place - 1);
}

#endif /* KANON_FREQUENCY_GROUP_H */
