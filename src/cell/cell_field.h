/*
 * cell_field.h
 *		One named field of many records of a type.  Expanded records are not flattened.
 */
#ifndef KANON_CELL_FIELD_H
#define KANON_CELL_FIELD_H

#include "postgres.h"

#include "access/htup.h"
#include "utils/expandedrecord.h"

typedef struct CellField CellField;

/* A record in one of two forms. */
typedef struct CellRecord
{
	ExpandedRecordHeader *expanded;
	HeapTupleHeader flat; /* detoasted */
} CellRecord;

extern CellRecord cell_field_record(Datum datum);

/*
 * The field of that name in records like this one; in the current context.  Raises
 * ERRCODE_UNDEFINED_COLUMN if there is none, ERRCODE_AMBIGUOUS_COLUMN if there are several.
 */
extern CellField *cell_field_open(CellRecord record, const text *name);

extern void cell_field_free(CellField *field);

/* Is it also the field of that name in this record?  Does not look up names. */
extern bool cell_field_fits(const CellField *field, CellRecord record, const text *name);

extern Oid cell_field_type(const CellField *field);

/* Its value in a record that it fits; values passed by reference belong to the record. */
extern Datum cell_field_value(const CellField *field, CellRecord record, bool *isnull);

#endif /* KANON_CELL_FIELD_H */
