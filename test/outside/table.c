/*
 * table.c
 *		See table.h.
 *
 * Three shapes.  Small ones: few rows, deep lattices.  Wide ones: many
 * attributes with many values each, so that a key takes two or three words.
 * Large ones: more groups than a hash table holds at its beginning, so that
 * tables grow, or spill where memory is short; if there are few values, the
 * dictionaries leave room to come so far.  A fuzzer has tiny ones, nearly always.
 */
#include "postgres.h"

#include "table.h"

typedef struct Shape
{
	int attributes;
	int rows;
	int domain; /* at most */
	int height; /* at most */
	int nodes;  /* at most */
} Shape;

static Shape
draw_shape(Draw *draw)
{
	static const int row_choices[] = {3, 12, 60, 300};
	static const int domain_choices[] = {2, 5, 30, 300};
	int kind = draw_below(draw, 128);

	if (DRAW_SELDOM > 1 && !draw_one_in(draw, DRAW_SELDOM))
		return (Shape){draw_between(draw, 1, 3), draw_below(draw, 13), 5, 3, 30};
	if (kind == 127)
		return (Shape){draw_one_in(draw, 8) ? 9 : draw_between(draw, 1, 4),
					   draw_between(draw, 4100, 5000), 20000, 2, 12};
	if (kind >= 116)
		return (Shape){draw_between(draw, 1, 5), draw_between(draw, 600, 2500),
					   draw_one_in(draw, 2) ? 16 : 3000, 3, 60};
	if (kind >= 96)
		return (Shape){draw_between(draw, 7, draw_one_in(draw, 16) ? TABLE_ATTRIBUTES : 22),
					   draw_below(draw, 301), 600, 2, 24};
	return (Shape){draw_between(draw, 1, 6), draw_below(draw, row_choices[draw_below(draw, 4)] + 1),
				   domain_choices[draw_below(draw, 4)], TABLE_LEVELS - 1, 400};
}

/* One level more: a many-to-one map from the labels below. */
static void
draw_level(Draw *draw, Attribute *attribute, int level)
{
	int below = attribute->labels[level - 1];
	int labels = draw_one_in(draw, 4) ? below : draw_between(draw, 1, below);
	int *parent = malloc(sizeof(int) * below);

	if (level == attribute->height && !draw_one_in(draw, 3))
		labels = 1;
	for (int i = 0; i < below; i++)
		parent[i] = draw_below(draw, labels);
	attribute->labels[level] = labels;
	attribute->label[level] = malloc(sizeof(int) * attribute->domain);
	for (int value = 0; value < attribute->domain; value++)
		attribute->label[level][value] = parent[attribute->label[level - 1][value]];
	free(parent);
}

static void
draw_attribute(Draw *draw, Attribute *attribute, const Shape *shape, int *nodes)
{
	int most = Min(shape->height, shape->nodes / *nodes - 1);

	attribute->kind = (ValueKind) draw_below(draw, VALUE_KINDS);
	attribute->height = draw_below(draw, most + 1);
	attribute->domain = shape->domain > 300 && !draw_one_in(draw, 4)
							? shape->domain
							: draw_between(draw, 1, shape->domain);
	*nodes *= attribute->height + 1;
	attribute->labels[0] = attribute->domain;
	attribute->label[0] = malloc(sizeof(int) * attribute->domain);
	for (int value = 0; value < attribute->domain; value++)
		attribute->label[0][value] = value;
	for (int level = 1; level <= attribute->height; level++)
		draw_level(draw, attribute, level);
}

/* Each column spreads its own way; some rows repeat the one before. */
static void
draw_cells(Draw *draw, Table *table)
{
	int repeats = draw_below(draw, 4);

	for (int i = 0; i < table->attributes; i++)
	{
		int domain = table->attribute[i].domain;
		int null_in = draw_one_in(draw, 2) ? 0 : draw_between(draw, 1, 12);
		int narrow = draw_between(draw, 1, domain);
		bool skewed = draw_one_in(draw, 3);

		for (int row = 0; row < table->rows; row++)
		{
			bool is_null = null_in > 0 && draw_one_in(draw, null_in);
			int reach = skewed && !draw_one_in(draw, 4) ? narrow : domain;

			table->cell[row * table->attributes + i] =
				is_null ? CELL_NULL : draw_below(draw, reach);
		}
	}
	for (int row = 1; row < table->rows; row++)
		if (repeats > 0 && draw_below(draw, 4) < repeats)
			memcpy(table->cell + row * table->attributes,
				   table->cell + (row - 1) * table->attributes, sizeof(int) * table->attributes);
}

/* Half of the searches have memory enough, the others hardly or not. */
static Size
draw_limit(Draw *draw, const Shape *shape)
{
	int kilobytes = shape->rows > 300 && draw_one_in(draw, 2) ? 400 : 60;

	if (draw_one_in(draw, 2))
		return ENOUGH_MEMORY;
	if (draw_one_in(draw, 8))
		return draw_below(draw, 20 * 1024);
	return (Size) draw_between(draw, 20, 20 + kilobytes) * 1024 + draw_below(draw, 1024);
}

static void
draw_parameters(Draw *draw, Table *table, const Shape *shape)
{
	table->k = draw_one_in(draw, 8) ? draw_between(draw, 1, table->rows + 1)
									: draw_between(draw, 1, Max(Min(10, table->rows), 1));
	if (!draw_one_in(draw, 2))
		table->suppression = draw_below(draw, draw_one_in(draw, 8) ? 1000 : 300) / 1000.0;
	table->limit = draw_limit(draw, shape);
	table->cancel_after = draw_one_in(draw, 16) ? draw_between(draw, 1, 400) : 0;
	table->counted = draw_one_in(draw, 3);
	table->split_sets = draw_one_in(draw, 4);
	for (int i = 0; i < table->attributes; i++)
		table->weight[i] = draw_below(draw, 4);
}

Table *
table_draw(Draw *draw)
{
	Table *table = calloc(1, sizeof(Table));
	Shape shape = draw_shape(draw);
	int nodes = 1;

	table->attributes = shape.attributes;
	table->rows = shape.rows;
	draw_parameters(draw, table, &shape);
	for (int i = 0; i < table->attributes; i++)
		draw_attribute(draw, &table->attribute[i], &shape, &nodes);
	table->cell = malloc(Max(sizeof(int) * table->rows * table->attributes, 1));
	draw_cells(draw, table);
	return table;
}

void
table_free(Table *table)
{
	for (int i = 0; i < table->attributes; i++)
		for (int level = 0; level <= table->attribute[i].height; level++)
			free(table->attribute[i].label[level]);
	free(table->cell);
	free(table);
}

int
table_label(const Table *table, int row, int attribute, int level)
{
	const Attribute *described = &table->attribute[attribute];
	int cell = table->cell[row * table->attributes + attribute];

	if (cell != CELL_NULL)
		return described->label[level][cell];
	if (level == described->height && level > 0 && described->labels[level] == 1)
		return 0;
	return described->labels[level];
}

int
table_nodes(const Table *table)
{
	int nodes = 1;

	for (int i = 0; i < table->attributes; i++)
		nodes *= table->attribute[i].height + 1;
	return nodes;
}
