/*
 * anchor.h
 *		Algorithms of the field, written from their descriptions, to be measured beside kanon's
 *		own: a program that needs no server.
 *
 * A table is read from a CSV file with a hierarchy for each column.  An algorithm gives each
 * row a class of at least k; the label of a class is, in each attribute, the lowest node of the
 * hierarchy above all its values.  Loss is NCP by leaves.  All algorithms minimize that here,
 * whatever measure their papers have, because it is the one by which they are compared.
 *
 * What the papers leave open is decided where the code does it, in favour of the algorithm:
 * where several readings are possible all are tried, and the one of least loss counts.  None
 * of this was compared with the authors' programs.
 */
#ifndef ANCHOR_H
#define ANCHOR_H

#include <stdbool.h>
#include <stdint.h>

/* The loss of a cell that shows nothing.  Sums over MOST_ATTRIBUTES fit in 32 bits. */
#define WHOLE (UINT32_C(1) << 28)
#define MOST_ATTRIBUTES 15
#define MOST_LEVELS 12

/* Values that the table has, in the order of the hierarchy's leaves: code 0 .. values - 1. */
typedef struct Attribute
{
	int values;
	int leaves;                  /* of the hierarchy */
	int levels;                  /* with the ground; the last one has a single node */
	int *leaf;                   /* of each code, its place among the leaves */
	int *node[MOST_LEVELS];      /* of each code, at each level */
	uint32_t *loss[MOST_LEVELS]; /* of that node */
	const char **text[MOST_LEVELS];
} Attribute;

typedef struct Table
{
	int attributes;
	int rows;
	Attribute attribute[MOST_ATTRIBUTES];
	uint16_t *code[MOST_ATTRIBUTES]; /* of each row */
} Table;

/* What a class shows: in each attribute the node of that level above that value. */
typedef struct Label
{
	uint16_t code[MOST_ATTRIBUTES];
	uint8_t level[MOST_ATTRIBUTES];
	uint32_t loss; /* the sum over attributes */
} Label;

/* For each attribute and code, what the label would lose there if it took that value in. */
typedef struct Costs
{
	uint32_t *of[MOST_ATTRIBUTES];
	Label label; /* that they were last filled for */
} Costs;

extern Table *table_read(const char *directory);
extern void table_write(const Table *table, const int *class_of);

/* The mean loss of a cell. */
extern double table_loss(const Table *table, const int *class_of);

extern Label label_of_row(const Table *table, int row);
extern void label_add_row(const Table *table, Label *label, int row);
extern void label_add(const Table *table, Label *label, const Label *other);
/* Of the label if it took the row in. */
extern uint32_t label_loss_with(const Table *table, const Label *label, int row);

extern Costs *costs_create(const Table *table);
/* Fills what changed since the last call. */
extern void costs_fill(Costs *costs, const Table *table, const Label *label);

/* Memory is never freed; the program ends if there is none. */
extern void *allocate(int64_t count, int64_t size);
/* 0 .. count - 1, the same in each run. */
extern int draw(int count);

/*
 * Each fills class_of (0 ..) with classes of at least k rows.  "reading" is the number of the
 * reading of the paper, 0 ..; the name of that reading is returned, NULL: there are no more.
 */
extern const char *k_member(const Table *table, int k, int reading, int *class_of);
extern const char *top_down(const Table *table, int k, int reading, int *class_of);
extern const char *hilbert(const Table *table, int k, int reading, int *class_of);

#endif /* ANCHOR_H */
