/*
 * fresh_value.h
 *		SQL that publishes a value without a trace of how it was stored.
 *
 * Equal texts of a table may be stored in different ways: compressed or not, by one method or
 * by another, whichever was the setting when they came and however long the rest of their
 * row was.  A copy keeps that, and pg_column_compression and pg_column_size show it to its
 * readers, who could tell rows of a class apart.  So what is published is written anew.
 */
#ifndef KANON_FRESH_VALUE_H
#define KANON_FRESH_VALUE_H

#include "postgres.h"

/*
 * An expression for the same value as "operand", an SQL expression of the type, which is not
 * compressed: the operand itself where values of the type never are.  Of the same type
 * and, arrays apart, of the same modifier; a domain over a composite type becomes that.  It
 * means the same under every search_path.  The operand is a column or stands in parentheses;
 * it may be written several times.  Current context.
 *
 * Composite values are rebuilt field by field.  Those within arrays and ranges are not:
 * there a compressed field stays as it is.
 */
extern const char *fresh_value(const char *operand, Oid type, int32 typmod);

#endif /* KANON_FRESH_VALUE_H */
