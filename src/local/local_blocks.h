/*
 * local_blocks.h
 *		Local recoding of one region in memory: its division into blocks, the classes of each, and
 *		what is tried to better them.
 *
 * - Blocks: a part whose lattice has few nodes is a block; any other is divided as Mondrian divides
 *   by gain, with rest parts, into parts of at least 8k rows while there are many.
 * - Of each block the cheapest classes are kept of: those that peeling finds (local_peel.h), those
 *   of Mondrian by gain, with ordered columns cut anywhere or beside medians, and those of Mondrian
 *   as in the papers.
 * - Tails: the classes that cost most for each row, as many as hold a given share of the rows, are
 *   given up, and their rows divided into blocks and classes again; kept if that costs less.
 * - In the end each class is divided further as long as some attribute allows it, and classes with
 *   the same labels become one.
 */
#ifndef KANON_LOCAL_BLOCKS_H
#define KANON_LOCAL_BLOCKS_H

#include "postgres.h"

#include "local/local_classes.h"

typedef struct LocalBlocks LocalBlocks;

/*
 * Scratch space for the regions of a dataset, of at most so many rows each, in the current context,
 * against the request's budget.  O(rows of the dataset and labels of its dimensions).
 */
extern LocalBlocks *local_blocks_create(const Dataset *dataset, const RecodingColumn *column,
										const LocalRequest *request, int64 most);

/*
 * Fills in the classes of the tuples of a region, in the order of their cells; leaves out at most
 * so many rows.  All rows together satisfy.  In a context of the caller's that it may fill, against
 * the table's budget.
 */
extern void local_blocks_run(LocalBlocks *blocks, const LocalTable *table, int64 left_out,
							 LocalClasses *classes);

#endif /* KANON_LOCAL_BLOCKS_H */
