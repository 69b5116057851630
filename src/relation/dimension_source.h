/*
 * dimension_source.h
 *		Which relations may serve as dimensions, as taxonomies and as the population of a risk; and
 *		the names of a dimension's levels.
 *
 * A search may read them in one query with the relation, so that their owners' code runs with the
 * rights of whoever reads the relation.  So they are trusted by ownership, and nobody looks at
 * what they hold: each, with its partitions and children, belongs to the owner of the relation, to
 * a role that has the rights of that owner or of the current user, or to one that superusers named
 * in kanon.trusted_owners.  Views and foreign tables, whose code runs at each read, belong to the
 * owner of the relation, and only calls that work as that owner read them.  Row security would run
 * policies, so it must be off.
 *
 * All code that reads a dimension asks here, every time, also at each refresh.  The locks taken
 * here keep the answer valid until the end of the transaction.
 */
#ifndef KANON_DIMENSION_SOURCE_H
#define KANON_DIMENSION_SOURCE_H

#include "postgres.h"

#include "relation/description.h"
#include "sql/query.h"
#include "utils/array.h"

/*
 * Checks "dimension" for a relation.  With InvalidOid, a query names the dimension of rows that it
 * hands over: then only parts of other owners are refused, since kanon reads it by
 * dimension_source_enter.  "attribute" is the column to be declared, or NULL for the declared one,
 * and only for the hint.
 *
 * Raises ERRCODE_INSUFFICIENT_PRIVILEGE for a relation of somebody else, with what to run instead,
 * and ERRCODE_INVALID_TABLE_DEFINITION for row security.  If the relation does not exist, opening
 * it will report that.
 */
extern void dimension_source_check(Oid dimension, Oid relation, const char *attribute);

/*
 * Raises ERRCODE_INSUFFICIENT_PRIVILEGE, as a SELECT would, unless the current user may read all
 * columns of a dimension.
 */
extern void dimension_source_check_select(Oid dimension);

/*
 * Between _enter and rights_leave, kanon reads a dimension as its owner, after it checked that the
 * current user may read it: its code runs with its owner's rights.
 */
extern QueryRights dimension_source_enter(Oid dimension);

/*
 * The columns of a dimension for an attribute, with at least "levels" levels: one when it is
 * declared, none when it is read, because its owner may have dropped them.  Errors, besides those
 * of dimension_source_check, description_load_columns and description_check_levels: too few levels
 * (ERRCODE_INVALID_TABLE_DEFINITION); no cast of PostgreSQL's own from the ground value to the
 * attribute's base type (ERRCODE_CANNOT_COERCE).
 */
extern Description *dimension_source_load(Oid dimension, const DescribedAttribute *attribute,
										  int levels);

/*
 * The names of levels, [quasi-identifier][0 .. height]: the dimension's columns or, without a
 * dimension, the attribute's name and "*".  "*" always names the top of an attribute.  A name that
 * looks like a number means the level with that number, so a column with such a name is shown by
 * its number, too.
 */
typedef struct LevelNames
{
	const char ***name;
	int *height; /* [quasi-identifier] */
} LevelNames;

/* Reads the dimensions' catalog entries, within a query scope; in the current context. */
extern LevelNames dimension_source_levels(const Description *description);

/*
 * The levels that a text[] names, one for each quasi-identifier in order; a number may exceed the
 * height.  Errors: a multidimensional array (ERRCODE_ARRAY_SUBSCRIPT_ERROR), a wrong length
 * (ERRCODE_INVALID_PARAMETER_VALUE), a NULL (ERRCODE_NULL_VALUE_NOT_ALLOWED), an unknown name
 * (ERRCODE_UNDEFINED_OBJECT).
 */
extern int *dimension_source_read_levels(const Description *description, ArrayType *levels);

#endif /* KANON_DIMENSION_SOURCE_H */
