/*
 * attribute.c
 *		SQL functions that declare columns, and make and check dimensions; the event triggers that
 *		keep the declarations up to date.
 */
#include "postgres.h"

#include "api/argument.h"
#include "api/result.h"
#include "cohort/cohort_state.h"
#include "dimension/dimension_build.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "nodes/parsenodes.h"
#include "relation/declaration.h"
#include "relation/odd_values.h"
#include "release/release_catalog.h"
#include "release/release_lost.h"
#include "release/release_refresh.h"
#include "release/release_seed.h"
#include "release/release_table.h"
#include "sql/name_array.h"
#include "sql/own_extension.h"
#include "sql/own_table.h"
#include "sql/rights.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

/* Do releases depend on how values in this role are written? */
static bool
may_be_odd(AttributeRole role)
{
	return role == ROLE_QUASI_IDENTIFIER || role == ROLE_SENSITIVE;
}

SQL_FUNCTION(kanon_set_attribute)
{
	Declaration declaration;
	QueryScope scope;

	ARGUMENTS_REQUIRE(fcinfo, "relation", "attribute", "role", [4] = "weight");
	declaration = (Declaration){
		.relation = PG_GETARG_OID(0),
		.attribute = NameStr(*PG_GETARG_NAME(1)),
		.role = attribute_role(text_to_cstring(PG_GETARG_TEXT_PP(2))),
		.dimension = argument_oid(fcinfo, 3),
		.weight = declaration_weight(PG_GETARG_FLOAT8(4)),
	};
	PreventCommandIfReadOnly("kanon_set_attribute()");
	scope = rights_begin(declaration.relation, RIGHTS_OF_OWNER, AccessShareLock);
	declaration_set(&declaration);
	if (may_be_odd(declaration.role))
		odd_values_notice(declaration.relation,
						  list_make1(unconstify(char *, declaration.attribute)), false);
	query_end(scope);
	PG_RETURN_VOID();
}

/* Declares the columns of a name[]; "named" has the names of all earlier arrays. */
static List *
declare_columns(Declaration declaration, ArrayType *columns, List *named)
{
	foreach_ptr (char, column, array_strings(columns))
	{
		if (column == NULL)
			ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
							errmsg("the name of a column must not be null")));
		declaration.attribute = column;
		foreach_ptr (const char, other, named)
			if (strcmp(other, column) == 0)
				ereport(ERROR, (errcode(ERRCODE_DUPLICATE_COLUMN),
								errmsg("column \"%s\" is named more than once", column)));
		declaration_set(&declaration);
		named = lappend(named, column);
	}
	return named;
}

SQL_FUNCTION(kanon_declare)
{
	static const struct
	{
		const char *name;
		AttributeRole role;
	} argument[] = {{"relation", ROLE_UNDECLARED},
					{"quasi_identifiers", ROLE_QUASI_IDENTIFIER},
					{"sensitive", ROLE_SENSITIVE},
					{"insensitive", ROLE_INSENSITIVE},
					{"identifiers", ROLE_IDENTIFIER}};
	Declaration declaration = {.weight = 1, .keep = true};
	List *named = NIL;
	List *odd = NIL;
	QueryScope scope;

	for (int i = 0; i < (int) lengthof(argument); i++)
		argument_require(fcinfo, i, argument[i].name);
	PreventCommandIfReadOnly("kanon_declare()");
	declaration.relation = PG_GETARG_OID(0);
	scope = rights_begin(declaration.relation, RIGHTS_OF_OWNER, AccessShareLock);
	for (int i = 1; i < (int) lengthof(argument); i++)
	{
		declaration.role = argument[i].role;
		named = declare_columns(declaration, PG_GETARG_ARRAYTYPE_P(i), named);
		if (may_be_odd(declaration.role))
			odd = list_copy(named);
	}
	if (named == NIL)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("no columns are named"),
						errhint("Name columns as quasi_identifiers, sensitive, insensitive or"
								" identifiers.")));
	odd_values_notice(declaration.relation, odd, false);
	query_end(scope);
	PG_RETURN_VOID();
}

