/*
 * compat.h
 *		Differences between PostgreSQL 15 and 18, in one place.
 *
 * The only file of kanon that looks at PG_VERSION_NUM.
 */
#ifndef KANON_COMPAT_H
#define KANON_COMPAT_H

#include "postgres.h"

#include "catalog/objectaddress.h"
#include "catalog/pg_class.h"
#include "common/jsonapi.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/guc.h"
#include "utils/rangetypes.h"

#if PG_VERSION_NUM < 150000
#error "kanon needs PostgreSQL 15 or later"
#endif

/* postgres.h itself had these until 15. */
#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif

/* Stands before a function; 18 has it so, and no longer knows pg_attribute_noreturn(). */
#if PG_VERSION_NUM < 180000
#define pg_noreturn __attribute__((noreturn))
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

/* PostgreSQL's own lexer over a text in JSON; 17 allows it to lie on the stack. */
static inline JsonLexContext *
compat_json_lexer(const char *text)
{
#if PG_VERSION_NUM >= 170000
	return makeJsonLexContextCstringLen(NULL, text, strlen(text), GetDatabaseEncoding(), true);
#else
	return makeJsonLexContextCstringLen((char *) text, (int) strlen(text), GetDatabaseEncoding(),
										true);
#endif
}

#endif /* KANON_COMPAT_H */
