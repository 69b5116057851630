/*
 * tree_type.c
 *		See partition_tree.h.
 */
#include "postgres.h"

#include "tree/partition_tree.h"

#include "catalog/namespace.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "parser/parse_type.h"
#include "sql/relation_name.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"
#include "utils/varlena.h"

/* Quoted if name_parts needs it, keyword or not. */
static const char *
quoted_name(const char *name)
{
	bool plain = *name == '_' || (*name >= 'a' && *name <= 'z');

	for (const char *at = name; plain && *at; at++)
		plain = *at == '_' || (*at >= 'a' && *at <= 'z') || (*at >= '0' && *at <= '9');
	return plain ? name : quote_identifier(name);
}

static const char *
qualified_name(Oid namespace, const char *name)
{
	if (namespace == PG_CATALOG_NAMESPACE)
		return quoted_name(name);
	return psprintf("%s.%s", quoted_name(relation_name_schema(namespace)), quoted_name(name));
}

static const char *
object_name(const char *kind, int cache, Oid object, AttrNumber name, AttrNumber namespace)
{
	HeapTuple tuple = SearchSysCache1(cache, ObjectIdGetDatum(object));
	const char *found;
	bool isnull;

	if (!HeapTupleIsValid(tuple))
		partition_tree_reject(ERRCODE_DATA_CORRUPTED,
							  psprintf("%s with OID %u does not exist.", kind, object));
	found = qualified_name(
		DatumGetObjectId(SysCacheGetAttr(cache, tuple, namespace, &isnull)),
		pstrdup(NameStr(*DatumGetName(SysCacheGetAttr(cache, tuple, name, &isnull)))));
	ReleaseSysCache(tuple);
	return found;
}

const char *
tree_type_name(Oid type)
{
	return object_name("Type", TYPEOID, type, Anum_pg_type_typname, Anum_pg_type_typnamespace);
}

const char *
tree_type_collation_name(Oid collation)
{
	return object_name("Collation", COLLOID, collation, Anum_pg_collation_collname,
					   Anum_pg_collation_collnamespace);
}

/* schema.name as a list of the two; without a schema pg_catalog. */
static List *
name_parts(int sqlstate, const char *name)
{
	List *parts;
	List *names = NIL;
	ListCell *cell;

	if (!SplitIdentifierString(pstrdup(name), '.', &parts) || list_length(parts) < 1 ||
		list_length(parts) > 2)
		partition_tree_reject(sqlstate, psprintf("\"%s\" is not a name.", name));
	if (list_length(parts) == 1)
		names = list_make1(makeString("pg_catalog"));
	foreach (cell, parts)
		names = lappend(names, makeString(lfirst(cell)));
	return names;
}

Oid
tree_type_find(int sqlstate, const char *name)
{
	TypeName *type_name = makeTypeNameFromNameList(name_parts(sqlstate, name));
	Oid type = LookupTypeNameOid(NULL, type_name, true);

	if (!OidIsValid(type))
		partition_tree_reject(sqlstate, psprintf("Type %s does not exist.", name));
	return type;
}

Oid
tree_type_find_collation(int sqlstate, const char *name)
{
	Oid collation = get_collation_oid(name_parts(sqlstate, name), true);

	if (!OidIsValid(collation))
		partition_tree_reject(sqlstate, psprintf("Collation %s does not exist.", name));
	return collation;
}

Oid
tree_type_resolve_collation(Oid collation, const char *name)
{
	Oid named;

	if (!OidIsValid(collation) || (SearchSysCacheExists1(COLLOID, ObjectIdGetDatum(collation)) &&
								   strcmp(tree_type_collation_name(collation), name) == 0))
		return collation;
	named = get_collation_oid(name_parts(ERRCODE_DATA_CORRUPTED, name), true);
	return OidIsValid(named) ? named : collation;
}

void
tree_type_check(int sqlstate, const char *attribute, Oid type, Oid collation)
{
	const char *name = tree_type_name(type);
	char kind = get_typtype(type);
	const char *detail = NULL;

	if (OidIsValid(collation))
		(void) tree_type_collation_name(collation);
	if (!get_typisdefined(type) || kind == TYPTYPE_PSEUDO || kind == TYPTYPE_DOMAIN ||
		!OidIsValid(lookup_type_cache(type, TYPECACHE_CMP_PROC)->cmp_proc))
		detail = psprintf("Values of type %s cannot be ordered, or it is a domain.", name);
	else if (value_cast_is_checked(type))
		detail = psprintf("Values of type %s are checked by code of its owner.", name);
	else if (OidIsValid(collation) != type_is_collatable(type))
		detail = psprintf("Attribute \"%s\" of type %s must%s have a collation.", attribute, name,
						  OidIsValid(collation) ? " not" : "");
	if (detail)
		partition_tree_reject(sqlstate, detail);
}

void
tree_type_prepare(TreeValueText *conversion, Oid type)
{
	Oid function;
	bool varlena;

	getTypeInputInfo(type, &function, &conversion->parameter);
	fmgr_info(function, &conversion->input);
	getTypeOutputInfo(type, &function, &varlena);
	fmgr_info(function, &conversion->output);
}

Datum
tree_type_read(TreeValueText *conversion, const char *text)
{
	return InputFunctionCall(&conversion->input, (char *) text, conversion->parameter, -1);
}
