/*
 * single_levels.c
 *		See single_levels.h.
 */
#include "postgres.h"

#include "single/single_levels.h"

#include "base/interrupt.h"
#include "frequency/rollup.h"
#include "lattice/choice.h"
#include "lattice/search.h"

#define PURPOSE "single-dimension recoding"

struct SingleLevels
{
	FrequencySource source; /* first */
	const CutSpace *space;
	Search search;
	const Answer *answer;
	Choice *choice;
};

/* A column without a dimension has one level above its values, which hides them. */
static Dimension *
flat_dimension(const SingleTable *table, int attribute)
{
	int32 values = table->codes[attribute] - table->has_null[attribute];
	int32 *label[2] = {NULL, NULL};
	int32 labels[2] = {0, 1};
	int32 *leaves[2] = {NULL, &values};
	DimensionInput input = {.height = 1,
							.ground_count = values,
							.label = (const int32 *const *) label,
							.label_count = labels,
							.leaves = (const int32 *const *) leaves,
							.domain = values,
							.has_null = table->has_null[attribute]};
	Dimension *dimension;

	label[1] = budget_allocate(table->budget, Max(values, 1), sizeof(int32), PURPOSE);
	dimension = dimension_create(&input, table->budget);
	pfree(label[1]);
	return dimension;
}

static FrequencySet *
read_ground(FrequencySource *source)
{
	const SingleTable *table = ((SingleLevels *) source)->space->table;
	FrequencySpace *space = source->space;
	FrequencySet *set = frequency_set_create(space, frequency_space_ground(space), table->groups);
	uint64 *entry = palloc(sizeof(uint64) * (space->words + 1));

	for (int32 group = 0; group < table->groups; group++)
	{
		interrupt_check(group);
		memset(entry, 0, sizeof(uint64) * space->words);
		for (int i = 0; i < table->attributes; i++)
			entry[space->field[i].word] |=
				(uint64) table->code[(Size) group * table->attributes + i] << space->field[i].shift;
		entry[space->words] = (uint64) table->members[group];
		frequency_set_append(set, entry);
	}
	pfree(entry);
	return set;
}

/* The marginals were counted with the table. */
static void
read_marginals(FrequencySource *source)
{
	(void) source;
}

static FrequencySet *
read_node(FrequencySource *source, const Level *node)
{
	FrequencySet *ground = read_ground(source);
	FrequencySet *set = rollup(ground, source->space, node);

	frequency_set_free(ground);
	return set;
}

SingleLevels *
single_levels_begin(const CutSpace *space, int64 k, double suppression)
{
	SingleLevels *levels = palloc0(sizeof(SingleLevels));
	const SingleTable *table = space->table;
	Dimension **dimension = palloc(sizeof(Dimension *) * table->attributes);
	double *weight = palloc(sizeof(double) * table->attributes);

	levels->space = space;
	for (int i = 0; i < table->attributes; i++)
	{
		const RecodingColumn *column = space->attribute[i].column;

		dimension[i] = column->dimension ? unconstify(Dimension *, column->dimension)
										 : flat_dimension(table, i);
		weight[i] = space->attribute[i].weight;
	}
	levels->source =
		(FrequencySource){.space = frequency_space_create(table->attributes, table->attributes,
														  dimension, table->rows_of, table->budget),
						  .read_ground = read_ground,
						  .read_marginals = read_marginals,
						  .read_node = read_node};
	levels->search = (Search){
		.source = &levels->source, .k = k, .suppression = suppression, .budget = table->budget};
	levels->answer = two_way.run(&levels->search, two_way.roots);
	levels->choice = choice_begin(&levels->search, levels->answer,
								  loss_table_create(levels->source.space, weight));
	return levels;
}

bool
single_levels_next(SingleLevels *levels, uint8 *mark)
{
	const CutSpace *space = levels->space;
	int64 number = choice_next(levels->choice);
	const Level *node;

	if (number < 0)
		return false;
	node = levels->answer->node + number * levels->source.space->attributes;
	memcpy(mark, space->mark, space->cuts);
	for (int i = 0; i < space->table->attributes; i++)
		for (int32 j = 0; j < space->attribute[i].nodes; j++)
		{
			const CutNode *of = &space->attribute[i].node[j];

			if (of->cut >= 0 && of->cell.level > node[i])
				mark[of->cut] = CUT_MADE;
		}
	return true;
}

void
single_levels_end(SingleLevels *levels)
{
	choice_end(levels->choice);
	pfree(levels);
}
