/*
 * rule_boxes.c
 *		See rule_boxes.h.
 *
 * Members [begin, end) that are divided have a node.  Its number follows from their middle: middles
 * of different nodes are at least half of FEW_RULES apart.
 */
#include "postgres.h"

#include "tree/rule_boxes.h"

#include "base/interrupt.h"

#define PURPOSE "rules"
#define FEW_RULES 8 /* are not divided further */
#define NODE_OF(middle) ((middle) / (FEW_RULES / 2))

RuleBoxes *
rule_boxes_create(const int32 *low, const int32 *high, int32 rules, int attributes,
				  const Budget *budget)
{
	RuleBoxes *boxes = palloc0(sizeof(RuleBoxes));
	Size nodes = (Size) NODE_OF(rules) + 1;

	boxes->low = low;
	boxes->high = high;
	boxes->attributes = attributes;
	boxes->extent = palloc(sizeof(int32) * attributes);
	boxes->ranged = palloc(sizeof(int) * attributes);
	boxes->member = budget_allocate(budget, (Size) rules + 1, sizeof(int32), PURPOSE);
	boxes->least = budget_allocate(budget, nodes, sizeof(int32), PURPOSE);
	boxes->box = budget_allocate(budget, mul_size(2 * nodes, attributes), sizeof(int32), PURPOSE);
	return boxes;
}

static int32 *
box_of(const RuleBoxes *boxes, int32 middle)
{
	return boxes->box + (Size) NODE_OF(middle) * 2 * boxes->attributes;
}

static int64
centre_of(const RuleBoxes *boxes, int32 rule, int attribute)
{
	Size at = (Size) rule * boxes->attributes + attribute;

	return (int64) boxes->low[at] + boxes->high[at];
}

typedef struct CentreOrder
{
	const RuleBoxes *boxes;
	int attribute;
} CentreOrder;

static int
compare_centres(const void *a, const void *b, void *arg)
{
	const CentreOrder *order = arg;
	int32 one = *(const int32 *) a;
	int32 other = *(const int32 *) b;
	int64 x = centre_of(order->boxes, one, order->attribute);
	int64 y = centre_of(order->boxes, other, order->attribute);

	CHECK_FOR_INTERRUPTS();
	if (x != y)
		return x < y ? -1 : 1;
	return one < other ? -1 : one > other;
}

/* Sets the box around some members in one attribute; returns how far apart their centres lie. */
static int64
set_box(const RuleBoxes *boxes, int32 begin, int32 end, int attribute, int32 *box)
{
	int64 least = PG_INT64_MAX;
	int64 greatest = PG_INT64_MIN;
	int32 low = PG_INT32_MAX;
	int32 high = PG_INT32_MIN;

	for (int32 i = begin; i < end; i++)
	{
		Size at = (Size) boxes->member[i] * boxes->attributes + attribute;
		int64 centre = centre_of(boxes, boxes->member[i], attribute);

		interrupt_check(i);
		low = Min(low, boxes->low[at]);
		high = Max(high, boxes->high[at]);
		least = Min(least, centre);
		greatest = Max(greatest, centre);
	}
	box[attribute] = low;
	box[boxes->attributes + attribute] = high;
	return greatest - least;
}

/* The attribute in which the centres of some members lie farthest apart; sets the box of all. */
static int
widest_attribute(const RuleBoxes *boxes, int32 begin, int32 end, int32 *box)
{
	int widest = boxes->ranged[0];
	double most = -1;

	for (int i = 0; i < boxes->ranges; i++)
	{
		int attribute = boxes->ranged[i];
		double apart =
			(double) set_box(boxes, begin, end, attribute, box) / boxes->extent[attribute];

		if (apart > most)
			widest = attribute;
		most = Max(most, apart);
	}
	return widest;
}

void
rule_boxes_divide(RuleBoxes *boxes, int32 begin, int32 end)
{
	CentreOrder order = {.boxes = boxes};
	int32 middle = begin + (end - begin) / 2;
	int32 least = PG_INT32_MAX;

	if (end - begin <= FEW_RULES || boxes->ranges == 0)
	{
		qsort(boxes->member + begin, end - begin, sizeof(int32), interrupt_compare_int32);
		return;
	}
	for (int32 i = begin; i < end; i++)
		least = Min(least, boxes->member[i]);
	boxes->least[NODE_OF(middle)] = least;
	order.attribute = widest_attribute(boxes, begin, end, box_of(boxes, middle));
	qsort_arg(boxes->member + begin, end - begin, sizeof(int32), compare_centres, &order);
	rule_boxes_divide(boxes, begin, middle);
	rule_boxes_divide(boxes, middle, end);
}

static bool
contains(const RuleBoxes *boxes, const int32 *low, const int32 *high, const int32 *place)
{
	for (int i = 0; i < boxes->ranges; i++)
	{
		int attribute = boxes->ranged[i];

		if (place[attribute] < low[attribute] || place[attribute] > high[attribute])
			return false;
	}
	return true;
}

int32
rule_boxes_find(const RuleBoxes *boxes, int32 begin, int32 end, const int32 *place, int32 best)
{
	int32 middle = begin + (end - begin) / 2;

	if (end - begin > FEW_RULES && boxes->ranges > 0)
	{
		const int32 *box = box_of(boxes, middle);

		if (boxes->least[NODE_OF(middle)] >= best ||
			!contains(boxes, box, box + boxes->attributes, place))
			return best;
		best = rule_boxes_find(boxes, begin, middle, place, best);
		return rule_boxes_find(boxes, middle, end, place, best);
	}
	for (int32 i = begin; i < end && boxes->member[i] < best; i++)
	{
		Size at = (Size) boxes->member[i] * boxes->attributes;

		if (contains(boxes, boxes->low + at, boxes->high + at, place))
			return boxes->member[i];
	}
	return best;
}
