/*
 * row_deal.h
 *		Rows on a tape cut in two by the relaxed model, as part_divide cuts those in memory.
 */
#ifndef KANON_ROW_DEAL_H
#define KANON_ROW_DEAL_H

#include "postgres.h"

#include "partition/part.h"
#include "rothko/coded_rows.h"

/* Tapes of the two parts, in no order of the rows' numbers. */
typedef struct DealtRows
{
	CodeTape *side[2];
} DealtRows;

/*
 * Cuts the rows, which stay, by a split that deals: those equal to its threshold go to both sides
 * in the order of the other attributes, of what models look at, and of their numbers (part.c).
 * Against the budget.
 */
extern DealtRows row_deal(const CodedRows *rows, const Split *split, CodeTapes *tapes,
						  const Budget *budget);

#endif /* KANON_ROW_DEAL_H */
