/*
 * part.c
 *		See part.h.
 *
 * Records are moved in place.  For two children, the size of the first is known beforehand, so as
 * many records are misplaced on the left as on the right.  They are listed block by block, without
 * branches, and swapped in pairs.
 *
 * Dealing, for the relaxed model: the first n/2 rows, by the attribute and then by the remaining
 * attributes, go to the left.  This needs no full sort.  Only rows equal to the median are
 * undecided, among those only the ones equal to the median of the next attribute, and so on.  Rows
 * still undecided at the end are equal in all attributes.  They are dealt as evenly as possible, in
 * the order of what models look at, then by number, so that each sensitive value goes to both
 * sides.
 *
 * Example: (age, zip) (25, 2), (26, 3), (26, 1), (26, 2), cut by age into two and two.  The row at
 * the cut has age 26, with one row below, so one of the three rows with age 26 goes to the left:
 * the one with the lowest zip, (26, 1).
 */
#include "postgres.h"

#include "partition/part.h"

#include "base/interrupt.h"

#define BLOCK 128

void
part_measure(const PartitionRun *run, Part part)
{
	const FrequencyGroup *group = run->group;

	if (group == NULL)
		region_measure(run->region, run->dataset, part.begin, part.end);
	for (int i = 0; group && i < group->attributes; i++)
	{
		run->region->minimum[i] = group->nulls[i] > 0 ? DATASET_NULL : (int32) group->lowest[i];
		run->region->maximum[i] = group->highest[i];
	}
}

int32
part_lowest_value(const PartitionRun *run, Part part, int attribute)
{
	if (run->group)
		return (int32) run->group->lowest[attribute];
	return region_lowest_value(run->region, run->dataset, part.begin, part.end, attribute);
}

SortedPart
part_sort(const PartitionRun *run, Part part, int attribute)
{
	Part places = part_places(run, part, attribute);
	int64 count = 0;

	if (run->group == NULL)
		return (SortedPart){.row = sorted_rows_sort(run->sorted, run->dataset, part.begin, part.end,
													attribute, run->region->minimum[attribute],
													run->region->maximum[attribute]),
							.count = part_rows(part)};
	for (int64 slot = places.begin; slot < places.end; slot++)
	{
		interrupt_check(slot);
		if (run->group->rows[slot] > 0)
			run->counted[count++] = (SortedRow){.place = (uint32) slot,
												.code = part_code_at(run, part, attribute, slot)};
	}
	return (SortedPart){.row = run->counted, .count = count};
}

static RankedCode
rank_counts(const FrequencyGroup *group, int attribute, int64 rank)
{
	int64 slot = group->first_slot[attribute];
	int64 below = 0;

	while (below + group->rows[slot] <= rank)
	{
		interrupt_check(slot);
		below += group->rows[slot++];
	}
	return (RankedCode){.code = frequency_group_code(group, attribute, slot),
						.below = below,
						.equal = group->rows[slot]};
}

RankedCode
part_rank(const PartitionRun *run, Part part, int attribute, int64 rank)
{
	if (run->group)
		return rank_counts(run->group, attribute, rank);
	return rank_select_find(run->select, run->dataset, part.begin, part.end, attribute,
							run->region->minimum[attribute], run->region->maximum[attribute], rank);
}

static CodesBeside
counts_beside(const FrequencyGroup *group, int attribute, int32 threshold)
{
	int64 first = group->first_slot[attribute];
	int64 below = threshold == DATASET_NULL
					  ? first
					  : first + 1 + threshold - (int64) group->bounds[attribute].minimum;
	int64 above = below + 1;

	for (; group->rows[below] == 0; below--)
		interrupt_check(below);
	for (; group->rows[above] == 0; above++)
		interrupt_check(above);
	return (CodesBeside){.below = frequency_group_code(group, attribute, below),
						 .above = frequency_group_code(group, attribute, above)};
}

