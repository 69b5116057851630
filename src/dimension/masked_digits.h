/*
 * masked_digits.h
 *		Dimensions that mask the digits of a value from the right, so that each digit can be hidden
 *		by itself (Murakami, Uno 2017, section 2.3).
 */
#ifndef KANON_MASKED_DIGITS_H
#define KANON_MASKED_DIGITS_H

#include "postgres.h"

#include "dimension/dimension_query.h"

#define MASKED_DIGITS_OTHER (-3) /* a letter that no value of the rows has at this digit */

typedef struct MaskedDigits
{
	int digits;
	const char *mask;     /* the text of a hidden digit */
	int32 *letters;       /* [digit]: number of distinct letters */
	const char ***letter; /* [digit][code]: a letter */
	int32 *code;          /* [value * digits + digit] */
	int32 *declared;      /* the same for all values in the dimension table */
} MaskedDigits;

/*
 * The digits of "count" values of the domain, given by their numbers in its ground dictionary; in
 * the current context, against the domain's budget.  NULL unless the dimension masks 2 to "most"
 * digits.  O((values + values of the domain) * digits), and once for each domain O(its values *
 * digits * height).
 */
extern MaskedDigits *masked_digits_find(AttributeDomain *domain, const int32 *value, int32 count,
										int most);

#endif /* KANON_MASKED_DIGITS_H */
