/*
 * comparison.c
 *		See comparison.h.
 */
#include "postgres.h"

#include "io/comparison.h"

#include "access/htup_details.h"
#include "access/nbtree.h"
#include "access/transam.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_operator.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "io/relation_name.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

/* An operator as it stands between two operands, found under the pinned search_path. */
static const char *
operator_text(Oid operator, Oid type, const char *kind)
{
	HeapTuple tuple = SearchSysCache1(OPEROID, ObjectIdGetDatum(operator));
	Form_pg_operator form;
	const char *name;

	if (!HeapTupleIsValid(tuple))
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_FUNCTION),
						errmsg("could not identify an %s operator for type %s", kind,
							   format_type_be(type))));
	form = (Form_pg_operator) GETSTRUCT(tuple);
	if (form->oprnamespace == PG_CATALOG_NAMESPACE)
		name = pstrdup(NameStr(form->oprname));
	else
		name =
			psprintf("OPERATOR(%s.%s)", quote_identifier(relation_name_schema(form->oprnamespace)),
					 NameStr(form->oprname));
	ReleaseSysCache(tuple);
	return name;
}

const char *
comparison_equality(Oid type)
{
	return operator_text(lookup_type_cache(type, TYPECACHE_EQ_OPR)->eq_opr, type, "equality");
}

const char *
comparison_operator(Oid type, int strategy)
{
	TypeCacheEntry *entry = lookup_type_cache(getBaseType(type), TYPECACHE_BTREE_OPFAMILY);
	Oid found = InvalidOid;

	if (OidIsValid(entry->btree_opf))
		found = get_opfamily_member(entry->btree_opf, entry->btree_opintype, entry->btree_opintype,
									strategy);
	return operator_text(found, type, "ordering");
}

bool
comparison_has_order(Oid type)
{
	return OidIsValid(lookup_type_cache(type, TYPECACHE_LT_OPR)->lt_opr);
}

/*
 * The btree operator class knows: it is the question that deduplication in
 * indexes asks.  A type modifier decides for numeric, whose scale it fixes;
 * character without one keeps trailing blanks that do not count.
 */
bool
comparison_is_exact(Oid type, int32 typmod, Oid collation)
{
	Oid base = getBaseTypeAndTypmod(type, &typmod);
	TypeCacheEntry *entry = lookup_type_cache(base, TYPECACHE_BTREE_OPFAMILY);
	Oid function;

	if (base == NUMERICOID || base == BPCHAROID)
		return typmod >= 0;
	if (!OidIsValid(entry->btree_opf))
		return false;
	function = get_opfamily_proc(entry->btree_opf, entry->btree_opintype, entry->btree_opintype,
								 BTEQUALIMAGE_PROC);
	return OidIsValid(function) &&
		   DatumGetBool(
			   OidFunctionCall1Coll(function, collation, ObjectIdGetDatum(entry->btree_opintype)));
}

/* Given a collation. */
static bool
has_known_order(Oid type)
{
	Oid base = getBaseType(type);
	Oid element = get_element_type(base);

	if (OidIsValid(element))
		return has_known_order(element);
	if (!comparison_has_order(base) || type_is_rowtype(base))
		return false;
	return base < FirstNormalObjectId || type_is_enum(base);
}

bool
comparison_is_local(Oid type)
{
	return type_is_collatable(type) || !has_known_order(type);
}

char *
comparison_bytes(const char *operand)
{
	return psprintf("ROW(%s) USING OPERATOR(pg_catalog.*<)", operand);
}

void
comparison_append_byte_order(StringInfo keys, const char *operand, Oid type, int32 typmod,
							 Oid collation)
{
	bool known = has_known_order(type);

	if (known && type_is_collatable(type))
	{
		appendStringInfo(keys, ", %s COLLATE \"C\"", operand);
		collation = C_COLLATION_OID;
	}
	else if (known)
		appendStringInfo(keys, ", %s", operand);
	if (!known || !comparison_is_exact(type, typmod, collation))
		appendStringInfo(keys, ", %s", comparison_bytes(operand));
}
