/*
 * release.c
 *		SQL functions that make, refresh and drop releases, also by cohorts; the event triggers that
 *		keep kanon_release up to date; the seeds of releases that draw, and their options.
 */
#include "postgres.h"

#include "api/argument.h"
#include "api/result.h"
#include "audit/aside_audit.h"
#include "catalog/namespace.h"
#include "cohort/cohort_state.h"
#include "commands/trigger.h"
#include "count/content_tally.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "nodes/parsenodes.h"
#include "release/release_catalog.h"
#include "release/release_create.h"
#include "release/release_lost.h"
#include "release/release_members.h"
#include "release/release_refresh.h"
#include "release/release_request.h"
#include "release/release_seed.h"
#include "release/release_table.h"
#include "sql/own_extension.h"
#include "sql/query.h"
#include "sql/query_jobs.h"
#include "sql/relation_name.h"
#include "sql/rights.h"
#include "sql/value_text.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

/* k and the recoding, with the arguments that others share. */
static ReleaseArguments
request_arguments(FunctionCallInfo fcinfo, int k)
{
	ReleaseArguments arguments = release_arguments(fcinfo);
	const char *recoding = argument_text(fcinfo, k + 1);

	if (!PG_ARGISNULL(k))
		arguments.k = argument_k(fcinfo, k);
	if (recoding)
		arguments.recoding = release_recoding_find(recoding);
	return arguments;
}

SQL_FUNCTION(kanon_create_release)
{
	ReleaseRequest request;
	ReleaseArguments arguments;
	QueryScope scope;
	Oid release;

	ARGUMENTS_REQUIRE(fcinfo, "release", "relation", "k", "recoding", [6] = "suppression");
	arguments = request_arguments(fcinfo, 2);
	request = release_request_new(&arguments);
	request.relation = PG_GETARG_OID(1);
	release_request_check(&request);
	PreventCommandIfReadOnly("kanon_create_release()");
	request.release = release_create_name(PG_GETARG_TEXT_PP(0));
	scope = rights_begin(request.relation, RIGHTS_TO_READ, AccessShareLock);
	rights_check_creation(request.release.schema, true);
	own_extension_check_names();
	release = release_create(&request);
	aside_audit_notice(release);
	query_end(scope);
	PG_RETURN_OID(release);
}

/* The arguments of either function after the first. */
static RefreshOptions
refresh_options(FunctionCallInfo fcinfo)
{
	return (RefreshOptions){.search = PG_GETARG_BOOL(1),
							.concurrently = PG_GETARG_BOOL(2),
							.strict = PG_GETARG_BOOL(3)};
}

SQL_FUNCTION(kanon_refresh_release)
{
	QueryScope scope;
	RefreshOptions options;
	ReleaseFilling filling;
	ReleaseFigures figures;

	ARGUMENTS_REQUIRE(fcinfo, "release", "search", "concurrently", "strict");
	options = refresh_options(fcinfo);
	PreventCommandIfReadOnly("kanon_refresh_release()");
	scope = query_begin();
	filling = release_refresh(PG_GETARG_OID(0), &options);
	query_end(scope);
	figures = filling.figures;
	return result_row(fcinfo, "o?l?l?l?l?d?b?bd", filling.release, figures.rows >= 0, figures.rows,
					  figures.missing >= 0, figures.missing, figures.classes >= 0, figures.classes,
					  figures.classes > 0, figures.smallest, !isnan(figures.loss), figures.loss,
					  figures.missing >= 0, figures.satisfied, filling.changed_known,
					  filling.changed, filling.seconds);
}

SQL_FUNCTION(kanon_replace_release)
{
	ReleaseArguments changes = request_arguments(fcinfo, 1);
	QueryScope scope;

	argument_require(fcinfo, 0, "release");
	PreventCommandIfReadOnly("kanon_replace_release()");
	scope = rights_begin(PG_GETARG_OID(0), RIGHTS_OF_RELEASE, ExclusiveLock);
	own_extension_check_names();
	release_replace(PG_GETARG_OID(0), &changes);
	aside_audit_notice(PG_GETARG_OID(0));
	query_end(scope);
	PG_RETURN_OID(PG_GETARG_OID(0));
}

