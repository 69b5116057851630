/*
 * compare_argument.h
 *		Arguments of SQL functions about releases that could be made.
 */
#ifndef KANON_COMPARE_ARGUMENT_H
#define KANON_COMPARE_ARGUMENT_H

#include "postgres.h"

#include "api/argument.h"
#include "audit/comparison.h"
#include "catalog/pg_type.h"

/* The elements of an array argument; raises ERRCODE_NULL_VALUE_NOT_ALLOWED if one is NULL. */
static inline Datum *
compare_argument_elements(ArrayType *array, Oid type, const char *name, int *count)
{
	bool text = type == TEXTOID;
	Datum *elements;
	bool *nulls;

	deconstruct_array(array, type, text ? -1 : (int) sizeof(int32), !text, TYPALIGN_INT, &elements,
					  &nulls, count);
	for (int i = 0; i < *count; i++)
		if (nulls[i])
			ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
							errmsg("argument \"%s\" must not have nulls", name)));
	return elements;
}

/* Every k of an int[], with the errors of limits_check_k. */
static inline int *
compare_argument_k(FunctionCallInfo fcinfo, int number, int *count)
{
	Datum *elements = compare_argument_elements(PG_GETARG_ARRAYTYPE_P(number), INT4OID, "k", count);
	int *k = palloc(sizeof(int) * Max(*count, 1));

	for (int i = 0; i < *count; i++)
	{
		k[i] = DatumGetInt32(elements[i]);
		limits_check_k(k[i]);
	}
	return k;
}

/* All recodings (RecodingOps *) that can be predicted and take the given options. */
static inline List *
compare_argument_all(int given)
{
	List *recodings = NIL;
	ListCell *cell;

	foreach (cell, release_recoding_all(given))
		if (comparison_foretells(lfirst(cell)))
			recodings = lappend(recodings, lfirst(cell));
	return recodings;
}

/* The recodings that a text[] names, which must be among those; all for NULL. */
static inline List *
compare_argument_recodings(FunctionCallInfo fcinfo, int number, int given)
{
	List *recodings = NIL;
	Datum *names;
	int count;

	if (PG_ARGISNULL(number))
		return compare_argument_all(given);
	names = compare_argument_elements(PG_GETARG_ARRAYTYPE_P(number), TEXTOID, "recodings", &count);
	for (int i = 0; i < count; i++)
	{
		const RecodingOps *recoding = release_recoding_find(TextDatumGetCString(names[i]));

		release_recoding_check_options(recoding, given);
		if (!comparison_foretells(recoding))
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("result of recoding \"%s\" depends on more than the current rows",
							recoding->name)));
		recodings = lappend(recodings, unconstify(RecodingOps *, recoding));
	}
	return recodings;
}

#endif /* KANON_COMPARE_ARGUMENT_H */
