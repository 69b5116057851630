/*
 * group_query.h
 *		The different rows of some columns of a relation, as codes, and how many there are
 *		of each.
 *
 * The codes of a column are its values' ranks: 0 .. values - 1 in the order of the
 * type, then "values" for NULL.
 */
#ifndef KANON_GROUP_QUERY_H
#define KANON_GROUP_QUERY_H

#include "postgres.h"

#include "base/budget.h"
#include "data/dictionary.h"
#include "relation/description.h"
#include "sql/value_text.h"

typedef struct GroupColumn
{
	Oid type;
	ValueText text;
	Dictionary *dictionary;
	int32 values;
	int32 *order; /* [rank]: the dictionary's code */
} GroupColumn;

typedef struct GroupRows
{
	int columns;
	GroupColumn *column;
	int32 groups;
	int64 rows;
	int32 *code; /* [group * columns + column] */
	int64 *size; /* [group] */
	int32 capacity;
	Budget *budget;
} GroupRows;

/*
 * One GROUP BY over a relation (qualified and quoted); groups in the order of their values, by
 * bytes where that of the type is local, so that it is the same everywhere.  palloc'd in the
 * current context against the budget.  Within a query scope, as the current user.
 *
 * Error: more than PG_INT32_MAX different rows (ERRCODE_PROGRAM_LIMIT_EXCEEDED).
 */
extern GroupRows *group_query_run(const char *relation, const DescribedAttribute *const *attributes,
								  int columns, Budget *budget);

/* The text of a value by its code; NULL for NULL. */
extern char *group_query_text(const GroupRows *rows, int column, int32 code);

#endif /* KANON_GROUP_QUERY_H */
