/*
 * part_children.c
 *		See part.h.
 *
 * A specialization counts the labels right below the part's least common ancestor.  Strict: each
 * of them becomes a child, and none may have too few rows.  With rest parts: labels of too few
 * rows, or that fail a model, go together and keep the label of the part.  As long as such a rest
 * has too few rows or fails, the smallest of the other labels joins it.  If it takes all, a single
 * label may still be set apart from all others; models are monotone under union, so if no such
 * pair satisfies, no other division by these labels does.
 *
 * NULLs that are too few to be apart help a rest to enough rows; otherwise they join the child
 * that loses least by that.  Strict: they join the child of fewest rows, so that few rows are
 * mixed.
 *
 * Example, at least 5 rows: of Americas 30, Asia 7, Africa 3, Oceania 1, the rest is Africa and
 * Oceania, which are 4.  Asia joins it: Americas 30, rest 11.
 */
#include "postgres.h"

#include "partition/part.h"

#include "base/interrupt.h"

#define PURPOSE "partition tree"
#define NONE (-1)

/* ---- counts */

static PartChildren *
create_children(int32 most, const Budget *budget)
{
	PartChildren *children = palloc0(sizeof(PartChildren));

	children->code = budget_allocate(budget, most, sizeof(int32), PURPOSE);
	children->label = budget_allocate(budget, most, sizeof(PartLabel), PURPOSE);
	return children;
}

void
part_children_create(PartitionRun *run, int32 most)
{
	const Budget *budget = run->request->budget;

	run->labels = palloc(sizeof(PartLabels));
	run->labels->chosen = create_children(most, budget);
	run->labels->examined = create_children(most, budget);
	run->child = budget_allocate(budget, most, sizeof(Part), PURPOSE);
	run->next = budget_allocate(budget, most, sizeof(int64), PURPOSE);
}

static void
clear_children(PartChildren *children)
{
	for (int32 i = 0; i < children->count; i++)
	{
		interrupt_check(i);
		children->label[children->code[i]].rows = 0;
	}
	children->count = 0;
	children->nulls = 0;
	children->null_label = NONE;
	children->rest = (PartLabel){0};
}

static inline void
add_rows(PartLabel *label, int32 low, int32 high, int32 rows)
{
	label->low = label->rows == 0 ? low : Min(label->low, low);
	label->high = label->rows == 0 ? high : Max(label->high, high);
	label->rows += rows;
}

/* Counts the rows of each label that occurs, in no order; O(rows). */
static void
count_labels(const PartitionRun *run, Part part, int attribute, const int32 *ancestor)
{
	PartChildren *children = run->labels->examined;
	Part places = part_places(run, part, attribute);

	clear_children(children);
	for (int64 place = places.begin; place < places.end; place++)
	{
		int32 rows = (int32) part_rows_at(run, place);
		int32 code = part_code_at(run, part, attribute, place);
		PartLabel *label;

		interrupt_check(place);
		if (code == DATASET_NULL)
			children->nulls += rows;
		if (code == DATASET_NULL || rows == 0)
			continue;
		label = &children->label[ancestor[code]];
		if (label->rows == 0)
		{
			label->in_rest = false;
			children->code[children->count++] = ancestor[code];
		}
		add_rows(label, code, code, rows);
	}
}

/* ---- the rest */

/* The rows of a label, with the NULLs if they join it. */
static inline int64
rows_of(const PartChildren *children, int32 code)
{
	return children->label[code].rows + (code == children->null_label ? children->nulls : 0);
}

static inline int64
rows_of_rest(const PartChildren *children)
{
	return children->rest.rows + (children->null_label == PART_REST ? children->nulls : 0);
}

static void
join_rest(PartChildren *children, int32 code)
{
	PartLabel *label = &children->label[code];

	if (children->null_label == code)
		children->null_label = PART_REST;
	label->in_rest = true;
	add_rows(&children->rest, label->low, label->high, label->rows);
}

