/*
 * column_cover.h
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
#ifndef KANON_COLUMN_COVER_H
#define KANON_COLUMN_COVER_H

#include "postgres.h"

#include "cell/cell_format.h"
#include "count/group_query.h"
#include "proof/anonymity_graph.h"

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
 * column: of the release, with unknown level.  values, cells: the groups of the original by its
 * quasi-identifiers and of the release by the same; "at": the column's number in both.  Palloc'd in
 * the current context against the budget.  Within a query scope; reads the dimension, and the
 * original's column again only if its values have several spellings.
 *
 * O(values log values + cells * spans).  Errors: those of cell_reader_open; an original that
 * changed since it was grouped (description_report_change); a cell that no format understands
 * (ERRCODE_INVALID_PARAMETER_VALUE).
 */
extern CoverColumn column_cover(const CellColumn *column, const GroupRows *values,
								const GroupRows *cells, int at, Budget *budget);

#endif /* KANON_COLUMN_COVER_H */
