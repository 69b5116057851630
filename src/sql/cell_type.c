/*
 * cell_type.c
 *		See cell_type.h.
 *
 * Ranges are serialized without their type's canonical function: to it the last
 * value of a type, which has no successor, is an error.  Here [1, 2147483647] of
 * int4 becomes [1,).
 */
#include "postgres.h"

#include "sql/cell_type.h"

#include "base/compat.h"
#include "catalog/pg_type.h"
#include "utils/date.h"
#include "utils/lsyscache.h"
#include "utils/rangetypes.h"
#include "utils/typcache.h"

struct CellRange
{
	TypeCacheEntry *type;
	Oid base_type;
};

Oid
cell_type_range(Oid base_type)
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

Oid
cell_type(Oid type, bool labels)
{
	Oid range = labels ? InvalidOid : cell_type_range(getBaseType(type));

	return OidIsValid(range) ? range : TEXTOID;
}

CellRange *
cell_type_range_maker(Oid base_type)
{
	CellRange *range = palloc(sizeof(CellRange));

	range->base_type = base_type;
	range->type = lookup_type_cache(cell_type_range(base_type), TYPECACHE_RANGE_INFO);
	return range;
}

/* A value as one of the range's subtype. */
static Datum
subtype_value(const CellRange *range, Datum value)
{
	return range->base_type == INT2OID ? Int32GetDatum(DatumGetInt16(value)) : value;
}

/* Turns an inclusive upper bound of a discrete type into an exclusive one. */
static void
exclude_upper(const CellRange *range, RangeBound *upper)
{
	switch (range->base_type)
	{
		case INT2OID:
		case INT4OID:
			upper->infinite = DatumGetInt32(upper->val) == PG_INT32_MAX;
			upper->val = Int32GetDatum((int32) ((uint32) DatumGetInt32(upper->val) + 1));
			break;
		case INT8OID:
			upper->infinite = DatumGetInt64(upper->val) == PG_INT64_MAX;
			upper->val = Int64GetDatum((int64) ((uint64) DatumGetInt64(upper->val) + 1));
			break;
		case DATEOID:
			/* Infinity stays as it is, as in PostgreSQL's own canonical form. */
			if (DATE_NOT_FINITE(DatumGetDateADT(upper->val)))
				return;
			upper->val = DateADTGetDatum(DatumGetDateADT(upper->val) + 1);
			upper->infinite = !IS_VALID_DATE(DatumGetDateADT(upper->val));
			break;
		default:
			return;
	}
	upper->inclusive = false;
}

Datum
cell_type_make_range(CellRange *range, Datum low, Datum high)
{
	RangeBound lower = {.val = subtype_value(range, low), .inclusive = true, .lower = true};
	RangeBound upper = {.val = subtype_value(range, high), .inclusive = true};

	exclude_upper(range, &upper);
	return RangeTypePGetDatum(compat_range_serialize(range->type, &lower, &upper, false));
}

Datum
cell_type_make_unbounded(CellRange *range)
{
	RangeBound lower = {.infinite = true, .lower = true};
	RangeBound upper = {.infinite = true};

	return RangeTypePGetDatum(compat_range_serialize(range->type, &lower, &upper, false));
}
