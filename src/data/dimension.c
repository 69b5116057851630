/*
 * dimension.c
 *		See dimension.h.
 *
 * Example: zip codes 53703, 53706, 53715 with labels 5370*, 5371* at level 1
 * and 537** at level 2.  ancestor[1] = {0, 0, 1}, ancestor[2] = {0, 0, 0},
 * cardinality = {3, 2, 1}.  If the table also has NULLs: cardinality =
 * {4, 3, 1}, ancestor[1] = {0, 0, 1, 2}, ancestor[2] = {0, 0, 0, 0}.
 */
#include "postgres.h"

#include "data/dimension.h"

#include "base/interrupt.h"

#define PURPOSE "generalization hierarchy"

static void
fill_ground_level(Dimension *dimension, const DimensionInput *input, Budget *budget)
{
	int32 codes = input->ground_count + (input->has_null ? 1 : 0);

	dimension->cardinality[0] = codes;
	dimension->ancestor[0] = budget_allocate(budget, codes, sizeof(int32), PURPOSE);
	dimension->leaves[0] = budget_allocate(budget, codes, sizeof(int32), PURPOSE);
	for (int32 code = 0; code < codes; code++)
	{
		interrupt_check(code);
		dimension->ancestor[0][code] = code;
		dimension->leaves[0][code] = 1;
	}
}

/* Places NULL at a level above the ground: a code of its own, or the single top label. */
static void
place_null(Dimension *dimension, int level, int32 grounds)
{
	int32 *ancestor = dimension->ancestor[level];
	bool others = false; /* does the column have other values?  NULL alone tells nothing */
	int32 null_code = 0;

	/* A table of NULLs alone still has a top. */
	if (level < dimension->height || !dimension->single_top)
	{
		null_code = dimension->cardinality[level];
		dimension->leaves[level][dimension->cardinality[level]++] = 1;
	}
	else if (dimension->cardinality[level] == 0)
		dimension->leaves[level][dimension->cardinality[level]++] = dimension->domain;
	dimension->null_code[level] = null_code;
	for (int32 ground = 0; ground < grounds; ground++)
	{
		interrupt_check(ground);
		if (ancestor[ground] >= 0)
			continue;
		ancestor[ground] = null_code;
		others = true;
	}
	if (others)
		dimension->leaves[level][null_code] = dimension->domain + 1;
	if (dimension->has_null)
		ancestor[grounds] = null_code;
}

static void
fill_level(Dimension *dimension, const DimensionInput *input, int level, Budget *budget)
{
	int32 *code_of_label =
		budget_allocate(budget, input->label_count[level], sizeof(int32), PURPOSE);
	int32 *ancestor = budget_allocate(budget, dimension->cardinality[0], sizeof(int32), PURPOSE);
	int32 *leaves = budget_allocate(budget, Min(input->label_count[level], input->ground_count) + 1,
									sizeof(int32), PURPOSE);
	int32 codes = 0;
	bool has_null = input->has_null;

	memset(code_of_label, 0xFF, sizeof(int32) * input->label_count[level]);
	for (int32 ground = 0; ground < input->ground_count; ground++)
	{
		int32 label = input->label[level][ground];

		interrupt_check(ground);
		if (label < 0)
		{
			ancestor[ground] = -1;
			has_null = true;
			continue;
		}
		if (code_of_label[label] < 0)
		{
			leaves[codes] = input->leaves[level][label];
			code_of_label[label] = codes++;
		}
		ancestor[ground] = code_of_label[label];
	}
	dimension->ancestor[level] = ancestor;
	dimension->leaves[level] = leaves;
	dimension->cardinality[level] = codes;
	dimension->null_code[level] = -1;
	pfree(code_of_label);
	if (has_null)
		place_null(dimension, level, input->ground_count);
}

Dimension *
dimension_create(const DimensionInput *input, Budget *budget)
{
	Dimension *dimension = palloc0(sizeof(Dimension));
	int levels = input->height + 1;

	dimension->height = input->height;
	dimension->domain = input->domain;
	dimension->has_null = input->has_null;
	dimension->has_unknown = input->has_unknown;
	dimension->single_top = input->height > 0 && input->label_count[input->height] == 1;
	dimension->cardinality = palloc0(sizeof(int32) * levels);
	dimension->ancestor = palloc0(sizeof(int32 *) * levels);
	dimension->leaves = palloc0(sizeof(int32 *) * levels);
	dimension->null_code = palloc(sizeof(int32) * levels);
	fill_ground_level(dimension, input, budget);
	dimension->null_code[0] = input->has_null ? dimension->cardinality[0] - 1 : -1;
	for (int level = 1; level < levels; level++)
		fill_level(dimension, input, level, budget);
	return dimension;
}

int32 *
dimension_map(const Dimension *dimension, int from, int to)
{
	int32 *map =
		palloc_extended(sizeof(int32) * Max(dimension->cardinality[from], 1), MCXT_ALLOC_HUGE);

	for (int32 ground = 0; ground < dimension->cardinality[0]; ground++)
	{
		interrupt_check(ground);
		map[dimension->ancestor[from][ground]] = dimension->ancestor[to][ground];
	}
	return map;
}

Dimension *
dimension_ends(const Dimension *dimension)
{
	Dimension *ends = palloc(sizeof(Dimension));
	int top = dimension->height;

	*ends = *dimension;
	ends->height = Min(top, 1);
	ends->cardinality = palloc(sizeof(int32) * 2);
	ends->ancestor = palloc(sizeof(int32 *) * 2);
	ends->leaves = palloc(sizeof(int32 *) * 2);
	ends->null_code = palloc(sizeof(int32) * 2);
	for (int level = 0; level < 2; level++)
	{
		int of = level == 0 ? 0 : top;

		ends->cardinality[level] = dimension->cardinality[of];
		ends->ancestor[level] = dimension->ancestor[of];
		ends->leaves[level] = dimension->leaves[of];
		ends->null_code[level] = dimension->null_code[of];
	}
	return ends;
}
