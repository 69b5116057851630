/*
 * value.c
 *		See value.h.
 */
#include "postgres.h"

#include "base/compat.h"

#include "value.h"

#include "draw.h"

#define FIXED_LENGTH 16
#define MAX_TEXT 320

/* The text of a number: its digits in letters, sometimes long, empty for 0. */
static int
text_of(int number, int variant, char *text)
{
	uint64 mixed = draw_mix((uint64) number);
	int padding = number == 0 || mixed % 16 != 0 ? 0 : (int) (mixed >> 8) % 280;
	int length = 0;

	for (int left = number; left > 0; left /= 10)
		text[length++] = (char) ((variant ? 'A' : 'a') + left % 10);
	while (length < padding)
		text[length++] = 'z';
	return length;
}

/* A varlena with the short header where it fits, unless the variant wants the long one. */
static Datum
make_varlena(const char *text, int length, bool prefer_long)
{
	bool is_short = length + VARHDRSZ_SHORT <= VARATT_SHORT_MAX && !prefer_long;
	int header = is_short ? VARHDRSZ_SHORT : VARHDRSZ;
	char *value = palloc(header + length);

	if (is_short)
		SET_VARSIZE_SHORT(value, header + length);
	else
		SET_VARSIZE(value, header + length);
	memcpy(value + header, text, length);
	return PointerGetDatum(value);
}

Datum
value_make(ValueKind kind, int number, int variant)
{
	char text[MAX_TEXT] = {0};
	bool folds = kind == VALUE_FOLDED || kind == VALUE_ORDERED;
	int length = text_of(number, folds && variant % 2, text);
	char *value;

	switch (kind)
	{
		case VALUE_INTEGER:
			return Int64GetDatum(number % 3 == 0 ? -(int64) number : (int64) number << 33);
		case VALUE_FIXED:
			value = palloc0(FIXED_LENGTH);
			snprintf(value, FIXED_LENGTH, "%d", number);
			return PointerGetDatum(value);
		case VALUE_STRING:
			value = palloc(length + 1);
			memcpy(value, text, length + 1);
			return PointerGetDatum(value);
		default:
			return make_varlena(text, length, variant / 2 % 2);
	}
}

void
value_free(ValueKind kind, Datum value)
{
	if (kind != VALUE_INTEGER)
		pfree(DatumGetPointer(value));
}

/* The bytes of a value, and how many. */
static const char *
bytes_of(const ValueType *type, Datum value, int *length)
{
	const char *pointer = (const char *) DatumGetPointer(value);

	switch (type->length)
	{
		case -1:
			*length = (int) VARSIZE_ANY_EXHDR(pointer);
			return VARDATA_ANY(pointer);
		case -2:
			*length = (int) strlen(pointer);
			return pointer;
		default:
			*length = type->length;
			return pointer;
	}
}

static char
fold(char c)
{
	return c >= 'A' && c <= 'Z' ? (char) (c + ('a' - 'A')) : c;
}

static uint32
hash_folded(const ValueType *type, Datum value)
{
	int length;
	const char *bytes = bytes_of(type, value, &length);
	uint32 hash = 7;

	for (int i = 0; i < length; i++)
		hash = hash * 31 + (uint8) fold(bytes[i]);
	/* Some values share their hash. */
	return hash & ~(uint32) 3;
}

static int
compare_folded(const ValueType *type, Datum a, Datum b)
{
	int length_a;
	int length_b;
	const char *bytes_a = bytes_of(type, a, &length_a);
	const char *bytes_b = bytes_of(type, b, &length_b);

	for (int i = 0; i < Min(length_a, length_b); i++)
		if (fold(bytes_a[i]) != fold(bytes_b[i]))
			return fold(bytes_a[i]) < fold(bytes_b[i]) ? -1 : 1;
	return length_a < length_b ? -1 : length_a > length_b;
}

bool
value_equal(ValueKind kind, Datum a, Datum b)
{
	ValueType type = value_type(kind);

	return kind == VALUE_INTEGER ? a == b : compare_folded(&type, a, b) == 0;
}

ValueType
value_type(ValueKind kind)
{
	switch (kind)
	{
		case VALUE_INTEGER:
			return (ValueType){.length = 8, .by_value = true, .equality = VALUE_EQUAL_BITS};
		case VALUE_TEXT:
			return (ValueType){.length = -1, .equality = VALUE_EQUAL_BYTES};
		case VALUE_ORDERED:
			return (ValueType){
				.length = -1, .equality = VALUE_EQUAL_BY_FUNCTION, .compare = compare_folded};
		default:
			return (ValueType){.length = kind == VALUE_FIXED    ? FIXED_LENGTH
										 : kind == VALUE_STRING ? -2
																: -1,
							   .equality = VALUE_EQUAL_BY_FUNCTION,
							   .hash = hash_folded,
							   .compare = compare_folded};
	}
}
