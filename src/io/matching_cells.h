/*
 * matching_cells.h
 *		What non-homogeneous generalization publishes of a row: one cell for each
 *		quasi-identifier.
 *
 * A cell is
 *	- without dimension the value itself, of its own (base) type, or hidden: "*" for
 *	  text-like types, NULL for others;
 *	- with a dimension text: the value, or the label of the least common ancestor, "*"
 *	  where nothing is above all;
 *	- with one that masks digits text: the value, each hidden digit masked.
 * NULL, where it needs not be hidden, is NULL.
 */
#ifndef KANON_MATCHING_CELLS_H
#define KANON_MATCHING_CELLS_H

#include "postgres.h"

#include "access/htup.h"
#include "base/random.h"
#include "io/record_codes.h"
#include "matching/matching.h"

typedef struct MatchingCells MatchingCells;

/*
 * Matches these records, at least k, whose dataset is freed while the rest goes on
 * being used; in the current context, against the dataset's budget.  Each row gets the
 * cells of the record that is drawn for it, or those of its own record if
 * "random" is NULL.
 */
extern MatchingCells *matching_cells_create(RecordCodes *codes, MatchingRun run, int k,
											Random *random);

/*
 * The record (cell, ..) beside the row at a position, from 0; it belongs to the cells
 * and goes when another one is asked for.  O(k * attributes * height).  When as many are made
 * as there are rows, what they lost is kept (recoding_loss.h): each cell's NCP, that of
 * digits the mean of theirs.
 */
extern HeapTupleHeader matching_cells_record(MatchingCells *cells, int64 position);

#endif /* KANON_MATCHING_CELLS_H */
