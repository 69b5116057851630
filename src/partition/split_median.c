/*
 * split_median.c
 *		See part.h.
 *
 * NULLs are separated first if NULLs and values have k rows each.  Then the attribute whose values
 * cover the largest share of the whole is divided, with NULL as its lowest value.  The width of the
 * values matters although nothing is known of the class with the NULLs: dividing that class further
 * by the attribute would not change that.
 *
 * Strict.  Let x be the median code of n >= 2k rows: at most n/2 rows are below it and at least n/2
 * at or below it.  Two cuts are tried: (<= x | > x) and (< x | >= x).
 *
 * If any cut (<= t | > t) of the attribute is allowable, so is one of these two:
 *
 * - t >= x: at least as many rows are above x as above t, that is at least k, and at least n/2 >= k
 *   at or below x: the first is allowable;
 * - t < x: at least as many rows are below x as at or below t, that is at least k, and at least n/2
 *   >= k at or above x: the second is allowable.
 *
 * So if both fail for every attribute, no allowable cut is left, and the partitioning is minimal.
 * Of two allowable cuts, the more balanced one is taken, the first on a tie.
 *
 * With models this argument fails: the median may leave a disease on one side that another cut
 * would not.  So if no attribute can be divided at its median, all cuts between two values are
 * tried, the widest attribute first.
 *
 * Relaxed.  Rows equal to the median may go to either side, so an ordered attribute can always be
 * cut into halves that differ by at most one row, even if it has only one value or only NULLs.
 * With such an attribute, classes have k to 2k - 1 rows.  Specializations, splits by NULL and cuts
 * of plain attributes are never relaxed, because a value that is dealt to both sides is hidden in
 * both: with these alone, larger classes remain where a single child, NULL, or the rest has fewer
 * than k rows.
 *
 * Example, k = 2, ages 20, 30, 30, 30, 40: x = 30; (<= 30 | > 30) leaves one row on the right, (<
 * 30 | >= 30) one on the left; neither is allowable.  Relaxed gives 20, 30 and 30, 30, 40.  With
 * one NULL and 20, 21, 40, 41: x = 21, and (NULL, 20, 21 | 40, 41) leaves the second class without
 * NULLs.
 */
#include "postgres.h"

#include "partition/part.h"

#include "base/interrupt.h"
#include "metric/loss.h"

/* How many more rows one side has than the other. */
static int64
imbalance(int64 first, int64 rows)
{
	return first * 2 > rows ? first * 2 - rows : rows - first * 2;
}

/* Cuts at the threshold, after "first" rows, if that is allowable. */
static bool
cut_at(const PartitionRun *run, Part part, Split *split, int32 threshold, int64 first)
{
	split->threshold = threshold;
	split->first = first;
	return first >= run->least && part_rows(part) - first >= run->least &&
		   part_judge_split(run, part, split);
}

/*
 * .. below a code.  The threshold in the tree is the highest value that occurs below it: codes in
 * between may occur outside a sample.
 */
static bool
cut_below(const PartitionRun *run, Part part, Split *split, RankedCode x)
{
	if (x.below == 0 || !cut_at(run, part, split, x.code - 1, x.below))
		return false;
	if (run->request->nodes && !run->request->test)
		split->threshold = part_beside(run, part, split->attribute, split->threshold).below;
	return true;
}

/* The two cuts beside the median. */
static bool
cut_strictly(const PartitionRun *run, Part part, int attribute, Split *split)
{
	int64 rows = part_rows(part);
	RankedCode x = part_rank(run, part, attribute, (rows - 1) / 2);
	int64 upto = x.below + x.equal;
	bool first = imbalance(upto, rows) <= imbalance(x.below, rows);

	*split = (Split){.kind = PARTITION_CUT,
					 .attribute = attribute,
					 .children = 2,
					 .null_child = region_is_mixed(run->region, attribute) ? 0 : -1};
	return (first && cut_at(run, part, split, x.code, upto)) || cut_below(run, part, split, x) ||
		   (!first && cut_at(run, part, split, x.code, upto));
}

/* Cuts into halves; the threshold is the first code of the second half. */
static bool
cut_relaxed(const PartitionRun *run, Part part, int attribute, Split *split)
{
	int64 half = part_rows(part) / 2;
	RankedCode x = part_rank(run, part, attribute, half);

	*split = (Split){.kind = PARTITION_CUT,
					 .attribute = attribute,
					 .threshold = x.below == half ? x.code - 1 : x.code,
					 .children = 2,
					 .null_child = -1,
					 .first = half,
					 .dealt = true};
	if (run->judge == NULL)
		return true;
	if (run->group)
		return run->dealt_satisfies(run->dealer, split);
	/* Only dealing shows which rows go where. */
	part_divide(run, part, split);
	return part_judge_class(run, run->child[0]) && part_judge_class(run, run->child[1]);
}

