/*
 * value_text.c
 *		See value_text.h.
 *
 * The owner of a type can define casts, and the owner of a domain its constraints.  Both would run
 * with the rights of the user who lets kanon read a table.
 */
#include "postgres.h"

#include "sql/value_text.h"

#include "access/detoast.h"
#include "access/htup_details.h"
#include "base/compat.h"
#include "catalog/namespace.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "parser/parse_coerce.h"
#include "sql/cast_settings.h"
#include "sql/type_query.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

static bool
is_own_function(Oid function)
{
	return get_func_namespace(function) == PG_CATALOG_NAMESPACE;
}

/* The owners of types in other schemas may add casts at any time. */
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

/* Only superusers create canonical functions of ranges and input functions. */
static bool
is_checked(Oid type)
{
	return get_typtype(type) == TYPTYPE_DOMAIN;
}

/* Does the text follow lc_monetary or search_path? */
static bool
needs_nest_level(Oid type)
{
	switch (type)
	{
		case CASHOID:
		case REGCLASSOID:
		case REGCOLLATIONOID:
		case REGCONFIGOID:
		case REGDICTIONARYOID:
		case REGOPEROID:
		case REGOPERATOROID:
		case REGPROCOID:
		case REGPROCEDUREOID:
		case REGTYPEOID:
			return true;
		default:
			return false;
	}
}

bool
value_text_needs_settings(Oid type)
{
	return type_query_has(type, needs_nest_level);
}

bool
value_cast_is_checked(Oid type)
{
	return type_query_has(type, is_checked);
}

/* ---- text */

/* Can a cast of PostgreSQL's own, which may do nothing, make text of a base type? */
static bool
has_own_cast(CoercionPathType path, Oid function)
{
	return path == COERCION_PATH_RELABELTYPE ||
		   (path == COERCION_PATH_FUNC && is_own_function(function) &&
			get_func_nargs(function) == 1);
}

/* Takes the function that was looked up, for values of the base type. */
static ValueText
value_function(Oid base, ValueTextKind kind, Oid function, Oid parameter)
{
	ValueText text = {.kind = kind,
					  .parameter = parameter,
					  .follows_settings = !cast_settings_none_to_write(base)};

	fmgr_info(function, &text.function);
	if (text.follows_settings)
	{
		text.needs_nest_level = value_text_needs_settings(base);
		text.settings = text_settings_pinned();
	}
	return text;
}

/* A cast that does nothing leaves a text, which the output function of text writes. */
ValueText
value_text_writer(Oid type)
{
	Oid base = getBaseType(type);
	Oid function;
	bool varlena;
	CoercionPathType path = find_coercion_pathway(TEXTOID, base, COERCION_EXPLICIT, &function);

	if (path == COERCION_PATH_FUNC && has_own_cast(path, function))
		return value_function(base, VALUE_TEXT_CAST, function, InvalidOid);
	getTypeOutputInfo(path == COERCION_PATH_RELABELTYPE ? TEXTOID : base, &function, &varlena);
	return value_function(base, VALUE_TEXT_OUTPUT, function, InvalidOid);
}

ValueText
value_text_reader(Oid type)
{
	Oid base = getBaseType(type);
	Oid function;
	Oid parameter;

	getTypeInputInfo(base, &function, &parameter);
	return value_function(base, VALUE_TEXT_INPUT, function, parameter);
}

/* From a value to a C string, or back. */
static Datum
convert(ValueText *type, Datum value)
{
	switch (type->kind)
	{
		case VALUE_TEXT_CAST:
			return CStringGetDatum(TextDatumGetCString(
				FunctionCall1Coll(&type->function, DEFAULT_COLLATION_OID, value)));
		case VALUE_TEXT_OUTPUT:
			return CStringGetDatum(OutputFunctionCall(&type->function, value));
		default:
			return InputFunctionCall(&type->function, DatumGetCString(value), type->parameter, -1);
	}
}

static Datum
convert_pinned(ValueText *type, Datum value)
{
	TextSettings callers;
	volatile Datum converted = 0;

	if (!type->follows_settings)
		return convert(type, value);
	if (type->needs_nest_level)
	{
		int nest_level = text_settings_begin();

		converted = convert(type, value);
		text_settings_end(nest_level);
		return converted;
	}
	callers = text_settings_swap(type->settings);
	PG_TRY();
	{
		converted = convert(type, value);
	}
	PG_FINALLY();
	{
		(void) text_settings_swap(callers);
	}
	PG_END_TRY();
	return converted;
}

char *
value_text_write(ValueText *writer, Datum value)
{
	return DatumGetCString(convert_pinned(writer, value));
}

char *
value_text(Oid type, Datum value)
{
	ValueText writer = value_text_writer(type);

	return value_text_write(&writer, value);
}

Datum
value_text_read(ValueText *reader, char *text)
{
	return convert_pinned(reader, CStringGetDatum(text));
}

