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

#include "access/tupdesc.h"
#include "data/recoding.h"
#include "nodes/pg_list.h"
#include "record/record_codes.h"

typedef struct RecodingCells RecodingCells;

/*
 * For a recoding of these records, both of which it goes on using; in the current
 * context, against their budget.  Means take classes.  others: names (String) that fields beside
 * the cells have.
 */
extern RecodingCells *recoding_cells_create(Recoding *recoding, const RecordCodes *codes,
											bool means, const List *others);

/* Those of a record, which has a type of its own by them. */
extern TupleDesc recoding_cells_fields(const RecodingCells *cells);

/*
 * The fields of the record of a group, each group once; they belong to the cells, until the next
 * one is asked for.  When all rows have theirs, the figures are kept (recoding_figures.h).
 */
extern void recoding_cells_write(RecodingCells *cells, int32 group, const Datum **values,
								 const bool **nulls);

/* The record of a row where there are no classes, by the place where it came, from 0; in the
 * current context. */
extern Datum recoding_cells_record(RecodingCells *cells, int64 row);

#endif /* KANON_RECODING_CELLS_H */
