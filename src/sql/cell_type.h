/*
 * cell_type.h
 *		Types of the cells of multidimensional recoding: ranges where there is a
 *		range type of PostgreSQL's own, text otherwise.
 */
#ifndef KANON_CELL_TYPE_H
#define KANON_CELL_TYPE_H

#include "postgres.h"

/*
 * The range type over the values of a base type, or InvalidOid.  int2 has that of
 * int4.  Ranges that people define are not looked for: which one would it be?
 */
extern Oid cell_type_range(Oid base_type);

/* The type of an attribute's cells, given any type; "labels": it has a dimension. */
extern Oid cell_type(Oid type, bool labels);

/* Makes values of one range type. */
typedef struct CellRange CellRange;

/* For the values of a base type that has a range type; current context. */
extern CellRange *cell_type_range_maker(Oid base_type);

/*
 * The range from low to high, both included, in the range type's canonical form:
 * whole numbers and days as [low, high + 1), unbounded above where there is no
 * such value.  palloc'd.
 */
extern Datum cell_type_make_range(CellRange *range, Datum low, Datum high);

/* The range of everything. */
extern Datum cell_type_make_unbounded(CellRange *range);

#endif /* KANON_CELL_TYPE_H */
