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
 * The default equality of a type as it stands between two operands: "=" or
 * OPERATOR(schema.=).  In the current context.  Error: the type has none
 * (ERRCODE_UNDEFINED_FUNCTION).
 */
extern const char *comparison_equality(Oid type);

/* The operator of a btree strategy (access/stratnum.h) likewise. */
extern const char *comparison_operator(Oid type, int strategy);

/* Can ORDER BY sort the type? */
extern bool comparison_has_order(Oid type);

/*
 * Are equal values of the type also written alike?  Not so numeric (1.0 and
 * 1.00), float (0 and -0), interval, and text under a nondeterministic
 * collation.  When in doubt, no.
 */
extern bool comparison_is_exact(Oid type, int32 typmod, Oid collation);

/*
 * Is the type's order one that differs from place to place: that of a collation, of fields
 * with collations of their own, or none of PostgreSQL's (citext asks for the database's)?
 */
extern bool comparison_is_local(Oid type);

/*
 * Adds keys for ORDER BY, ", " before each, under which values tie only if they are stored
 * alike: the order is the same under every collation and setting, and known for types that
 * have none of their own.  "operand" is a column or stands in parentheses; in ORDER BY of a
 * SELECT it must not be the name of an output column that hides another column.
 *
 * It is the type's own order as far as that is PostgreSQL's, texts by bytes, and behind it
 * the bytes of what is stored.  (Values that are OIDs themselves, or hold enums in a
 * composite, are stored anew by a restore.)
 */
extern void comparison_append_byte_order(StringInfo keys, const char *operand, Oid type,
										 int32 typmod, Oid collation);

/* The last of these keys: the bytes of what is stored. */
extern char *comparison_bytes(const char *operand);

#endif /* KANON_COMPARISON_H */
