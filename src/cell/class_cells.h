/*
 * class_cells.h
 *		What multidimensional recoding publishes of a class: one cell for each
 *		quasi-identifier (LeFevre, DeWitt, Ramakrishnan: Multidimensional K-Anonymity,
 *		TR 1521, 2005, section 5: ranges and means as summary statistics).
 *
 * A cell says from which value to which the rows of the class reach:
 *	- a range, where PostgreSQL has a range type (range_format.h);
 *	- with a dimension, the label of the least common ancestor; the value itself if
 *	  there is but one, "*" if nothing is above all;
 *	- otherwise text: "[a - b]", or "a" if there is but one value.
 * All NULL: NULL.  NULLs that could not be told from values: the unbounded range,
 * the top label, or "*".
 *
 * With means, behind the cell of a number without dimension comes the mean of the
 * class as float8; NULL where there are NULLs.
 */
#ifndef KANON_CLASS_CELLS_H
#define KANON_CLASS_CELLS_H

#include "postgres.h"

#include "access/htup.h"
#include "record/record_codes.h"

typedef struct ClassCells ClassCells;

/*
 * For the classes of a partition of these records, both of which it goes on
 * using; in the current context, against the dataset's budget.  Prepares the text of
 * labels only.
 */
extern ClassCells *class_cells_create(const RecordCodes *codes, const Partition *partition,
									  bool means);

/*
 * The record (class int, cell [, mean], ..) of a class, numbered from 1; it belongs
 * to the cells.  With "keep" it stays, against the budget, and is not made again;
 * otherwise it goes when another one is asked for.  Making one is O(rows of the
 * class * attributes).  When all are made, what they lost is kept (recoding_loss.h): each
 * attribute's width; a cell of NULLs and values loses all.
 */
extern HeapTupleHeader class_cells_record(ClassCells *cells, int32 number, bool keep);

#endif /* KANON_CLASS_CELLS_H */
