/*
 * masked_digits.c
 *		See masked_digits.h.
 *
 * A dimension masks digits if all its values have the same number of letters, and at level l every
 * label is the value with its last l letters masked, up to all but one.  Above there may be one
 * more level with a single label.  The mask is not a letter of any value.
 *
 * Example: the values 53706, 53711 with labels 5370* 537** 53*** 5**** * have five digits.  The
 * letters of the third digit are 7, those of the fourth 0 and 1.
 */
#include "postgres.h"

#include "dimension/masked_digits.h"

#include "base/context.h"
#include "base/interrupt.h"
#include "fmgr.h"
#include "mb/pg_wchar.h"
#include "utils/memutils.h"

#define PURPOSE "generalization hierarchy"

/* The bytes of the first "letters" letters. */
static int
prefix_bytes(const char *value, int letters)
{
	return pg_mbcharcliplen(value, (int) strlen(value), letters);
}

/* Is the label the value with its last "masked" letters masked? */
static bool
is_masked(const char *label, const char *value, int digits, int masked, const char *mask)
{
	int shown = prefix_bytes(value, digits - masked);
	Size length = strlen(mask);

	if (strncmp(label, value, shown) != 0)
		return false;
	label += shown;
	for (; masked > 0; masked--, label += length)
		if (strncmp(label, mask, length) != 0)
			return false;
	return *label == '\0';
}

static bool
value_is_masked(const AttributeDomain *domain, int32 value, const char *shown,
				const MaskedDigits *masked)
{
	int digits = masked->digits;

	if (pg_mbstrlen(shown) != digits || strstr(shown, masked->mask))
		return false;
	for (int level = 1; level < digits; level++)
		if (!is_masked(dimension_query_text(domain, level, value), shown, digits, level,
					   masked->mask))
			return false;
	return true;
}

/* The last letter of the first label, or NULL if the dimension cannot mask digits. */
static const char *
find_mask(const AttributeDomain *domain, int digits)
{
	const char *label;
	int letters;

	if (digits < 2 || domain->height < digits - 1 || domain->height > digits ||
		(domain->height == digits && dictionary_size(domain->level[digits].labels) > 1))
		return NULL;
	label = dimension_query_text(domain, 1, 0);
	letters = pg_mbstrlen(label);
	return letters == digits ? label + prefix_bytes(label, digits - 1) : NULL;
}

/* The code of a letter at its digit; a new letter gets a new code. */
static int32
letter_code(MaskedDigits *masked, int digit, const char *letter, int length)
{
	const char **known = masked->letter[digit];
	int32 code = 0;

	while (code < masked->letters[digit] &&
		   (strncmp(known[code], letter, length) != 0 || known[code][length] != '\0'))
		code++;
	if (code == masked->letters[digit])
	{
		if ((code & (code - 1)) == 0)
			masked->letter[digit] = repalloc(known, sizeof(char *) * Max(2 * code, 1));
		masked->letter[digit][code] = pnstrdup(letter, length);
		masked->letters[digit]++;
	}
	return code;
}

static MaskedDigits *
create_digits(int digits, const char *mask, Size count, Budget *budget)
{
	MaskedDigits *masked = palloc0(sizeof(MaskedDigits));

	masked->digits = digits;
	masked->mask = mask;
	masked->letters = palloc0(sizeof(int32) * digits);
	masked->letter = palloc(sizeof(char **) * digits);
	for (int digit = 0; digit < digits; digit++)
		masked->letter[digit] = palloc(sizeof(char *));
	masked->code = budget_allocate(budget, mul_size(count, digits), sizeof(int32), PURPOSE);
	return masked;
}

/* Adds a value of the dimension table; false if its labels do not mask its digits. */
static bool
read_value(MaskedDigits *masked, const AttributeDomain *domain, int32 value, MemoryContext scratch)
{
	MemoryContext previous = MemoryContextSwitchTo(scratch);
	const char *letter = dimension_query_text(domain, 0, value);
	bool is_masked = value_is_masked(domain, value, letter, masked);

	MemoryContextSwitchTo(previous);
	for (int digit = 0; is_masked && digit < masked->digits; digit++)
	{
		int length = pg_mblen(letter);

		masked->code[(int64) value * masked->digits + digit] =
			letter_code(masked, digit, letter, length);
		letter += length;
	}
	MemoryContextReset(scratch);
	return is_masked;
}

/* The digits of all values in the dimension table; NULL if it masks none. */
static MaskedDigits *
read_domain(AttributeDomain *domain)
{
	MaskedDigits *masked;
	MemoryContext scratch;
	const char *mask;
	int digits;
	bool all = true;

	if (domain->declared <= 0)
		return NULL;
	digits = pg_mbstrlen(dimension_query_text(domain, 0, 0));
	mask = find_mask(domain, digits);
	if (mask == NULL)
		return NULL;
	masked = create_digits(digits, mask, domain->declared, domain->budget);
	scratch = AllocSetContextCreate(CurrentMemoryContext, "kanon digits", CONTEXT_SMALL_SIZES);
	for (int32 value = 0; all && value < domain->declared; value++)
	{
		CHECK_FOR_INTERRUPTS();
		all = read_value(masked, domain, value, scratch);
	}
	MemoryContextDelete(scratch);
	return all ? masked : NULL;
}

/*
 * Numbers the domain's letters that some values have at a digit, in order of appearance: [letter].
 */
static int32 *
number_letters(MaskedDigits *masked, const MaskedDigits *domain, int digit, const int32 *value,
			   int32 count)
{
	int32 *number = palloc(sizeof(int32) * domain->letters[digit]);

	for (int32 letter = 0; letter < domain->letters[digit]; letter++)
		number[letter] = MASKED_DIGITS_OTHER;
	masked->letter[digit] = palloc(sizeof(char *) * domain->letters[digit]);
	for (int32 i = 0; i < count; i++)
	{
		int32 letter = domain->code[(int64) value[i] * domain->digits + digit];

		interrupt_check(i);
		if (number[letter] != MASKED_DIGITS_OTHER)
			continue;
		number[letter] = masked->letters[digit]++;
		masked->letter[digit][number[letter]] = domain->letter[digit][letter];
	}
	return number;
}

MaskedDigits *
masked_digits_find(AttributeDomain *domain, const int32 *value, int32 count, int most)
{
	const MaskedDigits *all;
	MaskedDigits *masked;

	if (!domain->masked_known)
	{
		MemoryContext previous = MemoryContextSwitchTo(GetMemoryChunkContext(domain));

		domain->masked = read_domain(domain);
		domain->masked_known = true;
		MemoryContextSwitchTo(previous);
	}
	all = domain->masked;
	if (all == NULL || all->digits > most)
		return NULL;
	masked = create_digits(all->digits, all->mask, count, domain->budget);
	masked->declared = budget_allocate(domain->budget, mul_size(domain->declared, all->digits),
									   sizeof(int32), PURPOSE);
	for (int digit = 0; digit < all->digits; digit++)
	{
		int32 *number = number_letters(masked, all, digit, value, count);

		for (int32 i = 0; i < count; i++)
			masked->code[(int64) i * all->digits + digit] =
				number[all->code[(int64) value[i] * all->digits + digit]];
		for (int32 i = 0; i < domain->declared; i++)
			masked->declared[(int64) i * all->digits + digit] =
				number[all->code[(int64) i * all->digits + digit]];
		CHECK_FOR_INTERRUPTS();
	}
	return masked;
}
