/*
 * rule_boxes.h
 *		The first of many rules whose ranges contain a row.
 *
 * Rules are boxes of places.  They are halved by their centres, in the attribute where the centres
 * lie farthest apart for its extent, until few are left (as a k-d tree; Bentley 1975).  Each node
 * knows the box around its rules and the first of them.  So a search leaves out what does not
 * contain the row, or comes later than a rule that it has found.
 */
#ifndef KANON_RULE_BOXES_H
#define KANON_RULE_BOXES_H

#include "postgres.h"

#include "base/budget.h"

typedef struct RuleBoxes
{
	const int32 *low; /* [rule * attributes + attribute]: places */
	const int32 *high;
	int attributes;
	int32 *extent; /* [attribute]: of its places */
	int *ranged;   /* the attributes that count */
	int ranges;
	int32 *member; /* [rules]: the caller's, side by side as they are divided */
	int32 *least;  /* [node]: the first of its rules */
	int32 *box;    /* [2 * node * attributes + attribute]: lowest places, then highest */
} RuleBoxes;

/* For the caller to set "member", "extent" and "ranged"; in the current context. */
extern RuleBoxes *rule_boxes_create(const int32 *low, const int32 *high, int32 rules,
									int attributes, const Budget *budget);

/* Divides the members [begin, end).  O(members * attributes * log members).  Answers cancels. */
extern void rule_boxes_divide(RuleBoxes *boxes, int32 begin, int32 end);

/*
 * The first rule of members that were divided so, by number, that contains the places; "best" if
 * none comes before that.  O(log members) where few overlap, O(members) at worst.
 */
extern int32 rule_boxes_find(const RuleBoxes *boxes, int32 begin, int32 end, const int32 *place,
							 int32 best);

#endif /* KANON_RULE_BOXES_H */
