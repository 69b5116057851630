/*
 * name_array.h
 *		SQL arrays: of names and texts as lists of strings, of OIDs as lists, and of any type.
 */
#ifndef KANON_NAME_ARRAY_H
#define KANON_NAME_ARRAY_H

#include "postgres.h"

#include "catalog/pg_type.h"
#include "nodes/pg_list.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

/* The array of these elements; nulls: [element], or NULL for none. */
static inline ArrayType *
array_of(Oid type, const Datum *values, const bool *nulls, int count)
{
	int lower = 1;
	int16 length;
	bool by_value;
	char alignment;

	get_typlenbyvalalign(type, &length, &by_value, &alignment);
	return construct_md_array(unconstify(Datum *, values), unconstify(bool *, nulls), 1, &count,
							  &lower, type, length, by_value, alignment);
}

/* An int4[]. */
static inline ArrayType *
int_array_of(const int32 *numbers, int count)
{
	Datum *elements = palloc(sizeof(Datum) * Max(count, 1));
	ArrayType *array;

	for (int i = 0; i < count; i++)
		elements[i] = Int32GetDatum(numbers[i]);
	array = array_of(INT4OID, elements, NULL, count);
	pfree(elements);
	return array;
}

/* Its elements; returns how many. */
static inline int
array_elements(const ArrayType *array, Datum **values, bool **nulls)
{
	int16 length;
	bool by_value;
	char alignment;
	int count;

	get_typlenbyvalalign(ARR_ELEMTYPE(array), &length, &by_value, &alignment);
	deconstruct_array(unconstify(ArrayType *, array), ARR_ELEMTYPE(array), length, by_value,
					  alignment, values, nulls, &count);
	return count;
}

/*
 * The names of a name[] or the texts of a text[] in order, NULL for NULL.  Names point into the
 * array; texts are palloc'd.
 */
static inline List *
array_strings(const ArrayType *array)
{
	bool names = ARR_ELEMTYPE(array) == NAMEOID;
	List *strings = NIL;
	Datum *elements;
	bool *nulls;
	int count = array_elements(array, &elements, &nulls);

	for (int i = 0; i < count; i++)
		strings = lappend(strings, nulls[i] ? NULL
								   : names  ? NameStr(*DatumGetName(elements[i]))
											: TextDatumGetCString(elements[i]));
	return strings;
}

/* The index of a name, from 0, or -1. */
static inline int
name_array_find(const ArrayType *array, const char *name)
{
	ListCell *cell;

	foreach (cell, array_strings(array))
		if (lfirst(cell) && strcmp(lfirst(cell), name) == 0)
			return foreach_current_index(cell);
	return -1;
}

/* A name or a text; 0 for NULL. */
static inline Datum
string_datum(Oid type, const char *string)
{
	if (string == NULL)
		return (Datum) 0;
	return type == NAMEOID ? DirectFunctionCall1(namein, CStringGetDatum(string))
						   : CStringGetTextDatum(string);
}

/* And back. */
static inline ArrayType *
array_of_strings(Oid type, const List *strings)
{
	ArrayBuildState *array = initArrayResult(type, CurrentMemoryContext, false);
	ListCell *cell;

	foreach (cell, strings)
		accumArrayResult(array, string_datum(type, lfirst(cell)), lfirst(cell) == NULL, type,
						 CurrentMemoryContext);
	return DatumGetArrayTypeP(makeArrayResult(array, CurrentMemoryContext));
}

#define name_array_of(names) array_of_strings(NAMEOID, names)
#define text_array_of(texts) array_of_strings(TEXTOID, texts)

/* The OIDs of an array such as regclass[] in order, InvalidOid for NULL; and back. */
static inline List *
oid_array_list(const ArrayType *array)
{
	List *oids = NIL;
	Datum *elements;
	bool *nulls;
	int count = array_elements(array, &elements, &nulls);

	for (int i = 0; i < count; i++)
		oids = lappend_oid(oids, nulls[i] ? InvalidOid : DatumGetObjectId(elements[i]));
	return oids;
}

static inline ArrayType *
oid_array_of(Oid type, const List *oids)
{
	ArrayBuildState *array = initArrayResult(type, CurrentMemoryContext, false);
	ListCell *cell;

	foreach (cell, oids)
		accumArrayResult(array, ObjectIdGetDatum(lfirst_oid(cell)), !OidIsValid(lfirst_oid(cell)),
						 type, CurrentMemoryContext);
	return DatumGetArrayTypeP(makeArrayResult(array, CurrentMemoryContext));
}

#endif /* KANON_NAME_ARRAY_H */
