/*
 * rights.c
 *		See rights.h.
 */
#include "postgres.h"

#include "sql/rights.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "base/compat.h"
#include "base/context.h"
#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "catalog/pg_depend.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_namespace.h"
#include "miscadmin.h"
#include "sql/own_extension.h"
#include "sql/relation_name.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/portal.h"
#include "utils/rls.h"
#include "utils/syscache.h"
#include "utils/varlena.h"

char *rights_trusted_owners = NULL;
static struct FrozenCursor *frozen_cursors = NULL;

/* ---- trust */

bool
rights_check_trusted_owners(char **value, void **extra, GucSource source)
{
	List *names = NIL;
	char *copy = pstrdup(*value);
	bool valid = SplitIdentifierString(copy, ',', &names);

	(void) extra;
	(void) source;
	if (!valid)
		GUC_check_errdetail("List syntax is invalid.");
	list_free(names);
	pfree(copy);
	return valid;
}

/* Names that are no roles, or no longer, trust nobody. */
static bool
is_named(Oid owner)
{
	List *names = NIL;
	ListCell *cell;
	bool found = false;
	char *copy;

	if (rights_trusted_owners == NULL || rights_trusted_owners[0] == '\0')
		return false;
	copy = pstrdup(rights_trusted_owners);
	(void) SplitIdentifierString(copy, ',', &names);
	foreach (cell, names)
		found = found || get_role_oid(lfirst(cell), true) == owner;
	list_free(names);
	pfree(copy);
	return found;
}

bool
rights_trusts(Oid owner, Oid role)
{
	return has_privs_of_role(owner, role) || is_named(owner);
}

/* The first part of a relation, itself included, whose owner's code may not run as "role". */
static Oid
find_untrusted(Oid relation, Oid role)
{
	List *parts = find_all_inheritors(relation, AccessShareLock, NULL);
	Oid found = InvalidOid;
	ListCell *cell;

	foreach (cell, parts)
		if (!rights_trusts(relation_name_owner_now(lfirst_oid(cell)), role))
		{
			found = lfirst_oid(cell);
			break;
		}
	list_free(parts);
	return found;
}

void
rights_check_beside(Oid relation)
{
	Oid owner = relation_name_owner(relation);
	Oid role = GetUserId();
	Oid part = find_untrusted(relation, role);

	/* A caller who could work as that owner must not read it as somebody else. */
	if (!OidIsValid(part) ||
		!(has_privs_of_role(GetOuterUserId(), owner) || has_privs_of_role(role, owner)))
		return;
	owner = relation_name_owner_now(part);
	ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
					errmsg("relation %s of \"%s\" cannot be read as \"%s\"", relation_name(part),
						   GetUserNameFromId(owner, false), GetUserNameFromId(role, false)),
					errdetail("Its owner's code would run with the rights of \"%s\".",
							  GetUserNameFromId(role, false)),
					errhint("Copy it into a table of \"%s\", or have a superuser add \"%s\" to the"
							" setting kanon.trusted_owners.",
							GetUserNameFromId(role, false), GetUserNameFromId(owner, false))));
}

/* ---- entering */

bool
rights_has(Oid relation, RightsNeeded needed)
{
	switch (needed)
	{
		case RIGHTS_TO_REFRESH:
			return compat_maintains_relation(relation, GetUserId());
		case RIGHTS_OF_OWNER:
		case RIGHTS_OF_RELEASE:
			return compat_owns_relation(relation, GetUserId());
		default:
			return true;
	}
}

/* Others may not lock it: so this is asked before the lock, and again after it. */
void
rights_check(Oid relation, RightsNeeded needed)
{
	if (!rights_has(relation, needed))
		aclcheck_error(ACLCHECK_NOT_OWNER, get_relkind_objtype(get_rel_relkind(relation)),
					   get_rel_name(relation));
}

