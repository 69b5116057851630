/*
 * digits_format.h
 *		Cells whose digits are shown or hidden one by one, 9*2*1: they stand for the values with the
 *		digits shown.
 */
#ifndef KANON_DIGITS_FORMAT_H
#define KANON_DIGITS_FORMAT_H

#include "postgres.h"

#include "cell/cell_format.h"
#include "cell/cover_query.h"
#include "dimension/masked_digits.h"

extern const CellFormat digits_format;

/*
 * If an asterisk hides one character, whatever the dimension, each character becomes an attribute
 * (Murakami, Uno 2017, section 1): replaces column "at" of the original's values and of the
 * release's cells, and "covered".
 *
 * Returns false and changes nothing unless all values have the same number of characters, all cells
 * except NULL and "*" have it as well, and each cell that is not a pattern covers the same as
 * before, or everything.  Then *offender is a cell without another meaning (unrecognized: [cell])
 * that prevents it, or else the first such cell.
 *
 * O((values + cells) * characters), and a sort of the values for each character.
 */
extern bool digits_format_split(const GroupRows *values, const GroupRows *cells, int at,
								const bool *unrecognized, CoverColumn *covered, int32 *offender,
								Budget *budget);

#endif /* KANON_DIGITS_FORMAT_H */
