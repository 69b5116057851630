/*
 * cell_names.h
 *		The names of a record's fields, for the code that makes the record and the code that reads
 *		it.
 *
 * A cell has the name of its quasi-identifier, the class "class", the mean of "age" "age_mean"; if
 * another field has that name, "class_2".  Fields beside the cells keep their names.
 */
#ifndef KANON_CELL_NAMES_H
#define KANON_CELL_NAMES_H

#include "postgres.h"

#include "nodes/pg_list.h"

typedef struct CellNames
{
	const char *class;
	const char **mean; /* [quasi-identifier]: whether or not there is a mean */
} CellNames;

/*
 * The names for these quasi-identifiers (a list of DescribedAttribute) and other fields (a list of
 * String); in the current context.
 */
extern CellNames cell_names_choose(const List *quasi, const List *others);

#endif /* KANON_CELL_NAMES_H */
