/*
 * hidden_format.h
 *		Cells that tell nothing: *, for all; NULL, for NULL if the source's column has NULLs,
 *		otherwise for anything.
 *
 * NULL also stands for anything in a column of a type that is not text and was generalized cell by
 * cell without a dimension, and at a known level that shows values of the source as NULL.
 */
#ifndef KANON_HIDDEN_FORMAT_H
#define KANON_HIDDEN_FORMAT_H

#include "postgres.h"

#include "cell/cell_format.h"

/* Is a hidden cell NULL in columns of this base type?  Text-like types have HIDDEN_TEXT. */
extern bool hidden_format_is_null(Oid base_type);

/* A hidden cell of a text-like type; palloc'd. */
extern Datum hidden_format_write(Oid base_type);

/*
 * SQL: does the source's column have anything but values of the domain, that is NULL or unknown
 * values?
 */
extern char *hidden_format_has_others(const CellColumn *column);

/* SQL: is the cell r a NULL that means NULL? */
extern char *hidden_format_own_null(const CellColumn *column);

extern const CellFormat hidden_format;

#endif /* KANON_HIDDEN_FORMAT_H */
