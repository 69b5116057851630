/*
 * names.h
 *		Names one after the other, for messages: a, b and c.
 */
#ifndef KANON_NAMES_H
#define KANON_NAMES_H

#include "postgres.h"

#include "lib/stringinfo.h"

/* One more name; so many are still to come. */
static inline void
names_add(StringInfo names, const char *name, int left)
{
	if (names->len > 0)
		appendStringInfoString(names, left > 0 ? ", " : " and ");
	appendStringInfoString(names, name);
}

#endif /* KANON_NAMES_H */
