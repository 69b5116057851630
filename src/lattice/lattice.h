/*
 * lattice.h
 *		The generalization lattice of a set of attributes: all vectors of levels, ordered
 *		componentwise (LeFevre, DeWitt, Ramakrishnan 2005a, section 2.1).
 *
 * Nodes are numbered in the lexicographic order of the level vectors.  Attributes that the
 * space carries are in every node, and in no lattice.
 */
#ifndef KANON_LATTICE_H
#define KANON_LATTICE_H

#include "postgres.h"

#include "frequency/frequency_space.h"

typedef struct Lattice
{
	int width;      /* of a node: all attributes of the space, those carried too */
	int quasi;      /* quasi-identifiers of the space */
	int attributes; /* in this lattice */
	int *attribute; /* their places in a node, ascending */
	Level *height;  /* [0 .. attributes - 1] */
	int64 *stride;  /* [0 .. attributes - 1]: distance of a node to the next level's */
	int64 nodes;
	Level *levels; /* [node * attributes + i]: all vectors, so that nobody divides */
	Budget *budget;
} Lattice;

/*
 * The lattice of some attributes of a space (ascending), or of all quasi-identifiers; palloc'd,
 * with a byte for each node and attribute, for which the space's budget is asked.
 */
extern Lattice *lattice_create(const FrequencySpace *space, const int *attribute, int attributes);
extern Lattice *lattice_create_full(const FrequencySpace *space);

extern void lattice_free(Lattice *lattice);

/* Fills node (width entries); quasi-identifiers outside get LEVEL_ALL. */
extern void lattice_node(const Lattice *lattice, int64 index, Level *node);

/*
 * The componentwise lowest levels of the nodes whose flag is set, as a node
 * (width entries); false if there are none.
 */
extern bool lattice_lowest(const Lattice *lattice, const bool *flags, Level *lowest);

/* The level of the i-th attribute of the lattice. */
static inline int
lattice_level(const Lattice *lattice, int64 index, int i)
{
	return lattice->levels[index * lattice->attributes + i];
}

extern int lattice_height(const Lattice *lattice, int64 index);

/* The greatest height: that of the most general node. */
extern int lattice_top_height(const Lattice *lattice);

/* An array with an entry of a size for each node, all zero; palloc'd within the budget. */
extern void *lattice_allocate(const Lattice *lattice, Size size);

/*
 * Node numbers by height, then by number; of lattice_allocate.  *first, palloc'd, has
 * where each height begins (lattice_top_height + 2 entries).
 */
extern int64 *lattice_order(const Lattice *lattice, int64 **first);

#endif /* KANON_LATTICE_H */
