/*
 * star_query.h
 *		The text of the star-schema SELECT of one generalization (LeFevre, DeWitt, Ramakrishnan
 *		2005a, section 3).
 *
 * How a value generalizes, here and everywhere in kanon:
 *
 * - Level 0 is the column itself.
 * - Levels 1 .. height - 1 are the dimension's columns, by a left join on its first column cast to
 *   the column's type (value_text.h).  NULL stays NULL; dimension_query.h says what becomes of a
 *   value that the dimension lacks.
 * - The top level (height) is the dimension's single top label for all values, NULL included.  If
 *   the top has several labels, it is like the levels below.
 * - An attribute without a dimension has height 1 and the top '*' (text).
 *
 * In the text, the table has the alias s, and the dimension of attribute zipcode the alias
 * zipcode_dim.  The text means the same under every search_path and runs only PostgreSQL's own
 * code.  Labels are written anew (fresh_value.h).
 */
#ifndef KANON_STAR_QUERY_H
#define KANON_STAR_QUERY_H

#include "postgres.h"

#include "relation/description.h"

typedef struct StarColumn
{
	const char *expression; /* SQL, over the aliases in StarQuery.from */
	bool constant;          /* the same for every row, so it needs no grouping */
	Oid type;               /* of the expression; typmod and collation too */
	int32 typmod;
	Oid collation;
	const char *ground; /* of a joined dimension: the ground value's column, .. */
	Oid ground_type;    /* .. and its type before the cast to the attribute's */
} StarColumn;

typedef struct StarQuery
{
	const char *from;    /* FROM list with its joins; the table has the alias s */
	StarColumn *columns; /* one for each quasi-identifier, in order */
} StarQuery;

/*
 * levels: description->quasi_count entries.  Lines of "from" after the first are indented by
 * "indent" blanks.  Reads the dimensions of attributes that have no domain yet, within a query
 * scope.  In the current context.
 *
 * Errors: a level below 0 or above the height (ERRCODE_INVALID_PARAMETER_VALUE); those of
 * dimension_query_load; a ground value that is text of a date or time not in ISO form
 * (ERRCODE_DATATYPE_MISMATCH).
 */
extern StarQuery star_query_build(const Description *description, const int *levels, int indent);

/* "zipcode_dim", quoted, unique among the attributes of a table; in the current context. */
extern const char *star_query_alias(const DescribedAttribute *attribute);

/* Raises ERRCODE_INVALID_PARAMETER_VALUE unless the level is from 0 to the height. */
extern void star_query_check_level(const DescribedAttribute *attribute, int level, int height);

/* The height of an attribute's hierarchy.  Reads the dimension's catalog entry. */
extern int star_query_height(const DescribedAttribute *attribute);

#endif /* KANON_STAR_QUERY_H */
