/*
 * level_name.h
 *		Names of levels: those of the dimension's columns; without one the attribute's own
 *		and "*".
 *
 * "*" is the top of every attribute, whatever that is called.  A name that is a number stands
 * for the level of that number, so a column of such a name is shown by its number, too.
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

/* Reads the dimensions' catalogs, within a query scope; current context. */
extern LevelNames level_names(const Description *description);

/*
 * The levels that a text[] names, one for each quasi-identifier in order; a number may be beyond
 * the height.  Errors: an array of more dimensions (ERRCODE_ARRAY_SUBSCRIPT_ERROR), of another
 * length (ERRCODE_INVALID_PARAMETER_VALUE), with a NULL (ERRCODE_NULL_VALUE_NOT_ALLOWED), with a
 * name that no level has (ERRCODE_UNDEFINED_OBJECT).
 */
extern int *level_names_read(const Description *description, ArrayType *levels);

#endif /* KANON_LEVEL_NAME_H */
