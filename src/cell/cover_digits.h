/*
 * cover_digits.h
 *		Cells in which an asterisk hides one character: 9*2*1.
 *
 * Each character becomes an attribute of its own, as Murakami and Uno have it (2017,
 * section 1).
 */
#ifndef KANON_COVER_DIGITS_H
#define KANON_COVER_DIGITS_H

#include "postgres.h"

#include "cell/cover_query.h"

/*
 * Column "at" of the original's values and of the release's cells, as attributes, in
 * place of what "covered" says as one.  False, and nothing done, unless all values are
 * written with the same number of characters, and so are all cells, but for NULL and "*";
 * and unless each cell that is no pattern covers what it would as one, or all.
 *
 * strange: [cell] those that have no other meaning.  If false, *offender is one of
 * these that stands in the way, or else the first.
 *
 * O((values + cells) * characters), and a sort of the values for each character.
 */
extern bool cover_digits_run(const GroupRows *values, const GroupRows *cells, int at,
							 const bool *strange, CoverColumn *covered, int32 *offender,
							 Budget *budget);

#endif /* KANON_COVER_DIGITS_H */
