/*
 * relation_name.c
 *		See relation_name.h.
 *
 * PostgreSQL calls the hook after each analysis of a statement, also when it analyzes a plan anew,
 * and before it replaces views by what they read: so the relations of the query are those that the
 * text names.
 */
#include "postgres.h"

#include "sql/relation_name.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/relation.h"
#include "access/table.h"
#include "access/transam.h"
#include "access/xact.h"
#include "base/compat.h"
#include "catalog/pg_class.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "nodes/parsenodes.h"
#include "parser/analyze.h"
#include "sql/own_extension.h"
#include "sql/rights.h"
#include "storage/lmgr.h"
#include "utils/builtins.h"
#include "utils/catcache.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/regproc.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"

/* ---- notes of names, and the statements that may contain them */

typedef struct NamedRelation
{
	Oid relation;
	Oid role;  /* as whom it was noted */
	int depth; /* of the call that noted it: how many watched statements run around it */
} NamedRelation;

static List *named = NIL; /* of NamedRelation, in TopMemoryContext */
static NamedWatch watch = {.sql = NULL};
static post_parse_analyze_hook_type previous_hook = NULL;

static bool
is_named(Oid relation, int depth)
{
	foreach_ptr (const NamedRelation, note, named)
		if (note->relation == relation && note->depth == depth && note->role == GetUserId())
			return true;
	return false;
}

void
relation_name_note(Oid relation)
{
	MemoryContext previous;
	NamedRelation *note;

	if (watch.outermost == 0 || is_named(relation, watch.depth))
		return;
	previous = MemoryContextSwitchTo(TopMemoryContext);
	note = palloc(sizeof(NamedRelation));
	*note = (NamedRelation){.relation = relation, .role = GetUserId(), .depth = watch.depth};
	named = lappend(named, note);
	MemoryContextSwitchTo(previous);
}

/* Notes are made within the statement around them: the deeper ones come last. */
static void
forget(int depth)
{
	while (named && ((const NamedRelation *) llast(named))->depth >= depth)
	{
		pfree(llast(named));
		named = list_delete_last(named);
	}
}

static void
forget_call(void)
{
	forget(watch.depth);
	watch.outermost = 0;
	watch.outermost_of = InvalidSubTransactionId;
}

void
relation_name_begin(int nest_level)
{
	if (watch.outermost != 0 && watch.outermost < nest_level)
		return;
	forget_call();
	watch.outermost = nest_level;
	watch.outermost_of = GetCurrentSubTransactionId();
}

void
relation_name_end(int nest_level)
{
	if (nest_level == watch.outermost)
		forget_call();
}

/* An error that ended the outermost scope. */
static void
forget_aborted(SubXactEvent event, SubTransactionId mine, SubTransactionId parent, void *arg)
{
	(void) parent;
	(void) arg;
	if (event == SUBXACT_EVENT_ABORT_SUB && mine == watch.outermost_of)
		forget_call();
}

static void
forget_ended(XactEvent event, void *arg)
{
	(void) arg;
	if (event != XACT_EVENT_COMMIT && event != XACT_EVENT_ABORT)
		return;
	forget(0);
	watch = (NamedWatch){.sql = NULL};
}

NamedWatch
relation_name_watch(const char *sql)
{
	NamedWatch before = watch;

	watch = (NamedWatch){.sql = sql, .depth = before.depth + 1};
	return before;
}

void
relation_name_unwatch(NamedWatch before)
{
	forget(before.depth + 1);
	watch = before;
}

/* ---- names and locks */

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
	relation_name_hold(relation, AccessShareLock);
	return relation_open(relation, NoLock);
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
	const char *name = find_name(relation);

	if (!relation_name_lock(relation, mode))
		report_gone(relation, name);
}

const char *
relation_name_shown(Oid relation)
{
	const char *name = find_name(relation);

	if (name == NULL)
		report_gone(relation, NULL);
	return name;
}

