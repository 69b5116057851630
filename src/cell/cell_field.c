/*
 * cell_field.c
 *		See cell_field.h.
 *
 * If fields vary in length, a flat record must be walked up to the wanted field.  A compact list of
 * lengths takes about half the time of heap_getattr, for every field of every row.
 */
#include "postgres.h"

#include "cell/cell_field.h"

#include "access/htup_details.h"
#include "access/tupmacs.h"
#include "base/compat.h"
#include "base/names.h"
#include "relation/record_type.h"
#include "utils/builtins.h"

/* What is needed to step over a field. */
typedef struct FieldStep
{
	int16 length;
	char alignment;
} FieldStep;

struct CellField
{
	RecordType type;
	NameData name;
	Size name_length;
	int number; /* from 1 */
	bool by_value;
	FieldStep step[FLEXIBLE_ARRAY_MEMBER]; /* [number]: the fields up to this one */
};

pg_noreturn static void
refuse_name(TupleDesc fields, const char *name)
{
	StringInfoData names;
	int left = 0;

	for (int i = 0; i < fields->natts; i++)
		left += !TupleDescAttr(fields, i)->attisdropped;
	initStringInfo(&names);
	for (int i = 0; i < fields->natts; i++)
		if (!TupleDescAttr(fields, i)->attisdropped)
			names_add(&names, NameStr(TupleDescAttr(fields, i)->attname), --left);
	ereport(ERROR, (errcode(ERRCODE_UNDEFINED_COLUMN), errmsg("record has no field \"%s\"", name),
					names.len > 0 ? errdetail("Its fields are %s.", names.data) : 0));
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
	CellRecord record = {NULL};

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
	CellField *field = palloc(offsetof(CellField, step) + sizeof(FieldStep) * number);

	field->type = type;
	field->name = TupleDescAttr(fields, number - 1)->attname;
	field->name_length = strlen(NameStr(field->name));
	field->number = number;
	field->by_value = TupleDescAttr(fields, number - 1)->attbyval;
	for (int i = 0; i < number; i++)
		field->step[i] = (FieldStep){.length = TupleDescAttr(fields, i)->attlen,
									 .alignment = TupleDescAttr(fields, i)->attalign};
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

/* The beginning of the field, which is not NULL; nulls: the record's bitmap, or NULL for none. */
static const char *
walk_to_field(const CellField *field, const char *data, const bits8 *nulls)
{
	const FieldStep *step = field->step;
	Size offset = 0;

	for (int i = 0; i < field->number - 1; i++, step++)
	{
		if (nulls && att_isnull(i, nulls))
			continue;
		offset = att_align_pointer(offset, step->alignment, step->length, data + offset);
		offset = att_addlength_pointer(offset, step->length, data + offset);
	}
	return data + att_align_pointer(offset, step->alignment, step->length, data + offset);
}

static Datum
flat_value(const CellField *field, HeapTupleHeader record, bool *isnull)
{
	const char *data = (const char *) record + record->t_hoff;
	const bits8 *nulls = (record->t_infomask & HEAP_HASNULL) ? record->t_bits : NULL;
	int last = field->number - 1;

	/* The record was made before its type got the field. */
	if (HeapTupleHeaderGetNatts(record) <= last)
	{
		HeapTupleData tuple = {.t_len = HeapTupleHeaderGetDatumLength(record), .t_data = record};

		return heap_getattr(&tuple, field->number, field->type.fields, isnull);
	}
	*isnull = nulls && att_isnull(last, nulls);
	if (*isnull)
		return (Datum) 0;
	return fetch_att(walk_to_field(field, data, nulls), field->by_value, field->step[last].length);
}

Datum
cell_field_value(const CellField *field, CellRecord record, bool *isnull)
{
	if (record.expanded)
		return expanded_record_get_field(record.expanded, field->number, isnull);
	return flat_value(field, record.flat, isnull);
}