SQL_FUNCTION(kanon_unset_attribute)
{
	QueryScope scope;

	ARGUMENTS_REQUIRE(fcinfo, "relation", "attribute");
	PreventCommandIfReadOnly("kanon_unset_attribute()");
	scope = rights_begin(PG_GETARG_OID(0), RIGHTS_OF_OWNER, AccessShareLock);
	declaration_unset(PG_GETARG_OID(0), NameStr(*PG_GETARG_NAME(1)));
	query_end(scope);
	PG_RETURN_VOID();
}

/* sql_drop; what depends on a release's entry is read before the entry goes */
SQL_FUNCTION(kanon_forget_dropped)
{
	QueryScope scope;

	(void) argument_event(fcinfo);
	if (!own_extension_exists())
		PG_RETURN_NULL();
	scope = query_begin_as_it_is();
	release_lost_keep();
	declaration_forget_dropped();
	own_view_forget_dropped();
	release_table_forget_dropped();
	release_seed_delete_dropped();
	query_end(scope);
	PG_RETURN_NULL();
}

/* ddl_command_end */
SQL_FUNCTION(kanon_follow_renamed)
{
	const RenameStmt *rename = (const RenameStmt *) argument_event(fcinfo)->parsetree;
	bool renames = IsA(rename, RenameStmt);
	bool column =
		renames && (rename->renameType == OBJECT_COLUMN || rename->renameType == OBJECT_ATTRIBUTE);
	QueryScope scope;

	if (!own_extension_exists() || (!renames && !IsA(rename, AlterObjectSchemaStmt)))
		PG_RETURN_NULL();
	scope = query_begin_as_it_is();
	if (column)
	{
		declaration_follow_rename(rename->subname, rename->newname);
		release_catalog_follow_rename(rename->subname, rename->newname);
		cohort_state_follow_rename(rename->subname, rename->newname);
	}
	else
		cohort_state_follow_names();
	query_end(scope);
	PG_RETURN_NULL();
}

SQL_FUNCTION(kanon_view_entries)
{
	Oid table = get_typ_typrelid(get_fn_expr_argtype(fcinfo->flinfo, 0));
	ReturnSetInfo *result;

	own_view_check(table);
	result = result_begin(fcinfo);
	own_view_put(table, result->setResult, result->setDesc);
	PG_RETURN_NULL();
}

SQL_FUNCTION(kanon_create_dimension)
{
	DimensionRequest request;
	QueryScope scope;
	Oid dimension;

	ARGUMENTS_REQUIRE(fcinfo, "dimension", "relation", "attribute", "method", "arguments");
	request = dimension_request(PG_GETARG_TEXT_PP(0), PG_GETARG_OID(1), NameStr(*PG_GETARG_NAME(2)),
								text_to_cstring(PG_GETARG_TEXT_PP(3)), PG_GETARG_ARRAYTYPE_P(4));
	PreventCommandIfReadOnly("kanon_create_dimension()");
	scope = rights_begin(request.relation, RIGHTS_OF_OWNER, AccessShareLock);
	rights_check_creation(request.schema, false);
	dimension = dimension_build(&request);
	odd_values_notice(request.relation, list_make1(unconstify(char *, request.attribute)), true);
	query_end(scope);
	PG_RETURN_OID(dimension);
}

SQL_FUNCTION(kanon_refresh_dimension)
{
	QueryScope scope;
	int64 added;

	ARGUMENTS_REQUIRE(fcinfo, "dimension");
	PreventCommandIfReadOnly("kanon_refresh_dimension()");
	scope = query_begin();
	added = dimension_refresh(PG_GETARG_OID(0));
	query_end(scope);
	PG_RETURN_INT64(added);
}

SQL_FUNCTION(kanon_check_dimension)
{
	ReturnSetInfo *result;
	QueryScope scope;

	ARGUMENTS_REQUIRE(fcinfo, "dimension", "relation", "attribute");
	result = result_begin(fcinfo);
	scope = rights_begin(PG_GETARG_OID(1), RIGHTS_TO_READ, AccessShareLock);
	dimension_check(PG_GETARG_OID(0), PG_GETARG_OID(1), NameStr(*PG_GETARG_NAME(2)),
					result->setResult, result->setDesc);
	query_end(scope);
	return (Datum) 0;
}
