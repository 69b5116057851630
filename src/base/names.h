/*
 * names.h
 *		Lists of names in messages: a, b and c.
 */
#ifndef KANON_NAMES_H
#define KANON_NAMES_H

#include "postgres.h"

#include "lib/stringinfo.h"
#include "nodes/pg_list.h"

/* Appends a name; "left" more will follow. */
static inline void
names_add(StringInfo names, const char *name, int left)
{
	if (names->len > 0)
		appendStringInfoString(names, left > 0 ? ", " : " and ");
	appendStringInfoString(names, name);
}

/* A list of C strings, joined; in the current context. */
static inline char *
names_join(const List *list)
{
	StringInfoData names;
	int left = list_length(list);
	ListCell *cell;

	initStringInfo(&names);
	foreach (cell, list)
		names_add(&names, lfirst(cell), --left);
	return names.data;
}

#endif /* KANON_NAMES_H */
