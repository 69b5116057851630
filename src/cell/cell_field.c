/*
 * cell_field.c
 *		See cell_field.h.
 */
#include "postgres.h"

#include "cell/cell_field.h"

#include "access/htup_details.h"
#include "access/tupmacs.h"
#include "record/record_type.h"
#include "utils/typcache.h"

/* Of a field, what it takes to step over it. */
typedef struct FieldStep
{
	int16 length;
	char alignment;
} FieldStep;

struct CellField
{
	RecordType type;
	int number;
	bool by_value;
	FieldStep step[FLEXIBLE_ARRAY_MEMBER]; /* [number]: of the fields up to this one */
};

CellField *
cell_field_open(HeapTupleHeader record, int number)
{
	RecordType type = record_type_of(record);
	TupleDesc fields = type.fields;
	CellField *field;

	if (number < 1 || number > fields->natts)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("there is no cell %d among %d", number, fields->natts)));
	if (TupleDescAttr(fields, number - 1)->attisdropped)
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_COLUMN),
						errmsg("cell %d belongs to a column that was dropped", number)));
	field = palloc(offsetof(CellField, step) + sizeof(FieldStep) * number);
	field->type = type;
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
cell_field_fits(const CellField *field, HeapTupleHeader record, int number)
{
	return field->number == number && record_type_fits(&field->type, record);
}

Oid
cell_field_type(const CellField *field)
{
	return TupleDescAttr(field->type.fields, field->number - 1)->atttypid;
}

/* Where the field begins that is not NULL; nulls: the record's bitmap, or NULL for none. */
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

/* In a record that was made before its type got the field. */
static Datum
late_value(const CellField *field, HeapTupleHeader record, bool *isnull)
{
	HeapTupleData tuple = {.t_len = HeapTupleHeaderGetDatumLength(record), .t_data = record};

	return heap_getattr(&tuple, field->number, field->type.fields, isnull);
}

Datum
cell_field_value(const CellField *field, HeapTupleHeader record, bool *isnull)
{
	const char *data = (const char *) record + record->t_hoff;
	const bits8 *nulls = (record->t_infomask & HEAP_HASNULL) ? record->t_bits : NULL;
	int last = field->number - 1;

	if (HeapTupleHeaderGetNatts(record) <= last)
		return late_value(field, record, isnull);
	*isnull = nulls && att_isnull(last, nulls);
	if (*isnull)
		return (Datum) 0;
	return fetch_att(walk_to_field(field, data, nulls), field->by_value, field->step[last].length);
}
