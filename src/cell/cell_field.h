/*
 * cell_field.h
 *		One field of many records of a type, by its name.
 */
#ifndef KANON_CELL_FIELD_H
#define KANON_CELL_FIELD_H

#include "postgres.h"

#include "access/htup.h"

typedef struct CellField CellField;

/*
 * The field of that name in records like this one; in the current context.
 * ERRCODE_UNDEFINED_COLUMN: there is none; ERRCODE_AMBIGUOUS_COLUMN: there are several.
 */
extern CellField *cell_field_open(HeapTupleHeader record, const text *name);

extern void cell_field_free(CellField *field);

/* Is it the field of that name in this record, too?  No name is looked up. */
extern bool cell_field_fits(const CellField *field, HeapTupleHeader record, const text *name);

extern Oid cell_field_type(const CellField *field);

/* Its value in a record that it fits; what is not by value lies in the record. */
extern Datum cell_field_value(const CellField *field, HeapTupleHeader record, bool *isnull);

#endif /* KANON_CELL_FIELD_H */
