/*
 * lattice.h
 *		The generalization lattice of a set of attributes: all vectors of levels within the bounds
 *		of the space, ordered componentwise (LeFevre, DeWitt, Ramakrishnan 2005a, section 2.1).
 *
 * Whatever holds of the lattice of all levels, as that what lies above a node satisfies if the node
 * does, holds of the nodes within bounds among each other; a node is *minimal* among these.
 *
 * Nodes are numbered in the lexicographic order of their level vectors.  Carried attributes of the
 * space are part of every node but not of the lattice.
 */
#ifndef KANON_LATTICE_H
#define KANON_LATTICE_H

#include "postgres.h"

#include "frequency/frequency_space.h"

typedef struct Lattice
{
	int width;      /* of a node: all attributes of the space, carried ones included */
	int quasi;      /* quasi-identifiers of the space */
	int attributes; /* in this lattice */
	int *attribute; /* their indexes in a node, ascending */
	Level *lowest;  /* [0 .. attributes - 1]: least level */
	Level *height;  /* [0 .. attributes - 1]: greatest level */
	int64 *stride;  /* [0 .. attributes - 1]: difference of node numbers between levels */
	int64 nodes;
	Level *levels; /* [node * attributes + i]: all vectors, which saves divisions */
	int64 *first;  /* [0 .. top height + 1]: where the height begins in lattice_order */
	Budget *budget;
} Lattice;

/*
 * The lattice of some attributes of a space (ascending; NULL: the first ones); palloc'd against the
 * space's budget: a byte for each node and attribute.
 */
extern Lattice *lattice_create(const FrequencySpace *space, const int *attribute, int attributes);

extern void lattice_free(Lattice *lattice);

/* Fills in node (width entries); quasi-identifiers outside the lattice get LEVEL_ALL. */
extern void lattice_node(const Lattice *lattice, int64 index, Level *node);

/* What a search knows of a node, in the order in which it learns it; one byte for each node. */
typedef enum NodeState
{
	NODE_OUT,       /* not asked for */
	NODE_CANDIDATE, /* undecided */
	NODE_ROOT,      /* .. with no candidate below it */
	NODE_FAILS,
	NODE_SATISFIES
} NodeState;

/*
 * Computes the componentwise lowest levels of the nodes with this state, as a node (width entries);
 * false if there are none.
 */
extern bool lattice_lowest(const Lattice *lattice, const uint8 *state, NodeState wanted,
						   Level *lowest);

/* The number of nodes with this state. */
extern int64 lattice_count(const Lattice *lattice, const uint8 *state, NodeState wanted);

/* Has a direct specialization of the node this state, or a later one? */
extern bool lattice_any_below(const Lattice *lattice, const uint8 *state, int64 index,
							  NodeState least);

/* The number of a node from its levels, [0 .. attributes - 1], which lie within the bounds. */
extern int64 lattice_number(const Lattice *lattice, const Level *levels);

/* The level of the i-th attribute of the lattice. */
static inline int
lattice_level(const Lattice *lattice, int64 index, int i)
{
	return lattice->levels[index * lattice->attributes + i];
}

extern int lattice_height(const Lattice *lattice, int64 index);

/* The height of the most general node. */
extern int lattice_top_height(const Lattice *lattice);

/* A zeroed array with an entry of "size" bytes for each node; palloc'd against the budget. */
extern void *lattice_allocate(const Lattice *lattice, Size size);

/* The node numbers by height, then by number; from lattice_allocate. */
extern int64 *lattice_order(const Lattice *lattice);

#endif /* KANON_LATTICE_H */
