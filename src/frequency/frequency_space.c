/*
 * frequency_space.c
 *		See frequency_space.h.
 */
#include "postgres.h"

#include "frequency/frequency_space.h"

#include "port/pg_bitutils.h"

#define WORD_BITS 64

int
frequency_space_layout(int attributes, const int32 *cardinality, KeyField *field)
{
	int *used = palloc0(sizeof(int) * Max(attributes, 1));
	int words = 1;

	for (int i = 0; i < attributes; i++)
	{
		int bits = cardinality[i] <= 1 ? 1 : pg_leftmost_one_pos32((uint32) cardinality[i] - 1) + 1;
		int word = 0;

		while (used[word] + bits > WORD_BITS)
			word++;
		field[i] =
			(KeyField){.word = word, .shift = used[word], .mask = (UINT64CONST(1) << bits) - 1};
		used[word] += bits;
		words = Max(words, word + 1);
	}
	pfree(used);
	return words;
}

FrequencySpace *
frequency_space_create(int attributes, int quasi, Dimension **dimension, int64 **marginal,
					   Budget *budget)
{
	FrequencySpace *space = palloc0(sizeof(FrequencySpace));
	int32 *cardinality = palloc(sizeof(int32) * attributes);

	space->attributes = attributes;
	space->quasi = quasi;
	space->dimension = dimension;
	space->marginal = marginal;
	space->budget = budget;
	space->context = CurrentMemoryContext;
	space->field = palloc(sizeof(KeyField) * attributes);
	space->part = palloc0(sizeof(uint64 **) * attributes);
	for (int i = 0; i < attributes; i++)
	{
		int levels = dimension[i]->height + 1;

		cardinality[i] = dimension[i]->cardinality[0];
		space->part[i] = palloc0(sizeof(uint64 *) * levels * levels);
	}
	for (int32 code = 0; code < cardinality[0]; code++)
		space->rows += marginal[0][code];
	space->words = frequency_space_layout(attributes, cardinality, space->field);
	pfree(cardinality);
	return space;
}

const uint64 *
frequency_space_part(FrequencySpace *space, int attribute, Level from, Level to)
{
	const Dimension *dimension = space->dimension[attribute];
	uint64 **slot = &space->part[attribute][from * (dimension->height + 1) + to];

	if (*slot == NULL)
	{
		int32 codes = dimension->cardinality[from];
		int32 *map = dimension_map(dimension, from, to);

		*slot = budget_allocate_in(space->budget, space->context, mul_size(sizeof(uint64), codes),
								   "generalization hierarchy");
		for (int32 code = 0; code < codes; code++)
			(*slot)[code] = (uint64) map[code] << space->field[attribute].shift;
		pfree(map);
	}
	return *slot;
}

double
frequency_space_domain(const FrequencySpace *space, const Level *node)
{
	double domain = 1;

	for (int i = 0; i < space->attributes; i++)
		if (node[i] != LEVEL_ALL)
			domain *= Max(space->dimension[i]->cardinality[node[i]], 1);
	return domain;
}

Level *
frequency_space_ground(const FrequencySpace *space)
{
	return palloc0(sizeof(Level) * space->attributes);
}

Level *
frequency_space_copy(const FrequencySpace *space, const Level *node)
{
	return memcpy(frequency_space_ground(space), node, sizeof(Level) * space->attributes);
}

void
frequency_space_drop_carried(const FrequencySpace *space, Level *node)
{
	memset(node + space->quasi, LEVEL_ALL, sizeof(Level) * (space->attributes - space->quasi));
}
