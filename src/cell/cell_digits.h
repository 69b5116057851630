/*
 * cell_digits.h
 *		Cells whose digits are hidden one by one (see cell_query.h).
 */
#ifndef KANON_CELL_DIGITS_H
#define KANON_CELL_DIGITS_H

#include "postgres.h"

#include "cell/cell_query.h"
#include "dimension/masked_digits.h"

/*
 * How the dimension of the column masks digits, if cells are generalized one by one and it does
 * so; else NULL.  Reads the dimension; current context.  Errors: those of dimension_query_load.
 */
extern const MaskedDigits *cell_digits_find(const CellColumn *column);

/* As cell_query_append, given the former. */
extern void cell_digits_append(StringInfo sql, const CellColumn *column,
							   const MaskedDigits *masked);

#endif /* KANON_CELL_DIGITS_H */
