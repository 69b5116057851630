/*
 * closeness.c
 *		closeness(s, t): in every class, the distribution of s is close to that of the whole table:
 *		their earth mover's distance is at most t (Li, Li, Venkatasubramanian 2007).
 *
 * The domain defines the ground distance: by hierarchy, by rank or equal.
 *
 * Monotone under generalization: for every ground distance, the earth mover's distance to a fixed
 * distribution is convex.  So the distance of a union is at most the greater distance of its parts
 * (same paper, property 1).  Not monotone under inclusion: in a table with as many a as b, {a, b}
 * has distance 0 and {a, b, b} has 1/6.
 *
 * Refuted by the potentials that prove the distance of a class: they bound the distance of every
 * other class from below (below).
 *
 * A class without members has distance 0 from everything: it reveals nothing.
 */
#include "postgres.h"

#include "model/model.h"

#include <math.h>

#include "base/interrupt.h"

/*
 * ---- The earth mover's distance: the least work, mass times ground distance, that turns the
 * distribution of the class, p, into that of the table, q (section 4 of the paper).
 *
 * Equal distance: every value's surplus in p moves to any other value, so the distance is the sum
 * of p_i - q_i where it is positive.
 *
 * Hierarchy of height H: two values whose lowest common ancestor has level h are h / H apart, a
 * step of 1 / H for each level at which their labels differ.  The mass that leaves its label at a
 * level is the equal distance between the labels there.  So the distance is the mean of these over
 * all levels below the top.  (The paper sums what the children of each label exchange, times h / H:
 * the same steps, counted label by label.)
 *
 * Order: the mass that passes between rank i and i + 1 is the difference of the cumulated shares.
 * So the distance is the sum of |P_i - Q_i| over i, divided by m - 1.  Between two values of the
 * class, P is constant and Q ascends, so sums of Q and one binary search give that part at once.
 *
 * Order with NULL, at distance 1 from all values: let d be the surplus of NULL in p.  It moves to
 * the values at cost d, and we may choose where it arrives.  G_i, the mass that has arrived up to
 * rank i, ascends from 0 to d, and the rest costs the sum of |P_i + G_i - Q_i|.  The best G is the
 * isotonic regression, in absolute distances, of Q_i - P_i cut to [0, d].  A heap computes its
 * cost: it keeps the values so far; where the largest exceeds the next value, the two must meet,
 * which costs their difference, and the next value takes its place.  If the table has more NULLs
 * than the class, all signs are reversed.
 *
 * Lower bounds, by duality: give each value a potential such that any two differ by at most their
 * ground distance.  Then every class is at least as far from the table as their mean potentials
 * differ.  The best potentials for a class prove its distance, and nearly that of similar classes.
 * By labels: a step at each level for the labels of which the class has a surplus.  By order: the
 * potentials rise from rank i to i + 1 if P_i < Q_i, and fall otherwise.  NULL gets the highest or
 * the lowest potential that the values allow, by the sign of d.  That is not always the best one,
 * because the potentials of the values are chosen without regard to NULL.
 *
 * Example (section 4): salaries 3 .. 11 in thousands, each once.  A class of 3, 4, 5: P - Q is 2/9,
 * 4/9, 6/9, 5/9, 4/9, 3/9, 2/9, 1/9; the sum is 27/9 and the distance 3 / 8 = 0.375.
 */

/* ---- by labels */

/* The levels at which labels differ: those of values alone if there is no hierarchy. */
static int
levels_of(const SensitiveDomain *domain)
{
	const Dimension *hierarchy = domain->hierarchy;

	return hierarchy ? hierarchy->height + (hierarchy->single_top ? 0 : 1) : 1;
}

/* Labels of a level are side by side; at level 0 they are the values. */
static inline int32
label_of(const int32 *ancestor, int32 code)
{
	return ancestor ? ancestor[code] : code;
}

/* The equal distance between the labels of a level. */
static double
label_distance(const Histogram *class, const SensitiveDomain *domain, int level)
{
	const int32 *ancestor = level > 0 ? domain->hierarchy->ancestor[level] : NULL;
	const int64 *table = level > 0 ? domain->level_count[level] : domain->count;
	const HistogramEntry *entry = class->entry;
	int64 count = 0;
	double distance = 0;

	for (int32 i = 0; i < class->values; i++)
	{
		int32 label = label_of(ancestor, entry[i].code);
		double extra;

		interrupt_check(i);
		count += entry[i].count;
		if (i + 1 < class->values && label_of(ancestor, entry[i + 1].code) == label)
			continue;
		extra = (double) count / (double) class->members -
				(double) table[label] / (double) domain->members;
		distance += Max(extra, 0);
		count = 0;
	}
	return distance;
}

/* ---- by order */

/*
 * The sum of |share - Q_i| over the ranks first .. last - 1; from "turn" on, Q_i is at least the
 * share.
 */