/*
 * Takes rows from the lower or the upper end until at least half are taken and both sides satisfy,
 * as long as the imbalance is below the bound.  Sets "split" to that cut.
 */
static bool
cut_behind_half(const PartitionRun *run, Part part, const SortedPart *sorted, bool lower,
				int64 bound, Split *split)
{
	int64 rows = part_rows(part);
	int64 taken = 0;

	part_judge_begin(run, part);
	for (int64 i = 0; i < sorted->count - 1; i++)
	{
		int64 at = lower ? i : sorted->count - 1 - i;
		int64 next = lower ? at + 1 : at - 1;

		interrupt_check(i);
		part_judge_take(run, part, sorted->row[at].place);
		taken += sorted_part_rows(run, sorted, at);
		if (taken > rows - run->least || (taken * 2 >= rows && imbalance(taken, rows) >= bound))
			return false;
		if (taken * 2 < rows || taken < run->least ||
			sorted->row[at].code == sorted->row[next].code || !part_judge_both(run))
			continue;
		split->threshold = sorted->row[Min(at, next)].code;
		split->first = lower ? taken : rows - taken;
		return true;
	}
	return false;
}

/*
 * With models: the most balanced allowable cut between two values, the upper on a tie.  It is the
 * first allowable one from the middle outwards.
 */
static bool
cut_anywhere(const PartitionRun *run, Part part, int attribute, Split *split)
{
	int64 rows = part_rows(part);
	SortedPart sorted;
	bool upper;

	*split = (Split){.kind = PARTITION_CUT,
					 .attribute = attribute,
					 .children = 2,
					 .null_child = region_is_mixed(run->region, attribute) ? 0 : -1};
	if (!part_is_cut(run, attribute) || region_is_point(run->region, attribute))
		return false;
	sorted = part_sort(run, part, attribute);
	upper = cut_behind_half(run, part, &sorted, true, rows, split);
	return cut_behind_half(run, part, &sorted, false, upper ? imbalance(split->first, rows) : rows,
						   split) ||
		   upper;
}

bool
split_median_cut(const PartitionRun *run, Part part, int attribute, Split *split)
{
	return cut_strictly(run, part, attribute, split) ||
		   (run->judge && cut_anywhere(run, part, attribute, split));
}

static bool
split_attribute(const PartitionRun *run, Part part, int attribute, Split *split)
{
	if (run->column[attribute].dimension)
	{
		if (!part_specialize(run, part, attribute, split))
			return false;
		part_keep_children(run, split);
		return true;
	}
	if (run->request->relaxed && !run->column[attribute].plain)
		return cut_relaxed(run, part, attribute, split);
	return part_is_cut(run, attribute) && !region_is_point(run->region, attribute) &&
		   cut_strictly(run, part, attribute, split);
}

double
split_median_width(const RecodingColumn *column, int32 lowest, int32 maximum)
{
	RecodedCell values = region_cell(column, lowest, maximum);

	return loss_of_cell(column, &values);
}

typedef bool (*AttributeSplitter)(const PartitionRun *run, Part part, int attribute, Split *split);

/* The attribute at this place in the order of ties. */
static int
attribute_in_order(const PartitionRun *run, int place)
{
	return run->request->order ? run->request->order[place] : place;
}

/* Divides the widest attribute for which the splitter succeeds. */
static bool
split_widest(const PartitionRun *run, Part part, AttributeSplitter splitter, Split *split)
{
	int attributes = run->dataset->attributes;

	for (int i = 0; i < attributes; i++)
	{
		int32 lowest = part_lowest_value(run, part, i);

		run->width[i] = split_median_width(&run->column[i], lowest, run->region->maximum[i]);
	}
	for (int turn = 0; turn < attributes; turn++)
	{
		int widest = attribute_in_order(run, 0);

		for (int i = 1; i < attributes; i++)
			if (run->width[attribute_in_order(run, i)] > run->width[widest])
				widest = attribute_in_order(run, i);
		if ((run->request->relaxed || !region_is_point(run->region, widest)) &&
			!part_knows(run, widest))
			return false;
		if (splitter(run, part, widest, split))
			return true;
		run->width[widest] = -1;
	}
	return false;
}

bool
split_median(const PartitionRun *run, Part part, Split *split)
{
	for (int i = 0; i < run->dataset->attributes; i++)
	{
		int attribute = attribute_in_order(run, i);

		if (region_is_mixed(run->region, attribute) &&
			part_split_nulls(run, part, attribute, split))
			return true;
	}
	return split_widest(run, part, split_attribute, split) ||
		   (run->judge && split_widest(run, part, cut_anywhere, split));
}
