/*
 * cut_query.h
 *		Values that cut the rows of a relation into parts of about one size, by one column.
 */
#ifndef KANON_CUT_QUERY_H
#define KANON_CUT_QUERY_H

#include "postgres.h"

#include "relation/description.h"

/*
 * The values before which 1/parts, 2/parts, .. of the rows lie, ascending, each once, without the
 * least one: at most parts - 1 of them, as texts (value_text.h), in the current context.  One
 * GROUP BY as the current user, within a query scope.
 */
extern int cut_query_run(const Description *description, const DescribedAttribute *attribute,
						 int parts, char **cut);

#endif /* KANON_CUT_QUERY_H */
