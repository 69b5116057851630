/*
 * masked_digits.c
 *		See masked_digits.h.
 *
 * Example: the values 53706, 53711 with labels 5370* 537** 53*** 5**** * have five
 * digits; the letters of the third are 7, those of the fourth 0 and 1.
 */
#include "postgres.h"

#include "dimension/masked_digits.h"

#include "base/interrupt.h"
#include "dimension/domain_text.h"
#include "fmgr.h"
#include "mb/pg_wchar.h"
#include "utils/memutils.h"

#define PURPOSE "generalization hierarchy"

/* Bytes of the first "letters" letters. */
static int
prefix_bytes(const char *value, int letters)
{
	return pg_mbcharcliplen(value, (int) strlen(value), letters);
}

/* Is the label the value with its last letters masked? */
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
value_is_masked(DomainText *text, int32 value, int digits, const char *mask)
{
	const char *shown = domain_text_write(text, 0, value);

	if (pg_mbstrlen(shown) != digits || strstr(shown, mask))
		return false;
	for (int level = 1; level < digits; level++)
		if (!is_masked(domain_text_write(text, level, value), shown, digits, level, mask))
			return false;
	return true;
}

/* The last letter of the first label, or NULL if the dimension cannot be one that masks digits. */
static const char *
find_mask(DomainText *text, int digits)
{
	const AttributeDomain *domain = text->domain;
	const char *label;
	int letters;

	if (digits < 2 || domain->height < digits - 1 || domain->height > digits ||
		(domain->height == digits && dictionary_size(domain->label[digits]) > 1))
		return NULL;
	label = domain_text_write(text, 1, 0);
	letters = pg_mbstrlen(label);
	return letters == digits ? label + prefix_bytes(label, digits - 1) : NULL;
}

static bool
masks_digits(DomainText *text, int digits, const char *mask)
{
	MemoryContext scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon digits", ALLOCSET_SMALL_SIZES);
	MemoryContext previous = MemoryContextSwitchTo(scratch);
	bool all = true;

	for (int32 value = 0; all && value < text->domain->declared; value++)
	{
		CHECK_FOR_INTERRUPTS();
		all = value_is_masked(text, value, digits, mask);
		MemoryContextReset(scratch);
	}
	MemoryContextSwitchTo(previous);
	MemoryContextDelete(scratch);
	return all;
}

/* The code of a letter among those of its digit, which it joins if it "occurs"; else another one.
 */
static int32
letter_code(MaskedDigits *masked, int digit, const char *letter, int length, bool occurs)
{
	const char **known = masked->letter[digit];
	int32 code = 0;

	while (code < masked->letters[digit] &&
		   (strncmp(known[code], letter, length) != 0 || known[code][length] != '\0'))
		code++;
	if (code < masked->letters[digit])
		return code;
	if (!occurs)
		return MASKED_DIGITS_OTHER;
	if ((code & (code - 1)) == 0)
		masked->letter[digit] = repalloc(known, sizeof(char *) * Max(2 * code, 1));
	masked->letter[digit][code] = pnstrdup(letter, length);
	masked->letters[digit]++;
	return code;
}

static void
take_apart(MaskedDigits *masked, char *value, int32 *code, bool occurs)
{
	const char *letter = value;

	CHECK_FOR_INTERRUPTS();
	for (int digit = 0; digit < masked->digits; digit++)
	{
		int length = pg_mblen(letter);

		code[digit] = letter_code(masked, digit, letter, length, occurs);
		letter += length;
	}
	pfree(value);
}

static MaskedDigits *
take_all_apart(DomainText *text, const int32 *value, int32 count, int digits, const char *mask)
{
	MaskedDigits *masked = palloc(sizeof(MaskedDigits));

	masked->digits = digits;
	masked->mask = mask;
	masked->letters = palloc0(sizeof(int32) * digits);
	masked->letter = palloc(sizeof(char **) * digits);
	for (int digit = 0; digit < digits; digit++)
		masked->letter[digit] = palloc(sizeof(char *));
	masked->code =
		budget_allocate(text->domain->budget, mul_size(count, digits), sizeof(int32), PURPOSE);
	masked->declared = budget_allocate(
		text->domain->budget, mul_size(text->domain->declared, digits), sizeof(int32), PURPOSE);
	for (int32 i = 0; i < count; i++)
		take_apart(masked, domain_text_write(text, 0, value[i]), masked->code + (int64) i * digits,
				   true);
	for (int32 i = 0; i < text->domain->declared; i++)
		take_apart(masked, domain_text_write(text, 0, i), masked->declared + (int64) i * digits,
				   false);
	return masked;
}

/* The digits of all values, or -1. */
static int
count_digits(DomainText *text)
{
	const char *mask;
	int digits;

	if (text->domain->declared <= 0)
		return -1;
	digits = pg_mbstrlen(domain_text_write(text, 0, 0));
	mask = find_mask(text, digits);
	return mask && masks_digits(text, digits, mask) ? digits : -1;
}

MaskedDigits *
masked_digits_find(AttributeDomain *domain, const int32 *value, int32 count, int most)
{
	DomainText text = domain_text_create(domain);

	if (domain->masked_digits == 0)
		domain->masked_digits = count_digits(&text);
	if (domain->masked_digits < 0 || domain->masked_digits > most)
		return NULL;
	return take_all_apart(&text, value, count, domain->masked_digits,
						  find_mask(&text, domain->masked_digits));
}
