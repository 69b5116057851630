/*
 * digits_format.h
 *		Cells whose digits are shown or hidden one by one, 9*2*1: the values that have those
 *		shown.
 */
#ifndef KANON_DIGITS_FORMAT_H
#define KANON_DIGITS_FORMAT_H

#include "postgres.h"

#include "cell/cell_format.h"
#include "cell/cover_query.h"
#include "dimension/masked_digits.h"

extern const CellFormat digits_format;

/*
 * Where an asterisk hides one character, whatever the dimension, each character becomes an
 * attribute of its own (Murakami, Uno 2017, section 1): column "at" of the original's values and
 * of the release's cells, in place of what "covered" says as one.
 *
 * False, and nothing done, unless all values have the same number of characters, and so have all
 * cells, but for NULL and "*"; and unless each cell that is no pattern covers what it would as
 * one, or all.  Then *offender is one of the cells that have no other meaning (unrecognized:
 * [cell]) which stands in the way, or else the first of them.
 *
 * O((values + cells) * characters), and a sort of the values for each character.
 */
extern bool digits_format_split(const GroupRows *values, const GroupRows *cells, int at,
								const bool *unrecognized, CoverColumn *covered, int32 *offender,
								Budget *budget);

#endif /* KANON_DIGITS_FORMAT_H */
