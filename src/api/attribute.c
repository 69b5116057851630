/*
 * attribute.c
 *		SQL functions that declare columns, and the event triggers that keep
 *		the declarations true.
 */
#include "postgres.h"

#include "api/argument.h"
#include "api/event_argument.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "nodes/parsenodes.h"
#include "relation/declaration.h"
#include "sql/query.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(kanon_set_attribute);
PG_FUNCTION_INFO_V1(kanon_unset_attribute);
PG_FUNCTION_INFO_V1(kanon_forget_dropped);
PG_FUNCTION_INFO_V1(kanon_follow_renamed);

Datum
kanon_set_attribute(PG_FUNCTION_ARGS)
{
	Declaration declaration;
	QueryScope scope;

	argument_require(fcinfo, 0, "relation");
	argument_require(fcinfo, 1, "attribute");
	argument_require(fcinfo, 2, "role");
	argument_require(fcinfo, 4, "weight");
	declaration = (Declaration){
		.relation = PG_GETARG_OID(0),
		.attribute = NameStr(*PG_GETARG_NAME(1)),
		.role = declaration_role(text_to_cstring(PG_GETARG_TEXT_PP(2))),
		.dimension = PG_ARGISNULL(3) ? InvalidOid : PG_GETARG_OID(3),
		.weight = declaration_weight(PG_GETARG_FLOAT8(4)),
	};
	PreventCommandIfReadOnly("kanon_set_attribute()");
	scope = query_begin();
	declaration_set(&declaration);
	query_end(scope);
	PG_RETURN_VOID();
}

Datum
kanon_unset_attribute(PG_FUNCTION_ARGS)
{
	QueryScope scope;

	argument_require(fcinfo, 0, "relation");
	argument_require(fcinfo, 1, "attribute");
	PreventCommandIfReadOnly("kanon_unset_attribute()");
	scope = query_begin();
	declaration_unset(PG_GETARG_OID(0), NameStr(*PG_GETARG_NAME(1)));
	query_end(scope);
	PG_RETURN_VOID();
}

/* sql_drop */
Datum
kanon_forget_dropped(PG_FUNCTION_ARGS)
{
	QueryScope scope;

	(void) event_argument(fcinfo);
	scope = query_begin();
	declaration_forget_dropped();
	query_end(scope);
	PG_RETURN_NULL();
}

/* ddl_command_end */
Datum
kanon_follow_renamed(PG_FUNCTION_ARGS)
{
	RenameStmt *rename = (RenameStmt *) event_argument(fcinfo)->parsetree;
	QueryScope scope;

	if (!IsA(rename, RenameStmt) ||
		(rename->renameType != OBJECT_COLUMN && rename->renameType != OBJECT_ATTRIBUTE))
		PG_RETURN_NULL();
	scope = query_begin();
	declaration_follow_rename(rename->subname, rename->newname);
	query_end(scope);
	PG_RETURN_NULL();
}
