/*
 * relation_name.c
 *		See relation_name.h.
 */
#include "postgres.h"

#include "sql/relation_name.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/relation.h"
#include "access/table.h"
#include "base/compat.h"
#include "catalog/pg_class.h"
#include "miscadmin.h"
#include "sql/named_relation.h"
#include "sql/query_jobs.h"
#include "sql/text_settings.h"
#include "storage/latch.h"
#include "storage/lmgr.h"
#include "storage/proc.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"
#include "utils/wait_event.h"

/* The qualified, quoted name, or NULL. */
static const char *
find_name(Oid relation)
{
	const char *name = get_rel_name(relation);
	const char *schema = name ? get_namespace_name(get_rel_namespace(relation)) : NULL;

	return schema ? quote_qualified_identifier(schema, name) : NULL;
}

/* name: the relation's name while it existed, or NULL. */
pg_noreturn static void
report_gone(Oid relation, const char *name)
{
	ereport(ERROR, (errcode(ERRCODE_UNDEFINED_TABLE),
					name ? errmsg("relation %s no longer exists", name)
						 : errmsg("relation with OID %u does not exist", relation)));
}

Relation
relation_name_open(Oid relation)
{
	const char *name = find_name(relation);
	Relation opened = try_relation_open(relation, AccessShareLock);

	if (opened == NULL)
		report_gone(relation, name);
	if (name)
		pfree(unconstify(char *, name));
	return opened;
}

/*
 * The relation's file as the active snapshot sees it; InvalidOid if it does not see the relation.
 */
static Oid
file_in_snapshot(Oid relation)
{
	Relation classes = table_open(RelationRelationId, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple tuple;
	Oid file;

	ScanKeyInit(&key, Anum_pg_class_oid, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(relation));
	scan = systable_beginscan(classes, ClassOidIndexId, true, GetActiveSnapshot(), 1, &key);
	tuple = systable_getnext(scan);
	file = HeapTupleIsValid(tuple) ? ((Form_pg_class) GETSTRUCT(tuple))->relfilenode : InvalidOid;
	systable_endscan(scan);
	table_close(classes, AccessShareLock);
	return file;
}

void
relation_name_check_rows(Relation relation)
{
	Oid seen = relation->rd_rel->relkind == RELKIND_RELATION
				   ? file_in_snapshot(RelationGetRelid(relation))
				   : InvalidOid;

	if (OidIsValid(seen) && seen != relation->rd_rel->relfilenode)
		ereport(ERROR, (errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
						errmsg("relation %s was rewritten since this statement began",
							   find_name(RelationGetRelid(relation))),
						errdetail("It looks empty to the snapshot of this statement."),
						errhint("Try again.")));
}

bool
relation_name_lock(Oid relation, LOCKMODE mode)
{
	LockRelationOid(relation, mode);
	if (SearchSysCacheExists1(RELOID, ObjectIdGetDatum(relation)))
		return true;
	UnlockRelationOid(relation, mode);
	return false;
}

Oid
relation_name_owner(Oid relation)
{
	(void) relation_name_lock(relation, AccessShareLock);
	return relation_name_owner_now(relation);
}

Oid
relation_name_owner_now(Oid relation)
{
	HeapTuple tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
	Oid owner;

	if (!HeapTupleIsValid(tuple))
		report_gone(relation, NULL);
	owner = ((Form_pg_class) GETSTRUCT(tuple))->relowner;
	ReleaseSysCache(tuple);
	return owner;
}

void
relation_name_hold(Oid relation, LOCKMODE mode)
{
	HeapTuple tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
	NameData name;
	Oid schema = InvalidOid;

	/* Quoting takes time, and nobody needs it but the error. */
	if (HeapTupleIsValid(tuple))
	{
		name = ((Form_pg_class) GETSTRUCT(tuple))->relname;
		schema = ((Form_pg_class) GETSTRUCT(tuple))->relnamespace;
		ReleaseSysCache(tuple);
	}
	if (relation_name_lock(relation, mode))
		return;
	report_gone(relation, OidIsValid(schema) ? quote_qualified_identifier(
												   get_namespace_name(schema), NameStr(name))
											 : NULL);
}

static const char *
lock_and_name(Oid relation, LOCKMODE mode)
{
	const char *before = find_name(relation);
	const char *name = relation_name_lock(relation, mode) ? find_name(relation) : NULL;

	if (name == NULL)
		report_gone(relation, before);
	named_relation_add(relation);
	return name;
}

const char *
relation_name_shown(Oid relation)
{
	const char *name = find_name(relation);

	if (name == NULL)
		report_gone(relation, NULL);
	return name;
}

const char *
relation_name(Oid relation)
{
	return lock_and_name(relation, AccessShareLock);
}

/* A user must not lock others out of their relations; the DDL itself will raise the error. */
const char *
relation_name_for(Oid relation, LOCKMODE mode)
{
	const char *name = relation_name_shown(relation);

	named_relation_add(relation);
	return compat_owns_relation(relation, GetUserId()) ? lock_and_name(relation, mode) : name;
}

const char *
relation_name_schema(Oid schema)
{
	const char *name = get_namespace_name(schema);

	if (name == NULL)
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_SCHEMA),
						errmsg("schema with OID %u does not exist", schema)));
	return name;
}

