/*
 * masked_digits.h
 *		Dimensions that mask the digits of a value from the right, so that each digit can be
 *		hidden by itself (Murakami, Uno 2017, section 2.3).
 */
#ifndef KANON_MASKED_DIGITS_H
#define KANON_MASKED_DIGITS_H

#include "postgres.h"

#include "dimension/dimension_query.h"

#define MASKED_DIGITS_OTHER (-3) /* a letter that no value of the rows has there */

typedef struct MaskedDigits
{
	int digits;
	const char *mask;     /* what stands for a hidden digit */
	int32 *letters;       /* [digit]: how many different ones there are */
	const char ***letter; /* [digit][code]: one of them */
	int32 *code;          /* [value * digits + digit] */
	int32 *declared;      /* likewise of all values the dimension table holds */
} MaskedDigits;

/*
 * The digits of "count" values of the domain, by their numbers in its ground dictionary; in the
 * current context, against the domain's budget.  NULL unless the dimension masks 2 to "most"
 * digits.  O((values + values of the domain) * digits), and once for each domain O(its values *
 * digits * height).
 */
extern MaskedDigits *masked_digits_find(AttributeDomain *domain, const int32 *value, int32 count,
										int most);

#endif /* KANON_MASKED_DIGITS_H */
