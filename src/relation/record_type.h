/*
 * record_type.h
 *		The type of a record, for code that caches what it knows of it: records of one query may
 *		have several types, and ALTER changes the fields of a type.
 */
#ifndef KANON_RECORD_TYPE_H
#define KANON_RECORD_TYPE_H

#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type_d.h"
#include "utils/typcache.h"

typedef struct RecordType
{
	Oid type; /* InvalidOid: no record yet */
	int32 typmod;
	uint64 identity; /* changes with the fields; constant for type record */
	TupleDesc fields;
} RecordType;

static inline uint64
record_type_identity(Oid type, int32 typmod)
{
	return type == RECORDOID ? 0 : assign_record_type_identifier(type, typmod);
}

/*
 * A type with its fields, copied into the current context.  Nameless fields of ROW(..), as Citus
 * passes them, get the names f1, f2, ..
 */
static inline RecordType
record_type_load(Oid type, int32 typmod)
{
	RecordType record = {.type = type,
						 .typmod = typmod,
						 .identity = record_type_identity(type, typmod),
						 .fields = lookup_rowtype_tupdesc_copy(type, typmod)};

	for (int i = 0; i < record.fields->natts; i++)
	{
		NameData *name = &TupleDescAttr(record.fields, i)->attname;

		if (NameStr(*name)[0] == '\0')
			snprintf(NameStr(*name), NAMEDATALEN, "f%d", i + 1);
	}
	return record;
}

static inline RecordType
record_type_of(HeapTupleHeader record)
{
	return record_type_load(HeapTupleHeaderGetTypeId(record), HeapTupleHeaderGetTypMod(record));
}

/* Is it still the same type? */
static inline bool
record_type_is(const RecordType *known, Oid type, int32 typmod)
{
	return known->type == type && known->typmod == typmod &&
		   known->identity == record_type_identity(type, typmod);
}

static inline bool
record_type_fits(const RecordType *known, HeapTupleHeader record)
{
	return record_type_is(known, HeapTupleHeaderGetTypeId(record),
						  HeapTupleHeaderGetTypMod(record));
}

/* The values of a record of this type, in the order of its fields. */
static inline void
record_type_deform(const RecordType *type, HeapTupleHeader record, Datum *values, bool *nulls)
{
	HeapTupleData tuple = {.t_len = HeapTupleHeaderGetDatumLength(record), .t_data = record};

	heap_deform_tuple(&tuple, type->fields, values, nulls);
}

#endif /* KANON_RECORD_TYPE_H */
