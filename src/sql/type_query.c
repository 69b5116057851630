/*
 * type_query.c
 *		See type_query.h.
 *
 * Sort keys are those of PostgreSQL's sorts: an abbreviation if the type has one (the first digits
 * of a numeric, the first bytes of a text in the C collation), otherwise the value itself, compared
 * without fmgr.
 */
#include "postgres.h"

#include "sql/type_query.h"

#include <math.h>

#include "access/nbtree.h"
#include "base/context.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "sql/comparison.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/numeric.h"
#include "utils/sortsupport.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

typedef struct TypeFunctions
{
	TypeCacheEntry *entry;
	Oid collation;
	MemoryContext scratch; /* reset after each call: takes what the functions leave behind */
	SortSupport sort;      /* comparators of keys, made for the first one */
} TypeFunctions;

static uint32
hash_by_function(const ValueType *type, Datum value)
{
	TypeFunctions *functions = type->state;
	MemoryContext previous = MemoryContextSwitchTo(functions->scratch);
	uint32 hash = DatumGetUInt32(
		FunctionCall1Coll(&functions->entry->hash_proc_finfo, functions->collation, value));

	MemoryContextSwitchTo(previous);
	MemoryContextReset(functions->scratch);
	return hash;
}

static int
compare_by_function(const ValueType *type, Datum a, Datum b)
{
	TypeFunctions *functions = type->state;
	MemoryContext previous = MemoryContextSwitchTo(functions->scratch);
	int order = DatumGetInt32(
		FunctionCall2Coll(&functions->entry->cmp_proc_finfo, functions->collation, a, b));

	MemoryContextSwitchTo(previous);
	MemoryContextReset(functions->scratch);
	return order;
}

/* Returns no comparator if the type has no sort support. */
static SortSupport
prepare_sort(TypeFunctions *functions)
{
	const TypeCacheEntry *entry = functions->entry;
	Oid function = get_opfamily_proc(entry->btree_opf, entry->btree_opintype, entry->btree_opintype,
									 BTSORTSUPPORT_PROC);
	MemoryContext context = GetMemoryChunkContext(functions);
	SortSupport sort = MemoryContextAllocZero(context, sizeof(SortSupportData));

	sort->ssup_cxt = context;
	sort->ssup_collation = functions->collation;
	sort->abbreviate = true;
	if (OidIsValid(function))
		OidFunctionCall1(function, PointerGetDatum(sort));
	return sort;
}

static Datum
sort_key(const ValueType *type, Datum value)
{
	TypeFunctions *functions = type->state;

	if (functions->sort == NULL)
		functions->sort = prepare_sort(functions);
	return functions->sort->abbrev_converter
			   ? functions->sort->abbrev_converter(value, functions->sort)
			   : value;
}

static int
compare_sort_keys(const ValueType *type, Datum a, Datum b)
{
	SortSupport sort = ((const TypeFunctions *) type->state)->sort;

	return sort->comparator ? sort->comparator(a, b, sort) : 0;
}

/*
 * Types whose default equality is that of bits or bytes.  Not floating point (-0 equals 0) nor
 * bpchar (trailing blanks).
 */
static ValueEquality
known_equality(Oid type, Oid collation)
{
	switch (type)
	{
		case BOOLOID:
		case CHAROID:
		case INT2OID:
		case INT4OID:
		case OIDOID:
		case DATEOID:
			return VALUE_EQUAL_BITS;
		case INT8OID:
		case TIMEOID:
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			return FLOAT8PASSBYVAL ? VALUE_EQUAL_BITS : VALUE_EQUAL_BY_FUNCTION;
		case TEXTOID:
		case VARCHAROID:
			return !OidIsValid(collation) || get_collation_isdeterministic(collation)
					   ? VALUE_EQUAL_BYTES
					   : VALUE_EQUAL_BY_FUNCTION;
		case BYTEAOID:
			return VALUE_EQUAL_BYTES;
		default:
			return type_is_enum(type) ? VALUE_EQUAL_BITS : VALUE_EQUAL_BY_FUNCTION;
	}
}

ValueType
type_query_value_type(Oid type, Oid collation)
{
	Oid base = getBaseType(type);
	TypeFunctions *functions = palloc(sizeof(TypeFunctions));
	TypeCacheEntry *entry = lookup_type_cache(
		base, TYPECACHE_CMP_PROC_FINFO | TYPECACHE_HASH_PROC_FINFO | TYPECACHE_BTREE_OPFAMILY);

	if (!OidIsValid(entry->cmp_proc))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_FUNCTION),
				 errmsg("type %s has no default btree operator class", format_type_be(base))));
	*functions = (TypeFunctions){.entry = entry, .collation = collation};
	functions->scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon type functions", CONTEXT_SMALL_SIZES);
	return (ValueType){.length = entry->typlen,
					   .by_value = entry->typbyval,
					   .equality = known_equality(base, collation),
					   .hash = OidIsValid(entry->hash_proc) ? hash_by_function : NULL,
					   .compare = compare_by_function,
					   .key = sort_key,
					   .compare_keys = compare_sort_keys,
					   .local_order = comparison_is_local(base),
					   .state = functions};
}

