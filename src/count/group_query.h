/*
 * group_query.h
 *		The distinct rows of some columns of a relation, as codes with counts.
 */
#ifndef KANON_GROUP_QUERY_H
#define KANON_GROUP_QUERY_H

#include "postgres.h"

#include "count/relation_codes.h"

typedef struct GroupRows
{
	Dataset *groups;
	DatasetColumn **column; /* [attribute] */
} GroupRows;

/*
 * One GROUP BY over some attributes of a relation.  Codes are the values' ranks in the order of the
 * type.  Groups are sorted by their values, NULL last, by bytes if the type's order is local: the
 * same on all systems.  Palloc'd in the current context against the budget.  Errors and privileges:
 * see relation_codes_read.
 */
extern GroupRows *group_query_run(const Description *description,
								  const DescribedAttribute *const *attribute, int attributes,
								  Budget *budget);

/* The text of a value by its code; NULL for NULL. */
extern char *group_query_text(const GroupRows *rows, int attribute, int32 code);

#endif /* KANON_GROUP_QUERY_H */
