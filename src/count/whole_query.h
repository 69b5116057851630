/*
 * whole_query.h
 *		The values of a relation, for window functions that are handed a part of its rows
 *		(record/record_whole.h).
 */
#ifndef KANON_WHOLE_QUERY_H
#define KANON_WHOLE_QUERY_H

#include "postgres.h"

#include "relation/description.h"

/*
 * The values of each quasi-identifier and sensitive column, and how often they occur, as the jsonb
 * of record/record_whole.h.  In the current context.  Reads the relation as the current user, by a
 * GROUP BY for each column, within a query scope.  Memory for the values.  places: of whole numbers
 * that are close together, whose codes are places on their scale, only the least and the greatest,
 * by one query for all such columns.
 */
extern Datum whole_query_run(const Description *description, bool places);

#endif /* KANON_WHOLE_QUERY_H */