/* ---- patient locks */

#define SLACK 100 /* milliseconds of delay allowed for the deadlock check */
#define PAUSES 10 /* moments outside the queue for each one in it */
#define LOOK 20   /* milliseconds between looks outside the queue */

typedef struct LockWait
{
	Oid relation;
	int moment; /* milliseconds */
} LockWait;

static void
wait_in_queue(void *state)
{
	const LockWait *wait = state;
	int guc_nest_level = text_settings_begin();

	text_settings_pin_one("lock_timeout", psprintf("%d", wait->moment));
	LockRelationOid(wait->relation, AccessExclusiveLock);
	text_settings_end(guc_nest_level);
}

/* Waits in the lock queue for this many milliseconds.  True if it got the lock. */
static bool
queue(Oid relation, int moment)
{
	ErrorData *error =
		query_undo(wait_in_queue, &(LockWait){.relation = relation, .moment = moment});

	if (error == NULL)
		return true;
	if (error->sqlerrcode != ERRCODE_LOCK_NOT_AVAILABLE)
		ReThrowError(error);
	FreeErrorData(error);
	return false;
}

/* Tries the lock repeatedly for this many milliseconds.  True if it got the lock. */
static bool
look(Oid relation, int pause)
{
	TimestampTz start = GetCurrentTimestamp();

	for (;;)
	{
		CHECK_FOR_INTERRUPTS();
		if (ConditionalLockRelationOid(relation, AccessExclusiveLock))
			return true;
		if (TimestampDifferenceExceeds(start, GetCurrentTimestamp(), pause))
			return false;
		(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, LOOK,
						 WAIT_EVENT_PG_SLEEP);
		ResetLatch(MyLatch);
	}
}

void
patient_lock(Oid relation, const char *name)
{
	TimestampTz start = GetCurrentTimestamp();
	int moment = DeadlockTimeout + SLACK;
	int allowed = LockTimeout;

	for (;;)
	{
		long left = allowed - TimestampDifferenceMilliseconds(start, GetCurrentTimestamp());

		if (allowed > 0 && left <= 0)
			ereport(
				ERROR,
				(errcode(ERRCODE_LOCK_NOT_AVAILABLE),
				 errmsg("could not lock relation %s within lock_timeout because it was being read",
						name)));
		if (look(relation, 0) || queue(relation, allowed > 0 ? (int) Min(moment, left) : moment))
			return;
		left = allowed - TimestampDifferenceMilliseconds(start, GetCurrentTimestamp());
		if (look(relation,
				 allowed > 0 ? (int) Max(Min(PAUSES * moment, left), 0) : PAUSES * moment))
			return;
	}
}
