/*
 * ring_order.h
 *		Sorts rows so that neighbours are similar, and says how much neighbours have in common.
 */
#ifndef KANON_RING_ORDER_H
#define KANON_RING_ORDER_H

#include "postgres.h"

#include "matching/matching_table.h"

/* The border between a place and the one before it; the first place has none. */
typedef struct RingBorder
{
	int32 alike; /* number of attributes that the part was sorted by when the two were separated */
	int32 loss;  /* units of the attribute that separates them, if one cell covers both */
} RingBorder;

typedef struct RingOrder
{
	int32 *row;         /* [place] */
	RingBorder *border; /* [place] */
} RingOrder;

/*
 * Parts with at least k rows in common stay together as long as possible.  Palloc'd in the current
 * context, against the rows' budget.  O(rows * attributes) for each attribute needed to distinguish
 * the rows, usually about log rows.
 */
extern RingOrder *ring_order_create(const MatchingTable *rows, int k);

extern void ring_order_free(RingOrder *order);

#endif /* KANON_RING_ORDER_H */
