/*
 * tree_record.c
 *		See tree_record.h.
 */
#include "postgres.h"

#include "tree/tree_record.h"

#include "access/htup_details.h"
#include "base/compat.h"
#include "fmgr.h"
#include "record/record_shape.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/typcache.h"

static bool
is_numbered(const char *name, int number)
{
	char expected[NAMEDATALEN];

	snprintf(expected, sizeof(expected), "f%d", number);
	return strcmp(name, expected) == 0;
}

bool
tree_record_is_bare(TupleDesc fields)
{
	for (int i = 0; i < fields->natts; i++)
		if (TupleDescAttr(fields, i)->attisdropped ||
			!is_numbered(NameStr(TupleDescAttr(fields, i)->attname), i + 1))
			return false;
	return true;
}

/* Was the tree grown from all fields of bare rows? */
static bool
is_numbered_tree(const PartitionTree *tree)
{
	for (int i = 0; i < tree->attributes; i++)
		if (!is_numbered(tree->attribute[i].name, i + 1))
			return false;
	return true;
}

static int
find_field(TupleDesc fields, const char *name)
{
	for (int i = 0; i < fields->natts; i++)
		if (!TupleDescAttr(fields, i)->attisdropped &&
			strcmp(NameStr(TupleDescAttr(fields, i)->attname), name) == 0)
			return i;
	return -1;
}

static bool
has_all_fields(const PartitionTree *tree, TupleDesc fields)
{
	for (int i = 0; i < tree->attributes; i++)
		if (find_field(fields, tree->attribute[i].name) < 0)
			return false;
	return true;
}

static void
fit_by_position(TreeRecord *record, const PartitionTree *tree)
{
	if (record->fields->natts != tree->attributes)
		ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH), errmsg("record does not fit the tree"),
						errdetail("Fields of the record: %d; attributes of the tree: %d.",
								  record->fields->natts, tree->attributes)));
	for (int i = 0; i < tree->attributes; i++)
		record->field_of_attribute[i] = i;
}

static void
fit_by_name(TreeRecord *record, const PartitionTree *tree)
{
	for (int i = 0; i < tree->attributes; i++)
	{
		record->field_of_attribute[i] = find_field(record->fields, tree->attribute[i].name);
		if (record->field_of_attribute[i] < 0)
			ereport(ERROR,
					(errcode(ERRCODE_UNDEFINED_COLUMN), errmsg("record does not fit the tree"),
					 errdetail("It has no field \"%s\".", tree->attribute[i].name),
					 errhint("The fields of ROW(..) go by position.")));
	}
}

static void
check_types(const TreeRecord *record, const PartitionTree *tree)
{
	for (int i = 0; i < tree->attributes; i++)
	{
		Oid type =
			getBaseType(TupleDescAttr(record->fields, record->field_of_attribute[i])->atttypid);

		if (type != tree->attribute[i].type)
			ereport(ERROR,
					(errcode(ERRCODE_DATATYPE_MISMATCH), errmsg("record does not fit the tree"),
					 errdetail("Field \"%s\" has type %s, the tree expects %s.",
							   tree->attribute[i].name, format_type_be(type),
							   format_type_be(tree->attribute[i].type))));
	}
}

static void
fit_record(TreeRecord *record, const PartitionTree *tree, Oid type, int32 typmod)
{
	TupleDesc shared = lookup_rowtype_tupdesc(type, typmod);
	bool bare;

	record->fields = CreateTupleDescCopy(shared);
	ReleaseTupleDesc(shared);
	record->field_of_attribute = palloc(sizeof(int) * tree->attributes);
	record->field_values = palloc(sizeof(Datum) * Max(record->fields->natts, 1));
	record->field_nulls = palloc(sizeof(bool) * Max(record->fields->natts, 1));
	record->values = palloc(sizeof(Datum) * tree->attributes);
	record->nulls = palloc(sizeof(bool) * tree->attributes);
	bare = tree_record_is_bare(record->fields);
	if (bare && (is_numbered_tree(tree) || !has_all_fields(tree, record->fields)))
		fit_by_position(record, tree);
	else
		fit_by_name(record, tree);
	check_types(record, tree);
	record->type = type;
	record->typmod = typmod;
	record->identity = record_shape_identity(type, typmod);
}

static Datum
plain_value(const TreeAttribute *attribute, Datum value)
{
	struct varlena *pointer;

	if (attribute->values.length != -1)
		return value;
	pointer = (struct varlena *) DatumGetPointer(value);
	if (!VARATT_IS_EXTERNAL(pointer) && !VARATT_IS_COMPRESSED(pointer))
		return value;
	return PointerGetDatum(PG_DETOAST_DATUM_PACKED(value));
}

void
tree_record_read(TreeRecord *record, const PartitionTree *tree, HeapTupleHeader row,
				 MemoryContext context)
{
	Oid type = HeapTupleHeaderGetTypeId(row);
	int32 typmod = HeapTupleHeaderGetTypMod(row);
	HeapTupleData tuple = {.t_len = HeapTupleHeaderGetDatumLength(row), .t_data = row};

	if (type != record->type || typmod != record->typmod ||
		record->identity != record_shape_identity(type, typmod))
	{
		MemoryContext previous;

		record->type = InvalidOid; /* until the new one is known to fit */
		if (record->context)
			MemoryContextReset(record->context);
		else
			record->context = AllocSetContextCreate(context, "kanon record", ALLOCSET_SMALL_SIZES);
		previous = MemoryContextSwitchTo(record->context);
		fit_record(record, tree, type, typmod);
		MemoryContextSwitchTo(previous);
	}
	heap_deform_tuple(&tuple, record->fields, record->field_values, record->field_nulls);
	for (int i = 0; i < tree->attributes; i++)
	{
		int field = record->field_of_attribute[i];

		record->nulls[i] = record->field_nulls[field];
		record->values[i] = record->nulls[i]
								? (Datum) 0
								: plain_value(&tree->attribute[i], record->field_values[field]);
	}
}
