/*
 * cell_names.h
 *		What the fields of a record of cells are called, by who makes it and by who asks for
 *		them.
 *
 * A cell goes by the name of its quasi-identifier, the class by "class", the mean of "age" by
 * "age_mean"; where that is another field's name, by "class_2".  Fields beside the
 * cells keep theirs.
 */
#ifndef KANON_CELL_NAMES_H
#define KANON_CELL_NAMES_H

#include "postgres.h"

#include "nodes/pg_list.h"

typedef struct CellNames
{
	const char *class;
	const char **mean; /* [quasi-identifier]: whether there is one or not */
} CellNames;

/*
 * For these quasi-identifiers, a list of DescribedAttribute, beside fields with other names, a list
 * of String; in the current context.
 */
extern CellNames cell_names_choose(const List *quasi, const List *others);

#endif /* KANON_CELL_NAMES_H */