SQL_FUNCTION(kanon_refresh_releases)
{
	RefreshOptions options;
	char *pattern;

	ARGUMENTS_REQUIRE(fcinfo, "pattern", "search", "concurrently", "strict");
	options = refresh_options(fcinfo);
	PreventCommandIfReadOnly("kanon_refresh_releases()");
	query_jobs_begin(fcinfo);
	pattern = text_to_cstring(PG_GETARG_TEXT_PP(0));
	release_refresh_all(pattern, &options);
	query_jobs_end();
	PG_RETURN_VOID();
}

SQL_FUNCTION(kanon_drop_release)
{
	QueryScope scope;

	argument_require(fcinfo, 0, "release");
	PreventCommandIfReadOnly("kanon_drop_release()");
	scope = rights_begin(PG_GETARG_OID(0), RIGHTS_OF_OWNER, AccessExclusiveLock);
	release_drop(PG_GETARG_OID(0));
	query_end(scope);
	PG_RETURN_VOID();
}

SQL_FUNCTION(kanon_adopt_release)
{
	QueryScope scope;

	argument_require(fcinfo, 0, "release");
	PreventCommandIfReadOnly("kanon_adopt_release()");
	scope = query_begin();
	release_lost_adopt(PG_GETARG_OID(0));
	query_end(scope);
	PG_RETURN_VOID();
}

/*
 * Calls a function for the relation of a REFRESH MATERIALIZED VIEW, which may be any.  Before the
 * REFRESH, locks it as it will: otherwise another relation could take its name meanwhile.
 */
static void
follow_refresh(FunctionCallInfo fcinfo, bool lock, void (*follow)(Oid relation))
{
	RefreshMatViewStmt *refresh = (RefreshMatViewStmt *) argument_event(fcinfo)->parsetree;
	QueryScope scope;
	Oid relation;

	if (!own_extension_exists() || !IsA(refresh, RefreshMatViewStmt))
		return;
	relation =
		lock ? compat_lock_for_refresh(refresh->relation,
									   refresh->concurrent ? ExclusiveLock : AccessExclusiveLock)
			 : RangeVarGetRelid(refresh->relation, NoLock, true);
	if (!OidIsValid(relation))
		return;
	scope = query_begin_as_it_is();
	follow(relation);
	query_end(scope);
}

/* DROP EXTENSION kanon, or its schema CASCADE. */
static bool
names_kanon(const DropStmt *drop, const OwnExtension *kanon)
{
	bool schema = drop->removeType == OBJECT_SCHEMA;

	if (schema ? drop->behavior != DROP_CASCADE : drop->removeType != OBJECT_EXTENSION)
		return false;
	foreach_ptr (Node, name, drop->objects)
		if (schema ? get_namespace_oid(strVal(name), true) == kanon->schema
				   : strcmp(strVal(name), "kanon") == 0)
			return true;
	return false;
}

/* DROP OWNED BY the owner of kanon. */
static bool
names_owner(const DropOwnedStmt *drop, const OwnExtension *kanon)
{
	foreach_ptr (RoleSpec, role, drop->roles)
		if (get_rolespec_oid(role, true) == kanon->owner)
			return true;
	return false;
}

/* Does the statement drop kanon, on behalf of somebody who may do that? */
static bool
drops_kanon(const Node *statement)
{
	OwnExtension kanon;

	if (!IsA(statement, DropStmt) && !IsA(statement, DropOwnedStmt))
		return false;
	return own_extension_find(&kanon) && has_privs_of_role(GetUserId(), kanon.owner) &&
		   (IsA(statement, DropStmt) ? names_kanon((const DropStmt *) statement, &kanon)
									 : names_owner((const DropOwnedStmt *) statement, &kanon));
}

/*
 * ddl_command_start of REFRESH MATERIALIZED VIEW, WITH NO DATA of which reads nothing, and of
 * whatever may drop kanon.
 */
SQL_FUNCTION(kanon_release_refreshing)
{
	const Node *statement = argument_event(fcinfo)->parsetree;
	bool emptying =
		IsA(statement, RefreshMatViewStmt) && ((const RefreshMatViewStmt *) statement)->skipData;

	if (drops_kanon(statement))
	{
		QueryScope scope = query_begin_as_it_is();

		cohort_state_notice_end();
		query_end(scope);
	}
	follow_refresh(fcinfo, true, emptying ? release_emptying : release_refreshing);
	PG_RETURN_NULL();
}

/* ddl_command_end of it */
SQL_FUNCTION(kanon_release_refreshed)
{
	follow_refresh(fcinfo, false, release_refreshed);
	release_request_return_memory();
	PG_RETURN_NULL();
}

