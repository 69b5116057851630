/*
 * draw.h
 *		Where a case's choices come from: a fuzzer's bytes, and after them (or
 *		without them) a generator that a seed starts.
 */
#ifndef OUTSIDE_DRAW_H
#define OUTSIDE_DRAW_H

#include "postgres.h"

typedef struct Draw
{
	const uint8 *bytes;
	size_t left;
	uint64 state;
} Draw;

static inline uint64
draw_mix(uint64 z)
{
	z = (z ^ (z >> 30)) * UINT64CONST(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64CONST(0x94D049BB133111EB);
	return z ^ (z >> 31);
}

/* A number in 0 .. n - 1; takes only as many bytes as n needs. */
static inline int
draw_below(Draw *draw, int n)
{
	uint64 number = 0;

	if (n <= 1)
		return 0;
	if (draw->left == 0)
		number = draw_mix(draw->state += UINT64CONST(0x9E3779B97F4A7C15)) >> 16;
	for (int reach = n - 1; reach > 0 && draw->left > 0; reach >>= 8, draw->left--)
		number = number << 8 | *draw->bytes++;
	return (int) (number % (uint64) n);
}

static inline bool
draw_one_in(Draw *draw, int n)
{
	return draw_below(draw, n) == 0;
}

/* A number in low .. high. */
static inline int
draw_between(Draw *draw, int low, int high)
{
	return low + draw_below(draw, high - low + 1);
}

/*
 * Large things are worth a case now and then.  A fuzzer is to see thousands of cases in a
 * second: it chooses among small ones, where the same branches are, and takes few others.
 */
#ifdef FUZZ
#define DRAW_SELDOM 256
#else
#define DRAW_SELDOM 1
#endif

/* One of the sizes, the first being the smallest. */
static inline int
draw_size(Draw *draw, const int *sizes, int count)
{
	if (DRAW_SELDOM > 1 && !draw_one_in(draw, DRAW_SELDOM))
		return sizes[0];
	return sizes[draw_below(draw, count)];
}

/* True once in n times, and where a fuzzer draws more seldom: what takes long. */
static inline bool
draw_seldom(Draw *draw, int n)
{
	return draw_one_in(draw, n) && draw_one_in(draw, DRAW_SELDOM);
}

#endif /* OUTSIDE_DRAW_H */
