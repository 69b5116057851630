/*
 * recoding_cells.h
 *		The output of any recoding: for each group a record of its cells (LeFevre, DeWitt,
 *		Ramakrishnan 2005b, section 5, for ranges and means as summary statistics).
 *
 * A record is (class int, cell [, mean], ..) if there are classes, otherwise (cell, ..);
 * cell_names.h names its fields.  With means, the cell of a numeric column without a dimension is
 * followed by the mean of the class as float8, or NULL if there are NULLs.
 */
#ifndef KANON_RECODING_CELLS_H
#define KANON_RECODING_CELLS_H

#include "postgres.h"

#include "access/tupdesc.h"
#include "data/recoding.h"
#include "nodes/pg_list.h"
#include "record/record_codes.h"

typedef struct RecodingCells RecodingCells;

/*
 * For a recoding of these records; keeps using both; in the current context, against their budget.
 * Means need classes. others: names (String) of the fields beside the cells.
 */
extern RecodingCells *recoding_cells_create(Recoding *recoding, const RecordCodes *codes,
											bool means, const List *others);

/* The fields of a record, which has a type of its own. */
extern TupleDesc recoding_cells_fields(const RecodingCells *cells);

/*
 * The fields of a group's record; call it once for each group.  Valid until the next call.  After
 * the last row, keeps the figures (recoding_figures.h).
 */
extern void recoding_cells_write(RecodingCells *cells, int32 group, const Datum **values,
								 const bool **nulls);

/*
 * The record of a row if there are no classes, by order of arrival, from 0; in the current context.
 */
extern Datum recoding_cells_record(RecodingCells *cells, int64 row);

#endif /* KANON_RECODING_CELLS_H */