static double
stretch_distance(const SensitiveDomain *domain, int32 first, int32 last, double share, int32 *turn)
{
	double level = share * (double) domain->members;
	int32 low = first;
	int32 high = last;
	double under;
	double over;

	while (low < high)
	{
		int32 middle = low + (high - low) / 2;

		if ((double) domain->below[middle] < level)
			low = middle + 1;
		else
			high = middle;
	}
	under = level * (low - first) - (domain->sum_below[low] - domain->sum_below[first]);
	over = domain->sum_below[last] - domain->sum_below[low] - level * (last - low);
	*turn = low;
	return (under + over) / (double) domain->members;
}

static double
ordered_distance(const Histogram *class, const SensitiveDomain *domain)
{
	int32 last = domain->codes - 1;
	int32 first = 0;
	int64 below = 0;
	double distance = 0;

	if (last < 1)
		return 0;
	for (int32 i = 0; i <= class->values; i++)
	{
		int32 next = i < class->values ? Min(class->entry[i].code, last) : last;
		int32 turn;

		interrupt_check(i);
		distance +=
			stretch_distance(domain, first, next, (double) below / (double) class->members, &turn);
		first = next;
		if (i < class->values)
			below += class->entry[i].count;
	}
	return distance / last;
}

/* ---- by order, with NULL */

/* A max-heap; the children of i are 2 i + 1 and 2 i + 2. */
typedef struct Heap
{
	double *number;
	int32 count;
} Heap;

static void
heap_push(Heap *heap, double number)
{
	int32 at = heap->count++;

	for (; at > 0 && heap->number[(at - 1) / 2] < number; at = (at - 1) / 2)
		heap->number[at] = heap->number[(at - 1) / 2];
	heap->number[at] = number;
}

static void
heap_replace_top(Heap *heap, double number)
{
	int32 at = 0;

	for (int32 child; (child = 2 * at + 1) < heap->count; at = child)
	{
		if (child + 1 < heap->count && heap->number[child + 1] > heap->number[child])
			child++;
		if (heap->number[child] <= number)
			break;
		heap->number[at] = heap->number[child];
	}
	heap->number[at] = number;
}

/*
 * Adds a number and returns the added cost of the ascending sequence nearest to all numbers so far.
 */
static double
add_isotonic(Heap *heap, double number)
{
	double top;

	heap_push(heap, number);
	top = heap->number[0];
	if (top > number)
		heap_replace_top(heap, number);
	return top - number;
}

static double
ordered_distance_with_null(const Histogram *class, const SensitiveDomain *domain)
{
	int32 null_code = domain->codes - 1;
	int32 ranks = null_code - 1; /* between two values */
	const HistogramEntry *entry = class->entry;
	const HistogramEntry *end = class->entry + class->values;
	double extra = (double) histogram_nulls(class, domain) / (double) class->members -
				   (double) domain->count[null_code] / (double) domain->members;
	double sign = extra < 0 ? -1 : 1;
	Heap heap = {.number = palloc_extended(sizeof(double) * Max(ranks, 1), MCXT_ALLOC_HUGE)};
	int64 below = 0;
	double distance = 0;

	for (int32 rank = 0; rank < ranks; rank++)
	{
		double missing;
		double arrived;

		interrupt_check(rank);
		if (entry < end && entry->code == rank)
			below += (entry++)->count;
		missing = sign * ((double) domain->below[rank] / (double) domain->members -
						  (double) below / (double) class->members);
		arrived = Min(Max(missing, 0), fabs(extra));
		distance += fabs(missing - arrived) + add_isotonic(&heap, arrived);
	}
	pfree(heap.number);
	return fabs(extra) + (ranks > 0 ? distance / ranks : 0);
}

/*
 * The distance, in 0 .. 1; 0 for a class without members.  With v values in the class and m in the
 * domain: equal O(v), by a hierarchy of height h O(v h), by order O(v log m), or O(m log m) if the
 * table has NULLs (Li, Li, Venkatasubramanian 2007, section 4).
 */
static double
closeness_value(const Model *model, const Histogram *class, const SensitiveDomain *domain)
{
	int levels = levels_of(domain);
	double distance = 0;

	(void) model;
	if (class->members == 0)
		return 0;
	if (domain->ordered && !domain->hierarchy)
		return domain->has_null ? ordered_distance_with_null(class, domain)
								: ordered_distance(class, domain);
	for (int level = 0; level < levels; level++)
		distance += label_distance(class, domain, level);
	return distance / levels;
}

/* ---- lower bounds */

/* The members of the class with a code; codes must be asked in ascending order. */
static inline int64
next_count(const Histogram *class, int32 *at, int32 code)
{
	return *at < class->values && class->entry[*at].code == code ? class->entry[(*at)++].count : 0;
}

