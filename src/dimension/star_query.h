/*
 * star_query.h
 *		Text of the star-schema SELECT of one generalization (LeFevre, DeWitt, Ramakrishnan
 *		2005a, section 3).
 *
 * How a value generalizes, here and wherever else kanon generalizes:
 *
 *	- level 0 is the column itself;
 *	- levels 1 .. height - 1 are the dimension's columns, by a left join on its first column
 *	  cast to the column's type (value_text.h); NULL becomes NULL, and a value that the
 *	  dimension does not have becomes what dimension_query.h says;
 *	- the top level (height), where the dimension has a single value there, is that value,
 *	  NULL included; else as the levels below it;
 *	- an attribute without dimension has height 1 and the top '*' (text).
 *
 * In the text the table is s, and the dimension of attribute zipcode is zipcode_dim.  It means
 * the same under every search_path, runs no code but PostgreSQL's own, and labels are written
 * anew (fresh_value.h).
 */
#ifndef KANON_STAR_QUERY_H
#define KANON_STAR_QUERY_H

#include "postgres.h"

#include "relation/description.h"

typedef struct StarColumn
{
	const char *expression; /* SQL, over the aliases in StarQuery.from */
	bool constant;          /* the same for every row: needs no grouping */
	bool shows_null;        /* a value that is not NULL may be shown so */
	Oid type;               /* of the expression; typmod and collation too */
	int32 typmod;
	Oid collation;
	const char *pairs;  /* SELECT (ground value, label) of the dimension and of what its rule labels
						 * in the table, each ground value once; NULL without a dimension or at
						 * level 0 */
	const char *ground; /* of a joined dimension, the ground value's name, .. */
	Oid ground_type;    /* .. and its type before it was cast to the attribute's */
} StarColumn;

typedef struct StarQuery
{
	const char *from;    /* FROM list with its joins; the table's alias is s */
	StarColumn *columns; /* one for each quasi-identifier, in order */
} StarQuery;

/*
 * levels: description->quasi_count entries.  Lines of "from" after the first start with "indent"
 * blanks.  Reads the dimensions' catalogs and, for a top level, their contents, within a query
 * scope.  Current context.
 *
 * Errors: a level below 0 or above the height (ERRCODE_INVALID_PARAMETER_VALUE); those of
 * dimension_source_load; a ground value that is a text of a date or time in another form than ISO
 * (ERRCODE_DATATYPE_MISMATCH).
 */
extern StarQuery star_query_build(const Description *description, const int *levels, int indent);

/*
 * SQL: is one of the relation's values, not NULL, shown as NULL at that level of quasi-identifier
 * number "quasi"?  NULL (no SQL): none can be.  As star_query_build.
 */
extern const char *star_query_shows_null(const Description *description, int quasi, int level);

/*
 * SQL of what stands as "rows" in FROM for the relation: is there anything in the column but values
 * of its dimension?  Are there NULLs, and is no value shown as NULL at the level, if that is known
 * (above 0)?
 */
extern char *star_query_has_others(const Description *description, const char *rows, int quasi);
extern char *star_query_null_is_null(const Description *description, const char *rows, int quasi,
									 int level);

/* SQL: the attribute's value, of the alias s, is NULL or unknown, given a column with pairs. */
extern char *star_query_is_other(const StarColumn *column, const DescribedAttribute *attribute);

/* SQL: the ground value of a dimension table, of the alias d, as the attribute would write it. */
extern const char *star_query_ground(const Description *table, const DescribedAttribute *attribute);

/*
 * SQL: the label at a level of a value, not NULL, that the dimension lacks; NULL (no SQL) where it
 * is NULL.  Not at a top with a single label.  Reads the dimension, unless the attribute has its
 * domain.
 */
extern const char *star_query_missing_label(const Description *table,
											const DescribedAttribute *attribute, int level,
											const char *value);

/* "zipcode_dim", quoted, current context: one for each attribute of a table. */
extern const char *star_query_alias(const DescribedAttribute *attribute);

/* The height of an attribute's hierarchy.  Reads the dimension's catalog. */
extern int star_query_height(const DescribedAttribute *attribute);

/*
 * The frequency set of one node as text: the generalized quasi-identifiers in order, then
 * the count of rows.
 */
extern char *star_query_frequency_set(const Description *description, const int *levels);

#endif /* KANON_STAR_QUERY_H */
