/*
 * match_query.h
 *		The rows of a relation if NULL matches anything: rows match that agree in each
 *		quasi-identifier that both have (suppress/match_rows.h), as sdcMicro counts.
 *
 * Rows that look different match each other, so these are no classes.  In their place are the
 * distinct rows.
 */
#ifndef KANON_MATCH_QUERY_H
#define KANON_MATCH_QUERY_H

#include "postgres.h"

#include "count/class_query.h"

/*
 * Pushes each distinct combination of quasi-identifiers, which may have no models: its rows, and
 * those that they match.  Ordered as class_query_each does, with text by its bytes.  One GROUP BY;
 * memory for all combinations, against the budget.  Within a query scope, as the current user.
 *
 * Errors: more than MATCH_COLUMNS_MOST quasi-identifiers (ERRCODE_PROGRAM_LIMIT_EXCEEDED).
 */
extern void match_query_each(const Description *description, bool with_values,
							 ClassConsumer consumer, void *state, Budget *budget);

/*
 * Tallies the combinations of all quasi-identifiers, or of each set of as many as the description
 * lets somebody know.  The size of one is the number of rows that it matches; rows that are in
 * several small ones count once.  Otherwise like match_query_each, with the errors of
 * known_check_sets.
 */
extern ClassTally match_query_tally(const Description *description, int k, Budget *budget);

#endif /* KANON_MATCH_QUERY_H */