/* Of releases that are stored as tables */
SQL_FUNCTION(kanon_release_guard)
{
	if (!CALLED_AS_TRIGGER(fcinfo))
		ereport(ERROR, (errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
						errmsg("this function is called by triggers only")));
	release_table_refuse_write(((const TriggerData *) fcinfo->context)->tg_relation);
}

SQL_FUNCTION(kanon_options)
{
	ReturnSetInfo *result = result_begin(fcinfo);

	release_options_put(result->setResult, result->setDesc);
	return (Datum) 0;
}

/* Strict */
SQL_FUNCTION(kanon_view_seed)
{
	QueryScope scope = query_begin();
	char *seed = MemoryContextStrdup(scope.caller, release_seed_read(PG_GETARG_INT64(0)));

	query_end(scope);
	PG_RETURN_TEXT_P(cstring_to_text(seed));
}

/* Strict */
SQL_FUNCTION(kanon_digest)
{
	QueryScope scope = rights_begin(PG_GETARG_OID(0), RIGHTS_TO_READ, AccessShareLock);
	const ReleaseEntry *entry = release_catalog_find(PG_GETARG_OID(0));
	const char *digest = entry ? release_catalog_digest(entry)
							   : content_tally_digest_of(relation_name(PG_GETARG_OID(0)));

	digest = MemoryContextStrdup(scope.caller, digest);
	query_end(scope);
	PG_RETURN_TEXT_P(cstring_to_text(digest));
}

/* Without a scope: it may run on a worker of Citus, where it reads nothing but the rows. */
SQL_FUNCTION(kanon_view_digest_transition)
{
	ContentTally *tally = PG_ARGISNULL(0) ? NULL : (ContentTally *) PG_GETARG_POINTER(0);
	MemoryContext aggregate;

	if (!AggCheckCallContext(fcinfo, &aggregate))
		elog(ERROR, "kanon_view_digest_transition called in non-aggregate context");
	if (tally == NULL)
	{
		MemoryContext previous = MemoryContextSwitchTo(aggregate);

		tally = content_tally_create((ContentQuestion){.digest = true, .records = true});
		MemoryContextSwitchTo(previous);
	}
	if (!PG_ARGISNULL(1))
		content_tally_add(tally, PG_GETARG_HEAPTUPLEHEADER(1));
	PG_RETURN_POINTER(tally);
}

SQL_FUNCTION(kanon_view_digest_final)
{
	if (PG_ARGISNULL(0))
		PG_RETURN_TEXT_P(cstring_to_text(content_tally_sum(NIL)));
	PG_RETURN_TEXT_P(
		cstring_to_text(content_tally_digest((const ContentTally *) PG_GETARG_POINTER(0))));
}

SQL_FUNCTION(kanon_adopt_cohorts)
{
	QueryScope scope;

	argument_require(fcinfo, 0, "relation");
	PreventCommandIfReadOnly("kanon_adopt_cohorts()");
	scope = query_begin();
	cohort_state_adopt(PG_GETARG_OID(0));
	query_end(scope);
	PG_RETURN_VOID();
}

/* Caches the input function of the type. */
SQL_FUNCTION(kanon_view_value)
{
	ValueText *reader = fcinfo->flinfo->fn_extra;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	if (reader == NULL)
	{
		MemoryContext previous = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);

		reader = palloc(sizeof(ValueText));
		*reader = value_text_reader(get_fn_expr_rettype(fcinfo->flinfo));
		fcinfo->flinfo->fn_extra = reader;
		MemoryContextSwitchTo(previous);
	}
	return value_text_read(reader, text_to_cstring(PG_GETARG_TEXT_PP(0)));
}

/* Strict */
SQL_FUNCTION(kanon_view_cohort_cells)
{
	ReturnSetInfo *result = result_begin(fcinfo);
	QueryScope scope = query_begin();

	cohort_state_put(PG_GETARG_INT64(0), "cohort_cell", result->setResult);
	query_end(scope);
	PG_RETURN_NULL();
}

/* Strict */
SQL_FUNCTION(kanon_view_cohort_members)
{
	ReturnSetInfo *result = result_begin(fcinfo);
	QueryScope scope = query_begin();

	cohort_state_put(PG_GETARG_INT64(0), "cohort_member", result->setResult);
	query_end(scope);
	PG_RETURN_NULL();
}
