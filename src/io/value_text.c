/*
 * value_text.c
 *		See value_text.h.
 */
#include "postgres.h"

#include "io/value_text.h"

#include "access/htup_details.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "parser/parse_coerce.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

static bool
is_own_function(Oid function)
{
	return get_func_namespace(function) == PG_CATALOG_NAMESPACE;
}

/* Types elsewhere may get a cast from their owners at any time. */
static bool
is_own_type(Oid type)
{
	HeapTuple tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(type));
	bool own = HeapTupleIsValid(tuple) &&
			   ((Form_pg_type) GETSTRUCT(tuple))->typnamespace == PG_CATALOG_NAMESPACE;

	if (HeapTupleIsValid(tuple))
		ReleaseSysCache(tuple);
	return own;
}

/* ---- text */

static ValueTextKind
text_kind(Oid type, Oid *function)
{
	Oid base = getBaseType(type);

	switch (find_coercion_pathway(TEXTOID, base, COERCION_EXPLICIT, function))
	{
		case COERCION_PATH_RELABELTYPE:
			return VALUE_TEXT_SAME;
		case COERCION_PATH_FUNC:
			if (is_own_function(*function) && get_func_nargs(*function) == 1)
				return VALUE_TEXT_CAST;
			return VALUE_TEXT_OUTPUT;
		default:
			return VALUE_TEXT_OUTPUT;
	}
}

ValueText
value_text_writer(Oid type)
{
	Oid function;
	bool varlena;
	ValueText writer = {.kind = text_kind(type, &function)};

	if (writer.kind == VALUE_TEXT_OUTPUT)
		getTypeOutputInfo(getBaseType(type), &function, &varlena);
	if (writer.kind != VALUE_TEXT_SAME)
		fmgr_info(function, &writer.function);
	return writer;
}

char *
value_text_write(ValueText *writer, Datum value)
{
	switch (writer->kind)
	{
		case VALUE_TEXT_SAME:
			return TextDatumGetCString(value);
		case VALUE_TEXT_CAST:
			return TextDatumGetCString(
				FunctionCall1Coll(&writer->function, DEFAULT_COLLATION_OID, value));
		default:
			return OutputFunctionCall(&writer->function, value);
	}
}

char *
value_text(Oid type, Datum value)
{
	ValueText writer = value_text_writer(type);

	return value_text_write(&writer, value);
}

/*
 * Without a cast of its own, a type of pg_catalog is cast by its output function, and will
 * be: none but a superuser can give it another cast.  format() calls the output function
 * whatever casts there are, but makes '' of NULL.
 */
const char *
value_text_expression(const char *operand, Oid type)
{
	Oid base = getBaseType(type);
	Oid function;
	bool own = text_kind(type, &function) != VALUE_TEXT_OUTPUT ||
			   (is_own_type(base) && find_coercion_pathway(TEXTOID, base, COERCION_EXPLICIT,
														   &function) == COERCION_PATH_COERCEVIAIO);

	if (base == TEXTOID && base == type)
		return pstrdup(operand);
	if (own)
		return psprintf("%s::pg_catalog.text", operand);
	return psprintf("CASE WHEN %s IS DISTINCT FROM NULL THEN pg_catalog.format('%%s', %s) END",
					operand, operand);
}

/* ---- casts */

static bool has_domain(Oid type);

static bool
has_domain_field(Oid type)
{
	TupleDesc fields = lookup_rowtype_tupdesc_copy(type, -1);
	bool found = false;

	for (int i = 0; i < fields->natts && !found; i++)
		found = !TupleDescAttr(fields, i)->attisdropped &&
				has_domain(TupleDescAttr(fields, i)->atttypid);
	FreeTupleDesc(fields);
	return found;
}

/* Is the type a domain, or has one inside that reading a text would check? */
static bool
has_domain(Oid type)
{
	Oid element = get_element_type(type);

	check_stack_depth();
	if (OidIsValid(element))
		return has_domain(element);
	switch (get_typtype(type))
	{
		case TYPTYPE_DOMAIN:
			return true;
		case TYPTYPE_COMPOSITE:
			return has_domain_field(type);
		case TYPTYPE_RANGE:
			return has_domain(get_range_subtype(type));
		case TYPTYPE_MULTIRANGE:
			return has_domain(get_multirange_range(type));
		default:
			return false;
	}
}

/* "target" is no domain. */
static bool
is_own_cast(Oid source, Oid target)
{
	Oid function;

	if (getBaseType(source) == target)
		return true;
	if (has_domain(target))
		return false;
	switch (find_coercion_pathway(target, source, COERCION_EXPLICIT, &function))
	{
		case COERCION_PATH_RELABELTYPE:
		case COERCION_PATH_COERCEVIAIO:
			return true;
		case COERCION_PATH_FUNC:
			return is_own_function(function);
		case COERCION_PATH_ARRAYCOERCE:
			return is_own_cast(get_element_type(getBaseType(source)), get_element_type(target));
		default:
			return false;
	}
}

bool
value_cast_is_own(Oid source, Oid target)
{
	return is_own_cast(source, getBaseType(target));
}

char *
value_cast_type_name(Oid type)
{
	return format_type_extended(getBaseType(type), -1,
								FORMAT_TYPE_TYPEMOD_GIVEN | FORMAT_TYPE_FORCE_QUALIFY);
}

const char *
value_cast_expression(const char *operand, Oid source, Oid target)
{
	if (source == getBaseType(target))
		return pstrdup(operand);
	return psprintf("%s::%s", operand, value_cast_type_name(target));
}
