/*
 * oracle.c
 *		See oracle.h.
 *
 * Equivalence classes are refined attribute by attribute: rows share a class
 * if they shared one before and have the same label.  Nodes that share their
 * first levels share that work.
 */
#include "postgres.h"

#include "oracle.h"

#include <math.h>

/* A class by the one before and a label. */
typedef struct Refined
{
	int before;
	int label;
	int after; /* -1: a free place */
} Refined;

typedef struct Counting
{
	const Table *table;
	Oracle *oracle;
	int places; /* a power of two */
	Refined *place;
	int64 *size;                      /* [class]: rows */
	int *class[TABLE_ATTRIBUTES + 1]; /* [attributes refined by][row] */
	int classes[TABLE_ATTRIBUTES + 1];
} Counting;

static Counting
counting_begin(const Table *table)
{
	Counting counting = {.table = table, .places = 2};

	while (counting.places < 2 * table->rows)
		counting.places *= 2;
	counting.place = malloc(sizeof(Refined) * counting.places);
	counting.size = malloc(sizeof(int64) * (table->rows + 1));
	for (int i = 0; i <= table->attributes; i++)
		counting.class[i] = calloc(table->rows + 1, sizeof(int));
	counting.classes[0] = 1;
	return counting;
}

static void
counting_end(Counting *counting)
{
	for (int i = 0; i <= counting->table->attributes; i++)
		free(counting->class[i]);
	free(counting->place);
	free(counting->size);
}

static int
refined_class(Counting *counting, int before, int label, int *classes)
{
	uint32 at = (uint32) before * 2654435761u + (uint32) label * 40503u;

	for (at ^= at >> 15;; at++)
	{
		Refined *place = &counting->place[at & (uint32) (counting->places - 1)];

		if (place->after < 0)
			*place = (Refined){before, label, (*classes)++};
		if (place->before == before && place->label == label)
			return place->after;
	}
}

/* From the classes by the first "attribute" attributes to those by one more. */
static void
refine(Counting *counting, int attribute, int level)
{
	const int *before = counting->class[attribute];
	int *after = counting->class[attribute + 1];
	int classes = 0;

	memset(counting->place, 0xFF, sizeof(Refined) * counting->places);
	for (int row = 0; row < counting->table->rows; row++)
	{
		int label = level == ORACLE_ALL ? 0 : table_label(counting->table, row, attribute, level);

		after[row] = refined_class(counting, before[row], label, &classes);
	}
	counting->classes[attribute + 1] = classes;
}

/* What the last classes say. */
static void
tally(Counting *counting, OracleNode *node)
{
	const Table *table = counting->table;
	const int *class = counting->class[table->attributes];
	int64 *size = counting->size;

	node->groups = counting->classes[table->attributes];
	memset(size, 0, sizeof(int64) * (table->rows + 1));
	for (int row = 0; row < table->rows; row++)
		size[class[row]]++;
	for (int i = 0; i < node->groups; i++)
		if (size[i] < table->k)
		{
			node->small_groups++;
			node->small_rows += size[i];
		}
		else
		{
			node->squares += (double) (size[i] * size[i]);
			node->smallest = node->smallest == 0 ? size[i] : Min(node->smallest, size[i]);
		}
	/* The share is drawn in thousandths. */
	node->satisfies =
		node->small_rows <= (int64) (table->suppression * 1000 + 0.5) * table->rows / 1000;
}

OracleNode
oracle_count(const Table *table, const int *level)
{
	Counting counting = counting_begin(table);
	OracleNode node = {0};

	for (int i = 0; i < table->attributes; i++)
	{
		node.level[i] = level[i];
		node.height += level[i];
		refine(&counting, i, level[i]);
	}
	tally(&counting, &node);
	counting_end(&counting);
	return node;
}

static void
visit(Counting *counting, OracleNode *node, int attribute)
{
	const Table *table = counting->table;

	if (attribute == table->attributes)
	{
		OracleNode *mine = &counting->oracle->node[counting->oracle->nodes++];

		*mine = *node;
		tally(counting, mine);
		return;
	}
	for (int level = 0; level <= table->attribute[attribute].height; level++)
	{
		refine(counting, attribute, level);
		node->level[attribute] = level;
		node->height += level;
		visit(counting, node, attribute + 1);
		node->height -= level;
	}
}