CodesBeside
part_beside(const PartitionRun *run, Part part, int attribute, int32 threshold)
{
	if (run->group)
		return counts_beside(run->group, attribute, threshold);
	return codes_beside(run->dataset, part.begin, part.end, attribute, threshold);
}

static int64
count_nulls(const PartitionRun *run, Part part, int attribute)
{
	int64 nulls = 0;

	if (run->group)
		return run->group->nulls[attribute];
	for (int64 row = part.begin; row < part.end; row++)
	{
		interrupt_check(row);
		nulls += dataset_record(run->dataset, row)[attribute] == DATASET_NULL;
	}
	return nulls;
}

bool
part_split_nulls(const PartitionRun *run, Part part, int attribute, Split *split)
{
	int64 nulls;

	if (!region_is_mixed(run->region, attribute) || (run->judge && !part_knows(run, attribute)))
		return false;
	nulls = count_nulls(run, part, attribute);
	if (nulls < run->least || part_rows(part) - nulls < run->least)
		return false;
	*split = (Split){.kind = PARTITION_NULL,
					 .attribute = attribute,
					 .threshold = DATASET_NULL,
					 .children = 2,
					 .first = nulls};
	return part_judge_split(run, part, split);
}

/* The misplaced records of a zone, in blocks. */
typedef struct Misplaced
{
	int32 *next; /* the next record to examine */
	int32 *end;
	int32 *block; /* the record that "place" counts from */
	int found;
	int taken;
	uint8 place[BLOCK];
} Misplaced;

/* Starts with an empty list; the places need no clearing. */
static inline void
open_zone(Misplaced *zone, const Dataset *dataset, int64 begin, int64 end)
{
	zone->next = zone->block = dataset_record(dataset, begin);
	zone->end = dataset_record(dataset, end);
	zone->found = zone->taken = 0;
}

/*
 * Lists the next block. "high": records above the threshold are misplaced, otherwise those below.
 */
static inline void
list_misplaced(Misplaced *zone, int attribute, int stride, int32 threshold, bool high)
{
	int count = (int) Min((zone->end - zone->next) / stride, BLOCK);
	const int32 *code = zone->next + attribute;

	zone->block = zone->next;
	zone->next += (Size) count * stride;
	zone->found = zone->taken = 0;
	for (int i = 0; i < count; i++, code += stride)
	{
		zone->place[zone->found] = (uint8) i;
		zone->found += (*code > threshold) == high;
	}
}

static inline int32 *
next_misplaced(Misplaced *zone, int stride)
{
	return zone->block + (Size) zone->place[zone->taken++] * stride;
}

/* Moves codes <= threshold to the front of the part; there are "first". */
static void
cut_records(const PartitionRun *run, Part part, int attribute, int32 threshold, int64 first)
{
	Dataset *dataset = run->dataset;
	int stride = dataset->stride;
	Misplaced left;
	Misplaced right;

	open_zone(&left, dataset, part.begin, part.begin + first);
	open_zone(&right, dataset, part.begin + first, part.end);
	for (;;)
	{
		while (left.taken == left.found && left.next < left.end)
			list_misplaced(&left, attribute, stride, threshold, true);
		while (right.taken == right.found && right.next < right.end)
			list_misplaced(&right, attribute, stride, threshold, false);
		if (left.taken == left.found || right.taken == right.found)
			break;
		while (left.taken < left.found && right.taken < right.found)
			part_swap_records(next_misplaced(&left, stride), next_misplaced(&right, stride),
							  stride);
		CHECK_FOR_INTERRUPTS();
	}
	Assert(left.taken == left.found && right.taken == right.found);
}

/* Gathers the records of one code between lower and higher ones, and returns them. */
static Part
gather_code(const PartitionRun *run, Part part, int attribute, RankedCode ranked)
{
	Part equal = {part.begin + ranked.below, part.begin + ranked.below + ranked.equal};

	if (ranked.below > 0)
		cut_records(run, part, attribute, ranked.code - 1, ranked.below);
	cut_records(run, (Part){equal.begin, part.end}, attribute, ranked.code, ranked.equal);
	return equal;
}