/* The label of fewest rows outside the rest, the lowest on a tie; or none. */
static int32
smallest_label(const PartChildren *children)
{
	int32 smallest = NONE;

	for (int32 i = 0; i < children->count; i++)
	{
		int32 code = children->code[i];
		int64 fewer = smallest < 0 ? -1 : rows_of(children, code) - rows_of(children, smallest);

		interrupt_check(i);
		if (!children->label[code].in_rest && (fewer < 0 || (fewer == 0 && code < smallest)))
			smallest = code;
	}
	return smallest;
}

/* Orders labels by their rows, then by code. */
static int
compare_rows(const void *a, const void *b, void *arg)
{
	const PartChildren *children = arg;
	int32 one = *(const int32 *) a;
	int32 other = *(const int32 *) b;
	int64 more = rows_of(children, one) - rows_of(children, other);

	CHECK_FOR_INTERRUPTS();
	return more != 0 ? (more < 0 ? -1 : 1) : one < other ? -1 : one > other;
}

/* The labels outside the rest, that of fewest rows first; palloc'd, ended by NONE. */
static int32 *
labels_by_rows(const PartChildren *children)
{
	int32 *code = palloc_extended(sizeof(int32) * (children->count + 1), MCXT_ALLOC_HUGE);
	int32 count = 0;

	for (int32 i = 0; i < children->count; i++)
		if (!children->label[children->code[i]].in_rest)
			code[count++] = children->code[i];
	qsort_arg(code, count, sizeof(int32), compare_rows, unconstify(PartChildren *, children));
	code[count] = NONE;
	return code;
}

/* How much more the rows of a label lose if NULLs join it. */
static int64
loss_with_nulls(const PartitionRun *run, int attribute, const PartLabel *label)
{
	return label->rows * (split_gain_cost(run, attribute, DATASET_NULL, label->high) -
						  split_gain_cost(run, attribute, label->low, label->high));
}

/*
 * Sends the NULLs, which are too few to be apart, to a rest that has too few rows as well, or else
 * to the child that loses least by that: the lowest on a tie, the rest last.
 */
static void
place_nulls(const PartitionRun *run, int attribute, int64 least)
{
	PartChildren *children = run->labels->examined;
	int64 least_loss = PG_INT64_MAX;

	if (children->nulls == 0)
		return;
	for (int32 i = 0; i < children->count; i++)
	{
		int32 code = children->code[i];
		int64 loss;

		interrupt_check(i);
		if (children->label[code].in_rest)
			continue;
		loss = loss_with_nulls(run, attribute, &children->label[code]);
		if (loss < least_loss || (loss == least_loss && code < children->null_label))
			children->null_label = code;
		least_loss = Min(least_loss, loss);
	}
	if (children->rest.rows > 0 && (children->rest.rows < least ||
									loss_with_nulls(run, attribute, &children->rest) < least_loss))
		children->null_label = PART_REST;
}

/* ---- models */

SortedPart
part_sort_labels(const PartitionRun *run, Part part, int attribute, const int32 *ancestor)
{
	SortedPart sorted = part_sort(run, part, attribute);
	int64 end;

	for (int64 begin = 0; begin < sorted.count; begin = end)
	{
		int32 code = sorted.row[begin].code;

		end = part_child_end(&sorted, begin, ancestor);
		if (code != DATASET_NULL)
			run->labels->examined->label[ancestor[code]].first = (uint32) begin;
	}
	return sorted;
}

PartRange
part_label_range(const SortedPart *sorted, const PartChildren *children, int32 code,
				 const int32 *ancestor)
{
	int64 begin = children->label[code].first;

	return (PartRange){begin, part_child_end(sorted, begin, ancestor)};
}

PartRange
part_null_range(const SortedPart *sorted)
{
	bool nulls = sorted->row[0].code == DATASET_NULL;

	return (PartRange){0, nulls ? part_child_end(sorted, 0, NULL) : 0};
}

static void
add_range(const PartitionRun *run, Part part, const SortedPart *sorted, PartRange range)
{
	for (int64 i = range.begin; i < range.end; i++)
	{
		interrupt_check(i);
		part_judge_add(run, part, sorted->row[i].place);
	}
}

