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
 * The source of these attributes, by number and in that order, of the types described
 * (row_query_create).  Rows that are written alike may come as one, with their number
 * (grouped_rows_alike).  Within a query scope.
 */
extern RowSource *column_rows(const Description *description, const Bitmapset *numbers);

#endif /* KANON_COLUMN_ROWS_H */