/* Locks the relation; returns its owner. */
static Oid
lock_owned(Oid relation, RightsNeeded needed, LOCKMODE mode)
{
	if (SearchSysCacheExists1(RELOID, ObjectIdGetDatum(relation)))
		rights_check(relation, needed);
	relation_name_hold(relation, mode);
	rights_check(relation, needed);
	return relation_name_owner_now(relation);
}

static void
notice_row_security(Oid relation, Oid owner)
{
	if (check_enable_rls(relation, owner, true) != RLS_ENABLED)
		return;
	ereport(NOTICE,
			(errmsg("relation %s is read as its owner \"%s\", to whom its row security applies",
					relation_name_shown(relation), GetUserNameFromId(owner, false)),
			 errdetail("Rows that its policies hide from the owner do not count, although you may"
					   " see them."),
			 errhint("Give \"%s\" a policy for all rows, or run ALTER TABLE %s NO FORCE ROW LEVEL"
					 " SECURITY.",
					 GetUserNameFromId(owner, false), relation_name_shown(relation))));
}

/*
 * The objects of the session's temporary schema, by OID.  A security-restricted operation makes no
 * temporary tables, but PostgreSQL lets anybody's code make types and functions there, and types of
 * that schema hide PostgreSQL's own: text, say, in the caller's next statement.
 */
static List *
temporary_objects(void)
{
	Oid schema = LookupNamespaceNoError("pg_temp");
	List *objects = NIL;
	Relation depends;
	ScanKeyData key[2];
	SysScanDesc scan;
	HeapTuple tuple;

	if (!OidIsValid(schema))
		return NIL;
	/*
	 * Not by a query: it must see what has just been made, and a bracket may begin in a parallel
	 * plan, where no command starts.
	 */
	depends = table_open(DependRelationId, AccessShareLock);
	ScanKeyInit(&key[0], Anum_pg_depend_refclassid, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(NamespaceRelationId));
	ScanKeyInit(&key[1], Anum_pg_depend_refobjid, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(schema));
	scan = systable_beginscan(depends, DependReferenceIndexId, true, NULL, lengthof(key), key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
		objects = lappend_oid(objects, ((Form_pg_depend) GETSTRUCT(tuple))->objid);
	systable_endscan(scan);
	table_close(depends, AccessShareLock);
	return objects;
}

/* The bracket of a call that works as another role. */
typedef struct WorkingAs
{
	ErrorContextCallback callback; /* first */
	const char *role;
	const char *relation;
	MemoryContext context;     /* of all this */
	List *temporary;           /* objects of the session's temporary schema (OIDs), before */
	int cursors;               /* number of open cursors, before */
	MemoryContextCallback end; /* gives them back after an error */
} WorkingAs;

/* A cursor of the session that must rest while another role's code may run. */
typedef struct FrozenCursor
{
	struct FrozenCursor *next; /* of all that rest */
	const WorkingAs *during;
	Portal portal;
	const char *name;
} FrozenCursor;

/* Is it still there, and resting?  The unnamed portal need not exist. */
static bool
is_resting(const FrozenCursor *cursor)
{
	return PortalIsValid(cursor->portal) && GetPortalByName(cursor->name) == cursor->portal &&
		   cursor->portal->status == PORTAL_ACTIVE;
}

/* Gives the cursors back that rest during this bracket. */
static void
thaw_cursors(void *working)
{
	FrozenCursor **place = &frozen_cursors;

	while (*place)
	{
		FrozenCursor *cursor = *place;

		if (cursor->during != working)
		{
			place = &cursor->next;
			continue;
		}
		*place = cursor->next;
		if (is_resting(cursor))
			cursor->portal->status = PORTAL_READY;
	}
}

/*
 * A transaction that aborts has passed cursors by that seemed to be in use.  They fail like all
 * others of the transaction; those of an earlier one are ready again.
 */
static void
fail_cursors(XactEvent event, void *arg)
{
	(void) arg;
	if (event != XACT_EVENT_ABORT)
		return;
	while (frozen_cursors)
	{
		FrozenCursor *cursor = frozen_cursors;

		frozen_cursors = cursor->next;
		if (!is_resting(cursor))
			continue;
		cursor->portal->status = PORTAL_READY;
		if (cursor->portal->createSubid != InvalidSubTransactionId)
			MarkPortalFailed(cursor->portal);
	}
}

void
rights_install(void)
{
	RegisterXactCallback(fail_cursors, NULL);
}

/* The names of the open cursors (C strings). */
static List *
open_cursors(void)
{
	List *names = NIL;

	query_run("SELECT name FROM pg_cursors", true);
	for (uint64 row = 0; row < query_rows(); row++)
		names = lappend(names, query_text(row, 1));
	return names;
}

/*
 * Lets the session's cursors look as if they were in use, so that nobody can fetch from them, move
 * them, or close one and open another under its name.
 */
static void
freeze_cursors(WorkingAs *working)
{
	List *names = open_cursors();
	ListCell *cell;

	working->cursors = list_length(names);
	working->end = (MemoryContextCallback){.func = thaw_cursors, .arg = working};
	MemoryContextRegisterResetCallback(working->context, &working->end);
	foreach (cell, names)
	{
		FrozenCursor *cursor = palloc(sizeof(FrozenCursor));

		*cursor = (FrozenCursor){.next = frozen_cursors,
								 .during = working,
								 .portal = GetPortalByName(lfirst(cell)),
								 .name = lfirst(cell)};
		if (!PortalIsValid(cursor->portal) || cursor->portal->status != PORTAL_READY)
			continue;
		cursor->portal->status = PORTAL_ACTIVE;
		frozen_cursors = cursor;
	}
}

/*
 * Nothing that another role's code left in the session may stay there.  A cursor runs its query
 * with the rights of whoever fetches from it.
 */
static void
check_left(const WorkingAs *working)
{
	if (list_difference_oid(temporary_objects(), working->temporary) != NIL)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("code of \"%s\" made an object in the temporary schema of this session",
						working->role),
				 errdetail("The object might take the place of one that you use.")));
	if (list_length(open_cursors()) != working->cursors)
		ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
						errmsg("code of \"%s\" left a cursor open", working->role),
						errdetail("Fetching from it would run that code with your rights.")));
}

