/*
 * names.h
 *		Lists of names in messages: a, b and c.
 */
#ifndef KANON_NAMES_H
#define KANON_NAMES_H

#include "postgres.h"

#include "lib/stringinfo.h"
#include "nodes/pg_list.h"

/* A list of C strings, joined; in the current context. */
static inline char *
names_join(const List *list)
{
	StringInfoData names;
	ListCell *cell;

	initStringInfo(&names);
	foreach (cell, list)
		appendStringInfo(&names, "%s%s",
						 foreach_current_index(cell) == 0 ? ""
						 : lnext(list, cell)              ? ", "
														  : " and ",
						 (const char *) lfirst(cell));
	return names.data;
}

#endif /* KANON_NAMES_H */
