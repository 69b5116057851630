/*
 * anchor_table.c
 *		Tables and hierarchies from CSV files, labels and what they lose; see anchor.h.
 */
#include "anchor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
fail(const char *what, const char *which)
{
	fprintf(stderr, "anchor: %s: %s\n", what, which);
	exit(1);
}

void *
allocate(int64_t count, int64_t size)
{
	void *memory = calloc(count > 0 ? count : 1, size);

	if (memory == NULL)
		fail("out of memory", "calloc");
	return memory;
}

/* xorshift64* (Vigna). */
int
draw(int count)
{
	static uint64_t state = 20050614;

	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (int) (((state * UINT64_C(2685821657736338717)) >> 33) % (uint64_t) count);
}

/* ---- CSV */

typedef struct Lines
{
	int rows;
	int columns;
	char **cell; /* rows x columns */
} Lines;

static char *
file_read(const char *path)
{
	FILE *file = fopen(path, "rb");
	char *text;
	long size;

	if (file == NULL)
		fail("cannot open", path);
	fseek(file, 0, SEEK_END);
	size = ftell(file);
	rewind(file);
	text = allocate(size + 1, 1);
	if (fread(text, 1, size, file) != (size_t) size)
		fail("cannot read", path);
	fclose(file);
	return text;
}

/* Cuts a field off, in place: "" within quotes is one quote. */
static char *
field_next(char **at, char separator, bool *last)
{
	char *field = *at;
	char *to = field;
	char *from = field;
	bool quoted = *from == '"';

	if (quoted)
		from++;
	while (*from != '\0' && (quoted || (*from != separator && *from != '\n' && *from != '\r')))
	{
		if (quoted && *from == '"' && *++from != '"')
		{
			quoted = false;
			continue;
		}
		*to++ = *from++;
	}
	if (*from == '\r')
		from++;
	*last = *from != separator;
	*at = *from == '\0' ? from : from + 1;
	*to = '\0';
	return field;
}

static Lines
lines_read(const char *path, char separator)
{
	char *text = file_read(path);
	Lines lines = {0};
	int64_t most = 0;
	int64_t count = 0;
	bool last = false;

	while (*text != '\0')
	{
		if (count == most)
		{
			most = most * 2 + 1024;
			lines.cell = realloc(lines.cell, most * sizeof(char *));
			if (lines.cell == NULL)
				fail("out of memory", path);
		}
		lines.cell[count++] = field_next(&text, separator, &last);
		if (last && lines.columns == 0)
			lines.columns = (int) count;
		if (last && count % lines.columns != 0)
			fail("lines have not the same number of fields", path);
	}
	lines.rows = lines.columns == 0 ? 0 : (int) (count / lines.columns);
	return lines;
}

/* ---- hierarchies */

/* Numbers texts in the order in which they come, by open addressing. */
typedef struct Numbers
{
	int size; /* a power of 2 */
	int count;
	const char **text;
	int *number;
} Numbers;

static Numbers
numbers_create(int most)
{
	Numbers numbers = {.size = 16};

	while (numbers.size < most * 2)
		numbers.size *= 2;
	numbers.text = allocate(numbers.size, sizeof(char *));
	numbers.number = allocate(numbers.size, sizeof(int));
	return numbers;
}

/* -1: not there, and not to be added. */
static int
numbers_find(Numbers *numbers, const char *text, bool add)
{
	uint32_t hash = 2166136261u;

	for (const char *c = text; *c != '\0'; c++)
		hash = (hash ^ (uint8_t) *c) * 16777619u;
	for (int at = hash & (numbers->size - 1);; at = (at + 1) & (numbers->size - 1))
	{
		if (numbers->text[at] == NULL)
		{
			if (!add)
				return -1;
			numbers->text[at] = text;
			numbers->number[at] = numbers->count++;
		}
		if (strcmp(numbers->text[at], text) == 0)
			return numbers->number[at];
	}
}

/* A hierarchy file: its lines are leaves, numbers are those of labels at each level. */
typedef struct Hierarchy
{
	int leaves;
	int levels;
	int *number[MOST_LEVELS]; /* of each leaf, at each level */
	int *below[MOST_LEVELS];  /* leaves of each number */
	const char **text[MOST_LEVELS];
	Numbers ground;
} Hierarchy;

static const Hierarchy *sorted_hierarchy;

/* The top first: so siblings stand together at every level. */
static int
leaf_compare(const void *a, const void *b)
{
	const Hierarchy *hierarchy = sorted_hierarchy;

	for (int level = hierarchy->levels - 1; level >= 0; level--)
	{
		int difference =
			hierarchy->number[level][*(const int *) a] - hierarchy->number[level][*(const int *) b];

		if (difference != 0)
			return difference;
	}
	return 0;
}

