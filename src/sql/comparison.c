/*
 * comparison.c
 *		See comparison.h.
 *
 * Under the pinned search_path, a bare "=" would miss operators of types outside pg_catalog or find
 * one of a type they cast to.  So every operator is qualified.
 */
#include "postgres.h"

#include "sql/comparison.h"

#include "access/htup_details.h"
#include "access/nbtree.h"
#include "access/transam.h"
#include "catalog/namespace.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_operator.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "nodes/value.h"
#include "parser/parse_oper.h"
#include "sql/relation_name.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

/*
 * Does the parser find the operator for operands of this type?  Not if they have a cast, such as an
 * implicit one from an enum to text, by which another operator of that name and schema fits as well
 * as one for any enum, array, range or row.
 */
static bool
is_found(Oid found, Form_pg_operator form, Oid type)
{
	List *name = list_make2(makeString(get_namespace_name_or_temp(form->oprnamespace)),
							makeString(pstrdup(NameStr(form->oprname))));
	Operator operator= oper(NULL, name, type, type, true, -1);
	bool same = HeapTupleIsValid(operator) && oprid(operator) == found;

	if (HeapTupleIsValid(operator))
		ReleaseSysCache(operator);
	return same;
}

/* The operator's function, of which there is one for any enum, array, range or row. */
static char *
function_text(Form_pg_operator form, const char *left, const char *right)
{
	return psprintf(
		"%s(%s, %s)",
		quote_qualified_identifier(relation_name_schema(get_func_namespace(form->oprcode)),
								   get_func_name(form->oprcode)),
		left, right);
}

/*
 * If the operands have exactly the operator's types, no other operator of that name and schema can
 * be a better match.  Nobody can add one to pg_catalog.
 */
static const char *
operand_text(const char *operand, Oid type, Form_pg_operator form)
{
	if (form->oprnamespace == PG_CATALOG_NAMESPACE || form->oprleft == type)
		return operand;
	return psprintf("%s::%s", operand, value_cast_type_name(form->oprleft));
}

char *
comparison_by_strategy(int strategy, const char *left, const char *right, Oid type)
{
	TypeCacheEntry *entry = lookup_type_cache(getBaseType(type), TYPECACHE_BTREE_OPFAMILY);
	Oid found = OidIsValid(entry->btree_opf)
					? get_opfamily_member(entry->btree_opf, entry->btree_opintype,
										  entry->btree_opintype, strategy)
					: InvalidOid;
	HeapTuple tuple = SearchSysCache1(OPEROID, ObjectIdGetDatum(found));
	Form_pg_operator form;
	char *text;

	if (!HeapTupleIsValid(tuple))
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_FUNCTION),
						errmsg("could not identify an ordering operator for type %s",
							   format_type_be(type))));
	form = (Form_pg_operator) GETSTRUCT(tuple);
	left = operand_text(left, type, form);
	right = operand_text(right, type, form);
	if (form->oprnamespace == PG_CATALOG_NAMESPACE && !is_found(found, form, type))
		text = function_text(form, left, right);
	else
		text = psprintf("%s OPERATOR(%s.%s) %s", left,
						quote_identifier(relation_name_schema(form->oprnamespace)),
						NameStr(form->oprname), right);
	ReleaseSysCache(tuple);
	return text;
}

char *
comparison_collation(Oid collation)
{
	HeapTuple tuple = SearchSysCache1(COLLOID, ObjectIdGetDatum(collation));
	Form_pg_collation form;
	char *name;

	if (!HeapTupleIsValid(tuple))
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_OBJECT),
						errmsg("collation with OID %u does not exist", collation)));
	form = (Form_pg_collation) GETSTRUCT(tuple);
	name =
		psprintf("COLLATE %s", quote_qualified_identifier(relation_name_schema(form->collnamespace),
														  NameStr(form->collname)));
	ReleaseSysCache(tuple);
	return name;
}

Oid
comparison_less(Oid type)
{
	return lookup_type_cache(type, TYPECACHE_LT_OPR)->lt_opr;
}

bool
comparison_has_order(Oid type)
{
	return OidIsValid(comparison_less(type));
}

/*
 * The btree operator class knows: deduplication in indexes asks the same question.  A type modifier
 * fixes the scale of numeric. character without one keeps trailing blanks, which do not count.
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

/*
 * Once a collation is given.  Fields of rows have their own, and extensions may order as they like.
 */
static bool
has_known_order(Oid type)
{
	Oid base = getBaseType(type);
	Oid element = get_element_type(base);

	if (OidIsValid(element))
		return has_known_order(element);
	/* The order of strings in jsonb depends on the database. */
	if (!comparison_has_order(base) || type_is_rowtype(base) || base == JSONBOID)
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

char *
comparison_spelling(const char *operand, Oid type)
{
	return getBaseType(type) == NUMERICOID ? psprintf("pg_catalog.scale(%s)", operand)
										   : comparison_bytes(operand);
}

SpellingKey
comparison_spelling_key(Oid type, int32 typmod)
{
	SpellingKey key = {.type = INT4OID};

	if (getBaseType(type) != NUMERICOID)
	{
		key.type = RECORDOID;
		key.less = OpernameGetOprid(list_make2(makeString("pg_catalog"), makeString("*<")),
									RECORDOID, RECORDOID);
		key.row = CreateTemplateTupleDesc(1);
		TupleDescInitEntry(key.row, 1, "f1", type, typmod, 0);
		key.row = BlessTupleDesc(key.row);
	}
	else
		key.less = comparison_less(INT4OID);
	return key;
}

Datum
comparison_spelling_of(const SpellingKey *key, Datum value, bool *isnull)
{
	LOCAL_FCINFO(call, 1);
	Datum spelling;

	if (key->row)
	{
		spelling = HeapTupleGetDatum(heap_form_tuple(key->row, &value, isnull));
		*isnull = false;
		return spelling;
	}
	if (*isnull)
		return (Datum) 0;
	/* NaN has no scale. */
	InitFunctionCallInfoData(*call, NULL, 1, InvalidOid, NULL, NULL);
	call->args[0] = (NullableDatum){.value = value};
	spelling = numeric_scale(call);
	*isnull = call->isnull;
	return spelling;
}

void
comparison_append_byte_order(StringInfo keys, const char *operand, Oid type, int32 typmod,
							 Oid collation)
{
	bool known = has_known_order(type);

	if (known && type_is_collatable(type))
	{
		collation = C_COLLATION_OID;
		appendStringInfo(keys, ", %s COLLATE \"C\"", operand);
	}
	else if (known)
		appendStringInfo(keys, ", %s", operand);
	if (!known)
		appendStringInfo(keys, ", %s", comparison_bytes(operand));
	else if (!comparison_is_exact(type, typmod, collation))
		appendStringInfo(keys, ", %s", comparison_spelling(operand, type));
}
