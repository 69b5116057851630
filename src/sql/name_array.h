/*
 * name_array.h
 *		Arrays of names and texts, name[] and text[] in SQL, as lists of strings.
 */
#ifndef KANON_NAME_ARRAY_H
#define KANON_NAME_ARRAY_H

#include "postgres.h"

#include "catalog/pg_type.h"
#include "nodes/pg_list.h"
#include "utils/array.h"
#include "utils/builtins.h"

/* The names in order, NULL for NULL; they point into the array. */
static inline List *
name_array_list(const ArrayType *array)
{
	List *names = NIL;
	Datum *elements;
	bool *nulls;
	int count;

	deconstruct_array(unconstify(ArrayType *, array), NAMEOID, NAMEDATALEN, false, TYPALIGN_CHAR,
					  &elements, &nulls, &count);
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
	int lower = 1;
	ListCell *cell;

	foreach (cell, names)
	{
		int i = foreach_current_index(cell);

		nulls[i] = lfirst(cell) == NULL;
		if (!nulls[i])
			elements[i] = DirectFunctionCall1(namein, CStringGetDatum(lfirst(cell)));
	}
	return construct_md_array(elements, nulls, 1, &count, &lower, NAMEOID, NAMEDATALEN, false,
							  TYPALIGN_CHAR);
}

/* The texts of a text[] in order, NULL for NULL; palloc'd. */
static inline List *
text_array_list(ArrayType *array)
{
	List *texts = NIL;
	Datum *elements;
	bool *nulls;
	int count;

	deconstruct_array(array, TEXTOID, -1, false, TYPALIGN_INT, &elements, &nulls, &count);
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
	return construct_array(elements, list_length(texts), TEXTOID, -1, false, TYPALIGN_INT);
}

#endif /* KANON_NAME_ARRAY_H */
