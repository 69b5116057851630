/*
 * ring_order.h
 *		Rows in an order in which neighbours are alike, and how much neighbours have in
 *		common.
 */
#ifndef KANON_RING_ORDER_H
#define KANON_RING_ORDER_H

#include "postgres.h"

#include "matching/matching_table.h"

/* Between a place and the one before it; there is none before the first. */
typedef struct RingBorder
{
	int32 alike; /* attributes by which the rows had been sorted when they were parted */
	int32 loss;  /* units of the attribute that parts them, if both are in one cell */
} RingBorder;

typedef struct RingOrder
{
	int32 *row;         /* [place] */
	RingBorder *border; /* [place] */
} RingOrder;

/*
 * Parts of records that have k rows and more in common stay together as long as possible.
 * palloc'd in the current context, against the rows' budget.  O(rows * attributes) for each
 * attribute that it takes to tell rows apart, mostly about log rows.
 */
extern RingOrder *ring_order_create(const MatchingTable *rows, int k);

extern void ring_order_free(RingOrder *order);

#endif /* KANON_RING_ORDER_H */
