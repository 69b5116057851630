/*
 * assignment.c
 *		See assignment.h.
 *
 * The primal-dual method for all unmatched vertices at once: shortest distances from every
 * unmatched left vertex under reduced weights, then as many disjoint shortest augmenting paths as
 * possible (Hopcroft, Karp 1973; Gabow, Tarjan 1989).  Murakami, Uno 2017 use Goldberg's cost
 * scaling; with the few distinct weights of hidden cells, this method needs few phases.  The
 * initial potentials are valid only for perfect matchings.
 *
 * The reduced weight of a pair is its weight minus the potentials of its ends.  It is never
 * negative, and 0 for matched pairs ("tight").  A phase
 *
 * - measures distances from the unmatched left vertices to all right ones up to the nearest
 *   unmatched one, by buckets of integer distances (Dial); breadth first within a distance, so that
 *   "hops" grow along the path;
 * - raises the potentials of all that is nearer, which makes the shortest paths tight;
 * - walks down tight pairs from left to left, one more hop each, and augments the paths that end at
 *   an unmatched right vertex.  Without the hops, one path winds through the whole tight graph and
 *   blocks the others: measured, a thousand phases instead of fifty.
 *
 * Vertices beyond the buckets wait for a phase that has raised the potentials of all that is
 * nearer.
 *
 * Example: weights a1 0, a2 1, b1 0, b2 3.  First a-1 is matched.  From b the nearest unmatched
 * right vertex is 2, by b1, 1a, a2 at distance 1; b-1 and a-2 are matched: sum 1.
 */
#include "postgres.h"

#include "matching/assignment.h"

#include "base/progress.h"
#include "miscadmin.h"

#define PURPOSE "matching of rows"
#define FARTHEST 65536 /* greatest distance measured in one phase */
#define UNREACHED PG_INT32_MAX
#define COMPLETING_LOOKS 64 /* unmatched right vertices to choose from */

/* The distance of the nearest unmatched right vertices. */
typedef struct Nearest
{
	int32 distance; /* at most FARTHEST */
	int32 hops;     /* hops of the left vertex before it; UNREACHED: none within FARTHEST */
} Nearest;

Assignment *
assignment_create(int32 count, int stride, Budget *budget)
{
	Size room = mul_size(count, stride);
	Assignment *assignment = palloc0(sizeof(Assignment));
	int32 **array[] = {&assignment->used,
					   &assignment->right_of,
					   &assignment->left_of,
					   &assignment->left_potential,
					   &assignment->right_potential,
					   &assignment->left_distance,
					   &assignment->right_distance,
					   &assignment->hops,
					   &assignment->queue,
					   &assignment->next,
					   &assignment->before,
					   &assignment->turn};

	assignment->count = count;
	assignment->stride = stride;
	assignment->budget = budget;
	for (int i = 0; i < (int) lengthof(array); i++)
		*array[i] = budget_allocate(budget, count, sizeof(int32), PURPOSE);
	assignment->right = budget_allocate(budget, room, sizeof(int32), PURPOSE);
	assignment->weight = budget_allocate(budget, room, sizeof(uint16), PURPOSE);
	assignment->head = budget_allocate(budget, FARTHEST, sizeof(int32), PURPOSE);
	assignment->listed = FARTHEST - 1;
	assignment->seen = budget_allocate(budget, count, sizeof(bool), PURPOSE);
	return assignment;
}

/*
 * Each right potential is the weight of its cheapest pair, each left one then the least remainder.
 */
static void
begin_potentials(Assignment *assignment)
{
	int32 *right = assignment->right_potential;

	for (int32 i = 0; i < assignment->count; i++)
		right[i] = UNREACHED;
	for (int32 left = 0; left < assignment->count; left++)
	{
		const int32 *rights = assignment_rights(assignment, left);
		const uint16 *weights = assignment_weights(assignment, left);

		CHECK_FOR_INTERRUPTS();
		for (int32 pair = 0; pair < assignment->used[left]; pair++)
			right[rights[pair]] = Min(right[rights[pair]], weights[pair]);
	}
	for (int32 left = 0; left < assignment->count; left++)
	{
		const int32 *rights = assignment_rights(assignment, left);
		const uint16 *weights = assignment_weights(assignment, left);
		int32 least = UNREACHED;

		CHECK_FOR_INTERRUPTS();
		for (int32 pair = 0; pair < assignment->used[left]; pair++)
			least = Min(least, weights[pair] - right[rights[pair]]);
		assignment->left_potential[left] = least == UNREACHED ? 0 : least;
	}
}

static inline int32
reduced_weight(const Assignment *assignment, int32 left, int32 right, int32 weight)
{
	return weight - assignment->left_potential[left] - assignment->right_potential[right];
}

static inline void
match(Assignment *assignment, int32 left, int32 right)
{
	assignment->right_of[left] = right;
	assignment->left_of[right] = left;
}

/*
 * Matches tight pairs of free vertices in order; returns the number of left vertices that stay
 * free.
 */
