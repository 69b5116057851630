/*
 * part.c
 *		See part.h.
 *
 * Records are moved in place.  For two children the number of rows of the
 * first is known beforehand, so the records that lie on the wrong side are
 * equally many on both sides: they are listed, block by block and without
 * branches, and swapped in pairs.
 *
 * Dealing, for the relaxed model: the first n/2 rows in the order of the
 * attribute, then of the remaining attributes, go to the left.  Not all rows
 * are sorted for that: only those equal to the median are in question, of
 * those only the ones equal to the median of the next attribute, and so on.
 * Rows that are still in question at the end are equal in all attributes.  In the order of
 * what models look at, then of their numbers, they are dealt to both sides as evenly as can
 * be: so each sensitive value comes to both.
 *
 * Example: (age, zip) (25, 2), (26, 3), (26, 1), (26, 2), cut by age in two and
 * two.  The median 25 or 26: 26 has one row below it, so one of its three rows
 * goes to the left: the one with the lowest zip, (26, 1).
 */
#include "postgres.h"

#include "partition/part.h"

#include "base/interrupt.h"
#include "partition/part_judge.h"

#define BLOCK 128

static void
measure_counts(const FrequencyGroup *group, Region *region)
{
	for (int i = 0; i < group->attributes; i++)
	{
		region->minimum[i] = group->nulls[i] > 0 ? DATASET_NULL : (int32) group->lowest[i];
		region->maximum[i] = group->highest[i];
	}
}

void
part_measure(const PartitionRun *run, Part part)
{
	if (run->group)
		measure_counts(run->group, run->region);
	else
		region_measure(run->region, run->dataset, part.begin, part.end);
}

int32
part_lowest_value(const PartitionRun *run, Part part, int attribute)
{
	if (run->group)
		return (int32) run->group->lowest[attribute];
	return region_lowest_value(run->region, run->dataset, part.begin, part.end, attribute);
}

static SortedPart
sort_counts(const PartitionRun *run, int attribute)
{
	const FrequencyGroup *group = run->group;
	int64 count = 0;

	for (int64 slot = group->first_slot[attribute]; slot < group->first_slot[attribute + 1]; slot++)
	{
		interrupt_check(slot);
		if (group->rows[slot] > 0)
			run->counted[count++] = (SortedRow){
				.place = (uint32) slot, .code = frequency_group_code(group, attribute, slot)};
	}
	return (SortedPart){.row = run->counted, .count = count, .rows = group->rows};
}

