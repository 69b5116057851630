/*
 * frequency_space.h
 *		The space of frequency sets: the dimensions of all quasi-identifiers, and how a tuple of
 *		codes is packed into a key.
 *
 * After the quasi-identifiers, a space may have *carried* attributes, always at level 0: sensitive
 * columns, and the person of a row.  Such a *joint* set has the histogram of sensitive values and
 * the people of each class.
 *
 * A key has one bit field for each attribute, wide enough for the codes of its ground level, at the
 * same place at every level.  Fields never straddle words.
 *
 * A *node* is a vector of levels, one for each attribute.  LEVEL_ALL means that the attribute is
 * not part of the node (its field is 0).  So projecting an attribute away is one more step of
 * generalization.
 */
#ifndef KANON_FREQUENCY_SPACE_H
#define KANON_FREQUENCY_SPACE_H

#include "postgres.h"

#include "base/budget.h"
#include "data/dimension.h"

typedef int8 Level;

#define LEVEL_ALL PG_INT8_MAX

typedef struct KeyField
{
	int word;
	int shift;
	uint64 mask; /* before shifting */
} KeyField;

typedef struct FrequencySpace
{
	int attributes;        /* carried ones included */
	int quasi;             /* quasi-identifiers, which come first */
	Dimension **dimension; /* [attribute]; a carried one has no codes if nobody has a value */
	int64 **marginal;      /* [quasi-identifier][ground code]: rows */
	int64 rows;
	/* [quasi-identifier]: the levels that searches may choose, within the dimensions' */
	const Level *lowest;  /* NULL: 0 */
	const Level *highest; /* NULL: the top */
	int words;            /* of a key */
	KeyField *field;
	uint64 ***part; /* [attribute][from * (height + 1) + to]: see frequency_space_part */
	Budget *budget;
	MemoryContext context;
} FrequencySpace;

/*
 * Lays out fields, first fit, for attributes with these numbers of codes; returns the words needed.
 */
extern int frequency_space_layout(int attributes, const int32 *cardinality, KeyField *field);

/*
 * A space over dimensions and marginals, whose pointers it keeps, in the current context.
 * Structures over it count against the budget.
 */
extern FrequencySpace *frequency_space_create(int attributes, int quasi, Dimension **dimension,
											  int64 **marginal, Budget *budget);

/*
 * Codes of level "from" -> the field's bits at level "to", already shifted; computed on first use
 * and kept.
 */
extern const uint64 *frequency_space_part(FrequencySpace *space, int attribute, Level from,
										  Level to);

/* The number of combinations possible at a node, as a double since it may be huge. */
extern double frequency_space_domain(const FrequencySpace *space, const Level *node);

extern Level *frequency_space_ground(const FrequencySpace *space);

/* The lowest and the highest level that searches may choose for a quasi-identifier. */
static inline Level
frequency_space_lowest(const FrequencySpace *space, int quasi)
{
	return space->lowest ? space->lowest[quasi] : 0;
}

static inline Level
frequency_space_highest(const FrequencySpace *space, int quasi)
{
	return space->highest ? space->highest[quasi] : (Level) space->dimension[quasi]->height;
}

/* A copy of a node, palloc'd. */
extern Level *frequency_space_copy(const FrequencySpace *space, const Level *node);

/* Sets the carried attributes of a node to LEVEL_ALL, which leaves the classes. */
extern void frequency_space_drop_carried(const FrequencySpace *space, Level *node);

/* Is "general" equal to or above "special" in every attribute? */
static inline bool
node_generalizes(int attributes, const Level *general, const Level *special)
{
	for (int i = 0; i < attributes; i++)
		if (general[i] < special[i])
			return false;
	return true;
}

#endif /* KANON_FREQUENCY_SPACE_H */
