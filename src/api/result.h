/*
 * result.h
 *		Results of SQL functions: sets of rows, a row, an array.
 */
#ifndef KANON_RESULT_H
#define KANON_RESULT_H

#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "sql/name_array.h"
#include "utils/builtins.h"

/*
 * Begins the result of a set-returning function: a tuplestore in result->setResult, with the
 * declared row type in result->setDesc.  (PostgreSQL has had the function since 15.1.)
 */
static inline ReturnSetInfo *
result_begin(FunctionCallInfo fcinfo)
{
	InitMaterializedSRF(fcinfo, MAT_SRF_BLESS);
	return (ReturnSetInfo *) fcinfo->resultinfo;
}

/* The result of a function declared to return a row. */
static inline Datum
result_row(FunctionCallInfo fcinfo, const Datum *values, const bool *nulls)
{
	TupleDesc fields;

	if (get_call_result_type(fcinfo, NULL, &fields) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	return HeapTupleGetDatum(
		heap_form_tuple(BlessTupleDesc(fields), (Datum *) values, (bool *) nulls));
}

/* A text[]; NULL becomes NULL. */
static inline Datum
result_texts(char *const *texts, int count)
{
	Datum *elements = palloc0(sizeof(Datum) * Max(count, 1));
	bool *nulls = palloc0(sizeof(bool) * Max(count, 1));

	for (int i = 0; i < count; i++)
	{
		nulls[i] = texts[i] == NULL;
		if (!nulls[i])
			elements[i] = CStringGetTextDatum(texts[i]);
	}
	return PointerGetDatum(array_of(TEXTOID, elements, nulls, count));
}

/* An int4[]. */
static inline Datum
result_ints(const int32 *numbers, int count)
{
	Datum *elements = palloc(sizeof(Datum) * Max(count, 1));
	ArrayType *array;

	for (int i = 0; i < count; i++)
		elements[i] = Int32GetDatum(numbers[i]);
	array = array_of(INT4OID, elements, NULL, count);
	pfree(elements);
	return PointerGetDatum(array);
}

#endif /* KANON_RESULT_H */
