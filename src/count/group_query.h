/*
 * group_query.h
 *		The distinct rows of some columns of a relation, as codes with counts.
 */
#ifndef KANON_GROUP_QUERY_H
#define KANON_GROUP_QUERY_H

#include "postgres.h"

#include "dimension/dataset_column.h"

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
 * The different values of a column but NULL, to be read again in FROM under its name, as parameter
 * number "parameter", an array; palloc'd.  NULL: equal ones are spelled in several ways, which are
 * not kept, unless "any" spelling will do; or memory does not hold the array.
 */
extern const char *group_query_values(const GroupRows *rows, int attribute, bool any, int parameter,
									  Oid *type, Datum *array, const Budget *budget);

/*
 * The values of a column before which 1/parts, 2/parts, .. of the rows lie, NULL apart, ascending,
 * each once, without the least one: at most parts - 1 of them, as texts; palloc'd.
 */
extern int group_query_cuts(const GroupRows *rows, int attribute, int parts, char **cut,
							const Budget *budget);

#endif /* KANON_GROUP_QUERY_H */
