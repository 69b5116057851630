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
		*extension = (OwnExtension){
			.schema = ((Form_pg_extension) GETSTRUCT(tuple))->extnamespace,
			.owner = ((Form_pg_extension) GETSTRUCT(tuple))->extowner,
			.version = TextDatumGetCString(heap_getattr(tuple, Anum_pg_extension_extversion,
														RelationGetDescr(extensions), &isnull)),
		};
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
