/*
 * lattice.c
 *		See lattice.h.
 */
#include "postgres.h"

#include "lattice/lattice.h"

#include "base/interrupt.h"

void *
lattice_allocate(const Lattice *lattice, Size size)
{
	return budget_allocate(lattice->budget, lattice->nodes, size, "generalization lattice");
}

/* Computes each vector from the one before, like an odometer. */
static void
fill_levels(Lattice *lattice)
{
	int width = lattice->attributes;

	lattice->levels = lattice_allocate(lattice, sizeof(Level) * width);
	memcpy(lattice->levels, lattice->lowest, sizeof(Level) * width);
	for (int64 node = 1; node < lattice->nodes; node++)
	{
		Level *levels = lattice->levels + node * width;
		int i = width - 1;

		interrupt_check(node);
		memcpy(levels, levels - width, sizeof(Level) * width);
		for (; levels[i] == lattice->height[i]; i--)
			levels[i] = lattice->lowest[i];
		levels[i]++;
	}
}

static void
count_heights(Lattice *lattice)
{
	int heights = lattice_top_height(lattice) + 1;

	lattice->first = palloc0(sizeof(int64) * (heights + 1));
	for (int64 node = 0; node < lattice->nodes; node++)
	{
		interrupt_check(node);
		lattice->first[lattice_height(lattice, node) + 1]++;
	}
	for (int height = 1; height <= heights; height++)
		lattice->first[height] += lattice->first[height - 1];
}

Lattice *
lattice_create(const FrequencySpace *space, const int *attribute, int attributes)
{
	Lattice *lattice = palloc0(sizeof(Lattice));
	double nodes = 1;

	lattice->width = space->attributes;
	lattice->quasi = space->quasi;
	lattice->attributes = attributes;
	lattice->budget = space->budget;
	lattice->attribute = palloc(sizeof(int) * attributes);
	lattice->lowest = palloc(sizeof(Level) * attributes);
	lattice->height = palloc(sizeof(Level) * attributes);
	lattice->stride = palloc(sizeof(int64) * attributes);
	for (int i = 0; i < attributes; i++)
	{
		lattice->attribute[i] = attribute ? attribute[i] : i;
		lattice->lowest[i] = frequency_space_lowest(space, lattice->attribute[i]);
		lattice->height[i] = frequency_space_highest(space, lattice->attribute[i]);
		nodes *= lattice->height[i] - lattice->lowest[i] + 1;
	}
	/* A double, because the product may overflow any integer. */
	if (nodes > (double) space->budget->limit)
		budget_exceeded(space->budget, 0, "generalization lattice");
	lattice->nodes = 1;
	for (int i = attributes - 1; i >= 0; i--)
	{
		lattice->stride[i] = lattice->nodes;
		lattice->nodes *= lattice->height[i] - lattice->lowest[i] + 1;
	}
	fill_levels(lattice);
	count_heights(lattice);
	return lattice;
}

void
lattice_free(Lattice *lattice)
{
	pfree(lattice->levels);
	pfree(lattice->first);
	pfree(lattice->attribute);
	pfree(lattice->lowest);
	pfree(lattice->height);
	pfree(lattice->stride);
	pfree(lattice);
}

void
lattice_node(const Lattice *lattice, int64 index, Level *node)
{
	memset(node, LEVEL_ALL, sizeof(Level) * lattice->quasi);
	memset(node + lattice->quasi, 0, sizeof(Level) * (lattice->width - lattice->quasi));
	for (int i = 0; i < lattice->attributes; i++)
		node[lattice->attribute[i]] = (Level) lattice_level(lattice, index, i);
}

bool
lattice_lowest(const Lattice *lattice, const uint8 *state, NodeState wanted, Level *lowest)
{
	bool any = false;

	memset(lowest, LEVEL_ALL, sizeof(Level) * lattice->quasi);
	memset(lowest + lattice->quasi, 0, sizeof(Level) * (lattice->width - lattice->quasi));
	for (int64 index = 0; index < lattice->nodes; index++)
	{
		interrupt_check(index);
		if (state[index] != wanted)
			continue;
		any = true;
		for (int i = 0; i < lattice->attributes; i++)
		{
			Level *level = &lowest[lattice->attribute[i]];

			*level = Min(*level, (Level) lattice_level(lattice, index, i));
		}
	}
	return any;
}

int64
lattice_count(const Lattice *lattice, const uint8 *state, NodeState wanted)
{
	int64 count = 0;

	for (int64 index = 0; index < lattice->nodes; index++)
	{
		interrupt_check(index);
		count += state[index] == wanted;
	}
	return count;
}

bool
lattice_any_below(const Lattice *lattice, const uint8 *state, int64 index, NodeState least)
{
	for (int i = 0; i < lattice->attributes; i++)
		if (lattice_level(lattice, index, i) > lattice->lowest[i] &&
			state[index - lattice->stride[i]] >= least)
			return true;
	return false;
}

int64
lattice_number(const Lattice *lattice, const Level *levels)
{
	int64 number = 0;

	for (int i = 0; i < lattice->attributes; i++)
		number += (levels[i] - lattice->lowest[i]) * lattice->stride[i];
	return number;
}

int
lattice_height(const Lattice *lattice, int64 index)
{
	int height = 0;

	for (int i = 0; i < lattice->attributes; i++)
		height += lattice_level(lattice, index, i);
	return height;
}

int
lattice_top_height(const Lattice *lattice)
{
	return lattice_height(lattice, lattice->nodes - 1);
}

int64 *
lattice_order(const Lattice *lattice)
{
	Size bytes = sizeof(int64) * (lattice_top_height(lattice) + 1);
	int64 *next = memcpy(palloc(bytes), lattice->first, bytes);
	int64 *order = lattice_allocate(lattice, sizeof(int64));

	for (int64 node = 0; node < lattice->nodes; node++)
	{
		interrupt_check(node);
		order[next[lattice_height(lattice, node)]++] = node;
	}
	pfree(next);
	return order;
}
