/*
 * rights.h
 *		As whom a call works, and whose code may run as that role.
 *
 * Reading a relation may run code of its owner: functions of views, policies, expressions of
 * indexes and statistics.  Looking for such code cannot win, because it may be added a moment
 * later.  So kanon asks whose it is.  A caller who has the rights of a relation's owner, as a
 * superuser has everybody's, works as that owner, in a security-restricted operation, from before
 * the relation is touched until the call ends.  Other callers work as themselves, as SELECT does.
 *
 * A relation that is read beside another one, such as a dimension, must belong to somebody whose
 * code may run there: see rights_trusts.
 */
#ifndef KANON_RIGHTS_H
#define KANON_RIGHTS_H

#include "postgres.h"

#include "sql/query.h"
#include "storage/lockdefs.h"
#include "utils/guc.h"

/* What a caller must be allowed to do. */
typedef enum RightsNeeded
{
	RIGHTS_TO_READ,    /* whatever SELECT asks for: a caller without the owner's rights stays */
	RIGHTS_TO_REFRESH, /* refresh the materialized view */
	RIGHTS_OF_OWNER,
	RIGHTS_OF_RELEASE, /* the same, of a release whose text runs */
	RIGHTS_CHECKED     /* enters without asking: the caller's right was checked, or is not needed */
} RightsNeeded;

/*
 * Begins a query scope about a relation.  Locks it by OID until the end of the transaction, checks
 * the caller's right before and after the lock, and reads the owner.  If the caller has the
 * owner's rights, or "needed" asks for none, becomes that role until query_end or an error.  The
 * operation is security-restricted, whoever the role is; only RIGHTS_OF_OWNER leaves an owner
 * unrestricted.  If row security applies to the owner, a NOTICE tells the caller, who might see
 * more rows.  Errors in between say as whom the call works.  At the end, raises
 * ERRCODE_INSUFFICIENT_PRIVILEGE if code that ran left something in the session.
 *
 * Errors: no such relation (ERRCODE_UNDEFINED_TABLE), no right to it
 * (ERRCODE_INSUFFICIENT_PRIVILEGE), those of query_begin.  Cost: some catalog look-ups; if the
 * role is not the one that logged in, also two short queries and, if the session has a temporary
 * schema, two scans of what depends on it.
 */
extern QueryScope rights_begin(Oid relation, RightsNeeded needed, LOCKMODE mode);

/* The same within a query scope; an error unwinds it.  Both run statements: query_rows is lost. */
extern QueryRights rights_enter(Oid relation, RightsNeeded needed, LOCKMODE mode);
extern void rights_leave(const QueryRights *rights);

/*
 * Has the current role the right?  _check raises ERRCODE_INSUFFICIENT_PRIVILEGE if not.  They lock
 * nothing.
 */
extern bool rights_has(Oid relation, RightsNeeded needed);
extern void rights_check(Oid relation, RightsNeeded needed);

/*
 * May code of "owner" run as "role"?  It may if "owner" has the rights of "role", or if superusers
 * named it in kanon.trusted_owners.
 */
extern bool rights_trusts(Oid owner, Oid role);

/*
 * Checks a relation that a call reads beside the one that it is about: its code runs as the current
 * role.  Locks it.  Raises ERRCODE_INSUFFICIENT_PRIVILEGE unless rights_trusts its owner.  A caller
 * who works as himself and has no rights of that owner may read it, as by SELECT.
 */
extern void rights_check_beside(Oid relation);

/*
 * Raises ERRCODE_INSUFFICIENT_PRIVILEGE, with the GRANT to run, if the current role may not create
 * relations in a schema.  Views over kanon's functions also need USAGE on kanon's schema.
 */
extern void rights_check_creation(Oid schema, bool calls_kanon);

/*
 * The relation of that name that the current role has just made in the schema.  Revokes what
 * default privileges gave others.  Raises ERRCODE_UNDEFINED_TABLE if there is none of this role's:
 * it was dropped, or somebody renamed the schema meanwhile, and the relation lies elsewhere.
 */
extern Oid rights_made(Oid schema, const char *name);

/* The role that called, whatever role the call works as: for records of who did something. */
extern const char *rights_caller(void);

/*
 * Has that role the rights of the role as which the call works?  If not, as after MAINTAIN, errors
 * and notices quote nothing of what the call reads.
 */
extern bool rights_caller_reads(void);

/* kanon.trusted_owners: names of roles, separated by commas. */
extern char *rights_trusted_owners;

/* What a transaction needs that aborts; once, when the library is loaded. */
extern void rights_install(void);

/* Checks its syntax; a GUC check hook. */
extern bool rights_check_trusted_owners(char **value, void **extra, GucSource source);

#endif /* KANON_RIGHTS_H */
