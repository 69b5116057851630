/*
 * row_sort.h
 *		Rows on a tape in an order of their codes.
 */
#ifndef KANON_ROW_SORT_H
#define KANON_ROW_SORT_H

#include "postgres.h"

#include "base/budget.h"
#include "rothko/coded_rows.h"

/*
 * A new tape of the rows, with final codes, by what they have at these places of a tuple, as
 * numbers: of the same tapes, instead of theirs, which is closed.  Sorted by the executor's means
 * within what the budget has left.
 */
extern CodedRows row_sort(const CodedRows *rows, const int *place, int places, CodeTapes *tapes,
						  const Budget *budget);

#endif /* KANON_ROW_SORT_H */
