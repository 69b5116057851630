/*
 * group_query.h
 *		Columns of a relation as codes, by one query: its distinct rows with counts, or a table for
 *		the search of sample uniques.
 */
#ifndef KANON_GROUP_QUERY_H
#define KANON_GROUP_QUERY_H

#include "postgres.h"

#include "data/dataset.h"
#include "dimension/dataset_column.h"
#include "relation/description.h"
#include "sql/tuple_spool.h"
#include "utils/array.h"

typedef struct GroupRows
{
	Dataset *groups;
	DescribedAttribute *const *attribute; /* the caller's */
	DatasetColumn **column;               /* [attribute] */
} GroupRows;

/*
 * One GROUP BY over some attributes of a relation.  Codes are the values' ranks in the order of the
 * type.  Groups are sorted by their values, NULL last, by bytes if the type's order is local: the
 * same on all systems.  Palloc'd in the current context against the budget.  Errors and privileges:
 * see dataset_columns_read.
 */
extern GroupRows *group_query_run(const Description *description,
								  DescribedAttribute *const *attribute, int attributes,
								  Budget *budget);

/* The text of a value by its code; NULL for NULL. */
extern char *group_query_text(const GroupRows *rows, int attribute, int32 code);

/*
 * The values of a column before which 1/parts, 2/parts, .. of the rows lie, NULL apart, ascending,
 * each once, without the least one: at most parts - 1 of them, as texts; palloc'd.
 */
extern int group_query_cuts(const GroupRows *rows, int attribute, int parts, char **cut,
							const Budget *budget);

/* ---- samples */

/*
 * The relation with the columns to search as its quasi-identifiers: those of a name[] or, for NULL,
 * all of sortable types that are not declared as identifiers and are not the key (a column, or
 * NULL).  Within a query scope.  Errors: those of description_load; a key that is not a column
 * (ERRCODE_UNDEFINED_COLUMN); no column at all (ERRCODE_INVALID_PARAMETER_VALUE).
 */
extern Description *group_query_describe_sample(Oid relation, ArrayType *columns, const char *key);

/*
 * The rows of these columns, in the order of the quasi-identifiers, read once as the current user:
 * columns of codes in order of appearance.  With a key, its values go to "keys", a text each. Equal
 * rows of a remote relation may travel as one and then count as two, with any of their keys; "rows"
 * is the true number.  In the current context, within a query scope.
 */
extern Dataset *group_query_read_sample(const Description *description, const char *key,
										TupleSpool **keys, int64 *rows, Budget *budget);

#endif /* KANON_GROUP_QUERY_H */
