/*
 * compat.h
 *		Differences between PostgreSQL 15 and 18.  No other file of kanon looks at PG_VERSION_NUM.
 */
#ifndef KANON_COMPAT_H
#define KANON_COMPAT_H

#include "postgres.h"

#include "catalog/namespace.h"
#include "catalog/objectaddress.h"
#include "catalog/pg_class.h"
#include "catalog/pg_namespace.h"
#include "commands/tablecmds.h"
#include "common/jsonapi.h"
#include "executor/executor.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/guc.h"
#include "utils/guc_tables.h"
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

/* Until 15, postgres.h itself declared these. */
#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif

/* Goes before a function. 18 defines it and drops pg_attribute_noreturn(). */
#if PG_VERSION_NUM < 180000
#define pg_noreturn __attribute__((noreturn))
#endif

/* 17 has loops over pointers. */
#if PG_VERSION_NUM < 170000
#define foreach_ptr(type, var, list)                                                               \
	for (type *var = NULL, *var##__outerloop = (type *) 1; var##__outerloop;                       \
		 var##__outerloop = NULL)                                                                  \
		for (ForEachState var##__state = {(list), 0};                                              \
			 var##__state.l != NIL && var##__state.i < var##__state.l->length &&                   \
			 (var = lfirst(&var##__state.l->elements[var##__state.i]), true);                      \
			 var##__state.i++)
#endif

/* Since 16, errors may be saved instead of raised. */
static inline RangeType *
compat_range_serialize(TypeCacheEntry *type, RangeBound *lower, RangeBound *upper, bool empty)
{
#if PG_VERSION_NUM >= 160000
	return range_serialize(type, lower, upper, empty, NULL);
#else
	return range_serialize(type, lower, upper, empty);
#endif
}

/* 16 unified the ownership checks. */
static inline bool
compat_owns_relation(Oid relation, Oid role)
{
#if PG_VERSION_NUM >= 160000
	return object_ownercheck(RelationRelationId, relation, role);
#else
	return pg_class_ownercheck(relation, role);
#endif
}

/* 16 unified checks of privileges, too. */
static inline AclResult
compat_schema_aclcheck(Oid schema, Oid role, AclMode mode)
{
#if PG_VERSION_NUM >= 160000
	return object_aclcheck(NamespaceRelationId, schema, role, mode);
#else
	return pg_namespace_aclcheck(schema, role, mode);
#endif
}

/* May the role refresh a materialized view?  Since 17 this is a privilege of its own. */
static inline bool
compat_maintains_relation(Oid relation, Oid role)
{
#if PG_VERSION_NUM >= 170000
	return pg_class_aclcheck(relation, role, ACL_MAINTAIN) == ACLCHECK_OK;
#else
	return compat_owns_relation(relation, role);
#endif
}

/* Locks a materialized view for a REFRESH by the current role, as REFRESH does; or InvalidOid. */
static inline Oid
compat_lock_for_refresh(const RangeVar *view, LOCKMODE mode)
{
#if PG_VERSION_NUM >= 170000
	RangeVarGetRelidCallback callback = RangeVarCallbackMaintainsTable;
#else
	RangeVarGetRelidCallback callback = RangeVarCallbackOwnsTable;
#endif

	return RangeVarGetRelidExtended(view, mode, RVR_MISSING_OK, callback, NULL);
}

/* Runs a query to its end.  Before 18, an argument says that it runs once. */
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
 * Records that "mine" got new storage in this subtransaction and that "other" now has the old
 * storage of "mine". 16 renamed the fields.
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

/* Since 18, pg_class counts frozen pages. */
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

/* PostgreSQL's lexer over a JSON text.  Since 17 it may lie on the stack. */
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
 * Shared memory with this name; the first backend that asks initializes it.  NULL before 17, where
 * only preloaded libraries get shared memory.
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

/* Who set a setting that is defined already, or that somebody named before; else PGC_S_DEFAULT. */
static inline GucSource
compat_setting_source(const char *name)
{
#if PG_VERSION_NUM >= 160000
	struct config_generic *setting = find_option(name, false, true, 0);

	return setting ? setting->source : PGC_S_DEFAULT;
#else
	struct config_generic **setting = get_guc_variables();

	for (int i = 0; i < GetNumConfigOptions(); i++)
		if (strcmp(setting[i]->name, name) == 0)
			return setting[i]->source;
	return PGC_S_DEFAULT;
#endif
}

/* This backend's number, from 0; -1 before 17. */
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
