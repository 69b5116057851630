/*
 * column_rows.h
 *		Some columns of all rows of a relation.
 */
#ifndef KANON_COLUMN_ROWS_H
#define KANON_COLUMN_ROWS_H

#include "postgres.h"

#include "data/row_source.h"
#include "nodes/bitmapset.h"
#include "relation/description.h"

/*
 * A row source of these attribute numbers, in ascending order, with the types described
 * (row_query_create).  Identically written rows may come as one with a count (grouped_rows_alike).
 * Call within a query scope.
 */
extern RowSource *column_rows(const Description *description, const Bitmapset *numbers);

#endif /* KANON_COLUMN_ROWS_H */
