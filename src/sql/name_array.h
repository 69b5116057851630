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

/* And back. */
static inline ArrayType *
array_of_strings(Oid type, const List *strings)
{
	Datum *elements = palloc0(sizeof(Datum) * Max(list_length(strings), 1));
	bool *nulls = palloc(sizeof(bool) * Max(list_length(strings), 1));
	ListCell *cell;

	foreach (cell, strings)
	{
		int i = foreach_current_index(cell);

		nulls[i] = lfirst(cell) == NULL;
		if (!nulls[i])
			elements[i] = type == NAMEOID
							  ? DirectFunctionCall1(namein, CStringGetDatum(lfirst(cell)))
							  : CStringGetTextDatum(lfirst(cell));
	}
	return array_of(type, elements, nulls, list_length(strings));
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
	int count = list_length(oids);
	Datum *elements = palloc(sizeof(Datum) * Max(count, 1));
	bool *nulls = palloc(sizeof(bool) * Max(count, 1));

	for (int i = 0; i < count; i++)
	{
		elements[i] = ObjectIdGetDatum(list_nth_oid(oids, i));
		nulls[i] = !OidIsValid(list_nth_oid(oids, i));
	}
	return array_of(type, elements, nulls, count);
}

#endif /* KANON_NAME_ARRAY_H */