static void
bound_by_labels(const Histogram *class, const SensitiveDomain *domain, const int32 *code,
				int32 codes, double *weight)
{
	int height = levels_of(domain);
	double whole = 0; /* mean potential of the table */

	for (int32 i = 0; i < codes; i++)
		weight[code[i]] = 0;
	for (int level = 0; level < height; level++)
	{
		const int32 *ancestor = level > 0 ? domain->hierarchy->ancestor[level] : NULL;
		const int64 *table = level > 0 ? domain->level_count[level] : domain->count;
		int32 at = 0;

		for (int32 i = 0, end = 0; i < codes; i = end)
		{
			int32 label = label_of(ancestor, code[i]);
			double share = (double) table[label] / (double) domain->members;
			int64 count = 0;

			for (; end < codes && label_of(ancestor, code[end]) == label; end++)
			{
				interrupt_check(end);
				count += next_count(class, &at, code[end]);
			}
			if ((double) count / (double) class->members <= share)
				continue;
			whole += share / height;
			for (int32 j = i; j < end; j++)
				weight[code[j]] += 1.0 / height;
		}
	}
	for (int32 i = 0; i < codes; i++)
		weight[code[i]] -= whole;
}

static void
bound_by_order(const Histogram *class, const SensitiveDomain *domain, const int32 *code,
			   int32 codes, double *weight)
{
	int32 ranks = Max(domain->codes - domain->has_null - 1, 0); /* between two values */
	double step = 1.0 / Max(ranks, 1);
	double potential = 0;
	double lowest = 0;
	double highest = 0;
	double distance = 0; /* between the values alone */
	double extra = 0;    /* of NULL */
	double mean = 0;
	int32 first = 0;
	int32 at = 0;
	int64 below = 0;

	for (int32 i = 0; i <= codes; i++)
	{
		int32 next = i < codes ? Min(code[i], ranks) : ranks;
		int32 turn;

		interrupt_check(i);
		distance += step * stretch_distance(domain, first, next,
											(double) below / (double) class->members, &turn);
		potential -= step * (turn - first);
		lowest = Min(lowest, potential);
		potential += step * (next - turn);
		highest = Max(highest, potential);
		first = next;
		if (i < codes)
		{
			weight[code[i]] = potential;
			below += next_count(class, &at, code[i]);
		}
	}
	if (domain->has_null)
	{
		int32 null_code = domain->codes - 1;

		extra = (double) histogram_nulls(class, domain) / (double) class->members -
				(double) domain->count[null_code] / (double) domain->members;
		/* The potentials of the values span at most 1. */
		weight[null_code] = extra > 0 ? lowest + 1 : highest - 1;
		distance += extra * (weight[null_code] - potential);
	}
	/* The means differ by the distance, which gives the table's mean. */
	for (int32 i = 0; i < class->values; i++)
		mean += (double) class->entry[i].count * weight[class->entry[i].code];
	mean = mean / (double) class->members - distance;
	for (int32 i = 0; i < codes; i++)
		weight[code[i]] -= mean;
}

static bool
closeness_holds(const Model *model, const Histogram *class, const SensitiveDomain *domain)
{
	return closeness_value(model, class, domain) <= model->parameter[0] + MODEL_TOLERANCE;
}

/* The distance is a norm of a difference, and at most the total variation. */
static double
closeness_slack(const Model *model, const Histogram *class, const SensitiveDomain *domain)
{
	return model->parameter[0] - closeness_value(model, class, domain);
}

/*
 * The distance is convex, so a sample's is greater on average.  One row more or less changes it by
 * at most 1 / n_i.  So it is too small by more than sqrt(ln(m / alpha) / (2 n_i)) with a
 * probability of at most alpha / m (McDiarmid 1989).
 */
static bool
closeness_expects(const Model *model, const Histogram *sample, const SensitiveDomain *domain,
				  const SampleTest *test)
{
	double members = (double) Max(sample->members, 1);

	return closeness_value(model, sample, domain) + sqrt(-log(test->share) / (2 * members)) <=
		   model->parameter[0];
}

/*
 * Every class of these values is at least as far from the table as the mean of its members' bounds,
 * up to rounding.  For this class, which has members, the mean equals its distance, or nearly so if
 * the domain has both an order and NULLs.  O(codes) for each level of a hierarchy, by order O(codes
 * log m).
 */
static void
closeness_refute(const Model *model, const Histogram *class, const SensitiveDomain *domain,
				 const int32 *code, int32 codes, double *weight)
{
	if (domain->ordered && !domain->hierarchy)
		bound_by_order(class, domain, code, codes, weight);
	else
		bound_by_labels(class, domain, code, codes, weight);
	for (int32 i = 0; i < codes; i++)
	{
		interrupt_check(i);
		weight[code[i]] -= model->parameter[0] + MODEL_MARGIN(domain->codes);
	}
}

const ModelOps closeness = {
	.name = "closeness",
	.parameters = 1,
	.parameter = {{.name = "t", .least = 0, .greatest = 1}},
	.values_parameter = -1,
	.needs = MODEL_NEEDS_DISTANCE,
	.at_most = true,
	.holds = closeness_holds,
	.expects = closeness_expects,
	.slack = closeness_slack,
	.refute = closeness_refute,
	.value = closeness_value,
};
