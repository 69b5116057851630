/*
 * interval_format.h
 *		Cells [a - b]: the values of the source from a to b, for types without ranges.
 */
#ifndef KANON_INTERVAL_FORMAT_H
#define KANON_INTERVAL_FORMAT_H

#include "postgres.h"

#include "cell/cell_format.h"

extern const CellFormat interval_format;

#endif /* KANON_INTERVAL_FORMAT_H */
