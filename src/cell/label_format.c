/*
 * label_format.c
 *		See label_format.h.
 */
#include "postgres.h"

#include "cell/label_format.h"

#include "data/hidden.h"

char *
label_format_write(DomainText *text, int level, int32 value)
{
	return level > text->domain->height ? pstrdup(HIDDEN_TEXT)
										: domain_text_write(text, level, value);
}