static void
take_range(const PartitionRun *run, Part part, const SortedPart *sorted, PartRange range)
{
	for (int64 i = range.begin; i < range.end; i++)
	{
		interrupt_check(i);
		part_judge_take(run, part, sorted->row[i].place);
	}
}

/* A division by labels that is being judged. */
typedef struct LabelJudge
{
	const PartitionRun *run;
	Part part;
	const int32 *ancestor;
	SortedPart sorted;
	PartChildren *children;
} LabelJudge;

/* Of counted people, a rest or a label may have more than the judge knows. */
static bool
group_holds(const LabelJudge *judge, RowGroup group)
{
	const PartitionRun *run = judge->run;
	bool holds = row_judge_holds(run->judge, group);

	if (!holds && run->group && run->request->models->people)
		*run->unsure = true;
	return holds;
}

static bool
label_satisfies(const LabelJudge *judge, int32 code)
{
	row_judge_begin(judge->run->judge);
	add_range(judge->run, judge->part, &judge->sorted,
			  part_label_range(&judge->sorted, judge->children, code, judge->ancestor));
	if (judge->children->null_label == code)
		add_range(judge->run, judge->part, &judge->sorted, part_null_range(&judge->sorted));
	row_judge_end(judge->run->judge);
	return group_holds(judge, GROUP_REST);
}

static void
take_label(const LabelJudge *judge, int32 code)
{
	take_range(judge->run, judge->part, &judge->sorted,
			   part_label_range(&judge->sorted, judge->children, code, judge->ancestor));
}

static void
take_nulls(const LabelJudge *judge)
{
	take_range(judge->run, judge->part, &judge->sorted, part_null_range(&judge->sorted));
}

/* Sends labels that fail to the rest; a label also if it fails only with the NULLs. */
static void
send_failing(const LabelJudge *judge, int attribute, int64 least)
{
	PartChildren *children = judge->children;

	for (int32 i = 0; i < children->count; i++)
		if (!children->label[children->code[i]].in_rest &&
			!label_satisfies(judge, children->code[i]))
			join_rest(children, children->code[i]);
	place_nulls(judge->run, attribute, least);
	if (children->null_label >= 0 && children->null_label != PART_REST &&
		!label_satisfies(judge, children->null_label))
		join_rest(children, children->null_label);
}

/* Lets labels join the rest until it satisfies. */
static void
complete_judged(const LabelJudge *judge, int64 least)
{
	PartChildren *children = judge->children;
	const PartitionRun *run = judge->run;
	int32 *smallest;
	bool nulls = false;

	if (children->rest.rows == 0)
		return;
	smallest = labels_by_rows(children);
	part_judge_begin(run, judge->part);
	for (int32 i = 0; i < children->count; i++)
		if (children->label[children->code[i]].in_rest)
			take_label(judge, children->code[i]);
	for (const int32 *next = smallest;; next++)
	{
		if (!nulls && children->null_label == PART_REST)
			take_nulls(judge);
		nulls = children->null_label == PART_REST;
		if (*next == NONE || (rows_of_rest(children) >= least && group_holds(judge, GROUP_TAKEN)))
			break;
		CHECK_FOR_INTERRUPTS();
		take_label(judge, *next);
		join_rest(children, *next);
	}
	pfree(smallest);
}

/*
 * Sets one label apart from all others, which satisfy together: that of most rows, the lowest on a
 * tie.  Finds all in the rest.  Judges the labels by themselves first, which together takes time
 * for each row once; the others are counted anew for each label that satisfies.
 */
