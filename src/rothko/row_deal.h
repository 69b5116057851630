/*
 * row_deal.h
 *		Rows on a tape, sorted, and cut by the relaxed model, as part_divide does in memory.
 */
#ifndef KANON_ROW_DEAL_H
#define KANON_ROW_DEAL_H

#include "postgres.h"

#include "partition/part.h"
#include "rothko/coded_rows.h"

/*
 * A new tape of the rows, with final codes, sorted by the numbers at these places of a tuple.  It
 * belongs to the same tapes and replaces the old one, which is closed.  Uses the executor's sort,
 * with part of what the budget has left.
 */
extern CodedRows row_sort(const CodedRows *rows, const int *place, int places, CodeTapes *tapes,
						  const Budget *budget);

/* The tapes of the two parts; row numbers are in no particular order. */
typedef struct DealtRows
{
	CodeTape *side[2];
} DealtRows;

/*
 * Cuts the rows, which are kept, by a split that deals.  Rows equal to its threshold go to both
 * sides in the order of the other attributes, of what models look at, and of their numbers
 * (part.c).  Against the budget.  Sorts only those rows.
 */
extern DealtRows row_deal(const CodedRows *rows, const Split *split, CodeTapes *tapes,
						  const Budget *budget);

#endif /* KANON_ROW_DEAL_H */
