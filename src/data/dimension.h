/*
 * dimension.h
 *		A generalization hierarchy over codes: code x level -> ancestor (LeFevre, DeWitt,
 *		Ramakrishnan 2005a, section 2: a chain of domains joined by many-to-one functions).
 *
 * Level 0 is the ground domain, level "height" the most general one.  Codes are dense at every
 * level and cover only values that occur in the table, in an order that keeps siblings
 * together.  Where the table has NULLs, NULL has the last code of every level, except at a top
 * level with a single label: there everything is that label.
 */
#ifndef KANON_DIMENSION_H
#define KANON_DIMENSION_H

#include "postgres.h"

#include "base/budget.h"

/* What a dimension is made from; ground values are numbered 0 .. ground_count - 1. */
typedef struct DimensionInput
{
	int height;
	int32 ground_count;         /* values that occur, NULL apart */
	const int32 *const *label;  /* [1 .. height][ground]: the label's number at that level; -1: it
								 * is NULL there, also at the levels above it but a single top */
	const int32 *label_count;   /* [1 .. height]: labels numbered 0 .. label_count - 1 */
	const int32 *const *leaves; /* [1 .. height][label]: as below */
	int32 domain;               /* values of the whole domain, NULL apart */
	bool has_null;              /* the table has NULLs */
	bool has_unknown;           /* .. and values outside the domain */
} DimensionInput;

typedef struct Dimension
{
	int height;
	int32 domain;
	bool has_null;
	bool has_unknown;
	bool single_top;       /* one label at the top, which takes NULL as well */
	int32 *cardinality;    /* [0 .. height]: codes, NULL's included */
	int32 **ancestor;      /* [0 .. height][ground code]; ancestor[0] is the identity */
	int32 **leaves;        /* [0 .. height][code]: values of the domain under it; domain + 1: it
							* may stand for anything, values outside the domain too */
	int32 **code_of_label; /* [1 .. height][label's number]: code, or -1 if it does not occur */
	int32 *null_code;      /* [0 .. height]: of NULL; -1: none is there */
} Dimension;

/*
 * Everything palloc'd in the current context and counted against the budget,
 * input not kept.  O(ground_count * height).
 */
extern Dimension *dimension_create(const DimensionInput *input, Budget *budget);

/* Is there anything but the domain? */
static inline bool
dimension_has_others(const Dimension *dimension)
{
	return dimension->has_null || dimension->has_unknown;
}

/*
 * The lowest level at which two ground codes have the same ancestor; height +
 * 1 if there is none, as if one root stood above the top labels.
 */
static inline int
dimension_common_level(const Dimension *dimension, int32 one, int32 other)
{
	int level = 0;

	while (level <= dimension->height &&
		   dimension->ancestor[level][one] != dimension->ancestor[level][other])
		level++;
	return level;
}

/*
 * Codes of one level -> codes of a higher (or the same) one; palloc'd,
 * cardinality[from] entries.  O(ground values).
 */
extern int32 *dimension_map(const Dimension *dimension, int from, int to);

#endif /* KANON_DIMENSION_H */
