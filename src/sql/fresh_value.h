/*
 * fresh_value.h
 *		SQL that publishes a value without a trace of how it was stored.
 */
#ifndef KANON_FRESH_VALUE_H
#define KANON_FRESH_VALUE_H

#include "postgres.h"

/*
 * The same value as "operand", of the type, not compressed: the operand itself where values of
 * the type never are.  Of the same type and, arrays apart, modifier; a domain over a composite
 * type becomes that.  Fields of composites within arrays and ranges stay as they are.  It means
 * the same under every search_path.  The operand is a column or stands in parentheses, and may be
 * written several times.  Current context.
 */
extern const char *fresh_value(const char *operand, Oid type, int32 typmod);

#endif /* KANON_FRESH_VALUE_H */