static int32
match_greedily(Assignment *assignment)
{
	int32 unmatched = assignment->count;

	for (int32 i = 0; i < assignment->count; i++)
		assignment->right_of[i] = assignment->left_of[i] = -1;
	for (int32 left = 0; left < assignment->count; left++)
	{
		const int32 *rights = assignment_rights(assignment, left);
		const uint16 *weights = assignment_weights(assignment, left);

		CHECK_FOR_INTERRUPTS();
		for (int32 pair = 0; pair < assignment->used[left]; pair++)
		{
			if (assignment->left_of[rights[pair]] >= 0 ||
				reduced_weight(assignment, left, rights[pair], weights[pair]) != 0)
				continue;
			match(assignment, left, rights[pair]);
			unmatched--;
			break;
		}
	}
	return unmatched;
}

/* Moves a left vertex into the list of a distance. */
static void
list_left(Assignment *assignment, int32 left, int32 distance)
{
	int32 *head = &assignment->head[distance];
	int32 old = assignment->left_distance[left];

	if (old < FARTHEST)
	{
		int32 before = assignment->before[left];
		int32 next = assignment->next[left];

		*(before < 0 ? &assignment->head[old] : &assignment->next[before]) = next;
		if (next >= 0)
			assignment->before[next] = before;
	}
	assignment->listed = Max(assignment->listed, distance);
	assignment->before[left] = -1;
	assignment->next[left] = *head;
	if (*head >= 0)
		assignment->before[*head] = left;
	*head = left;
}

/* A shorter path to the left vertex that is matched with this right one. */
static void
reach_left(Assignment *assignment, int32 left, int32 distance, int32 hops, int32 here,
		   int32 *queued)
{
	if (distance >= assignment->left_distance[left])
		return;
	if (distance == here)
		assignment->queue[(*queued)++] = left;
	else if (distance < FARTHEST)
		list_left(assignment, left, distance);
	else
		return;
	assignment->left_distance[left] = distance;
	assignment->hops[left] = hops;
}

static void
scan_left(Assignment *assignment, int32 left, int32 here, Nearest *nearest, int32 *queued)
{
	const int32 *rights = assignment_rights(assignment, left);
	const uint16 *weights = assignment_weights(assignment, left);
	int32 hops = assignment->hops[left];

	CHECK_FOR_INTERRUPTS();
	for (int32 pair = 0; pair < assignment->used[left]; pair++)
	{
		int32 right = rights[pair];
		int32 distance = here + reduced_weight(assignment, left, right, weights[pair]);

		if (distance >= assignment->right_distance[right] || distance > nearest->distance)
			continue;
		assignment->right_distance[right] = distance;
		if (assignment->left_of[right] >= 0)
			reach_left(assignment, assignment->left_of[right], distance, hops + 1, here, queued);
		else if (distance < nearest->distance || hops < nearest->hops)
			*nearest = (Nearest){.distance = distance, .hops = hops};
	}
}

static void
begin_distances(Assignment *assignment)
{
	for (int32 distance = 0; distance <= assignment->listed; distance++)
		assignment->head[distance] = -1;
	assignment->listed = 0;
	for (int32 i = 0; i < assignment->count; i++)
	{
		assignment->left_distance[i] = assignment->right_distance[i] = UNREACHED;
		assignment->hops[i] = 0;
	}
	for (int32 left = 0; left < assignment->count; left++)
	{
		if (assignment->right_of[left] >= 0)
			continue;
		list_left(assignment, left, 0);
		assignment->left_distance[left] = 0;
	}
}

/* Measures distances up to the nearest unmatched right vertex. */
static Nearest
measure(Assignment *assignment)
{
	Nearest nearest = {.distance = FARTHEST, .hops = UNREACHED};

	begin_distances(assignment);
	for (int32 here = 0; here <= Min(assignment->listed, nearest.distance); here++)
	{
		int32 queued = 0;

		/* Some of these have meanwhile entered the queue of a lower distance. */
		for (int32 left = assignment->head[here]; left >= 0; left = assignment->next[left])
			assignment->queue[queued++] = left;
		assignment->head[here] = -1;
		for (int32 at = 0; at < queued; at++)
		{
			int32 left = assignment->queue[at];

			if (assignment->left_distance[left] != here)
				continue;
			scan_left(assignment, left, here, &nearest, &queued);
		}
	}
	return nearest;
}

/* Does a pair lead from a vertex nearer than FARTHEST to one that is not? */
static bool
leads_farther(const Assignment *assignment)
{
	for (int32 left = 0; left < assignment->count; left++)
	{
		const int32 *rights = assignment_rights(assignment, left);

		CHECK_FOR_INTERRUPTS();
		if (assignment->left_distance[left] >= FARTHEST)
			continue;
		for (int32 pair = 0; pair < assignment->used[left]; pair++)
			if (assignment->right_distance[rights[pair]] >= FARTHEST)
				return true;
	}
	return false;
}

