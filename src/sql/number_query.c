/*
 * number_query.c
 *		See number_query.h.
 */
#include "postgres.h"

#include "sql/number_query.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/numeric.h"
#include "utils/timestamp.h"

bool
number_query_is_whole(Oid type)
{
	switch (type)
	{
		case BOOLOID:
		case INT2OID:
		case INT4OID:
		case INT8OID:
		case OIDOID:
		case DATEOID:
		case TIMEOID:
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			return true;
		default:
			return false;
	}
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
	switch (type)
	{
		case INT2OID:
		case INT4OID:
		case INT8OID:
		case FLOAT4OID:
		case FLOAT8OID:
		case NUMERICOID:
			return true;
		default:
			return false;
	}
}
