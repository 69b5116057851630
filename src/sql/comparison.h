/*
 * comparison.h
 *		How generated SQL compares values of a type.
 *
 * kanon tells values apart as GROUP BY does: by the type's default btree
 * operator class.  Under the pinned search_path the bare "=" would miss
 * operators of types outside pg_catalog, or find one of a type they cast to.
 */
#ifndef KANON_COMPARISON_H
#define KANON_COMPARISON_H

#include "postgres.h"

#include "lib/stringinfo.h"

/*
 * "left = right" by the default equality of the type that both have, under every search_path
 * and whatever operators there are: left OPERATOR(pg_catalog.=) right.  Operands are columns,
 * constants or stand in parentheses.  In the current context.  Error: the type has none
 * (ERRCODE_UNDEFINED_FUNCTION).
 */
extern char *comparison_equal(const char *left, const char *right, Oid type);

/* By the operator of a btree strategy (access/stratnum.h) likewise. */
extern char *comparison_by_strategy(int strategy, const char *left, const char *right, Oid type);

/* COLLATE pg_catalog."C", say; ERRCODE_UNDEFINED_OBJECT if it is gone. */
extern char *comparison_collation(Oid collation);

/* Can ORDER BY sort the type? */
extern bool comparison_has_order(Oid type);

/*
 * Are equal values of the type also written alike?  Not so numeric (1.0 and
 * 1.00), float (0 and -0), interval, and text under a nondeterministic
 * collation.  When in doubt, no.
 */
extern bool comparison_is_exact(Oid type, int32 typmod, Oid collation);

/*
 * Is the type's order one that differs from place to place: that of a collation, of the
 * database (jsonb, citext), of fields with collations of their own?  Orders that are not
 * PostgreSQL's count as such.
 */
extern bool comparison_is_local(Oid type);

/*
 * Adds keys for ORDER BY, ", " before each, under which values tie only if they are stored
 * alike: the order is the same under every collation and setting, and known for types that
 * have none of their own.  "operand" is a column or stands in parentheses; in ORDER BY of a
 * SELECT it must not be the name of an output column that hides another column.
 *
 * It is the type's own order as far as that is PostgreSQL's, texts by bytes, and behind it
 * the spelling.  (Values that are OIDs themselves, or hold enums in a
 * composite, are stored anew by a restore.)
 */
extern void comparison_append_byte_order(StringInfo keys, const char *operand, Oid type,
										 int32 typmod, Oid collation);

/* A key for ORDER BY, with its USING: the bytes of a value, decompressed. */
extern char *comparison_bytes(const char *operand);

/*
 * A key that tells equal values apart which are not written alike: digits of a numeric, bytes
 * of others.  It depends neither on settings nor on casts, nor on how values are stored.
 */
extern char *comparison_spelling(const char *operand, Oid type);

#endif /* KANON_COMPARISON_H */