Oid
type_query_range(Oid base_type)
{
	switch (base_type)
	{
		case INT2OID:
		case INT4OID:
			return INT4RANGEOID;
		case INT8OID:
			return INT8RANGEOID;
		case NUMERICOID:
			return NUMRANGEOID;
		case DATEOID:
			return DATERANGEOID;
		case TIMESTAMPOID:
			return TSRANGEOID;
		case TIMESTAMPTZOID:
			return TSTZRANGEOID;
		default:
			return InvalidOid;
	}
}

static bool
field_has(Oid type, TypeTest test)
{
	TupleDesc fields = lookup_rowtype_tupdesc_copy(type, -1);
	bool found = false;

	for (int i = 0; i < fields->natts && !found; i++)
		found = !TupleDescAttr(fields, i)->attisdropped &&
				type_query_has(TupleDescAttr(fields, i)->atttypid, test);
	FreeTupleDesc(fields);
	return found;
}

bool
type_query_has(Oid type, TypeTest test)
{
	Oid base = getBaseType(type);
	Oid element = get_element_type(base);

	check_stack_depth();
	if (test(type) || test(base))
		return true;
	if (OidIsValid(element))
		return type_query_has(element, test);
	switch (get_typtype(base))
	{
		case TYPTYPE_COMPOSITE:
			return field_has(base, test);
		case TYPTYPE_RANGE:
			return type_query_has(get_range_subtype(base), test);
		case TYPTYPE_MULTIRANGE:
			return type_query_has(get_multirange_range(base), test);
		default:
			return false;
	}
}

/* ---- numbers */

bool
number_query_is_whole(Oid type)
{
	return type == BOOLOID || type == INT2OID || type == INT4OID || type == INT8OID ||
		   type == OIDOID || type == DATEOID || type == TIMEOID || type == TIMESTAMPOID ||
		   type == TIMESTAMPTZOID;
}

bool
number_query_whole(Oid type, Datum value, int64 *number)
{
	switch (type)
	{
		case BOOLOID:
			*number = DatumGetBool(value);
			return true;
		case INT2OID:
			*number = DatumGetInt16(value);
			return true;
		case INT4OID:
			*number = DatumGetInt32(value);
			return true;
		case OIDOID:
			*number = DatumGetObjectId(value);
			return true;
		case DATEOID:
			*number = DatumGetDateADT(value);
			return !DATE_NOT_FINITE(DatumGetDateADT(value));
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			*number = DatumGetTimestamp(value);
			return !TIMESTAMP_NOT_FINITE(*number);
		default:
			*number = DatumGetInt64(value);
			return true;
	}
}

Datum
number_query_value(Oid type, int64 number)
{
	switch (type)
	{
		case BOOLOID:
			return BoolGetDatum(number != 0);
		case INT2OID:
			return Int16GetDatum((int16) number);
		case INT4OID:
			return Int32GetDatum((int32) number);
		case OIDOID:
			return ObjectIdGetDatum((Oid) number);
		case DATEOID:
			return DateADTGetDatum((DateADT) number);
		default:
			return Int64GetDatum(number);
	}
}

bool
number_query_is_scaled(Oid type)
{
	return type == FLOAT4OID || type == FLOAT8OID || type == NUMERICOID ||
		   number_query_is_whole(type);
}

/* Frees the detoasted copy: millions of rows may pass. */
static double
numeric_number(Datum value)
{
	Numeric numeric = DatumGetNumeric(value);
	double number =
		DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow, NumericGetDatum(numeric)));

	if ((Pointer) numeric != DatumGetPointer(value))
		pfree(numeric);
	return number;
}

double
number_query_scaled(Oid type, Datum value)
{
	int64 number;

	switch (type)
	{
		case FLOAT4OID:
			return DatumGetFloat4(value);
		case FLOAT8OID:
			return DatumGetFloat8(value);
		case NUMERICOID:
			return numeric_number(value);
		default:
			return number_query_whole(type, value, &number) ? (double) number : INFINITY;
	}
}

bool
number_query_is_numeric(Oid type)
{
	return type == INT2OID || type == INT4OID || type == INT8OID || type == FLOAT4OID ||
		   type == FLOAT8OID || type == NUMERICOID;
}
