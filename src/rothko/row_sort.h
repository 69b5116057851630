/*
 * row_sort.h
 *		Sorts the rows on a tape by their codes.
 */
#ifndef KANON_ROW_SORT_H
#define KANON_ROW_SORT_H

#include "postgres.h"

#include "base/budget.h"
#include "rothko/coded_rows.h"

/*
 * A new tape of the rows, with final codes, sorted by the numbers at these places of a tuple.  It
 * belongs to the same tapes and replaces the old one, which is closed.  Uses the executor's sort,
 * with part of what the budget has left.
 */
extern CodedRows row_sort(const CodedRows *rows, const int *place, int places, CodeTapes *tapes,
						  const Budget *budget);

#endif /* KANON_ROW_SORT_H */
