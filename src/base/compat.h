/*
 * compat.h
 *		Differences between PostgreSQL 14 and 18, in one place.
 *
 * The only file of kanon that looks at PG_VERSION_NUM.
 */
#ifndef KANON_COMPAT_H
#define KANON_COMPAT_H

#include "postgres.h"

#include "catalog/objectaddress.h"
#include "catalog/pg_class.h"
#include "common/cryptohash.h"
#include "miscadmin.h"
#include "nodes/parsenodes.h"
#include "utils/acl.h"
#include "utils/guc.h"
#include "utils/rangetypes.h"

#if PG_VERSION_NUM < 140000
#error "kanon needs PostgreSQL 14 or later"
#endif

/* MarkGUCPrefixReserved came with 15; 14 can only warn. */
#if PG_VERSION_NUM < 150000
#define MarkGUCPrefixReserved(prefix) EmitWarningsOnPlaceholders(prefix)
#endif

/* Errors may be saved instead of raised from 16 on. */
static inline RangeType *
compat_range_serialize(TypeCacheEntry *type, RangeBound *lower, RangeBound *upper, bool empty)
{
#if PG_VERSION_NUM >= 160000
	return range_serialize(type, lower, upper, empty, NULL);
#else
	return range_serialize(type, lower, upper, empty);
#endif
}

/* Ownership checks were unified in 16. */
static inline bool
compat_owns_relation(Oid relation, Oid role)
{
#if PG_VERSION_NUM >= 160000
	return object_ownercheck(RelationRelationId, relation, role);
#else
	return pg_class_ownercheck(relation, role);
#endif
}

/*
 * The value node of a constant as the raw parser left it, or NULL for NULL:
 * T_Integer, T_Float, T_String, T_BitString, from 15 on T_Boolean too.
 */
static inline Node *
compat_constant_value(A_Const *constant)
{
#if PG_VERSION_NUM >= 150000
	return constant->isnull ? NULL : (Node *) &constant->val;
#else
	return nodeTag(&constant->val) == T_Null ? NULL : (Node *) &constant->val;
#endif
}

/* The digits of a T_Float, as they were written. */
static inline const char *
compat_float_text(const Node *value)
{
#if PG_VERSION_NUM >= 150000
	return ((const Float *) value)->fval;
#else
	return strVal(value);
#endif
}

/* Is this true or false, and which?  14 writes them as a cast of 't' or 'f'. */
static inline bool
compat_is_boolean(const Node *value, bool *truth)
{
#if PG_VERSION_NUM >= 150000
	if (!IsA(value, Boolean))
		return false;
	*truth = boolVal(value);
	return true;
#else
	return false;
#endif
}

/* 15 wants to know how long the digest is. */
static inline int
compat_cryptohash_final(pg_cryptohash_ctx *context, uint8 *digest, Size length)
{
#if PG_VERSION_NUM >= 150000
	return pg_cryptohash_final(context, digest, length);
#else
	(void) length;
	return pg_cryptohash_final(context, digest);
#endif
}

#endif /* KANON_COMPAT_H */
