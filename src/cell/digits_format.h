/*
 * digits_format.h
 *		Cells whose digits are shown or hidden one by one.
 */
#ifndef KANON_DIGITS_FORMAT_H
#define KANON_DIGITS_FORMAT_H

#include "postgres.h"

#include "data/recoding.h"
#include "dimension/masked_digits.h"

/* Given each digit by its code among the letters, or RECODED_MASKED; palloc'd. */
extern char *digits_format_write(const MaskedDigits *masked, const int32 *code);

#endif /* KANON_DIGITS_FORMAT_H */
