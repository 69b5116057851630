/*
 * text_formats.h
 *		The formats of cells that can stand beside each other in one column.
 *
 * value	53711: means itself; of the values' own type, or as text.  A value may have several
 *			spellings (1.0, 1.00) and become text by a cast or by its output function.  In a
 *			column of the values' type, spelling does not matter.
 * label	537**: of a dimension, for the values below it; at level 0 its values, as texts
 * interval	[a - b]: the values of the source from a to b, for types without ranges.  A text can
 *			be cut at several places: [a - b - c] may go from a to b - c or from a - b to c; then
 *			it covers both.
 * hidden	*: all.  In columns of other types than texts it is NULL.
 */
#ifndef KANON_TEXT_FORMATS_H
#define KANON_TEXT_FORMATS_H

#include "postgres.h"

#include "cell/cell_format.h"

extern const CellFormat value_format;
extern const CellFormat label_format;
extern const CellFormat interval_format;
extern const CellFormat hidden_format;

/* Is a hidden cell NULL in columns of this base type?  Text-like types have HIDDEN_TEXT. */
extern bool hidden_format_is_null(Oid base_type);

#endif /* KANON_TEXT_FORMATS_H */
