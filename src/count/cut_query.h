/*
 * cut_query.h
 *		Values of one column that divide the rows of a relation into parts of about equal size.
 */
#ifndef KANON_CUT_QUERY_H
#define KANON_CUT_QUERY_H

#include "postgres.h"

#include "relation/description.h"

/*
 * The values before which 1/parts, 2/parts, .. of the rows lie, ascending, distinct, without the
 * least one: at most parts - 1, as texts (value_text.h), in the current context.  One GROUP BY as
 * the current user, within a query scope.
 */
extern int cut_query_run(const Description *description, const DescribedAttribute *attribute,
						 int parts, char **cut);

#endif /* KANON_CUT_QUERY_H */