static void
tell_role(void *arg)
{
	const WorkingAs *working = arg;

	errcontext("working as \"%s\", the owner of %s", working->role, working->relation);
}

/* An error takes it from the stack before it frees the context. */
static WorkingAs *
begin_working(Oid relation, Oid owner)
{
	MemoryContext context =
		AllocSetContextCreate(CurTransactionContext, "kanon rights", CONTEXT_SMALL_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	WorkingAs *working = palloc(sizeof(WorkingAs));

	*working = (WorkingAs){
		.callback = {.previous = error_context_stack, .callback = tell_role, .arg = working},
		.role = GetUserNameFromId(owner, false),
		.relation = relation_name_shown(relation),
		.context = context,
		.temporary = temporary_objects(),
	};
	freeze_cursors(working);
	MemoryContextSwitchTo(caller);
	return working;
}

/* As whom somebody works who asks for that much. */
static Oid
role_of(Oid owner, RightsNeeded needed)
{
	return needed != RIGHTS_TO_READ || has_privs_of_role(GetUserId(), owner) ? owner : GetUserId();
}

/* Is there no other role in the session to whom anything could be left? */
static bool
is_alone(Oid role)
{
	return role == GetUserId() && role == GetAuthenticatedUserId();
}

/*
 * What runs is restricted also if the role stays: code of a view, say, must not return to the role
 * that logged in.  But what owners do with their own relations beside releases may be temporary.
 */
QueryRights
rights_enter(Oid relation, RightsNeeded needed, LOCKMODE mode)
{
	Oid owner = lock_owned(relation, needed, mode);
	Oid role = role_of(owner, needed);
	QueryRights rights = {.entered = needed != RIGHTS_OF_OWNER || owner != GetUserId()};

	if (!rights.entered)
		return rights;
	if (role != GetUserId() && (needed == RIGHTS_TO_READ || needed == RIGHTS_OF_OWNER))
		notice_row_security(relation, role);
	if (!is_alone(role))
		rights.working = begin_working(relation, role);
	rights.role = query_role_begin(role, SECURITY_RESTRICTED_OPERATION);
	if (rights.working && role != rights.role.user)
		error_context_stack = &rights.working->callback;
	relation_name_note(relation);
	return rights;
}

void
rights_leave(const QueryRights *rights)
{
	WorkingAs *working = rights->working;

	if (!rights->entered)
		return;
	if (working && error_context_stack == &working->callback)
		error_context_stack = working->callback.previous;
	query_role_end(rights->role);
	if (working == NULL)
		return;
	thaw_cursors(working);
	check_left(working);
	MemoryContextDelete(working->context);
}

QueryScope
rights_begin(Oid relation, RightsNeeded needed, LOCKMODE mode)
{
	QueryScope scope = query_begin();

	scope.rights = rights_enter(relation, needed, mode);
	return scope;
}

/* ---- what a call makes, and for whom */

static void
check_schema(Oid schema, AclMode right, const char *name)
{
	const char *role = quote_identifier(GetUserNameFromId(GetUserId(), false));
	const char *quoted = quote_identifier(relation_name_schema(schema));

	if (compat_schema_aclcheck(schema, GetUserId(), right) != ACLCHECK_OK)
		ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
						errmsg("permission denied for schema %s", quoted),
						errdetail("\"%s\" needs %s on it: what is made of a relation belongs to"
								  " the relation's owner, if you have that role's rights.",
								  GetUserNameFromId(GetUserId(), false), name),
						errhint("Run GRANT %s ON SCHEMA %s TO %s.", name, quoted, role)));
}

