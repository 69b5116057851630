/*
 * own_table.c
 *		See own_table.h.
 */
#include "postgres.h"

#include "sql/own_table.h"

#include "access/table.h"
#include "access/tableam.h"
#include "base/compat.h"
#include "base/context.h"
#include "catalog/pg_class.h"
#include "executor/spi.h"
#include "executor/tuptable.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "sql/own_extension.h"
#include "sql/relation_name.h"
#include "sql/row_query.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"

/* A statement while it runs. */
typedef struct OwnStatement
{
	char *sql;
	MemoryContext previous;
	QueryRole caller;
} OwnStatement;

/* InvalidOid without the extension. */
static Oid
seek_table(const char *name)
{
	OwnExtension extension;

	return own_extension_find(&extension) ? get_relname_relid(name, extension.schema) : InvalidOid;
}

Oid
own_table_find(const char *name)
{
	Oid table = seek_table(name);

	if (!OidIsValid(table))
		own_extension_report_none();
	return table;
}

/* The statement with the names of tables, and the first of them. */
static char *
name_tables(const char *sql, Oid *first)
{
	StringInfoData named;
	const char *at;

	initStringInfo(&named);
	*first = InvalidOid;
	while ((at = strchr(sql, '@')) != NULL)
	{
		int length = (int) strspn(at + 1, "abcdefghijklmnopqrstuvwxyz_");
		Oid table = own_table_find(psprintf("kanon_%.*s", length, at + 1));

		appendBinaryStringInfo(&named, sql, (int) (at - sql));
		appendStringInfoString(&named, relation_name(table));
		sql = at + 1 + length;
		*first = OidIsValid(*first) ? *first : table;
	}
	appendStringInfoString(&named, sql);
	return named.data;
}

/*
 * Switches to the owner, and to a context that _end deletes: window functions would keep the names
 * and values, and many look up theirs.
 */
static OwnStatement
statement_begin(const char *sql)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "kanon own table", CONTEXT_SMALL_SIZES);
	OwnStatement statement = {.previous = MemoryContextSwitchTo(context)};
	Oid table;

	statement.sql = name_tables(sql, &table);
	statement.caller = query_role_begin(relation_name_owner_now(table),
										SECURITY_LOCAL_USERID_CHANGE | SECURITY_NOFORCE_RLS);
	return statement;
}

static void
statement_end(OwnStatement statement)
{
	query_role_end(statement.caller);
	MemoryContextDelete(MemoryContextSwitchTo(statement.previous));
}

void
own_table_run(QueryView view, DestReceiver *receiver, const char *sql, const char *letters, ...)
{
	OwnStatement statement = statement_begin(sql);
	QueryParameters parameters;
	va_list arguments;

	va_start(arguments, letters);
	parameters = query_parameters(letters, arguments);
	va_end(arguments);
	query_run_bound(statement.sql, view, &parameters, receiver);
	statement_end(statement);
}

void
own_table_scan(const char *sql, const Oid *types, int columns, RowConsumer consumer, void *of)
{
	OwnStatement statement = statement_begin(sql);
	MemoryContext context = MemoryContextSwitchTo(statement.previous);
	RowSource *source = row_query_create(statement.sql, types, columns, false);

	MemoryContextSwitchTo(context);
	source->scan(source, consumer, of);
	statement_end(statement);
}

/* ---- what anybody sees of them */

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
			 "models", "person", "suppression", "created", "refreshed", "query"),
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
	return SearchSysCacheExists1(RELOID, ObjectIdGetDatum(relation)) &&
		   compat_owns_relation(relation, GetUserId());
}

static const OwnView *
find_view(Oid table)
{
	const char *name = get_rel_name(table);

	for (int i = 0; name != NULL && i < (int) lengthof(views); i++)
		if (strcmp(views[i].table, name) == 0 && seek_table(name) == table)
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

/* Who the current user is for a row about "relation", whose owner was "owner" then. */
static Onlooker
onlooker(Oid relation, const char *owner, Oid owner_of_table)
{
	Oid role;

	if (SearchSysCacheExists1(RELOID, ObjectIdGetDatum(relation)))
	{
		if (compat_owns_relation(relation, GetUserId()))
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
	int about = view->relation ? SPI_fnumber(fields, view->relation) - 1 : -1;
	int former = view->owner ? SPI_fnumber(fields, view->owner) - 1 : -1;
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

/* An older version of the extension may lack some of the tables. */
void
own_view_forget_dropped(void)
{
	for (int i = 0; i < (int) lengthof(views); i++)
		if (views[i].relation && OidIsValid(seek_table(views[i].table)))
			own_table_do(psprintf(views[i].owner ? "UPDATE @%1$s r SET %2$s = NULL"
												   " FROM " OWN_TABLE_DROPPED "r.%2$s"
												 : "DELETE FROM @%1$s r"
												   " USING " OWN_TABLE_DROPPED "r.%2$s",
								  views[i].table + strlen("kanon_"), views[i].relation),
						 "");
}
