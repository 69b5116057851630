/*
 * fresh_value.h
 *		SQL that publishes a value without traces of how it was stored.
 */
#ifndef KANON_FRESH_VALUE_H
#define KANON_FRESH_VALUE_H

#include "postgres.h"

/*
 * An expression for the value of "operand", uncompressed, of the same type and, except for arrays,
 * the same modifier.  A domain over a composite type becomes that type.  It is the operand itself
 * if values of the type are never compressed.  Fields of composites inside arrays and ranges are
 * not rewritten.  It means the same under every search_path.  The operand is a column or
 * parenthesized, and may appear several times.  In the current context.
 */
extern const char *fresh_value(const char *operand, Oid type, int32 typmod);

#endif /* KANON_FRESH_VALUE_H */