static const char *
lock_and_name(Oid relation, LOCKMODE mode)
{
	const char *name;

	relation_name_hold(relation, mode);
	name = relation_name_shown(relation);
	relation_name_note(relation);
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

	relation_name_note(relation);
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

/* ---- the check */

/* Anything that initdb made. */
static bool
is_postgres(Oid object)
{
	return object < FirstNormalObjectId;
}

/* Extensions such as Citus have their catalogs beside PostgreSQL's. */
static bool
is_catalog(Oid relation)
{
	OwnExtension extension;

	/* Only superusers make anything there. */
	if (get_rel_namespace(relation) == PG_CATALOG_NAMESPACE)
		return true;
	return own_extension_find(&extension) && get_rel_namespace(relation) == extension.schema &&
		   rights_trusts(relation_name_owner_now(relation), GetUserId());
}

static void
check_relation(Oid relation)
{
	/* The call noted it before its statement began, as the role that runs it. */
	if (is_postgres(relation) || is_named(relation, watch.depth - 1) || is_catalog(relation))
		return;
	ereport(ERROR, (errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
					errmsg("relation \"%s\" took the name of another one during the call",
						   get_rel_name(relation)),
					errhint("Try again.  If it happens again, find out who renames schemas.")));
}

/* Sets the Oid behind "found" to the function. */
static bool
is_untrusted(Oid function, void *found)
{
	HeapTuple tuple;
	Oid owner;

	if (is_postgres(function))
		return false;
	*(Oid *) found = function;
	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	if (!HeapTupleIsValid(tuple))
		return true;
	owner = ((Form_pg_proc) GETSTRUCT(tuple))->proowner;
	ReleaseSysCache(tuple);
	return !rights_trusts(owner, GetUserId());
}

pg_noreturn static void
report_code(const char *what)
{
	ereport(ERROR,
			(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
			 errmsg("%s would run with the rights of \"%s\"", what,
					GetUserNameFromId(GetUserId(), false)),
			 errdetail("Its owner has not the rights of that role."),
			 errhint("If it is kanon's, give it to a superuser; otherwise try again, and find"
					 " out who renames schemas.")));
}

/* Only superusers put operators into families. */
static bool
is_of_family(Node *node)
{
	Oid operation = InvalidOid;
	CatCList *members;
	bool found;

	if (IsA(node, OpExpr) || IsA(node, DistinctExpr) || IsA(node, NullIfExpr))
		operation = ((OpExpr *) node)->opno;
	else if (IsA(node, ScalarArrayOpExpr))
		operation = ((ScalarArrayOpExpr *) node)->opno;
	if (!OidIsValid(operation))
		return false;
	members = SearchSysCacheList1(AMOPOPID, ObjectIdGetDatum(operation));
	found = members->n_members > 0;
	ReleaseSysCacheList(members);
	return found;
}

static void
check_domain(Oid domain)
{
	HeapTuple tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(domain));
	Oid owner = HeapTupleIsValid(tuple) ? ((Form_pg_type) GETSTRUCT(tuple))->typowner : InvalidOid;

	if (HeapTupleIsValid(tuple))
		ReleaseSysCache(tuple);
	if (!is_postgres(domain) && !rights_trusts(owner, GetUserId()))
		report_code(psprintf(_("a check of domain %s"), format_type_be(domain)));
}

static bool
check_node(Node *node, void *context)
{
	const Query *outer = context;
	Oid function = InvalidOid;

	if (node == NULL)
		return false;
	if (IsA(node, RangeTblEntry))
	{
		const RangeTblEntry *entry = (const RangeTblEntry *) node;

		if (entry->rtekind == RTE_RELATION)
			check_relation(entry->relid);
		return false;
	}
	if (IsA(node, Query))
		return query_tree_walker((Query *) node, check_node, node, QTW_EXAMINE_RTES_BEFORE);
	/* The columns of a table that is written to have the types that its owner gave them. */
	if (IsA(node, CoerceToDomain) && outer->commandType == CMD_SELECT)
		check_domain(((CoerceToDomain *) node)->resulttype);
	if (IsA(node, Const) && ((Const *) node)->consttype == REGCLASSOID &&
		!((Const *) node)->constisnull &&
		OidIsValid(DatumGetObjectId(((Const *) node)->constvalue)))
		check_relation(DatumGetObjectId(((Const *) node)->constvalue));
	if (check_functions_in_node(node, is_untrusted, &function) && !is_of_family(node))
		report_code(psprintf(_("function %s"), format_procedure(function)));
	return expression_tree_walker(node, check_node, context);
}

static void
check_query(Query *query)
{
	Node *utility = query->utilityStmt;

	if (utility && IsA(utility, CreateTableAsStmt) &&
		IsA(((CreateTableAsStmt *) utility)->query, Query))
		query = (Query *) ((CreateTableAsStmt *) utility)->query;
	if (query->commandType != CMD_UTILITY)
		(void) query_tree_walker(query, check_node, query, QTW_EXAMINE_RTES_BEFORE);
}

static void
check_statement(ParseState *state, Query *query, JumbleState *jumble)
{
	if (previous_hook)
		previous_hook(state, query, jumble);
	if (watch.sql && state->p_sourcetext && strcmp(watch.sql, state->p_sourcetext) == 0)
		check_query(query);
}

void
relation_name_install(void)
{
	RegisterXactCallback(forget_ended, NULL);
	RegisterSubXactCallback(forget_aborted, NULL);
	previous_hook = post_parse_analyze_hook;
	post_parse_analyze_hook = check_statement;
}
