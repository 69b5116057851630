/*
 * hidden_format.h
 *		Cells that tell nothing: *, for all; NULL, for NULL where the source has NULLs in
 *		the column, else for anything.
 *
 * NULL is for anything, too, in a column of a type that is no text, generalized cell by cell
 * without dimension, and at a known level at which values of the source are shown as NULL.
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