SortedPart
part_sort(const PartitionRun *run, Part part, int attribute)
{
	if (run->group)
		return sort_counts(run, attribute);
	return (SortedPart){.row = sorted_rows_sort(run->sorted, run->dataset, part.begin, part.end,
												attribute, run->region->minimum[attribute],
												run->region->maximum[attribute]),
						.count = part_rows(part)};
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

/* From the lowest that occurs to the highest. */
static int
possible_children(const PartitionRun *run, const Split *split)
{
	const int32 *ancestor = run->column[split->attribute].dimension->ancestor[split->level];

	return ancestor[run->region->maximum[split->attribute]] - split->lowest + 1;
}

/* Adds up the rows of each child in begin[child + 1]; how many are NULL. */
static int64
tally_children(const PartitionRun *run, Part part, const Split *split, int64 *begin)
{
	int attribute = split->attribute;
	const int32 *ancestor = run->column[attribute].dimension->ancestor[split->level];
	const FrequencyGroup *group = run->group;
	int64 nulls = 0;

	for (int64 slot = group ? group->first_slot[attribute] + 1 : 0;
		 group && slot < group->first_slot[attribute + 1]; slot++)
	{
		interrupt_check(slot);
		if (group->rows[slot] > 0)
			begin[ancestor[frequency_group_code(group, attribute, slot)] - split->lowest + 1] +=
				group->rows[slot];
	}
	if (group)
		return group->nulls[attribute];
	for (int64 row = part.begin; row < part.end; row++)
	{
		int32 code = dataset_record(run->dataset, row)[attribute];

		interrupt_check(row);
		if (code == DATASET_NULL)
			nulls++;
		else
			begin[ancestor[code] - split->lowest + 1]++;
	}
	return nulls;
}

/*
 * Where each child of a specialization begins, relative to the part: in
 * run->child_begin, for c = 0 .. the value returned.  Child c has the code of the
 * lowest one plus c; children that do not occur are empty.  *null_child: the one
 * that NULLs go along with, -1 if there are none.
 */
static int
count_children(const PartitionRun *run, Part part, const Split *split, int *null_child)
{
	int children = possible_children(run, split);
	int64 *begin = run->child_begin;
	int64 nulls;

	memset(begin, 0, sizeof(int64) * (children + 1));
	nulls = tally_children(run, part, split, begin);
	*null_child = -1;
	if (nulls > 0)
	{
		/* They go along with the child of fewest rows, of equal ones with the lowest. */
		for (int child = 0; child < children; child++)
			if (begin[child + 1] > 0 &&
				(*null_child < 0 || begin[child + 1] < begin[*null_child + 1]))
				*null_child = child;
		begin[*null_child + 1] += nulls;
	}
	for (int child = 0; child < children; child++)
		begin[child + 1] += begin[child];
	return children;
}

/*
 * Has the part fewer than k rows of its lowest child, NULLs included?  Where a
 * label has very many children it nearly always has, and to count them all would take
 * longer than to read the rows.
 */
static bool
lowest_child_is_rare(const PartitionRun *run, Part part, const Split *split)
{
	const int32 *ancestor = run->column[split->attribute].dimension->ancestor[split->level];
	int64 rows = 0;

	for (int64 row = part.begin; row < part.end && rows < run->least; row++)
	{
		int32 code = dataset_record(run->dataset, row)[split->attribute];

		interrupt_check(row);
		rows += code == DATASET_NULL || ancestor[code] == split->lowest;
	}
	return rows < run->least;
}

bool
part_specialize(const PartitionRun *run, Part part, int attribute, Split *split)
{
	const Dimension *dimension = run->column[attribute].dimension;
	int32 minimum = part_lowest_value(run, part, attribute);
	int32 maximum = run->region->maximum[attribute];
	int64 fewest = PG_INT64_MAX;
	int level;
	int children;
	int null_child;

	if (minimum == maximum)
		return false;
	level = dimension_common_level(dimension, minimum, maximum) - 1;
	*split = (Split){.kind = PARTITION_SPECIALIZE,
					 .attribute = attribute,
					 .level = level,
					 .lowest = dimension->ancestor[level][minimum],
					 .null_child = -1};
	if (!run->group && possible_children(run, split) > part_rows(part) &&
		lowest_child_is_rare(run, part, split))
		return false;
	children = count_children(run, part, split, &null_child);
	/* Every child that occurs must have k rows; those that do are numbered anew. */
	for (int child = 0; child < children; child++)
	{
		int64 rows = run->child_begin[child + 1] - run->child_begin[child];

		if (rows > 0 && rows < run->least)
			return false;
		if (rows > 0)
			fewest = Min(fewest, rows);
		if (child == null_child)
			split->null_child = split->children;
		split->children += rows > 0;
	}
	return fewest >= part_least(run, split->children) && part_judge_split(run, part, split);
}

#define SWAP_CODES 4 /* at a time: the stride is a multiple of that */

static inline void
swap_records(int32 *one, int32 *other, int stride)
{
	for (int i = 0; i < stride; i += SWAP_CODES)
	{
		int32 codes[SWAP_CODES];

		memcpy(codes, one + i, sizeof(codes));
		memcpy(one + i, other + i, sizeof(codes));
		memcpy(other + i, codes, sizeof(codes));
	}
}

/* Records of a zone that lie on the wrong side, in blocks. */
typedef struct Misplaced
{
	int32 *next; /* the next record to look at */
	int32 *end;
	int32 *block; /* the records that "place" is counted from */
	int found;
	int taken;
	uint8 place[BLOCK];
} Misplaced;

/* Nothing is listed yet; the places are not worth clearing. */
static inline void
open_zone(Misplaced *zone, const Dataset *dataset, int64 begin, int64 end)
{
	zone->next = zone->block = dataset_record(dataset, begin);
	zone->end = dataset_record(dataset, end);
	zone->found = zone->taken = 0;
}

/* Lists the next block; "high" are misplaced on the left, the others on the right. */
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

/* Codes <= threshold to the front of the part; "first" of them. */
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
			swap_records(next_misplaced(&left, stride), next_misplaced(&right, stride), stride);
		CHECK_FOR_INTERRUPTS();
	}
	Assert(left.taken == left.found && right.taken == right.found);
}

