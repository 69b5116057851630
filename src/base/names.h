/*
 * names.h
 *		Lists of names in messages: a, b and c.
 */
#ifndef KANON_NAMES_H
#define KANON_NAMES_H

#include "postgres.h"

#include "lib/stringinfo.h"

/* Appends a name; "left" more will follow. */
static inline void
names_add(StringInfo names, const char *name, int left)
{
	if (names->len > 0)
		appendStringInfoString(names, left > 0 ? ", " : " and ");
	appendStringInfoString(names, name);
}

#endif /* KANON_NAMES_H */
