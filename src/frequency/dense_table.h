/*
 * dense_table.h
 *		The counts of a node's groups in an array with a cell for every combination of codes.
 */
#ifndef KANON_DENSE_TABLE_H
#define KANON_DENSE_TABLE_H

#include "postgres.h"

#include "frequency/frequency_set.h"

typedef struct DenseTable
{
	FrequencySpace *space;
	Level *node;
	int64 cells;
	uint32 *counts; /* [cell]: the last attribute varies fastest */
} DenseTable;

/*
 * The frequency set at "node" from that of a specialization, as an array in the current context.
 * NULL if an array does not pay or does not fit; the caller hashes then.  One pass over the source,
 * with a lookup for each attribute that distinguishes groups.
 */
extern DenseTable *dense_table_count(FrequencySet *source, FrequencySpace *space,
									 const Level *node);

/* Its groups as a frequency set. */
extern FrequencySet *dense_table_set(const DenseTable *table);

/* The number of nonzero cells. */
extern int64 dense_table_groups(const DenseTable *table);

extern void dense_table_free(DenseTable *table);

#endif /* KANON_DENSE_TABLE_H */
