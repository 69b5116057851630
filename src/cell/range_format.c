/*
 * range_format.c
 *		See range_format.h.
 *
 * Ranges are serialized without their type's canonical function: to it the last
 * value of a type, which has no successor, is an error.  Here [1, 2147483647] of
 * int4 becomes [1,).
 */
#include "postgres.h"

#include "cell/range_format.h"

#include "base/compat.h"
#include "catalog/pg_type.h"
#include "sql/type_query.h"
#include "utils/date.h"
#include "utils/rangetypes.h"
#include "utils/typcache.h"

struct RangeWriter
{
	TypeCacheEntry *type;
	Oid base_type;
};

RangeWriter *
range_format_writer(Oid base_type)
{
	RangeWriter *writer = palloc(sizeof(RangeWriter));

	writer->base_type = base_type;
	writer->type = lookup_type_cache(type_query_range(base_type), TYPECACHE_RANGE_INFO);
	return writer;
}

/* A value as one of the range's subtype. */
static Datum
subtype_value(const RangeWriter *writer, Datum value)
{
	return writer->base_type == INT2OID ? Int32GetDatum(DatumGetInt16(value)) : value;
}

/* Turns an inclusive upper bound of a discrete type into an exclusive one. */
static void
exclude_upper(const RangeWriter *writer, RangeBound *upper)
{
	switch (writer->base_type)
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
range_format_write(RangeWriter *writer, Datum low, Datum high)
{
	RangeBound lower = {.val = subtype_value(writer, low), .inclusive = true, .lower = true};
	RangeBound upper = {.val = subtype_value(writer, high), .inclusive = true};

	exclude_upper(writer, &upper);
	return RangeTypePGetDatum(compat_range_serialize(writer->type, &lower, &upper, false));
}

Datum
range_format_write_all(RangeWriter *writer)
{
	RangeBound lower = {.infinite = true, .lower = true};
	RangeBound upper = {.infinite = true};

	return RangeTypePGetDatum(compat_range_serialize(writer->type, &lower, &upper, false));
}
