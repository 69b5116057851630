/*
 * choice.c
 *		See choice.h.
 */
#include "postgres.h"

#include "lattice/choice.h"

#include "base/interrupt.h"
#include "miscadmin.h"

/* Sets from which the classes of nodes are counted. */
typedef struct ClassCounter
{
	Search *search;
	const LossTable *loss;
	FrequencySet *base;
	List *cache;
} ClassCounter;

/* The losses of a node's small groups. */
typedef struct NodeLoss
{
	const LossTable *table;
	const Level *node;
} NodeLoss;

static double
loss_of_key(const void *state, const uint64 *key)
{
	const NodeLoss *loss = state;

	return loss_of_group(loss->table, loss->node, key);
}

/* The componentwise lowest levels of all nodes; all of them roll up from there. */
static Level *
common_specialization(const FrequencySpace *space, const Answer *answer)
{
	Level *lowest = palloc(sizeof(Level) * space->attributes);

	memset(lowest, LEVEL_ALL, sizeof(Level) * space->attributes);
	for (int64 n = 0; n < answer->count; n++)
		for (int i = 0; i < space->attributes; i++)
			lowest[i] = Min(lowest[i], answer->node[n * space->attributes + i]);
	return lowest;
}

/* Reads the table; the answer has nodes. */
static void
counter_begin(ClassCounter *counter, const Answer *answer)
{
	FrequencySource *source = counter->search->source;

	counter->base = source->read_node(source, common_specialization(source->space, answer));
	counter->cache = list_make1(counter->base);
}

static ClassMetrics
count_node(ClassCounter *counter, const Level *node)
{
	const Search *search = counter->search;
	NodeLoss loss = {counter->loss, node};
	TallyRequest request = {.threshold = search->k,
							.max_groups = -1,
							.keep = TALLY_KEEP | TALLY_KEEP_ONLY_SMALL,
							.loss = loss_of_key,
							.state = &loss};
	int64 rows = search->source->space->rows;
	FrequencyTally tally;
	ClassMetrics metrics;

	CHECK_FOR_INTERRUPTS();
	tally = set_cache_tally(&counter->cache, search->judge, &search->requirement, node, request);
	metrics = (ClassMetrics){
		.classes = tally.groups - tally.small_groups,
		.smallest = tally.smallest,
		.suppressed = tally.small_rows,
		.discernibility = tally.squares + (double) tally.small_rows * (double) rows,
		.total_loss = loss_with_suppressed(counter->loss, node, tally.small_rows, &tally.losses)};
	if (metrics.classes > 0)
		metrics.average_class =
			(double) (rows - tally.small_rows) / (double) metrics.classes / (double) search->k;
	return metrics;
}

static void
counter_end(ClassCounter *counter)
{
	set_cache_free(counter->cache);
	frequency_set_free(counter->base);
}

ClassMetrics *
class_metrics_compute(Search *search, const Answer *answer, const LossTable *loss)
{
	ClassMetrics *metrics = budget_allocate(search->budget, answer->count, sizeof(ClassMetrics),
											"set of generalizations");
	ClassCounter counter = {.search = search, .loss = loss};

	if (answer->count == 0)
		return metrics;
	counter_begin(&counter, answer);
	for (int64 n = 0; n < answer->count; n++)
		metrics[n] = count_node(&counter, answer->node + n * search->source->space->attributes);
	counter_end(&counter);
	return metrics;
}

/*
 * ---- The order.
 *
 * A heap has all nodes, first by their losses.  The least one is counted and put back by its total
 * loss, which is not less; when it comes out again, no other can lose less.
 */

typedef struct ChosenNode
{
	double loss;  /* the total loss, or a lower bound of it */
	int64 number; /* in the answer */
	bool counted;
} ChosenNode;

struct Choice
{
	const Answer *answer;
	int width; /* of a node */
	ClassCounter counter;
	int64 left;
	ChosenNode *heap; /* [left]: no node loses less than that at (n - 1) / 2 */
};

/* By loss; ties keep the order of the answer. */
static int
compare_chosen(const void *a, const void *b)
{
	const ChosenNode *one = a;
	const ChosenNode *other = b;
	int by_loss = interrupt_compare_double(&one->loss, &other->loss);

	return by_loss != 0 ? by_loss : one->number < other->number ? -1 : 1;
}

/* Moves the first node down to its place. */
static void
sift_down(Choice *choice)
{
	ChosenNode moved = choice->heap[0];
	int64 at = 0;
	int64 below;

	while ((below = 2 * at + 1) < choice->left)
	{
		if (below + 1 < choice->left &&
			compare_chosen(&choice->heap[below + 1], &choice->heap[below]) < 0)
			below++;
		if (compare_chosen(&moved, &choice->heap[below]) < 0)
			break;
		choice->heap[at] = choice->heap[below];
		at = below;
	}
	choice->heap[at] = moved;
}

Choice *
choice_begin(Search *search, const Answer *answer, const LossTable *loss)
{
	Choice *choice = palloc0(sizeof(Choice));
	bool counted = search->requirement.suppressible == 0;

	choice->answer = answer;
	choice->width = search->source->space->attributes;
	choice->counter = (ClassCounter){.search = search, .loss = loss};
	choice->left = answer->count;
	choice->heap = budget_allocate(search->budget, answer->count, sizeof(ChosenNode),
								   "set of generalizations");
	for (int64 n = 0; n < answer->count; n++)
	{
		interrupt_check(n);
		choice->heap[n] = (ChosenNode){loss_of(loss, answer->node + n * choice->width), n, counted};
	}
	qsort(choice->heap, answer->count, sizeof(ChosenNode), compare_chosen);
	if (!counted && answer->count > 0)
		counter_begin(&choice->counter, answer);
	return choice;
}

ClassMetrics
choice_metrics(Choice *choice, int64 number)
{
	Level *node = choice->answer->node + number * choice->width;

	if (choice->counter.base == NULL)
		counter_begin(&choice->counter, &(Answer){.count = 1, .node = node});
	return count_node(&choice->counter, node);
}

void
choice_end(Choice *choice)
{
	if (choice->counter.base)
		counter_end(&choice->counter);
	pfree(choice->heap);
	pfree(choice);
}

int64
choice_next(Choice *choice)
{
	ChosenNode *first = choice->heap;
	int64 number;

	if (choice->left == 0)
		return -1;
	while (!first->counted)
	{
		first->loss = choice_metrics(choice, first->number).total_loss;
		first->counted = true;
		sift_down(choice);
	}
	number = first->number;
	choice->heap[0] = choice->heap[--choice->left];
	sift_down(choice);
	return number;
}
