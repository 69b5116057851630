/*
 * fresh_value.c
 *		See fresh_value.h.
 *
 * Equal texts may be stored compressed or not and by different methods, depending on the setting at
 * the time and on the length of the rest of the row.  A copy keeps that, and pg_column_compression
 * and pg_column_size show it to readers, who could then distinguish the rows of a class.  So
 * published values are written anew, composites field by field.
 *
 * Example: s.disease of type text becomes (ARRAY[s.disease])[1], because an array holds no
 * compressed elements.  An array goes through array_cat, which decompresses its arguments;
 * concatenating NULL adds nothing.
 */
#include "postgres.h"

#include "sql/fresh_value.h"

#include "access/detoast.h"
#include "base/compat.h"
#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

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
