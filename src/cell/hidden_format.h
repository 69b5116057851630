/*
 * hidden_format.h
 *		Cells that tell nothing.
 */
#ifndef KANON_HIDDEN_FORMAT_H
#define KANON_HIDDEN_FORMAT_H

#include "postgres.h"

/* Is a hidden cell NULL in columns of this base type?  Text-like types have HIDDEN_TEXT. */
extern bool hidden_format_is_null(Oid base_type);

/* A hidden cell of such a text-like type; palloc'd. */
extern Datum hidden_format_write(Oid base_type);

#endif /* KANON_HIDDEN_FORMAT_H */
