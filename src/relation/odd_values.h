/*
 * odd_values.h
 *		Texts of a column that look as if they were written by mistake.
 *
 * Values that are written differently are different values: to classes, to dimensions, and to
 * privacy models.  Of each value, the first of these is told:
 *
 *		?, -, n/a, null, unknown, or nothing	may stand for a missing value
 *		'53008 '	blanks before or after it, or others than single ones
 *		'Male' beside 'male', which more rows have	capitals alone differ
 *		'm' beside 'male', and no other that begins so	short for it
 *		'53703-2110' where 95 % of the rows have five digits	written unlike the others
 *
 * Only columns of PostgreSQL's text types with a deterministic collation, and values of up to 100
 * letters, are looked at.
 */
#ifndef KANON_ODD_VALUES_H
#define KANON_ODD_VALUES_H

#include "postgres.h"

#include "relation/description.h"

/*
 * SQL: a SELECT of value (text), rows (int8) and detail (text), one row for each odd value, in no
 * order; of "rows" in FROM, with alias s, each of which counts as "members" (SQL).  NULL if the
 * type is no text.  In the current context.
 */
extern char *odd_values_query(const DescribedAttribute *attribute, const char *rows,
							  const char *members);

/*
 * Tells the caller, in a NOTICE, which values look odd among the first rows of each column in a
 * list of names (C strings). built: dimensions have just been made of them.  For one who has the
 * rights of the relation's owner, as whom it is read; what cannot be read is not told of.  Nothing
 * is told of views and foreign tables.  Call within a query scope.  Reads ODD_VALUES_ROWS rows for
 * each column.
 */
extern void odd_values_notice(Oid relation, const List *columns, bool built);

#define ODD_VALUES_ROWS 100000

#endif /* KANON_ODD_VALUES_H */
