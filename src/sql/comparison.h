/*
 * comparison.h
 *		SQL that compares values of a type by its default btree operator class, as GROUP BY does.
 */
#ifndef KANON_COMPARISON_H
#define KANON_COMPARISON_H

#include "postgres.h"

#include "access/tupdesc.h"
#include "lib/stringinfo.h"

/*
 * left OPERATOR(pg_catalog.=) right: the operator of a btree strategy (access/stratnum.h), by the
 * default operator class of the type of both; or a call of its function where casts of the type's
 * would make the operator ambiguous.  It means the same under every search_path.  Operands are
 * columns, constants or parenthesized.  In the current context.  Raises ERRCODE_UNDEFINED_FUNCTION
 * if the type has no such class.
 */
extern char *comparison_by_strategy(int strategy, const char *left, const char *right, Oid type);

/*
 * A COLLATE clause such as COLLATE pg_catalog."C".  Raises ERRCODE_UNDEFINED_OBJECT if the
 * collation is gone.
 */
extern char *comparison_collation(Oid collation);

/* Can ORDER BY sort the type? */
extern bool comparison_has_order(Oid type);

/*
 * Are equal values always spelled alike?  Not so for numeric (1.0 and 1.00), float (0 and -0),
 * interval, and text under a nondeterministic collation.  When in doubt, no.
 */
extern bool comparison_is_exact(Oid type, int32 typmod, Oid collation);

/* Does the type's order differ between systems?  When in doubt, yes. */
extern bool comparison_is_local(Oid type);

/*
 * Appends keys for ORDER BY, each after ", ": the type's own order if it is PostgreSQL's, text by
 * bytes, then the spelling.  Only identically stored values tie.  The order is the same on every
 * system, also after a restore, except for OIDs and composites with enums. "operand" is a column or
 * parenthesized, and must not be the name of an output column that hides another.
 */
extern void comparison_append_byte_order(StringInfo keys, const char *operand, Oid type,
										 int32 typmod, Oid collation);

/* A key for ORDER BY, with its USING: the decompressed bytes of a value. */
extern char *comparison_bytes(const char *operand);

/*
 * A key that distinguishes equal values with different spellings: the digits of a numeric, the
 * bytes of other types.  It depends on no setting, cast or storage.
 */
extern char *comparison_spelling(const char *operand, Oid type);

/*
 * The same keys for sorting in C. comparison_less is the operator that ORDER BY uses for a type, or
 * InvalidOid. comparison_spelling_of is the spelling key of a value whose type has such an
 * operator, in the current context.
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
