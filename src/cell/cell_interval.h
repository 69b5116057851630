/*
 * cell_interval.h
 *		Cells that are ranges (see cell_query.h).
 */
#ifndef KANON_CELL_INTERVAL_H
#define KANON_CELL_INTERVAL_H

#include "postgres.h"

#include "cell/cell_query.h"

/*
 * As cell_query_append.  Errors: a range over another type than the
 * attribute's, numbers apart (ERRCODE_DATATYPE_MISMATCH), or over one whose
 * widths are not known (ERRCODE_FEATURE_NOT_SUPPORTED).
 */
extern void cell_interval_append(StringInfo sql, const CellColumn *column);

#endif /* KANON_CELL_INTERVAL_H */
