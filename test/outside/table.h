/*
 * table.h
 *		A random table with hierarchies and the parameters of a search over it.
 *
 * Cells are numbers of values in the attribute's domain, labels are numbers at
 * their level: nothing here knows codes, keys or frequency sets.  All of it lies
 * in malloc's memory.
 */
#ifndef OUTSIDE_TABLE_H
#define OUTSIDE_TABLE_H

#include "postgres.h"

#include "draw.h"
#include "value.h"

#define TABLE_ATTRIBUTES 36
#define TABLE_LEVELS 6
#define CELL_NULL (-1)

/* A limit of memory that no case reaches. */
#define ENOUGH_MEMORY ((Size) 256 * 1024 * 1024)

typedef struct Attribute
{
	ValueKind kind;
	int height;
	int domain;               /* values 0 .. domain - 1, whether they occur or not */
	int labels[TABLE_LEVELS]; /* [level]: labels 0 .. labels - 1 */
	int *label[TABLE_LEVELS]; /* [level][value]; many-to-one from level to level */
} Attribute;

typedef struct Table
{
	int attributes;
	int rows;
	Attribute attribute[TABLE_ATTRIBUTES];
	int *cell; /* [row * attributes + attribute]: a value or CELL_NULL */
	double weight[TABLE_ATTRIBUTES];
	int64 k;
	double suppression;
	Size limit;         /* of memory, bytes */
	int64 cancel_after; /* checks for interrupts; 0: never */
	bool counted;       /* equal rows come together, with their number */
	bool split_sets;    /* sets read from the table have a group in several parts */
} Table;

extern Table *table_draw(Draw *draw);
extern void table_free(Table *table);

/*
 * The label of a cell at a level; NULL's is one behind the last, but at a top
 * with a single label it is that.
 */
extern int table_label(const Table *table, int row, int attribute, int level);

/* Nodes of the lattice of all attributes. */
extern int table_nodes(const Table *table);

#endif /* OUTSIDE_TABLE_H */
