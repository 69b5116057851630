/*
 * own_view.c
 *		See own_view.h.
 */
#include "postgres.h"

#include "sql/own_view.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "access/tableam.h"
#include "catalog/pg_class.h"
#include "executor/tuptable.h"
#include "miscadmin.h"
#include "sql/own_table.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"

/*
 * Who sees which column.  Any other column is for the owner of the relation that the row is about;
 * if that is gone, for its owner's name then, or else for the owner of kanon's tables.  Secrets are
 * for nobody: who knows that of the keys' digests finds people in other owners' copies.
 */
typedef struct OwnView
{
	const char *table;
	const char *relation;         /* column with the relation; NULL: none */
	const char *owner;            /* column with its owner's name at that time; NULL: none */
	const char *const *everybody; /* columns */
	const char *const *readers;   /* columns for whoever may read the relation */
	const char *const *secrets;   /* columns for nobody */
} OwnView;

#define COLUMNS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NONE ((const char *const[]){NULL})

static const OwnView views[] = {
	{"kanon_release_state", "release", NULL,
	 COLUMNS("release", "relation", "recoding", "k", "columns", "quasi_identifiers", "levels",
			 "models", "person", "suppression", "created", "refreshed"),
	 COLUMNS("rows", "classes", "smallest"), NONE},
	{"kanon_release_history_state", "release", "owner", NONE, NONE, NONE},
	{"kanon_dimension_state", "dimension", NULL,
	 COLUMNS("dimension", "method", "arguments", "levels", "type"), NONE, NONE},
	{"kanon_cohort_state", "relation", "owner", NONE, NONE, COLUMNS("secret")},
	{"kanon_copy_state", "copy", NULL, NONE, NONE, COLUMNS("secret")},
	{"kanon_lost_state", NULL, NULL, COLUMNS("name", "catalog", "relation", "lost"), NONE,
	 COLUMNS("entry")},
};

/* Of a value, the least that somebody must be to see it. */
typedef enum Onlooker
{
	ANYBODY,
	READER,
	OWNER,
	NOBODY
} Onlooker;

bool
own_view_owns(Oid relation)
{
	HeapTuple tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
	bool own;

	if (!HeapTupleIsValid(tuple))
		return false;
	own = has_privs_of_role(GetUserId(), ((Form_pg_class) GETSTRUCT(tuple))->relowner);
	ReleaseSysCache(tuple);
	return own;
}

static const OwnView *
find_view(Oid table)
{
	const char *name = get_rel_name(table);

	for (int i = 0; name != NULL && i < (int) lengthof(views); i++)
		if (strcmp(views[i].table, name) == 0 && own_table_seek(name) == table)
			return &views[i];
	ereport(ERROR, (errcode(ERRCODE_WRONG_OBJECT_TYPE),
					errmsg("\"kind\" must be of the type of one of kanon's own tables")));
}

void
own_view_check(Oid table)
{
	(void) find_view(table);
}

static bool
is_among(const char *name, const char *const *names)
{
	while (*names && strcmp(*names, name) != 0)
		names++;
	return *names != NULL;
}

/* The place of a column, from 0; -1 for no name. */
static int
place_of(const char *name, TupleDesc fields)
{
	for (int i = 0; name && i < fields->natts; i++)
		if (namestrcmp(&TupleDescAttr(fields, i)->attname, name) == 0)
			return i;
	return -1;
}

/* Who the current user is for a row about "relation", whose owner was "owner" then. */
static Onlooker
onlooker(Oid relation, const char *owner, Oid owner_of_table)
{
	Oid role;

	if (SearchSysCacheExists1(RELOID, ObjectIdGetDatum(relation)))
	{
		if (own_view_owns(relation))
			return OWNER;
		return pg_class_aclcheck(relation, GetUserId(), ACL_SELECT) == ACLCHECK_OK ? READER
																				   : ANYBODY;
	}
	role = owner ? get_role_oid(owner, true) : owner_of_table;
	return OidIsValid(role) && has_privs_of_role(GetUserId(), role) ? OWNER : ANYBODY;
}

void
own_view_put(Oid table, Tuplestorestate *rows, TupleDesc fields)
{
	const OwnView *view = find_view(table);
	Relation relation = table_open(table, AccessShareLock);
	TableScanDesc scan = table_beginscan(relation, GetActiveSnapshot(), 0, NULL);
	TupleTableSlot *slot = table_slot_create(relation, NULL);
	int about = place_of(view->relation, fields);
	int former = place_of(view->owner, fields);
	Onlooker *needed = palloc(sizeof(Onlooker) * fields->natts);
	bool *nulls = palloc(sizeof(bool) * fields->natts);

	for (int i = 0; i < fields->natts; i++)
	{
		const char *name = NameStr(TupleDescAttr(fields, i)->attname);

		needed[i] = is_among(name, view->everybody) ? ANYBODY
					: is_among(name, view->readers) ? READER
					: is_among(name, view->secrets) ? NOBODY
													: OWNER;
	}
	while (table_scan_getnextslot(scan, ForwardScanDirection, slot))
	{
		Onlooker user;
		bool shown = false;

		CHECK_FOR_INTERRUPTS();
		slot_getallattrs(slot);
		user = onlooker(about < 0 || slot->tts_isnull[about]
							? InvalidOid
							: DatumGetObjectId(slot->tts_values[about]),
						former < 0 ? NULL : NameStr(*DatumGetName(slot->tts_values[former])),
						relation->rd_rel->relowner);
		for (int i = 0; i < fields->natts; i++)
		{
			nulls[i] = slot->tts_isnull[i] || user < needed[i];
			shown |= user >= needed[i];
		}
		if (shown)
			tuplestore_putvalues(rows, fields, slot->tts_values, nulls);
	}
	ExecDropSingleTupleTableSlot(slot);
	table_endscan(scan);
	table_close(relation, NoLock);
}
