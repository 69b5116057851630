/*
 * digits_format.h
 *		Cells whose digits are shown or hidden one by one.
 */
#ifndef KANON_DIGITS_FORMAT_H
#define KANON_DIGITS_FORMAT_H

#include "postgres.h"

#include "dimension/masked_digits.h"

#define DIGITS_FORMAT_HIDDEN (-1)

/* Given each digit by its code among the letters, or DIGITS_FORMAT_HIDDEN; palloc'd. */
extern char *digits_format_write(const MaskedDigits *masked, const int32 *code);

#endif /* KANON_DIGITS_FORMAT_H */
