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

#endif /* KANON_COMPARISON_H */
