/*
 * cell_field.c
 *		One named field of many records: see recoding_cells.h.
 */
#include "postgres.h"

#include "cell/recoding_cells.h"

#include "access/htup_details.h"
#include "base/compat.h"
#include "base/names.h"
#include "relation/record_type.h"
#include "utils/builtins.h"

struct CellField
{
	RecordType type;
	NameData name;
	Size name_length;
	int number; /* from 1 */
};

pg_noreturn static void
refuse_name(TupleDesc fields, const char *name)
{
	List *names = NIL;

	for (int i = 0; i < fields->natts; i++)
		if (!TupleDescAttr(fields, i)->attisdropped)
			names = lappend(names, NameStr(TupleDescAttr(fields, i)->attname));
	ereport(ERROR, (errcode(ERRCODE_UNDEFINED_COLUMN), errmsg("record has no field \"%s\"", name),
					names ? errdetail("Its fields are %s.", names_join(names)) : 0));
}

/* From 1. */
static int
find_field(TupleDesc fields, const char *name)
{
	int number = 0;

	for (int i = 0; i < fields->natts; i++)
	{
		if (TupleDescAttr(fields, i)->attisdropped ||
			strcmp(NameStr(TupleDescAttr(fields, i)->attname), name) != 0)
			continue;
		if (number != 0)
			ereport(ERROR, (errcode(ERRCODE_AMBIGUOUS_COLUMN),
							errmsg("record has more than one field \"%s\"", name)));
		number = i + 1;
	}
	if (number == 0)
		refuse_name(fields, name);
	return number;
}

CellRecord
cell_field_record(Datum datum)
{
	CellRecord record = {0};

	if (VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(datum)))
		record.expanded = (ExpandedRecordHeader *) DatumGetEOHP(datum);
	/* An anonymous record type gets its number only when the record is flattened. */
	if (record.expanded && record.expanded->er_typeid == RECORDOID &&
		record.expanded->er_typmod < 0)
		record.expanded = NULL;
	if (record.expanded == NULL)
		record.flat = DatumGetHeapTupleHeader(datum);
	return record;
}

static Oid
record_type(CellRecord record)
{
	return record.expanded ? record.expanded->er_typeid : HeapTupleHeaderGetTypeId(record.flat);
}

static int32
record_typmod(CellRecord record)
{
	return record.expanded ? record.expanded->er_typmod : HeapTupleHeaderGetTypMod(record.flat);
}

CellField *
cell_field_open(CellRecord record, const text *name)
{
	RecordType type = record_type_load(record_type(record), record_typmod(record));
	TupleDesc fields = type.fields;
	int number = find_field(fields, text_to_cstring(name));
	CellField *field = palloc(sizeof(CellField));

	field->type = type;
	field->name = TupleDescAttr(fields, number - 1)->attname;
	field->name_length = strlen(NameStr(field->name));
	field->number = number;
	return field;
}

void
cell_field_free(CellField *field)
{
	FreeTupleDesc(field->type.fields);
	pfree(field);
}

bool
cell_field_fits(const CellField *field, CellRecord record, const text *name)
{
	return VARSIZE_ANY_EXHDR(name) == field->name_length &&
		   memcmp(VARDATA_ANY(name), NameStr(field->name), field->name_length) == 0 &&
		   record_type_is(&field->type, record_type(record), record_typmod(record));
}

Oid
cell_field_type(const CellField *field)
{
	return TupleDescAttr(field->type.fields, field->number - 1)->atttypid;
}

Datum
cell_field_value(const CellField *field, CellRecord record, bool *isnull)
{
	HeapTupleData tuple = {.t_data = record.flat};

	if (record.expanded)
		return expanded_record_get_field(record.expanded, field->number, isnull);
	/* The record may have been made before its type got the field. */
	tuple.t_len = HeapTupleHeaderGetDatumLength(record.flat);
	return heap_getattr(&tuple, field->number, field->type.fields, isnull);
}
