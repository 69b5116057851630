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
#include "executor/executor.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/guc.h"
#include "utils/rangetypes.h"
#include "utils/rel.h"
#include "utils/relcache.h"

#if PG_VERSION_NUM >= 170000
#include "storage/dsm_registry.h"
#include "storage/proc.h"
#endif

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

/* May the role refresh a materialized view?  From 17 on that is a privilege of its own. */
static inline bool
compat_maintains_relation(Oid relation, Oid role)
{
#if PG_VERSION_NUM >= 170000
	return pg_class_aclcheck(relation, role, ACL_MAINTAIN) == ACLCHECK_OK;
#else
	return compat_owns_relation(relation, role);
#endif
}

/* All rows of a query, which is executed once: 18 no longer asks. */
static inline void
compat_executor_run(QueryDesc *query)
{
#if PG_VERSION_NUM >= 180000
	ExecutorRun(query, ForwardScanDirection, 0);
#else
	ExecutorRun(query, ForwardScanDirection, 0, true);
#endif
}

/*
 * The storage of "mine" is new in this subtransaction, and "other" has what was that of "mine".  16
 * has other names.
 */
static inline void
compat_storage_swapped(Relation mine, Relation other)
{
	other->rd_createSubid = mine->rd_createSubid;
#if PG_VERSION_NUM >= 160000
	other->rd_newRelfilelocatorSubid = mine->rd_newRelfilelocatorSubid;
	other->rd_firstRelfilelocatorSubid = mine->rd_firstRelfilelocatorSubid;
	RelationAssumeNewRelfilelocator(mine);
#else
	other->rd_newRelfilenodeSubid = mine->rd_newRelfilenodeSubid;
	other->rd_firstRelfilenodeSubid = mine->rd_firstRelfilenodeSubid;
	RelationAssumeNewRelfilenode(mine);
#endif
}

/* Pages of a relation that are frozen are counted from 18 on. */
static inline void
compat_take_frozen_pages(Form_pg_class mine, Form_pg_class other)
{
#if PG_VERSION_NUM >= 180000
	mine->relallfrozen = other->relallfrozen;
#else
	(void) mine;
	(void) other;
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

/*
 * Memory by that name that all backends share, made by whoever asks first; NULL before 17, where
 * it takes a library that the server preloads.
 */
static inline void *
compat_shared_memory(const char *name, Size size, void (*initialize)(void *))
{
#if PG_VERSION_NUM >= 170000
	bool found;

	return GetNamedDSMSegment(name, size, initialize, &found);
#else
	(void) name, (void) size, (void) initialize;
	return NULL;
#endif
}

/* This backend among all of them, from 0; -1 where there is no such memory. */
static inline int
compat_backend_number(void)
{
#if PG_VERSION_NUM >= 170000
	return MyProcNumber;
#else
	return -1;
#endif
}

#endif /* KANON_COMPAT_H */
