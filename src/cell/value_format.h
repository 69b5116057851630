/*
 * value_format.h
 *		Cells that are values, such as 53711, and mean themselves: of the values' own type, or as
 *		texts.
 */
#ifndef KANON_VALUE_FORMAT_H
#define KANON_VALUE_FORMAT_H

#include "postgres.h"

#include "cell/cell_format.h"

/*
 * Of texts, besides those of cell_texts.h: spelled (t, at), the texts that the value at a place
 * is written as.
 */
extern const CellFormat value_format;

#endif /* KANON_VALUE_FORMAT_H */
