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

/* The names in order, NULL for NULL; they point into the array. */
static inline List *
name_array_list(const ArrayType *array)
{
	List *names = NIL;
	Datum *elements;
	bool *nulls;
	int count = array_elements(array, &elements, &nulls);

	for (int i = 0; i < count; i++)
		names = lappend(names, nulls[i] ? NULL : NameStr(*DatumGetName(elements[i])));
	return names;
}

/* The index of a name, from 0, or -1. */
static inline int
name_array_find(const ArrayType *array, const char *name)
{
	ListCell *cell;

	foreach (cell, name_array_list(array))
		if (lfirst(cell) && strcmp(lfirst(cell), name) == 0)
			return foreach_current_index(cell);
	return -1;
}

/* The array of a list of names, NULL for NULL. */
static inline ArrayType *
name_array_of(List *names)
{
	int count = list_length(names);
	Datum *elements = palloc0(sizeof(Datum) * Max(count, 1));
	bool *nulls = palloc(sizeof(bool) * Max(count, 1));
	ListCell *cell;

	foreach (cell, names)
	{
		int i = foreach_current_index(cell);

		nulls[i] = lfirst(cell) == NULL;
		if (!nulls[i])
			elements[i] = DirectFunctionCall1(namein, CStringGetDatum(lfirst(cell)));
	}
	return array_of(NAMEOID, elements, nulls, count);
}

/* The texts of a text[] in order, NULL for NULL; palloc'd. */
static inline List *
text_array_list(const ArrayType *array)
{
	List *texts = NIL;
	Datum *elements;
	bool *nulls;
	int count = array_elements(array, &elements, &nulls);

	for (int i = 0; i < count; i++)
		texts = lappend(texts, nulls[i] ? NULL : TextDatumGetCString(elements[i]));
	return texts;
}

/* The array of a list of texts without NULL. */
static inline ArrayType *
text_array_of(const List *texts)
{
	Datum *elements = palloc(sizeof(Datum) * Max(list_length(texts), 1));
	ListCell *cell;

	foreach (cell, texts)
		elements[foreach_current_index(cell)] = CStringGetTextDatum(lfirst(cell));
	return array_of(TEXTOID, elements, NULL, list_length(texts));
}

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
