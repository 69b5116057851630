/*
 * range_format.h
 *		Cells that are ranges, such as those from the least to the greatest value of a class.
 */
#ifndef KANON_RANGE_FORMAT_H
#define KANON_RANGE_FORMAT_H

#include "postgres.h"

#include "cell/cell_format.h"

/*
 * A span is written in its range type's canonical form: whole numbers and days as [low, high +
 * 1), unbounded above where there is no such value.
 */
extern const CellFormat range_format;

#endif /* KANON_RANGE_FORMAT_H */
