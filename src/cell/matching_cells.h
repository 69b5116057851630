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
#include "matching/matching.h"
#include "record/record_codes.h"

typedef struct MatchingCells MatchingCells;

/*
 * Matches these records, at least k, whose dataset is freed while the rest goes on
 * being used; in the current context, against the dataset's budget.  Each row gets the
 * cells of the record that is drawn for it, or those of its own record if "key" is NULL.
 *
 * What is drawn depends on the key and on the rows (matching_draw.h, matching_names.h), and
 * equal rows are told apart by the order in which they came alone: so the same rows get the
 * same cells, whatever order they came in, if what else is to be seen of equal rows came in
 * the same order.  The order of values that is used is the same everywhere
 * (DICTIONARY_BY_BYTES), for the rows that records cover depend on it where losses tie.
 */
extern MatchingCells *matching_cells_create(RecordCodes *codes, MatchingRun run, int k,
											const RandomKey *key);

/*
 * The record (cell, ..) beside the row at a position, from 0; it belongs to the cells
 * and goes when another one is asked for.  O(k * attributes * height).  When as many are made
 * as there are rows, what they lost is kept (recoding_loss.h).
 */
extern HeapTupleHeader matching_cells_record(MatchingCells *cells, int64 position);

#endif /* KANON_MATCHING_CELLS_H */
