/*
 * own_extension.c
 *		See own_extension.h.
 */
#include "postgres.h"

#include "sql/own_extension.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_extension.h"
#include "sql/query.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

bool
own_extension_find(OwnExtension *extension)
{
	Relation extensions = table_open(ExtensionRelationId, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple tuple;
	bool isnull;

	ScanKeyInit(&key, Anum_pg_extension_extname, BTEqualStrategyNumber, F_NAMEEQ,
				CStringGetDatum("kanon"));
	scan = systable_beginscan(extensions, ExtensionNameIndexId, true, NULL, 1, &key);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple))
	{
		extension->schema = ((Form_pg_extension) GETSTRUCT(tuple))->extnamespace;
		extension->owner = ((Form_pg_extension) GETSTRUCT(tuple))->extowner;
		text_to_cstring_buffer(DatumGetTextPP(heap_getattr(tuple, Anum_pg_extension_extversion,
														   RelationGetDescr(extensions), &isnull)),
							   extension->version, sizeof(extension->version));
	}
	systable_endscan(scan);
	table_close(extensions, AccessShareLock);
	return HeapTupleIsValid(tuple);
}

bool
own_extension_exists(void)
{
	OwnExtension extension;

	return own_extension_find(&extension);
}

Oid
own_extension_schema(void)
{
	OwnExtension extension;

	if (!own_extension_find(&extension))
		own_extension_report_none();
	return extension.schema;
}

const char *
own_extension_schema_name(void)
{
	char *name = get_namespace_name(own_extension_schema());

	if (name == NULL)
		own_extension_report_none();
	return quote_identifier(name);
}

void
own_extension_report_none(void)
{
	ereport(ERROR, (errcode(ERRCODE_UNDEFINED_OBJECT),
					errmsg("extension \"kanon\" is not installed in this database")));
}

/*
 * Calls of a function that takes any type, or has defaults, do not match its full signature:
 * kanon_view_cell(cells, 'zip', NULL::text).  A function of the same name and schema with exactly
 * these arguments would be the better match.  The next release, or the next restore of one, would
 * call it with the rights of the release's owner.  A type can be called like a function with one
 * argument, too: kanon_refresh_release('study') would be a cast to it, and a domain can have
 * checks.
 *
 * The extension's owner may make functions members of it, but cannot give them to the owner of
 * kanon's own functions nor to a superuser, who may have installed the next version.
 */
#define OVERLOADS                                                                                  \
	"WITH kanon AS (SELECT e.oid, e.extnamespace AS schema, f.proowner AS owner"                   \
	" FROM pg_extension e JOIN pg_proc f ON f.pronamespace = e.extnamespace"                       \
	" AND f.proname = 'kanon_refuse_overloads' AND f.pronargs = 0 WHERE e.extname = 'kanon'),"     \
	" own AS (SELECT p.oid, p.proname AS name, k.schema"                                           \
	" FROM kanon k JOIN pg_depend d ON d.refclassid = 'pg_extension'::regclass"                    \
	" AND d.refobjid = k.oid AND d.deptype = 'e' AND d.classid = 'pg_proc'::regclass"              \
	" JOIN pg_proc p ON p.oid = d.objid JOIN pg_roles r ON r.oid = p.proowner"                     \
	" WHERE p.proowner = k.owner OR r.rolsuper)"                                                   \
	" SELECT format('function %s', p.oid::regprocedure)"                                           \
	" FROM own o JOIN pg_proc p ON p.proname = o.name AND p.pronamespace = o.schema"               \
	" WHERE p.oid NOT IN (SELECT oid FROM own)"                                                    \
	" UNION ALL SELECT format('type %s', t.oid::regtype)"                                          \
	" FROM own o JOIN pg_type t ON t.typname = o.name AND t.typnamespace = o.schema"               \
	" WHERE t.typrelid = 0 LIMIT 1"

void
own_extension_check_names(void)
{
	query_run(OVERLOADS, false);
	if (query_rows() > 0)
		ereport(ERROR, (errcode(ERRCODE_DUPLICATE_FUNCTION),
						errmsg("%s could be mistaken for a function of kanon", query_text(0, 1)),
						errdetail("It has the name of one, in kanon's schema."),
						errhint("Choose another name or another schema.")));
}
