/*
 * loss.c
 *		See loss.h.
 *
 * Example: ages 20 to 29 (M = 10) in ranges of five: every value has m = 5, so
 * the loss at that level is (5 - 1) / (10 - 1) = 0.44; at the top it is 1.
 */
#include "postgres.h"

#include "metric/loss.h"

/* The mean penalty of one attribute at one level. */
static double
attribute_loss(const FrequencySpace *space, int attribute, Level level)
{
	const Dimension *dimension = space->dimension[attribute];
	double penalty = 0;

	/* Everything is hidden, also which rows are NULL: all that there is to lose, if anything. */
	if (level == dimension->height && dimension->single_top)
		return dimension->domain + (dimension->has_null ? 1 : 0) > 1 ? 1 : 0;
	if (dimension->domain <= 1)
		return 0;
	for (int32 ground = 0; ground < dimension->cardinality[0]; ground++)
	{
		int32 leaves = dimension->leaves[level][dimension->ancestor[level][ground]];

		penalty += (double) space->marginal[attribute][ground] * (leaves - 1);
	}
	return penalty / (dimension->domain - 1) / (double) space->rows;
}

static double
weight_sum(const double *weight, int attributes)
{
	double sum = 0;

	for (int i = 0; i < attributes; i++)
		sum += weight[i];
	return sum;
}

LossTable *
loss_table_create(const FrequencySpace *space, const double *weight)
{
	LossTable *table = palloc(sizeof(LossTable));
	int attributes = space->quasi;
	double sum = weight_sum(weight, attributes);

	table->attributes = attributes;
	table->loss = palloc(sizeof(double *) * attributes);
	table->height_share = palloc(sizeof(double *) * attributes);
	for (int i = 0; i < attributes; i++)
	{
		int height = space->dimension[i]->height;
		double share = sum > 0 ? weight[i] / sum : 0;

		table->loss[i] = palloc(sizeof(double) * (height + 1));
		table->height_share[i] = palloc(sizeof(double) * (height + 1));
		for (int level = 0; level <= height; level++)
		{
			table->loss[i][level] = share * attribute_loss(space, i, level);
			table->height_share[i][level] = height > 0 ? (double) level / height / attributes : 0;
		}
	}
	return table;
}

double
loss_of(const LossTable *table, const Level *node)
{
	double loss = 0;

	for (int i = 0; i < table->attributes; i++)
		loss += table->loss[i][node[i]];
	return loss;
}

double
precision_of(const LossTable *table, const Level *node)
{
	double precision = 1;

	for (int i = 0; i < table->attributes; i++)
		precision -= table->height_share[i][node[i]];
	return Max(precision, 0);
}

static double
span_loss(const RecodingColumn *column, int32 low, int32 high)
{
	double extent = recoding_place(column, high) - recoding_place(column, low);

	/* Different values may lie at one place. */
	return extent > 0 ? extent / column->whole : 0;
}

static double
label_loss(const Dimension *dimension, int level, int32 ground)
{
	int32 leaves = dimension->leaves[level][dimension->ancestor[level][ground]];

	/* NULL may be there, too. */
	if (level > 0 && level == dimension->height && dimension->single_top)
		return 1;
	return leaves > 1 ? (double) (leaves - 1) / (dimension->domain - 1) : 0;
}

/* A share of the digits. */
static double
digits_loss(int digits, const int32 *letter)
{
	int masked = 0;

	for (int digit = 0; digit < digits; digit++)
		masked += letter[digit] == RECODED_MASKED;
	return (double) masked / digits;
}

double
loss_of_cell(const RecodingColumn *column, const RecodedCell *cell)
{
	switch (cell->kind)
	{
		case RECODED_NULL:
			return 0;
		case RECODED_SPAN:
			return span_loss(column, cell->low, cell->high);
		case RECODED_LABEL:
			return label_loss(column->dimension, cell->level, cell->low);
		case RECODED_DIGITS:
			return digits_loss(column->digits, cell->letter);
		case RECODED_ALL:
			break;
	}
	return 1;
}