/* Separated by ";" without a header, or by "," with one. */
static Hierarchy
hierarchy_read(const char *path)
{
	bool header = strchr(file_read(path), ';') == NULL;
	Lines lines = lines_read(path, header ? ',' : ';');
	char **cell = lines.cell + (header ? lines.columns : 0);
	Hierarchy hierarchy = {.leaves = lines.rows - header, .levels = lines.columns};

	if (hierarchy.levels >= MOST_LEVELS)
		fail("too many levels", path);
	for (int level = 0; level <= lines.columns; level++)
	{
		Numbers numbers = numbers_create(hierarchy.leaves);

		hierarchy.number[level] = allocate(hierarchy.leaves, sizeof(int));
		hierarchy.below[level] = allocate(hierarchy.leaves, sizeof(int));
		hierarchy.text[level] = allocate(hierarchy.leaves, sizeof(char *));
		for (int leaf = 0; leaf < hierarchy.leaves; leaf++)
		{
			const char *text =
				level == lines.columns ? "*" : cell[(int64_t) leaf * lines.columns + level];
			int number = numbers_find(&numbers, text, true);

			hierarchy.number[level][leaf] = number;
			hierarchy.below[level][number]++;
			hierarchy.text[level][number] = text;
		}
		if (level == 0)
			hierarchy.ground = numbers;
		if (level == 0 && numbers.count != hierarchy.leaves)
			fail("a ground value occurs twice", path);
		/* Only a hierarchy without a single top needs one more level. */
		hierarchy.levels = level + 1;
		if (numbers.count == 1)
			break;
	}
	return hierarchy;
}

static void
attribute_read(Table *table, int at, const Lines *lines, const char *path)
{
	Attribute *attribute = &table->attribute[at];
	Hierarchy hierarchy = hierarchy_read(path);
	int *order = allocate(hierarchy.leaves, sizeof(int));
	int *code_of = allocate(hierarchy.leaves, sizeof(int));
	bool *used = allocate(hierarchy.leaves, sizeof(bool));
	int *leaf_of_row = allocate(table->rows, sizeof(int));

	for (int row = 0; row < table->rows; row++)
	{
		const char *text = lines->cell[(int64_t) (row + 1) * lines->columns + at];

		leaf_of_row[row] = numbers_find(&hierarchy.ground, text, false);
		if (leaf_of_row[row] < 0)
			fail("a value is not in the hierarchy", text);
		used[leaf_of_row[row]] = true;
	}
	for (int leaf = 0; leaf < hierarchy.leaves; leaf++)
		order[leaf] = leaf;
	sorted_hierarchy = &hierarchy;
	qsort(order, hierarchy.leaves, sizeof(int), leaf_compare);
	attribute->leaves = hierarchy.leaves;
	attribute->levels = hierarchy.levels;
	attribute->leaf = allocate(hierarchy.leaves, sizeof(int));
	for (int level = 0; level < hierarchy.levels; level++)
	{
		attribute->node[level] = allocate(hierarchy.leaves, sizeof(int));
		attribute->loss[level] = allocate(hierarchy.leaves, sizeof(uint32_t));
		attribute->text[level] = allocate(hierarchy.leaves, sizeof(char *));
	}
	for (int place = 0; place < hierarchy.leaves; place++)
	{
		int leaf = order[place];
		int code = attribute->values;

		if (!used[leaf])
			continue;
		code_of[leaf] = code;
		attribute->leaf[code] = place;
		for (int level = 0; level < hierarchy.levels; level++)
		{
			int number = hierarchy.number[level][leaf];

			attribute->node[level][code] = number;
			attribute->text[level][code] = hierarchy.text[level][number];
			attribute->loss[level][code] =
				hierarchy.leaves < 2
					? 0
					: (uint32_t) ((uint64_t) WHOLE * (hierarchy.below[level][number] - 1) /
								  (hierarchy.leaves - 1));
		}
		attribute->values++;
	}
	if (attribute->values > UINT16_MAX)
		fail("too many values", path);
	table->code[at] = allocate(table->rows, sizeof(uint16_t));
	for (int row = 0; row < table->rows; row++)
		table->code[at][row] = (uint16_t) code_of[leaf_of_row[row]];
}

