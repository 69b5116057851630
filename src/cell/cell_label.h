/*
 * cell_label.h
 *		Cells that are sets of ground values (see cell_query.h).
 */
#ifndef KANON_CELL_LABEL_H
#define KANON_CELL_LABEL_H

#include "postgres.h"

#include "cell/cell_query.h"

/* As cell_query_append.  Errors: those of star_query_build. */
extern void cell_label_append(StringInfo sql, const CellColumn *column);

#endif /* KANON_CELL_LABEL_H */
