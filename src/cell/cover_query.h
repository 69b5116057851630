/*
 * cover_query.h
 *		Which values of the original each cell of a released column covers.
 *
 * Cells are what cell_format.h says, but for these:
 *	- NULL tells nothing: it covers all values, and NULL;
 *	- so do "*", the range without ends, and the single label at the top of a
 *	  dimension, whatever else their text could be.  Other cells do not cover NULL;
 *	- what could be several things covers what each of them covers: a reader
 *	  cannot know which was meant;
 *	- where the values of the original all have the same length, and no cell says
 *	  otherwise, an asterisk in a text hides one character: 9*2*1.
 */
#ifndef KANON_COVER_QUERY_H
#define KANON_COVER_QUERY_H

#include "postgres.h"

#include "cell/cell_format.h"
#include "count/group_query.h"
#include "proof/cell_cover.h"

/* A column as one attribute, or as one for each character. */
typedef struct CoverColumn
{
	int width;
	CellCover *cover;  /* [width] */
	int32 *value_part; /* [value * width + part]: codes of the parts, NULL if the value is NULL;
						* NULL: the value's own code */
	int32 *cell_part;  /* [cell * width + part]: cells of the parts */
} CoverColumn;

/*
 * column: of the release, with unknown level and without predicates. values, cells: column "at" of
 * each.  Palloc'd in the current context against the budget.  Within a query scope; reads the
 * column and the original's column once each.
 *
 * Errors: relations that changed since they were grouped
 * (ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE); those of star_query_build; a range over another type
 * than the attribute's (ERRCODE_DATATYPE_MISMATCH); a cell that no format understands
 * (ERRCODE_INVALID_PARAMETER_VALUE).
 */
extern CoverColumn cover_query_run(CellColumn *column, const GroupRows *values,
								   const GroupRows *cells, int at, Budget *budget);

#endif /* KANON_COVER_QUERY_H */