static int
compare_records(const void *a, const void *b, void *arg)
{
	const PartitionRun *run = arg;
	int32 one = dataset_row(run->dataset, a);
	int32 other = dataset_row(run->dataset, b);
	int order = run->judge ? row_judge_compare(run->judge, one, other) : 0;

	CHECK_FOR_INTERRUPTS();
	return order != 0 ? order : one < other ? -1 : one > other;
}

/*
 * Moves "first" rows of a part whose rows are equal in all attributes to its front, evenly spread.
 */
static void
deal_evenly(const PartitionRun *run, Part part, int64 first)
{
	int stride = run->dataset->stride;
	int64 rows = part_rows(part);
	int64 dealt = 0;

	qsort_arg(dataset_record(run->dataset, part.begin), rows, sizeof(int32) * stride,
			  compare_records, (void *) run);
	for (int64 i = 0; i < rows; i++)
	{
		interrupt_check(i);
		if ((i + 1) * first / rows > dealt)
			part_swap_records(dataset_record(run->dataset, part.begin + dealt++),
							  dataset_record(run->dataset, part.begin + i), stride);
	}
}

/* Moves "first" rows of the part to its front, ordered by all attributes but one. */
static void
deal_ties(const PartitionRun *run, Part part, int cut_attribute, int64 first)
{
	Region *region = run->ties;

	for (int i = 0; i < run->dataset->attributes; i++)
	{
		RankedCode ranked;

		if (first == 0 || first == part_rows(part))
			return;
		if (i == cut_attribute)
			continue;
		region_measure(region, run->dataset, part.begin, part.end);
		if (region_is_point(region, i))
			continue;
		ranked = rank_select_find(run->select, run->dataset, part.begin, part.end, i,
								  region->minimum[i], region->maximum[i], first);
		part = gather_code(run, part, i, ranked);
		first -= ranked.below;
	}
	if (first > 0 && first < part_rows(part))
		deal_evenly(run, part, first);
}

void
part_divide(const PartitionRun *run, Part part, const Split *split)
{
	if (split->kind == PARTITION_SPECIALIZE)
	{
		part_divide_by_children(run, part, split);
		return;
	}
	if (split->dealt)
	{
		/* Some of the rows at the median go left. */
		RankedCode ranked = part_rank(run, part, split->attribute, split->first);
		Part ties = gather_code(run, part, split->attribute, ranked);

		deal_ties(run, ties, split->attribute, split->first - ranked.below);
	}
	else
		cut_records(run, part, split->attribute, split->threshold, split->first);
	run->child[0] = (Part){part.begin, part.begin + split->first};
	run->child[1] = (Part){part.begin + split->first, part.end};
}

Part *
part_divide_apart(const PartitionRun *run, Part part, const Split *split)
{
	Part *child = palloc(sizeof(Part) * split->children);

	part_divide(run, part, split);
	memcpy(child, run->child, sizeof(Part) * split->children);
	return child;
}

void
part_nodes_add(PartitionNodes *nodes, const Split *split, int32 code, int64 rows, Budget *budget)
{
	if (nodes->count == PG_INT32_MAX)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("partition tree has more than %d nodes", PG_INT32_MAX)));
	nodes->node = budget_room(budget, nodes->node, &nodes->capacity, (int64) nodes->count + 1,
							  sizeof(PartitionNode), "partition tree");
	nodes->node[nodes->count++] = (PartitionNode){.kind = split->kind,
												  .attribute = split->attribute,
												  .threshold = split->threshold,
												  .level = split->level,
												  .children = split->children,
												  .rest = split->rest,
												  .null_child = split->null_child,
												  .code = code,
												  .rows = (int32) rows};
}
