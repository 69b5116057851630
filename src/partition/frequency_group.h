/*
 * frequency_group.h
 *		How many rows of a part have each code of each attribute: all that a split is chosen
 *		from (LeFevre, DeWitt 2007, section 2: AV, AVC and AVS groups).
 *
 * Besides, with each code may be counted how many of its rows have each value of something
 * else: the class of a target, a sensitive value; and the values of a numeric target be added up.
 */
#ifndef KANON_FREQUENCY_GROUP_H
#define KANON_FREQUENCY_GROUP_H

#include "postgres.h"

#include "base/budget.h"
#include "data/dataset.h"
#include "partition/value_grid.h"

/* Where the codes of a part can lie, NULL apart. */
typedef struct CodeBounds
{
	int32 minimum;
	int32 maximum; /* less than the minimum: there are only NULLs */
} CodeBounds;

/* What is counted with each code. */
typedef struct FrequencySide
{
	int32 values; /* their codes are 0 .. values - 1 */
	int32 *rows;  /* [slot * values + value] */
} FrequencySide;

/* Known values of a target with one code: their range, and their sum on the grid of all. */
typedef struct SlotValues
{
	ValueRange range;
	int64 sum;
} SlotValues;

typedef struct FrequencyTarget
{
	ValueRange range;  /* of all rows, those to be counted included */
	ValueSums all;     /* .. counted */
	SlotValues *value; /* [slot] */
} FrequencyTarget;

/* Attributes, one bit each. */
typedef uint64 AttributeSet;

/*
 * Of each attribute it is known where its codes lie.  Those whose codes are counted have a slot for
 * NULL, and one for each code from the least that can occur to the greatest; those of all
 * attributes lie one behind the other.
 */
typedef struct FrequencyGroup
{
	int attributes;
	int64 counted;      /* rows */
	AttributeSet codes; /* attributes whose codes are counted */
	CodeBounds *bounds; /* [attribute]: where they can lie */
	int64 *nulls;       /* [attribute]: rows */
	uint32 *lowest;     /* [attribute]: code but NULL, as such a number; that of NULL: none */
	int32 *highest;     /* [attribute]: likewise */
	int64 *first_slot;  /* [attribute], and behind the last */
	int32 *rows;        /* [slot] */
	int sides;
	FrequencySide *side;
	FrequencyTarget *target; /* NULL: there is none */
} FrequencyGroup;

/* What is to be counted of a part. */
typedef struct FrequencyRequest
{
	int attributes;
	const CodeBounds *bounds; /* [attribute] */
	AttributeSet codes;
	const int32 *side_values; /* [side] */
	int sides;
	const ValueRange *target; /* of the rows that will be counted; NULL: there is none */
} FrequencyRequest;

/* Bytes that a group takes. */
extern Size frequency_group_bytes(const FrequencyRequest *request);

/* Nothing counted yet; in the current context, against the budget.  The request is copied. */
extern FrequencyGroup *frequency_group_create(const FrequencyRequest *request,
											  const Budget *budget);

/* Counts a row by its codes, of the attributes and of the sides, and the target's value. */
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