const char *
value_text_utf8(const char *text)
{
	int encoding = GetDatabaseEncoding();
	Size length = strlen(text);
	Size room = length * MAX_CONVERSION_GROWTH + 1;
	unsigned char *converted;
	Oid conversion;

	if (encoding == PG_UTF8 || length == 0)
		return text;
	if (encoding == PG_SQL_ASCII)
		return pg_verify_mbstr(PG_UTF8, text, (int) length, true) ? text : NULL;
	conversion = FindDefaultConversionProc(encoding, PG_UTF8);
	if (!OidIsValid(conversion))
		return NULL;
	/* As PostgreSQL itself converts, but characters without equivalent are no error. */
	if (room > MaxAllocSize)
		return pg_server_to_any(text, (int) length, PG_UTF8);
	converted = palloc(room);
	return pg_do_encoding_conversion_buf(conversion, encoding, PG_UTF8,
										 unconstify(unsigned char *, (const unsigned char *) text),
										 (int) length, converted, (int) room, true) == (int) length
			   ? (const char *) converted
			   : NULL;
}

/*
 * A type of pg_catalog without a cast of its own is cast by its output function, and always will
 * be: only a superuser can add a cast. format() calls the output function whatever casts there are,
 * but makes '' of NULL.
 */
const char *
value_text_expression(const char *operand, Oid type)
{
	Oid base = getBaseType(type);
	Oid function;
	CoercionPathType path = find_coercion_pathway(TEXTOID, base, COERCION_EXPLICIT, &function);
	bool own =
		has_own_cast(path, function) || (path == COERCION_PATH_COERCEVIAIO && is_own_type(base));

	if (base == TEXTOID && base == type)
		return pstrdup(operand);
	if (own)
		return psprintf("%s::pg_catalog.text", operand);
	return psprintf("CASE WHEN %s IS DISTINCT FROM NULL THEN pg_catalog.format('%%s', %s) END",
					operand, operand);
}

/* ---- casts */

/* "target" is not a domain. */
static bool
is_own_cast(Oid source, Oid target)
{
	Oid function;

	if (getBaseType(source) == target || target == TEXTOID)
		return true;
	if (value_cast_is_checked(target))
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
	if (getBaseType(target) == TEXTOID)
		return value_text_expression(operand, source);
	return psprintf("%s::%s", operand, value_cast_type_name(target));
}

/* ---- values without traces of their storage */

/*
 * Equal texts may be stored compressed or not and by different methods, depending on the setting at
 * the time and on the length of the rest of the row.  A copy keeps that, and pg_column_compression
 * and pg_column_size show it to readers, who could then distinguish the rows of a class.  So
 * published values are written anew, composites field by field.
 *
 * Example: s.disease of type text becomes (ARRAY[s.disease])[1], because an array holds no
 * compressed elements.  An array goes through array_cat, which decompresses its arguments;
 * concatenating NULL adds nothing.
 */

/* Values no longer than a TOAST pointer are never compressed. */
#define NEVER_COMPRESSED MAXALIGN(TOAST_POINTER_SIZE)

static bool
is_compressible(Oid base, int32 typmod)
{
	int32 size;

	if (get_typlen(base) != -1 || get_typstorage(base) == TYPSTORAGE_PLAIN)
		return false;
	if (base == INETOID || base == CIDROID)
		return false;
	size = type_maximum_size(base, typmod);
	return size < 0 || size > (int32) NEVER_COMPRESSED;
}

/* ROW(..) of the rewritten fields, or NULL if no field needs it. */
static const char *
fresh_fields(const char *operand, Oid composite)
{
	TupleDesc fields = lookup_rowtype_tupdesc_copy(composite, -1);
	bool fresh = false;
	StringInfoData row;

	initStringInfo(&row);
	for (int i = 0; i < fields->natts; i++)
	{
		Form_pg_attribute field = TupleDescAttr(fields, i);
		const char *old;
		const char *new;

		if (field->attisdropped)
			continue;
		old = psprintf("(%s).%s", operand, quote_identifier(NameStr(field->attname)));
		new = fresh_value(old, field->atttypid, field->atttypmod);
		fresh |= strcmp(old, new) != 0;
		appendStringInfo(&row, "%s%s", row.len > 0 ? ", " : "", new);
	}
	FreeTupleDesc(fields);
	return fresh ? psprintf("ROW(%s)", row.data) : NULL;
}

const char *
fresh_value(const char *operand, Oid type, int32 typmod)
{
	Oid base = getBaseTypeAndTypmod(type, &typmod);
	const char *fields;

	check_stack_depth();
	if (!is_compressible(base, typmod))
		return pstrdup(operand);
	fields = get_typtype(base) == TYPTYPE_COMPOSITE ? fresh_fields(operand, base) : NULL;
	if (fields)
		return psprintf("CASE WHEN %s IS DISTINCT FROM NULL THEN %s::%s END", operand, fields,
						value_cast_type_name(base));
	if (OidIsValid(get_element_type(type)))
		return psprintf("pg_catalog.array_cat(%s, NULL)", operand);
	return OidIsValid(get_array_type(type)) ? psprintf("(ARRAY[%s])[1]", operand)
											: pstrdup(operand);
}