void
rights_check_creation(Oid schema, bool calls_kanon)
{
	/* Callers who work as themselves get PostgreSQL's own error. */
	if (!InSecurityRestrictedOperation())
		return;
	check_schema(schema, ACL_USAGE, "USAGE");
	check_schema(schema, ACL_CREATE, "CREATE");
	if (calls_kanon)
		check_schema(own_extension_schema(), ACL_USAGE, "USAGE");
}

/*
 * ALTER DEFAULT PRIVILEGES may grant others access to each new table of a role.  But a release must
 * not be readable before its owner has checked it, and a dimension holds the original values of its
 * column.
 */
static void
make_private(Oid relation)
{
	char *grantees;

	query_run_with("SELECT string_agg(DISTINCT CASE a.grantee WHEN 0 THEN 'PUBLIC'"
				   " ELSE quote_ident(pg_get_userbyid(a.grantee)) END, ', ')"
				   " FROM pg_class c, aclexplode(c.relacl) a"
				   " WHERE c.oid = $1 AND a.grantee <> c.relowner",
				   QUERY_WRITE, "o", relation);
	grantees = query_text(0, 1);
	if (grantees)
		query_run(
			psprintf("REVOKE ALL ON TABLE %s FROM %s CASCADE", relation_name(relation), grantees),
			false);
}

Oid
rights_made(Oid schema, const char *name)
{
	Oid made = get_relname_relid(name, schema);
	HeapTuple tuple =
		OidIsValid(made) ? SearchSysCache1(RELOID, ObjectIdGetDatum(made)) : (HeapTuple) NULL;
	bool own = HeapTupleIsValid(tuple) &&
			   ((Form_pg_class) GETSTRUCT(tuple))->relowner == GetUserId() &&
			   TransactionIdIsCurrentTransactionId(HeapTupleHeaderGetXmin(tuple->t_data));

	if (HeapTupleIsValid(tuple))
		ReleaseSysCache(tuple);
	if (!own)
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_TABLE),
						errmsg("relation \"%s\" was dropped while it was made, or its schema was"
							   " renamed",
							   name)));
	make_private(made);
	return made;
}

const char *
rights_caller(void)
{
	return GetUserNameFromId(GetOuterUserId(), false);
}

bool
rights_caller_reads(void)
{
	return has_privs_of_role(GetOuterUserId(), GetUserId());
}
