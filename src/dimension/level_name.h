/*
 * level_name.h
 *		The names of levels: the dimension's columns or, without a dimension, the attribute's name
 *		and "*".
 *
 * "*" always names the top of an attribute.  A name that looks like a number means the level with
 * that number, so a column with such a name is shown by its number, too.
 */
#ifndef KANON_LEVEL_NAME_H
#define KANON_LEVEL_NAME_H

#include "postgres.h"

#include "relation/description.h"
#include "utils/array.h"

/* [quasi-identifier][0 .. height] */
typedef struct LevelNames
{
	const char ***name;
	int *height; /* [quasi-identifier] */
} LevelNames;

/* Reads the dimensions' catalog entries, within a query scope; in the current context. */
extern LevelNames level_names(const Description *description);

/*
 * The levels that a text[] names, one for each quasi-identifier in order; a number may exceed the
 * height.  Errors: a multidimensional array (ERRCODE_ARRAY_SUBSCRIPT_ERROR), a wrong length
 * (ERRCODE_INVALID_PARAMETER_VALUE), a NULL (ERRCODE_NULL_VALUE_NOT_ALLOWED), an unknown name
 * (ERRCODE_UNDEFINED_OBJECT).
 */
extern int *level_names_read(const Description *description, ArrayType *levels);

#endif /* KANON_LEVEL_NAME_H */