static void
set_one_apart(const LabelJudge *judge, int64 least)
{
	PartChildren *children = judge->children;
	int64 rows = part_rows(judge->part);
	int32 best = NONE;

	if (judge->run->request->test)
		sample_test_split(judge->run->request->test, 2);
	for (int32 i = 0; i < children->count; i++)
	{
		int32 code = children->code[i];
		int64 alone = children->label[code].rows;
		int64 more = best < 0 ? 1 : alone - children->label[best].rows;

		CHECK_FOR_INTERRUPTS();
		if (alone < least || rows - alone < least || more < 0 || (more == 0 && code > best) ||
			!label_satisfies(judge, code))
			continue;
		part_judge_begin(judge->run, judge->part);
		take_label(judge, code);
		if (group_holds(judge, GROUP_REST))
			best = code;
	}
	if (best < 0)
		return;
	children->rest = (PartLabel){0};
	children->null_label = children->nulls > 0 ? PART_REST : NONE;
	for (int32 i = 0; i < children->count; i++)
		if (children->code[i] != best)
			join_rest(children, children->code[i]);
	children->label[best].in_rest = false;
}

/* ---- divisions */

/* The number of children. */
static int32
count_children(const PartChildren *children)
{
	int32 count = children->rest.rows > 0 ? 1 : 0;

	for (int32 i = 0; i < children->count; i++)
	{
		interrupt_check(i);
		count += children->label[children->code[i]].in_rest ? 0 : 1;
	}
	return count;
}

static void
send_rare(PartChildren *children, int64 least)
{
	for (int32 i = 0; i < children->count; i++)
	{
		int32 code = children->code[i];

		interrupt_check(i);
		if (children->label[code].rows < least)
			join_rest(children, code);
	}
}

/* Lets a label join a rest of too few rows; those outside it have enough. */
static void
complete_rest(PartChildren *children, int64 least)
{
	int32 smallest = NONE;

	if (children->rest.rows > 0 && rows_of_rest(children) < least)
		smallest = smallest_label(children);
	if (smallest >= 0)
		join_rest(children, smallest);
}

/* .. of a part of a sample: as many children as there are labels would need that many rows. */
static int64
least_of_labels(const PartitionRun *run)
{
	const PartChildren *children = run->labels->examined;
	int32 labels = 1;

	if (run->request->test == NULL)
		return run->least;
	for (int32 i = 0; i < children->count; i++)
	{
		interrupt_check(i);
		labels += children->label[children->code[i]].rows >= run->least ? 1 : 0;
	}
	sample_test_split(run->request->test, Max(labels, 2));
	return part_least(run, Max(labels, 2));
}

static LabelJudge
judge_labels(const PartitionRun *run, Part part, const Split *split)
{
	const int32 *ancestor = run->column[split->attribute].dimension->ancestor[split->level];

	return (LabelJudge){.run = run,
						.part = part,
						.ancestor = ancestor,
						.sorted = part_sort_labels(run, part, split->attribute, ancestor),
						.children = run->labels->examined};
}

/* Puts labels together until each child has enough rows and satisfies. */
static void
divide_with_rest(const PartitionRun *run, Part part, const Split *split)
{
	PartChildren *children = run->labels->examined;
	int64 least = least_of_labels(run);
	LabelJudge judge;

	send_rare(children, least);
	if (run->judge == NULL)
	{
		place_nulls(run, split->attribute, least);
		complete_rest(children, least);
		return;
	}
	judge = judge_labels(run, part, split);
	send_failing(&judge, split->attribute, least);
	complete_judged(&judge, least);
	if (count_children(children) < 2)
		set_one_apart(&judge, least);
}

/* Is each label a child that has enough rows and satisfies? */
static bool
divides_strictly(const PartitionRun *run, Part part, const Split *split)
{
	PartChildren *children = run->labels->examined;
	int64 least = part_least(run, children->count);
	LabelJudge judge;

	children->null_label = children->nulls > 0 ? smallest_label(children) : NONE;
	for (int32 i = 0; i < children->count; i++)
	{
		interrupt_check(i);
		if (rows_of(children, children->code[i]) < least)
			return false;
	}
	if (run->judge == NULL)
		return true;
	if (run->request->test)
		sample_test_split(run->request->test, children->count);
	judge = judge_labels(run, part, split);
	for (int32 i = 0; i < children->count; i++)
		if (!label_satisfies(&judge, children->code[i]))
			return false;
	return true;
}

/*
 * Does the child of the lowest value, NULLs included, have fewer than k rows?  If a label has very
 * many children it almost always does, and counting all children takes longer than reading the
 * rows.
 */
