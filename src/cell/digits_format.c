/*
 * digits_format.c
 *		See digits_format.h.
 */
#include "postgres.h"

#include "cell/digits_format.h"

#include "lib/stringinfo.h"

char *
digits_format_write(const MaskedDigits *masked, const int32 *code)
{
	StringInfoData text;

	initStringInfo(&text);
	for (int digit = 0; digit < masked->digits; digit++)
		appendStringInfoString(&text, code[digit] == RECODED_MASKED
										  ? masked->mask
										  : masked->letter[digit][code[digit]]);
	return text.data;
}
