/*
 * cell_field.h
 *		One field of many records of a type, by its name.
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
 * The field of that name in records like this one; in the current context.  Errors: there
 * is none (ERRCODE_UNDEFINED_COLUMN), or more than one (ERRCODE_AMBIGUOUS_COLUMN).
 */
extern CellField *cell_field_open(HeapTupleHeader record, const text *name);

extern void cell_field_free(CellField *field);

/* Is it the field of that name in this record, too?  No name is looked up. */
extern bool cell_field_fits(const CellField *field, HeapTupleHeader record, const text *name);

extern Oid cell_field_type(const CellField *field);

/* Its value in a record that it fits; what is not by value lies in the record. */
extern Datum cell_field_value(const CellField *field, HeapTupleHeader record, bool *isnull);

#endif /* KANON_CELL_FIELD_H */
