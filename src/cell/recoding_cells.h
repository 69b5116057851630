/*
 * recoding_cells.h
 *		What a recoding publishes: for each group a record of its cells, whatever made it
 *		(LeFevre, DeWitt, Ramakrishnan 2005b, section 5, for ranges and means as
 *		summary statistics).
 *
 * A record is (class int, cell [, mean], ..) where there are classes, (cell, ..) otherwise;
 * cell_names.h says what its fields are called.
 * With means, behind the cell of a number without dimension comes the mean of the class as
 * float8; NULL where there are NULLs.
 */
#ifndef KANON_RECODING_CELLS_H
#define KANON_RECODING_CELLS_H

#include "postgres.h"

#include "access/htup.h"
#include "data/recoding.h"
#include "record/record_codes.h"

typedef struct RecodingCells RecodingCells;

/*
 * For a recoding of these records, both of which it goes on using; in the current
 * context, against their budget.  Means take classes.  by_class: rows get the records of class 1
 * first, then of class 2, and are asked for in that order.
 */
extern RecodingCells *recoding_cells_create(Recoding *recoding, const RecordCodes *codes,
											bool means, bool by_class);

/*
 * The record of a row, by the place where it came, from 0; it belongs to the cells, until the
 * next one is asked for.  Records of classes whose rows are mixed are kept, against the budget.
 * When all rows have theirs, so are the figures (recoding_figures.h).
 */
extern HeapTupleHeader recoding_cells_record(RecodingCells *cells, int64 row);

#endif /* KANON_RECODING_CELLS_H */
