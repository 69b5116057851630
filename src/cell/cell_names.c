/*
 * cell_names.c
 *		See cell_names.h.
 */
#include "postgres.h"

#include "cell/cell_names.h"

#include "commands/defrem.h"
#include "nodes/value.h"
#include "relation/description.h"

/* The name, with a suffix if necessary to differ from all others; truncated like any name. */
static const char *
take_name(List **taken, const char *name, const char *suffix)
{
	char *chosen = makeObjectName(name, NULL, suffix);

	for (int number = 2; list_member(*taken, makeString(chosen)); number++)
		chosen = makeObjectName(
			name, NULL, suffix ? psprintf("%s_%d", suffix, number) : psprintf("%d", number));
	*taken = lappend(*taken, makeString(chosen));
	return chosen;
}

CellNames
cell_names_choose(const List *quasi, const List *others)
{
	CellNames names = {.mean = palloc(sizeof(const char *) * Max(list_length(quasi), 1))};
	List *taken = list_copy(others);
	ListCell *cell;

	foreach (cell, quasi)
		taken =
			lappend(taken, makeString(pstrdup(((const DescribedAttribute *) lfirst(cell))->name)));
	names.class = take_name(&taken, "class", NULL);
	foreach (cell, quasi)
		names.mean[foreach_current_index(cell)] =
			take_name(&taken, ((const DescribedAttribute *) lfirst(cell))->name, "mean");
	return names;
}
