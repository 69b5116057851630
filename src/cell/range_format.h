/*
 * range_format.h
 *		Cells that are ranges: from the least to the greatest value of a class.
 */
#ifndef KANON_RANGE_FORMAT_H
#define KANON_RANGE_FORMAT_H

#include "postgres.h"

/* Writes ranges of one type. */
typedef struct RangeWriter RangeWriter;

/* For the values of a base type that has a range type (type_query_range); current context. */
extern RangeWriter *range_format_writer(Oid base_type);

/*
 * The range from low to high, both included, in the range type's canonical form:
 * whole numbers and days as [low, high + 1), unbounded above where there is no
 * such value.  palloc'd.
 */
extern Datum range_format_write(RangeWriter *writer, Datum low, Datum high);

/* The range of everything. */
extern Datum range_format_write_all(RangeWriter *writer);

#endif /* KANON_RANGE_FORMAT_H */
