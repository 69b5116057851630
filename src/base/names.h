/*
 * names.h
 *		Lists of names in messages: a, b and c; choices by name.
 */
#ifndef KANON_NAMES_H
#define KANON_NAMES_H

#include "postgres.h"

#include <ctype.h>

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

/*
 * The index of a name among "count" of them, the first at "first", each "step" bytes behind the one
 * before.  Raises ERRCODE_INVALID_PARAMETER_VALUE with the list if it is none of them: of "kind",
 * in lower case, whose plural ends in s.
 */
static inline int
names_find(const char *kind, const char *name, const void *first, Size step, int count,
		   int (*compare)(const char *one, const char *other))
{
	List *names = NIL;

	for (int i = 0; i < count; i++)
	{
		const char *known = *(const char *const *) ((const char *) first + step * i);

		if (compare(known, name) == 0)
			return i;
		names = lappend(names, unconstify(char *, known));
	}
	ereport(
		ERROR,
		(errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("unrecognized %s \"%s\"", kind, name),
		 errhint("%c%ss are %s.", toupper((unsigned char) kind[0]), kind + 1, names_join(names))));
}

#endif /* KANON_NAMES_H */