int
oracle_index(const Table *table, const int *level)
{
	int index = 0;

	for (int i = 0; i < table->attributes; i++)
		index = index * (table->attribute[i].height + 1) + level[i];
	return index;
}

Oracle *
oracle_ask(const Table *table)
{
	Counting counting = counting_begin(table);
	Oracle *oracle = calloc(1, sizeof(Oracle));
	OracleNode node = {0};

	oracle->node = calloc(table_nodes(table), sizeof(OracleNode));
	counting.oracle = oracle;
	visit(&counting, &node, 0);
	counting_end(&counting);
	return oracle;
}

void
oracle_free(Oracle *oracle)
{
	free(oracle->node);
	free(oracle);
}

int
oracle_distinct(const Table *table, int attribute, int level)
{
	int labels = table->attribute[attribute].labels[level] + 1;
	bool *seen = calloc(labels, sizeof(bool));
	int distinct = 0;

	for (int row = 0; row < table->rows; row++)
	{
		bool *mine = &seen[table_label(table, row, attribute, level)];

		distinct += !*mine;
		*mine = true;
	}
	free(seen);
	return distinct;
}

/*
 * Adds to each row what its cell loses: the values of the domain under its label, less one, times
 * this.  NULL is a value of its own until all are one.
 */
static void
add_penalties(const Table *table, int attribute, int level, double times, double *penalty)
{
	const Attribute *described = &table->attribute[attribute];
	int *under = calloc(described->labels[level] + 1, sizeof(int));

	for (int value = 0; value < described->domain; value++)
		under[described->label[level][value]]++;
	under[described->labels[level]] = 1;
	for (int row = 0; row < table->rows; row++)
		penalty[row] += times * (under[table_label(table, row, attribute, level)] - 1);
	free(under);
}

/* Does a single label stand for one value and for NULL? */
static bool
hides_null_alone(const Table *table, int attribute, int level)
{
	const Attribute *described = &table->attribute[attribute];

	if (described->domain != 1 || level == 0 || level < described->height)
		return false;
	for (int row = 0; row < table->rows; row++)
		if (table->cell[row * table->attributes + attribute] == CELL_NULL)
			return true;
	return false;
}

/* The loss of each row. */
static double *
row_losses(const Table *table, const int *level)
{
	double *loss = calloc(table->rows, sizeof(double));
	double weights = 0;

	for (int i = 0; i < table->attributes; i++)
		weights += table->weight[i];
	for (int i = 0; i < table->attributes; i++)
	{
		double share = weights > 0 ? table->weight[i] / weights : 0;

		if (table->attribute[i].domain > 1)
			add_penalties(table, i, level[i], share / (table->attribute[i].domain - 1), loss);
		else if (hides_null_alone(table, i, level[i]))
			for (int row = 0; row < table->rows; row++)
				loss[row] += share;
	}
	return loss;
}

double
oracle_loss(const Table *table, const int *level)
{
	double *loss = row_losses(table, level);
	double sum = 0;

	for (int row = 0; row < table->rows; row++)
		sum += loss[row];
	free(loss);
	return sum / table->rows;
}

double
oracle_total_loss(const Table *table, const int *level)
{
	Counting counting = counting_begin(table);
	double *loss = row_losses(table, level);
	OracleNode node = {0};
	double sum = 0;

	for (int i = 0; i < table->attributes; i++)
		refine(&counting, i, level[i]);
	tally(&counting, &node);
	for (int row = 0; row < table->rows; row++)
		sum += counting.size[counting.class[table->attributes][row]] < table->k ? 1 : loss[row];
	counting_end(&counting);
	free(loss);
	return sum / table->rows;
}

double
oracle_precision(const Table *table, const int *level)
{
	double sum = 0;

	for (int i = 0; i < table->attributes; i++)
		if (table->attribute[i].height > 0)
			sum += (double) level[i] / table->attribute[i].height;
	return 1 - sum / table->attributes;
}