static void
raise_potentials(Assignment *assignment, int32 distance)
{
	for (int32 i = 0; i < assignment->count; i++)
	{
		if (assignment->left_distance[i] < distance)
			assignment->left_potential[i] += distance - assignment->left_distance[i];
		if (assignment->right_distance[i] < distance)
			assignment->right_potential[i] -= distance - assignment->right_distance[i];
	}
}

/* The next left vertex on a tight path from this one; -1: none, -2: the path ends here. */
static int32
next_left(Assignment *assignment, int32 left)
{
	const int32 *rights = assignment_rights(assignment, left);
	const uint16 *weights = assignment_weights(assignment, left);

	CHECK_FOR_INTERRUPTS();
	for (; assignment->turn[left] < assignment->used[left]; assignment->turn[left]++)
	{
		int32 right = rights[assignment->turn[left]];
		int32 next = assignment->left_of[right];

		if (assignment->seen[right] ||
			reduced_weight(assignment, left, right, weights[assignment->turn[left]]) != 0)
			continue;
		if (next >= 0 && assignment->hops[next] != assignment->hops[left] + 1)
			continue;
		assignment->seen[right] = true;
		return next >= 0 ? next : -2;
	}
	return -1;
}

/* Depth-first search from an unmatched left vertex.  Is it matched now? */
static bool
augment(Assignment *assignment, int32 start)
{
	int32 depth = 0;

	assignment->queue[depth++] = start;
	assignment->turn[start] = 0;
	while (depth > 0)
	{
		int32 left = assignment->queue[depth - 1];
		int32 next = next_left(assignment, left);

		if (next == -2)
		{
			/* The path is in the queue; each left vertex continues by the pair of its turn. */
			while (--depth >= 0)
			{
				left = assignment->queue[depth];
				match(assignment, left,
					  assignment_rights(assignment, left)[assignment->turn[left]]);
			}
			return true;
		}
		if (next == -1)
		{
			depth--;
			if (depth > 0)
				assignment->turn[assignment->queue[depth - 1]]++;
			continue;
		}
		assignment->turn[next] = 0;
		assignment->queue[depth++] = next;
	}
	return false;
}

int32
assignment_solve(Assignment *assignment)
{
	int32 unmatched;

	begin_potentials(assignment);
	unmatched = match_greedily(assignment);
	while (unmatched > 0)
	{
		Nearest nearest = measure(assignment);

		progress_still();
		if (nearest.hops == UNREACHED && !leads_farther(assignment))
			break;
		raise_potentials(assignment, nearest.distance);
		if (nearest.hops == UNREACHED)
			continue;
		/* The paths of one phase are disjoint: no right vertex is visited twice. */
		memset(assignment->seen, 0, sizeof(bool) * assignment->count);
		for (int32 left = 0; left < assignment->count; left++)
			if (assignment->right_of[left] < 0 && augment(assignment, left))
				unmatched--;
	}
	return unmatched;
}

/* The unmatched right vertex of least weight, among some; its index or -1. */
static int32
cheapest(int32 left, const int32 *rights, int32 count, PairWeight weight_of, const void *state)
{
	int32 best = -1;
	int32 least = PG_INT32_MAX;

	for (int32 i = 0, looks = 0; i < count && looks < COMPLETING_LOOKS; i++)
	{
		int32 weight = weight_of(state, left, rights[i]);

		if (weight < 0)
			continue;
		looks++;
		if (weight < least)
			best = i;
		least = Min(least, weight);
	}
	return best;
}

/* The vertex takes the right one of another, which takes this one. */
static void
swap_in(Assignment *assignment, int32 left, int32 right, PairWeight weight_of, const void *state)
{
	for (int32 other = 0; other < assignment->count; other++)
	{
		int32 given = assignment->right_of[other];

		CHECK_FOR_INTERRUPTS();
		if (given < 0 || weight_of(state, other, right) < 0 || weight_of(state, left, given) < 0)
			continue;
		assignment->right_of[other] = right;
		assignment->right_of[left] = given;
		return;
	}
	elog(ERROR, "no pair is left for a vertex");
}

void
assignment_complete(Assignment *assignment, int32 unmatched, PairWeight weight_of,
					const void *state)
{
	int32 *rights = budget_allocate(assignment->budget, unmatched, sizeof(int32), PURPOSE);
	int32 count = 0;

	for (int32 right = 0; right < assignment->count; right++)
		if (assignment->left_of[right] < 0)
			rights[count++] = right;
	for (int32 left = 0; left < assignment->count; left++)
	{
		int32 best;

		CHECK_FOR_INTERRUPTS();
		if (assignment->right_of[left] >= 0)
			continue;
		best = cheapest(left, rights, count, weight_of, state);
		if (best >= 0)
			assignment->right_of[left] = rights[best];
		else
			swap_in(assignment, left, rights[best = 0], weight_of, state);
		rights[best] = rights[--count];
	}
	pfree(rights);
}