/* DIRECTORY/NAME.csv and DIRECTORY/hierarchy_COLUMN.csv, NAME being the directory's own. */
Table *
table_read(const char *directory)
{
	Table *table = allocate(1, sizeof(Table));
	const char *name = strrchr(directory, '/');
	char path[4096];
	Lines lines;

	snprintf(path, sizeof(path), "%s/%s.csv", directory, name == NULL ? directory : name + 1);
	lines = lines_read(path, ',');
	if (lines.columns > MOST_ATTRIBUTES || lines.columns == 0)
		fail("too many columns, or none", path);
	table->attributes = lines.columns;
	table->rows = lines.rows - 1;
	for (int at = 0; at < lines.columns; at++)
	{
		snprintf(path, sizeof(path), "%s/hierarchy_%s.csv", directory, lines.cell[at]);
		attribute_read(table, at, &lines, path);
	}
	return table;
}

/* ---- labels */

Label
label_of_row(const Table *table, int row)
{
	Label label = {0};

	for (int at = 0; at < table->attributes; at++)
		label.code[at] = table->code[at][row];
	return label;
}

/* The lowest level, from that one up, at which two values have one node. */
static inline int
level_of_both(const Attribute *attribute, int level, int one, int other)
{
	while (attribute->node[level][one] != attribute->node[level][other])
		level++;
	return level;
}

void
label_add_row(const Table *table, Label *label, int row)
{
	label->loss = 0;
	for (int at = 0; at < table->attributes; at++)
	{
		const Attribute *attribute = &table->attribute[at];
		int code = label->code[at];

		label->level[at] =
			(uint8_t) level_of_both(attribute, label->level[at], code, table->code[at][row]);
		label->loss += attribute->loss[label->level[at]][code];
	}
}

void
label_add(const Table *table, Label *label, const Label *other)
{
	label->loss = 0;
	for (int at = 0; at < table->attributes; at++)
	{
		const Attribute *attribute = &table->attribute[at];
		int code = label->code[at];
		int level = label->level[at] > other->level[at] ? label->level[at] : other->level[at];

		label->level[at] = (uint8_t) level_of_both(attribute, level, code, other->code[at]);
		label->loss += attribute->loss[label->level[at]][code];
	}
}

uint32_t
label_loss_with(const Table *table, const Label *label, int row)
{
	uint32_t loss = 0;

	for (int at = 0; at < table->attributes; at++)
	{
		const Attribute *attribute = &table->attribute[at];
		int code = label->code[at];

		loss += attribute->loss[level_of_both(attribute, label->level[at], code,
											  table->code[at][row])][code];
	}
	return loss;
}

Costs *
costs_create(const Table *table)
{
	Costs *costs = allocate(1, sizeof(Costs));

	for (int at = 0; at < table->attributes; at++)
	{
		costs->of[at] = allocate(table->attribute[at].values, sizeof(uint32_t));
		costs->label.level[at] = UINT8_MAX;
	}
	return costs;
}

void
costs_fill(Costs *costs, const Table *table, const Label *label)
{
	for (int at = 0; at < table->attributes; at++)
	{
		const Attribute *attribute = &table->attribute[at];
		int code = label->code[at];
		int level = label->level[at];

		if (level == costs->label.level[at] &&
			attribute->node[level][code] == attribute->node[level][costs->label.code[at]])
			continue;
		for (int value = 0; value < attribute->values; value++)
			costs->of[at][value] =
				attribute->loss[level_of_both(attribute, level, code, value)][code];
	}
	costs->label = *label;
}

/* ---- classes */

static Label *
class_labels(const Table *table, const int *class_of)
{
	Label *labels = allocate(table->rows, sizeof(Label));
	bool *begun = allocate(table->rows, sizeof(bool));

	for (int row = 0; row < table->rows; row++)
	{
		int class = class_of[row];

		if (begun[class])
			label_add_row(table, &labels[class], row);
		else
			labels[class] = label_of_row(table, row);
		begun[class] = true;
	}
	free(begun);
	return labels;
}

double
table_loss(const Table *table, const int *class_of)
{
	Label *labels = class_labels(table, class_of);
	double sum = 0;

	for (int row = 0; row < table->rows; row++)
		sum += labels[class_of[row]].loss;
	free(labels);
	return sum / WHOLE / table->attributes / table->rows;
}

/* Each row by its number, 1 .., and its labels. */
void
table_write(const Table *table, const int *class_of)
{
	Label *labels = class_labels(table, class_of);

	for (int row = 0; row < table->rows; row++)
	{
		const Label *label = &labels[class_of[row]];

		printf("%d", row + 1);
		for (int at = 0; at < table->attributes; at++)
		{
			putchar(',');
			putchar('"');
			for (const char *c = table->attribute[at].text[label->level[at]][label->code[at]];
				 *c != '\0'; c++)
			{
				if (*c == '"')
					putchar('"');
				putchar(*c);
			}
			putchar('"');
		}
		putchar('\n');
	}
}
