/*
 * table_source.h
 *		A frequency source over a table in memory, as src/count/relation_search.c is
 *		one over a relation: values go through dictionaries and the ground
 *		builder, and count against the budget.
 */
#ifndef OUTSIDE_TABLE_SOURCE_H
#define OUTSIDE_TABLE_SOURCE_H

#include "postgres.h"

#include "frequency/frequency_set.h"
#include "table.h"

/* In chunks of palloc; the table stays the caller's. */
extern FrequencySource *table_source_create(const Table *table, Budget *budget);

/*
 * The entries (keys with counts) of a node's frequency set, counted row by row
 * and sorted by key; palloc'd.  The space must be known.
 */
extern uint64 *table_source_count(FrequencySource *source, const Level *node, int64 *entries);

/* The code of a cell at the ground level.  The space must be known. */
extern int32 table_source_code(const FrequencySource *source, int row, int attribute);

/* Keys in the order of table_source_count; "words" points to an int. */
extern int table_source_compare(const void *a, const void *b, void *words);

#endif /* OUTSIDE_TABLE_SOURCE_H */
