/*
 * loss.c
 *		See loss.h.
 *
 * Example: ages 20 to 29 (M = 10) in ranges of five: every value has m = 5, so
 * the loss at that level is (5 - 1) / (10 - 1) = 0.44; at the top it is 1.
 */
#include "postgres.h"

#include "metric/loss.h"

/* The loss of a label of a dimension. */
static double
loss_of_label(const Dimension *dimension, int level, int32 label)
{
	if (level > dimension->height || (level == dimension->height && dimension->single_top))
		return loss_of_all(dimension->domain, dimension_has_others(dimension));
	return loss_of_leaves(dimension->leaves[level][label], dimension->domain);
}

/* The mean loss of one attribute at one level. */
static double
attribute_loss(const FrequencySpace *space, int attribute, Level level)
{
	const Dimension *dimension = space->dimension[attribute];
	double others = 0; /* values that rows could have besides their own */
	double hidden = 0; /* rows that could have any value */

	if (level == dimension->height && dimension->single_top)
		return loss_of_all(dimension->domain, dimension_has_others(dimension));
	for (int32 ground = 0; ground < dimension->cardinality[0]; ground++)
	{
		int32 leaves = dimension->leaves[level][dimension->ancestor[level][ground]];

		if (leaves > dimension->domain)
			hidden += (double) space->marginal[attribute][ground];
		else
			others += (double) space->marginal[attribute][ground] * (leaves - 1);
	}
	return (loss_of_part(others, (double) dimension->domain - 1) +
			hidden * loss_of_all(dimension->domain, true)) /
		   (double) Max(space->rows, 1);
}

LossTable *
loss_table_create(const FrequencySpace *space, const double *weight)
{
	LossTable *table = palloc(sizeof(LossTable));
	int attributes = space->quasi;
	double sum = 0;

	for (int i = 0; i < attributes; i++)
		sum += weight[i];
	table->space = space;
	table->attributes = attributes;
	table->share = palloc(sizeof(double) * Max(attributes, 1));
	table->loss = palloc(sizeof(double *) * attributes);
	table->height_share = palloc(sizeof(double *) * attributes);
	for (int i = 0; i < attributes; i++)
	{
		int height = space->dimension[i]->height;
		double share = sum > 0 ? weight[i] / sum : 0;

		table->share[i] = share;
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
loss_of_group(const LossTable *table, const Level *node, const uint64 *key)
{
	const FrequencySpace *space = table->space;
	double loss = 0;

	for (int i = 0; i < table->attributes; i++)
	{
		const KeyField *field = &space->field[i];

		loss += table->share[i] *
				loss_of_label(space->dimension[i], node[i],
							  (int32) ((key[field->word] >> field->shift) & field->mask));
	}
	return Min(loss, 1);
}

double
precision_of(const LossTable *table, const Level *node)
{
	double precision = 1;

	for (int i = 0; i < table->attributes; i++)
		precision -= table->height_share[i][node[i]];
	return Max(precision, 0);
}

double
loss_of_cell(const RecodingColumn *column, const RecodedCell *cell)
{
	const Dimension *dimension = column->dimension;

	switch (cell->kind)
	{
		case RECODED_NULL:
			return 0;
		case RECODED_SPAN:
			/*
			 * A single value need not have a place.  Different ones may lie at the same, and cells
			 * of others' releases beyond the whole.
			 */
			if (cell->low == cell->high)
				return 0;
			return Min(
				loss_of_part(recoding_place(column, cell->high) - recoding_place(column, cell->low),
							 column->whole),
				1);
		case RECODED_LABEL:
			return loss_of_label(
				dimension, cell->level,
				cell->level > dimension->height ? 0 : dimension->ancestor[cell->level][cell->low]);
		case RECODED_DIGITS:
			return loss_of_leaves(cell->leaves, dimension->domain);
		case RECODED_ALL:
			break;
	}
	return dimension ? loss_of_all(dimension->domain, dimension_has_others(dimension)) : 1;
}
