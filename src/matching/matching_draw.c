/*
 * matching_draw.c
 *		See matching_draw.h.
 *
 * Matching after matching is taken out of the graph, which stays regular; each
 * connected part has drawn beforehand which one it will keep, the first, second
 * .. or k-th, and is left alone once it has it.
 *
 * A matching grows by one record at a time.  A free record walks to a row it
 * covers, by chance; if another record has that row, the walk goes on from that
 * record, to any of its other rows, until it comes to a free row.  Then
 * everybody moves on along the walk.  In a d-regular graph of n records where
 * m are free that takes about 1 + n/m steps, so all of them O(n log n).
 *
 * Where the walk crosses itself, loops must be cut.  Each record remembers only
 * the last row it walked to: following these from the start gives the way
 * without loops.
 *
 * Example: records 0, 1, 2 cover the rows 0 1, 1 2, 2 0.  Record 0 walks to row
 * 1, which is free, and takes it; 1 takes 2; record 2 walks to row 2, which is
 * record 1's, whose other row 1 is record 0's, whose other row 0 is free: record 0 moves
 * to row 0, record 1 to row 1, record 2 takes row 2.
 */
#include "postgres.h"

#include "matching/matching_draw.h"

#include "base/interrupt.h"

#define PURPOSE "drawing of a matching"
#define NOBODY (-1)

typedef struct Draw
{
	int64 rows;
	int k;
	int32 *covered; /* [record * k + i]: as in the matching; those taken out lie at the end */
	int32 *part;    /* [row or record]: the least one it is connected with */
	int32 *turn;    /* [part]: which of the matchings it keeps, from 0 */
	int32 *record;  /* [row]: that has it, or NOBODY */
	int32 *place;   /* [record]: of the row it walked to last, among those it covers */
	int64 steps;    /* all of them */
	Random *random;
} Draw;

static inline int32 *
covered_by(const Draw *draw, int32 record)
{
	return draw->covered + (int64) record * draw->k;
}

/* Paths are halved on the way, so that they stay short. */
static int32
find_part(int32 *part, int32 row)
{
	while (part[row] != row)
		row = part[row] = part[part[row]];
	return row;
}

/* A record covers its own row, so both have one number here. */
static void
find_parts(Draw *draw)
{
	for (int32 row = 0; row < draw->rows; row++)
		draw->part[row] = row;
	for (int64 pair = 0; pair < draw->rows * draw->k; pair++)
	{
		int32 one = find_part(draw->part, (int32) (pair / draw->k));
		int32 other = find_part(draw->part, draw->covered[pair]);

		interrupt_check(pair);
		draw->part[Max(one, other)] = Min(one, other);
	}
	for (int32 row = 0; row < draw->rows; row++)
	{
		interrupt_check(row);
		draw->part[row] = find_part(draw->part, row);
		if (draw->part[row] == row)
			draw->turn[row] = (int32) random_below(draw->random, draw->k);
	}
}

/* Each other row that the record covers has the same chance; "own": the place of its row. */
static int32
walk_on(const Draw *draw, int32 degree, int32 own)
{
	int32 place;

	if (own == NOBODY)
		return (int32) random_below(draw->random, degree);
	place = (int32) random_below(draw->random, degree - 1);
	return place < own ? place : place + 1;
}

/* From a free record to a free row. */
static void
walk(Draw *draw, int32 record, int32 degree, const int32 *own)
{
	for (;;)
	{
		interrupt_check(draw->steps++);
		draw->place[record] = walk_on(draw, degree, own[record]);
		record = draw->record[covered_by(draw, record)[draw->place[record]]];
		if (record == NOBODY)
			return;
	}
}

/* Everybody on the way takes the row that they walked to. */
static void
move(Draw *draw, int32 record, int32 *own)
{
	while (record != NOBODY)
	{
		int32 place = draw->place[record];
		int32 row = covered_by(draw, record)[place];
		int32 next = draw->record[row];

		own[record] = place;
		draw->record[row] = record;
		record = next;
	}
}

static inline bool
goes_on(const Draw *draw, int32 record, int round)
{
	return draw->turn[draw->part[record]] >= round;
}

/* A perfect matching of every part that has not got its own. */
static void
find_matching(Draw *draw, int round, int32 *own)
{
	for (int32 row = 0; row < draw->rows; row++)
	{
		interrupt_check(row);
		if (goes_on(draw, row, round))
			draw->record[row] = own[row] = NOBODY;
	}
	for (int32 record = 0; record < draw->rows; record++)
	{
		interrupt_check(record);
		if (!goes_on(draw, record, round))
			continue;
		walk(draw, record, draw->k - round, own);
		move(draw, record, own);
	}
}

/* The rows that were taken go behind the others. */
static void
take_out(Draw *draw, int round, const int32 *own)
{
	int32 last = draw->k - round - 1;

	for (int32 record = 0; record < draw->rows; record++)
	{
		int32 *covered = covered_by(draw, record);
		int32 taken = covered[own[record]];

		interrupt_check(record);
		if (!goes_on(draw, record, round))
			continue;
		covered[own[record]] = covered[last];
		covered[last] = taken;
	}
}

static int
last_round(const Draw *draw)
{
	int last = 0;

	for (int32 row = 0; row < draw->rows; row++)
	{
		interrupt_check(row);
		if (draw->part[row] == row)
			last = Max(last, draw->turn[row]);
	}
	return last;
}

int32 *
matching_draw(const Matching *matching, Random *random, Budget *budget)
{
	int64 rows = matching->rows;
	Size pairs = mul_size(rows, matching->k);
	Draw draw = {.rows = rows, .k = matching->k, .random = random};
	int32 *own = budget_allocate(budget, rows, sizeof(int32), PURPOSE);
	int last;

	draw.covered = budget_allocate(budget, pairs, sizeof(int32), PURPOSE);
	memcpy(draw.covered, matching->covered, sizeof(int32) * pairs);
	draw.part = budget_allocate(budget, rows, sizeof(int32), PURPOSE);
	draw.turn = budget_allocate(budget, rows, sizeof(int32), PURPOSE);
	draw.record = budget_allocate(budget, rows, sizeof(int32), PURPOSE);
	draw.place = budget_allocate(budget, rows, sizeof(int32), PURPOSE);
	find_parts(&draw);
	last = last_round(&draw);
	for (int round = 0; round <= last; round++)
	{
		find_matching(&draw, round, own);
		take_out(&draw, round, own);
	}
	budget_free(budget, draw.covered, pairs, sizeof(int32));
	budget_free(budget, draw.part, rows, sizeof(int32));
	budget_free(budget, draw.turn, rows, sizeof(int32));
	budget_free(budget, draw.place, rows, sizeof(int32));
	budget_free(budget, own, rows, sizeof(int32));
	return draw.record;
}
