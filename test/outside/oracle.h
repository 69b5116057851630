/*
 * oracle.h
 *		What is true of a table, by counting rows at every node of the lattice.
 *		Uses nothing of kanon.
 */
#ifndef OUTSIDE_ORACLE_H
#define OUTSIDE_ORACLE_H

#include "postgres.h"

#include "table.h"

#define ORACLE_ALL (-1) /* instead of a level: the attribute does not count */

typedef struct OracleNode
{
	int level[TABLE_ATTRIBUTES];
	int height;
	int64 groups;
	int64 small_groups; /* of fewer than k rows */
	int64 small_rows;
	int64 smallest; /* of the others, 0 if there is none */
	double squares; /* of the others */
	bool satisfies;
} OracleNode;

typedef struct Oracle
{
	int nodes;
	OracleNode *node; /* in the order of levels */
} Oracle;

extern Oracle *oracle_ask(const Table *table);
extern void oracle_free(Oracle *oracle);

/* One node; the levels may be ORACLE_ALL. */
extern OracleNode oracle_count(const Table *table, const int *level);

/* The place of a node. */
extern int oracle_index(const Table *table, const int *level);

/* Distinct labels of an attribute at a level. */
extern int oracle_distinct(const Table *table, int attribute, int level);

/* The normalized certainty penalty, by the mean over the cells, and the precision. */
extern double oracle_loss(const Table *table, const int *level);
extern double oracle_precision(const Table *table, const int *level);

/* The loss if rows in classes below k are suppressed: each of them has lost everything. */
extern double oracle_total_loss(const Table *table, const int *level);

#endif /* OUTSIDE_ORACLE_H */
