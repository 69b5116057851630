/*
 * dimension.h
 *		A generalization hierarchy over codes: code x level -> ancestor (LeFevre, DeWitt,
 *		Ramakrishnan 2005a, section 2: a chain of domains linked by many-to-one functions).
 *
 * Level 0 is the ground domain, level "height" the most general one.  Codes are dense at every
 * level and cover only values that occur in the table, in an order that keeps siblings together.
 * If the table has NULLs, NULL has the last code of every level, except at a top level with a
 * single label, which then covers everything.
 */
#ifndef KANON_DIMENSION_H
#define KANON_DIMENSION_H

#include "postgres.h"

#include "base/budget.h"

/*
 * The text that stands for everything: the top of a hierarchy without labels of its own, and a
 * hidden cell.
 */
#define HIDDEN_TEXT "*"
#define HIDDEN_LETTER ((unsigned char) HIDDEN_TEXT[0]) /* .. as a letter of a text */

/* The input; ground values are numbered 0 .. ground_count - 1. */
typedef struct DimensionInput
{
	int height;
	int32 ground_count;        /* values that occur, without NULL */
	const int32 *const *label; /* [1 .. height][ground]: number of the label at that level; -1: NULL
								  there and at all higher levels but a single top */
	const int32 *label_count;  /* [1 .. height]: labels numbered 0 .. label_count - 1 */
	const int32 *const *leaves; /* [1 .. height][label]: see leaves below */
	int32 domain;               /* values of the whole domain, without NULL */
	bool has_null;              /* the table has NULLs */
	bool has_unknown;           /* the table has values outside the domain */
} DimensionInput;

typedef struct Dimension
{
	int height;
	int32 domain;
	bool has_null;
	bool has_unknown;
	bool single_top;    /* the top has one label, which covers NULL as well */
	int32 *cardinality; /* [0 .. height]: number of codes, with NULL's */
	int32 **ancestor;   /* [0 .. height][ground code]; ancestor[0] is the identity */
	int32 **leaves; /* [0 .. height][code]: values of the domain below it; domain + 1: may stand for
					   anything, also values outside the domain */
	int32 *null_code; /* [0 .. height]: NULL's code; -1: none */
} Dimension;

/*
 * Palloc'd in the current context, counted against the budget.  Keeps no pointer to the input.
 * O(ground_count * height).
 */
extern Dimension *dimension_create(const DimensionInput *input, Budget *budget);

/*
 * The same hierarchy without the levels between the ground and the top; palloc'd.  Shares the codes
 * of the dimension.
 */
extern Dimension *dimension_ends(const Dimension *dimension);

/* Does the column have NULLs or values outside the domain? */
static inline bool
dimension_has_others(const Dimension *dimension)
{
	return dimension->has_null || dimension->has_unknown;
}

/*
 * The lowest level at which two ground codes have the same ancestor; height + 1 if there is none,
 * as if one root stood above the top labels.
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
 * Maps the codes of one level to those of a higher (or the same) one; palloc'd, cardinality[from]
 * entries.  O(ground values).
 */
extern int32 *dimension_map(const Dimension *dimension, int from, int to);

#endif /* KANON_DIMENSION_H */
