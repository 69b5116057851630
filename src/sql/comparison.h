/*
 * comparison.h
 *		How generated SQL compares values of a type: by its default btree operator class, as
 *		GROUP BY does.
 */
#ifndef KANON_COMPARISON_H
#define KANON_COMPARISON_H

#include "postgres.h"

#include "access/tupdesc.h"
#include "lib/stringinfo.h"

/*
 * left OPERATOR(pg_catalog.=) right: by the default equality of the type that both have, or by
 * the operator of a btree strategy (access/stratnum.h), under every search_path.  Operands are
 * columns, constants or stand in parentheses.  Current context.  ERRCODE_UNDEFINED_FUNCTION: the
 * type has none.
 */
extern char *comparison_equal(const char *left, const char *right, Oid type);
extern char *comparison_by_strategy(int strategy, const char *left, const char *right, Oid type);

/* COLLATE pg_catalog."C", say; ERRCODE_UNDEFINED_OBJECT if it is gone. */
extern char *comparison_collation(Oid collation);

/* Can ORDER BY sort the type? */
extern bool comparison_has_order(Oid type);

/*
 * Are equal values also written alike?  Not so numeric (1.0 and 1.00), float (0 and -0),
 * interval, and text under a nondeterministic collation.  When in doubt, no.
 */
extern bool comparison_is_exact(Oid type, int32 typmod, Oid collation);

/* Does the type's order differ from place to place?  When in doubt, yes. */
extern bool comparison_is_local(Oid type);

/*
 * Adds keys for ORDER BY, ", " before each: the type's own order as far as that is PostgreSQL's,
 * texts by bytes, then the spelling.  It is the same everywhere, also after a restore but of OIDs
 * and of composites with enums, and only values stored alike tie.  "operand" is a column or
 * stands in parentheses, and is not the name of an output column that hides another.
 */
extern void comparison_append_byte_order(StringInfo keys, const char *operand, Oid type,
										 int32 typmod, Oid collation);

/* A key for ORDER BY, with its USING: the bytes of a value, decompressed. */
extern char *comparison_bytes(const char *operand);

/*
 * A key that tells apart equal values not written alike: digits of a numeric, bytes of others.
 * It depends neither on settings nor on casts nor on storage.
 */
extern char *comparison_spelling(const char *operand, Oid type);

/*
 * The same keys for who sorts in C: the operator that ORDER BY sorts a type by, or InvalidOid; and
 * the spelling of a value, of a type with such an operator.  In the current context.
 */
typedef struct SpellingKey
{
	Oid type;
	Oid less;
	TupleDesc row; /* ROW(value); NULL: the scale of a numeric */
} SpellingKey;

extern Oid comparison_less(Oid type);
extern SpellingKey comparison_spelling_key(Oid type, int32 typmod);
extern Datum comparison_spelling_of(const SpellingKey *key, Datum value, bool *isnull);

#endif /* KANON_COMPARISON_H */
