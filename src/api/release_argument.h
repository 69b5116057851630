/*
 * release_argument.h
 *		Arguments of SQL functions that make releases, or tell what they would be.
 */
#ifndef KANON_RELEASE_ARGUMENT_H
#define KANON_RELEASE_ARGUMENT_H

#include "postgres.h"

#include <math.h>

#include "api/argument.h"
#include "audit/comparison.h"
#include "catalog/pg_type.h"

/* quasi_identifiers, models, suppression, perhaps person, and options: arguments from "first" on.
 */
static inline ReleaseArguments
release_arguments_shared(FunctionCallInfo fcinfo, int first, bool person)
{
	int last = first + (person ? 4 : 3);
	ReleaseArguments arguments = {.quasi_identifiers = argument_array(fcinfo, first),
								  .models = argument_text(fcinfo, first + 1),
								  .suppression = NAN,
								  .person = person ? argument_name(fcinfo, first + 3) : NULL,
								  .options = PG_ARGISNULL(last) ? NULL : PG_GETARG_JSONB_P(last)};

	if (!PG_ARGISNULL(first + 2))
	{
		arguments.suppression = PG_GETARG_FLOAT8(first + 2);
		limits_check_suppression(arguments.suppression);
	}
	return arguments;
}

/* The same after k and the recoding. */
static inline ReleaseArguments
release_arguments(FunctionCallInfo fcinfo, int first)
{
	ReleaseArguments arguments = release_arguments_shared(fcinfo, first + 2, true);
	char *recoding = argument_text(fcinfo, first + 1);

	if (!PG_ARGISNULL(first))
		arguments.k = argument_k(fcinfo, first);
	if (recoding)
		arguments.recoding = release_recoding_find(recoding);
	return arguments;
}

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

/* All recodings (RecodingOps *) that can be predicted and take this (RECODING_*). */
static inline List *
compare_argument_all(int taken)
{
	List *recodings = NIL;
	ListCell *cell;

	foreach (cell, release_recoding_all(taken))
		if (comparison_foretells(lfirst(cell)))
			recodings = lappend(recodings, lfirst(cell));
	return recodings;
}

/* The recodings that a text[] names, each of which must take the models; all such for NULL. */
static inline List *
compare_argument_recodings(FunctionCallInfo fcinfo, int number, List *models)
{
	List *recodings = NIL;
	Datum *names;
	int count;

	if (PG_ARGISNULL(number))
		return compare_argument_all(models ? RECODING_MODELS : 0);
	names = compare_argument_elements(PG_GETARG_ARRAYTYPE_P(number), TEXTOID, "recodings", &count);
	for (int i = 0; i < count; i++)
	{
		RecodingOps *recoding =
			unconstify(RecodingOps *, release_recoding_find(TextDatumGetCString(names[i])));

		if (models)
			release_recoding_check_taken(list_make1(recoding), RECODING_MODELS, "models");
		if (!comparison_foretells(recoding))
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("result of recoding \"%s\" depends on more than the current rows",
							recoding->name)));
		recodings = lappend(recodings, recoding);
	}
	return recodings;
}

#endif /* KANON_RELEASE_ARGUMENT_H */