/* The records of one code, of a part that is otherwise higher or lower. */
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

/* "first" rows of the part, which are equal in all attributes, to its front: evenly. */
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
			swap_records(dataset_record(run->dataset, part.begin + dealt++),
						 dataset_record(run->dataset, part.begin + i), stride);
	}
}

/* "first" rows of the part to its front, in the order of all attributes but one. */
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

static void
divide_by_children(const PartitionRun *run, Part part, const Split *split, Part *parts)
{
	const int32 *ancestor = run->column[split->attribute].dimension->ancestor[split->level];
	int64 *next = run->child_next;
	int null_child;
	int children = count_children(run, part, split, &null_child);
	int occurring = 0;

	/* Each record goes to where the next of its child does, until all are there. */
	memcpy(next, run->child_begin, sizeof(int64) * children);
	for (int child = 0; child < children; child++)
	{
		CHECK_FOR_INTERRUPTS();
		while (next[child] < run->child_begin[child + 1])
		{
			int32 *record = dataset_record(run->dataset, part.begin + next[child]);
			int32 code = record[split->attribute];
			int home = code == DATASET_NULL ? null_child : ancestor[code] - split->lowest;
			int64 place = next[home]++;

			interrupt_check(place);
			if (home != child)
				swap_records(record, dataset_record(run->dataset, part.begin + place),
							 run->dataset->stride);
		}
	}
	for (int child = 0; child < children; child++)
		if (run->child_begin[child + 1] > run->child_begin[child])
			parts[occurring++] = (Part){part.begin + run->child_begin[child],
										part.begin + run->child_begin[child + 1]};
	Assert(occurring == split->children);
}

void
part_divide(const PartitionRun *run, Part part, const Split *split, Part *children)
{
	if (split->kind == PARTITION_SPECIALIZE)
	{
		divide_by_children(run, part, split, children);
		return;
	}
	if (split->dealt)
	{
		/* Of the rows at the median some go left. */
		RankedCode ranked = part_rank(run, part, split->attribute, split->first);
		Part ties = gather_code(run, part, split->attribute, ranked);

		deal_ties(run, ties, split->attribute, split->first - ranked.below);
	}
	else
		cut_records(run, part, split->attribute, split->threshold, split->first);
	children[0] = (Part){part.begin, part.begin + split->first};
	children[1] = (Part){part.begin + split->first, part.end};
}

int32
part_nodes_append(PartitionNodes *nodes, int32 count, Budget *budget)
{
	int32 first = nodes->count;

	if (nodes->node == NULL || count > nodes->capacity - first)
	{
		int64 capacity = Max((int64) nodes->capacity * 2, (int64) first + count + 1);

		if (capacity > PG_INT32_MAX)
			ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
							errmsg("partition tree has more than %d nodes", PG_INT32_MAX)));
		nodes->node = budget_enlarge(budget, nodes->node, nodes->capacity, capacity,
									 sizeof(PartitionNode), "partition tree");
		nodes->capacity = (int32) capacity;
	}
	nodes->count += count;
	return first;
}

int32
part_nodes_divide(PartitionNodes *nodes, int32 node, const Split *split, int32 code, Budget *budget)
{
	int32 first = part_nodes_append(nodes, split->children, budget);

	nodes->node[node] = (PartitionNode){.kind = split->kind,
										.attribute = split->attribute,
										.threshold = split->threshold,
										.level = split->level,
										.children = split->children,
										.first_child = first,
										.null_child = split->null_child,
										.code = code};
	return first;
}
