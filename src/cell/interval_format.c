/*
 * interval_format.c
 *		See interval_format.h.
 */
#include "postgres.h"

#include "cell/interval_format.h"

char *
interval_format_write(const char *low, const char *high)
{
	return psprintf("[%s - %s]", low, high);
}