static bool
lowest_child_is_rare(const PartitionRun *run, Part part, const Split *split, int32 lowest)
{
	const int32 *ancestor = run->column[split->attribute].dimension->ancestor[split->level];
	int64 rows = 0;

	for (int64 row = part.begin; row < part.end && rows < run->least; row++)
	{
		int32 code = dataset_record(run->dataset, row)[split->attribute];

		interrupt_check(row);
		rows += code == DATASET_NULL || ancestor[code] == ancestor[lowest];
	}
	return rows < run->least;
}

bool
part_specialize(const PartitionRun *run, Part part, int attribute, Split *split)
{
	const Dimension *dimension = run->column[attribute].dimension;
	int32 minimum = part_lowest_value(run, part, attribute);
	int32 maximum = run->region->maximum[attribute];
	int level;

	if (minimum == maximum)
		return false;
	level = dimension_common_level(dimension, minimum, maximum) - 1;
	*split = (Split){
		.kind = PARTITION_SPECIALIZE, .attribute = attribute, .level = level, .null_child = -1};
	if (!run->request->rest && !run->group && lowest_child_is_rare(run, part, split, minimum))
		return false;
	count_labels(run, part, attribute, dimension->ancestor[level]);
	if (run->request->rest)
		divide_with_rest(run, part, split);
	else if (!divides_strictly(run, part, split))
		return false;
	split->children = count_children(run->labels->examined);
	split->rest = run->labels->examined->rest.rows > 0;
	return split->children > 1;
}

/* Labels of the rest come last. */
static int
compare_labels(const void *a, const void *b, void *arg)
{
	const PartLabel *label = arg;
	int32 one = *(const int32 *) a;
	int32 other = *(const int32 *) b;

	CHECK_FOR_INTERRUPTS();
	if (label[one].in_rest != label[other].in_rest)
		return label[one].in_rest ? 1 : -1;
	return one < other ? -1 : one > other;
}

void
part_keep_children(const PartitionRun *run, Split *split)
{
	PartChildren *children = run->labels->examined;
	int32 rest = split->children - 1;

	run->labels->examined = run->labels->chosen;
	run->labels->chosen = children;
	qsort_arg(children->code, children->count, sizeof(int32), compare_labels, children->label);
	for (int32 i = 0; i < children->count; i++)
	{
		PartLabel *label = &children->label[children->code[i]];

		interrupt_check(i);
		label->child = label->in_rest ? rest : i;
		if (children->null_label == children->code[i])
			split->null_child = i;
	}
	if (children->null_label == PART_REST)
		split->null_child = rest;
}

/* Sets the places of the children. */
static void
place_children(const PartitionRun *run, Part part, const Split *split)
{
	const PartChildren *children = run->labels->chosen;
	int64 begin = part.begin;

	for (int32 child = 0; child < split->children; child++)
	{
		bool rest = split->rest && child == split->children - 1;
		int64 rows = rest ? rows_of_rest(children) : rows_of(children, children->code[child]);

		interrupt_check(child);
		run->child[child] = (Part){begin, begin + rows};
		run->next[child] = begin;
		begin += rows;
	}
	Assert(begin == part.end);
}

void
part_divide_by_children(const PartitionRun *run, Part part, const Split *split)
{
	const int32 *ancestor = run->column[split->attribute].dimension->ancestor[split->level];
	const PartLabel *label = run->labels->chosen->label;

	place_children(run, part, split);
	/* Moves each record to the next place of its child, until all are there. */
	for (int32 child = 0; child < split->children; child++)
	{
		CHECK_FOR_INTERRUPTS();
		while (run->next[child] < run->child[child].end)
		{
			int32 *record = dataset_record(run->dataset, run->next[child]);
			int32 code = record[split->attribute];
			int32 home = code == DATASET_NULL ? split->null_child : label[ancestor[code]].child;
			int64 place = run->next[home]++;

			interrupt_check(place);
			if (home != child)
				part_swap_records(record, dataset_record(run->dataset, place),
								  run->dataset->stride);
		}
	}
}
