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
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/guc.h"
#include "utils/tuplestore.h"

#if PG_VERSION_NUM < 140000
#error "kanon needs PostgreSQL 14 or later"
#endif

/* MarkGUCPrefixReserved came with 15; 14 can only warn. */
#if PG_VERSION_NUM < 150000
#define MarkGUCPrefixReserved(prefix) EmitWarningsOnPlaceholders(prefix)
#endif

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
 * The result of a set-returning function as a tuplestore.  15 has the same under
 * two names, 14 under none.
 */
static inline ReturnSetInfo *
compat_materialized_result(FunctionCallInfo fcinfo)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	MemoryContext previous;

	if (result == NULL || !IsA(result, ReturnSetInfo) ||
		(result->allowedModes & SFRM_Materialize) == 0)
		ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
						errmsg("set-valued function called in context that cannot accept a set")));
	previous = MemoryContextSwitchTo(result->econtext->ecxt_per_query_memory);
	if (get_call_result_type(fcinfo, NULL, &result->setDesc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	result->setDesc = BlessTupleDesc(result->setDesc);
	result->returnMode = SFRM_Materialize;
	result->setResult = tuplestore_begin_heap((result->allowedModes & SFRM_Materialize_Random) != 0,
											  false, work_mem);
	MemoryContextSwitchTo(previous);
	return result;
}

#endif /* KANON_COMPAT_H */
