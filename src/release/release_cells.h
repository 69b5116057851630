/*
 * release_cells.h
 *		Text of a SELECT whose quasi-identifiers are cells that a window function makes
 *		of all rows, in one record for each.
 *
 *	SELECT public.kanon_cell(cells, 2, NULL::int4range) AS age,
 *	       disease
 *	FROM (SELECT (ARRAY[s.disease])[1] AS disease,
 *	             <call> AS cells
 *	      FROM public.patients s,
 *	           LATERAL (SELECT s.age) quasi) recoded
 *	WHERE cells IS DISTINCT FROM NULL
 *
 * Columns and dimensions stand in the text as such, so that it follows renames, and
 * a dimension cannot be dropped or changed from under it (release_dimension.h, whose WITH
 * goes before).  The text is to run within a view, made under kanon's search_path.
 */
#ifndef KANON_RELEASE_CELLS_H
#define KANON_RELEASE_CELLS_H

#include "postgres.h"

#include "release/release_column.h"

typedef struct ReleaseCells
{
	const Description *description;
	const char *schema; /* of kanon's functions, quoted */
	const char *cells;  /* quoted name of the column of cells */
	PlainColumn *plain;
	int plain_count;
} ReleaseCells;

/* What is published beside the cells; within a query scope, current context. */
extern ReleaseCells release_cells_begin(const Description *description);

extern const DescribedAttribute *release_cells_attribute(const Description *description, int quasi);

/* A field of the record, from 1, as a value of the type, written as SQL. */
extern char *release_cells_field(const ReleaseCells *text, int number, const char *type);

/* Appends a quasi-identifier's columns, "expression AS name, ..", to the list of SELECT. */
typedef void (*ReleaseCellsColumn)(StringInfo sql, const void *state, int quasi);

/* "SELECT .."; "state" goes to the function. */
extern void release_cells_append_select(StringInfo sql, const ReleaseCells *text,
										ReleaseCellsColumn column, const void *state);

/* The quasi-identifiers in order, for release_dimension.h. */
extern List *release_cells_attributes(const Description *description);

/* ", dimensions => ARRAY[..]", those declared, as an argument of the call; nothing if none is. */
extern void release_cells_append_dimensions(StringInfo sql, const Description *description);

/*
 * "FROM .. WHERE ..": call is the window function with its OVER, over quasi.*, which holds
 * the quasi-identifiers in order and then the columns named in "others" (of String).
 */
extern void release_cells_append_from(StringInfo sql, const ReleaseCells *text, const char *call,
									  const List *others);

#endif /* KANON_RELEASE_CELLS_H */
