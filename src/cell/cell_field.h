/*
 * cell_field.h
 *		One field of many records of a type.
 *
 * Where fields vary in length, a record has to be walked up to the one that is
 * wanted.  This walks along a compact list of lengths, for about half of what
 * heap_getattr takes, which matters where every field of every row is asked for.
 */
#ifndef KANON_CELL_FIELD_H
#define KANON_CELL_FIELD_H

#include "postgres.h"

#include "access/htup.h"

typedef struct CellField CellField;

/*
 * The field of that number, from 1, in records like this one; in the current
 * context.  Error: there is none (ERRCODE_INVALID_PARAMETER_VALUE).
 */
extern CellField *cell_field_open(HeapTupleHeader record, int number);

extern void cell_field_free(CellField *field);

/* Is it the field of that number in this record, too? */
extern bool cell_field_fits(const CellField *field, HeapTupleHeader record, int number);

extern Oid cell_field_type(const CellField *field);

/* Its value in a record that it fits; what is not by value lies in the record. */
extern Datum cell_field_value(const CellField *field, HeapTupleHeader record, bool *isnull);

#endif /* KANON_CELL_FIELD_H */
