/*
 * cell_field.h
 *		One field of many records of a type, by its name.  Records may be expanded, and are not
 *		flattened then.
 */
#ifndef KANON_CELL_FIELD_H
#define KANON_CELL_FIELD_H

#include "postgres.h"

#include "access/htup.h"
#include "utils/expandedrecord.h"

typedef struct CellField CellField;

/* A record: one of these. */
typedef struct CellRecord
{
	ExpandedRecordHeader *expanded;
	HeapTupleHeader flat; /* not toasted */
} CellRecord;

extern CellRecord cell_field_record(Datum datum);

/*
 * The field of that name in records like this one; in the current context.
 * ERRCODE_UNDEFINED_COLUMN: there is none; ERRCODE_AMBIGUOUS_COLUMN: there are several.
 */
extern CellField *cell_field_open(CellRecord record, const text *name);

extern void cell_field_free(CellField *field);

/* Is it the field of that name in this record, too?  No name is looked up. */
extern bool cell_field_fits(const CellField *field, CellRecord record, const text *name);

extern Oid cell_field_type(const CellField *field);

/* Its value in a record that it fits; what is not by value belongs to the record. */
extern Datum cell_field_value(const CellField *field, CellRecord record, bool *isnull);

#endif /* KANON_CELL_FIELD_H */
