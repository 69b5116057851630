/*
 * tree_record.c
 *		See partition_tree.h.
 */
#include "postgres.h"

#include "tree/partition_tree.h"

#include "base/compat.h"
#include "base/context.h"
#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

/* Is this the name of field "number", from 0, of a bare ROW(..)? */
static bool
is_numbered(const char *name, int number)
{
	return strcmp(name, psprintf("f%d", number + 1)) == 0;
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

/*
 * Matches by name or, for bare rows that the tree covers completely or whose names it does not use,
 * by position.
 */
static void
fit_fields(int *field_of_attribute, const PartitionTree *tree, TupleDesc fields)
{
	const char *missing = NULL;
	bool bare = true;
	bool numbered = true;

	for (int i = 0; i < fields->natts; i++)
		bare = bare && !TupleDescAttr(fields, i)->attisdropped &&
			   is_numbered(NameStr(TupleDescAttr(fields, i)->attname), i);
	for (int i = 0; i < tree->attributes; i++)
	{
		const char *name = partition_tree_name(tree, i);

		numbered = numbered && is_numbered(name, i);
		field_of_attribute[i] = find_field(fields, name);
		if (missing == NULL && field_of_attribute[i] < 0)
			missing = name;
	}
	if (bare && (numbered || missing))
	{
		if (fields->natts != tree->attributes)
			ereport(ERROR,
					(errcode(ERRCODE_DATATYPE_MISMATCH), errmsg("record does not fit the tree"),
					 errdetail("Fields of the record: %d; attributes of the tree: %d.",
							   fields->natts, tree->attributes)));
		for (int i = 0; i < tree->attributes; i++)
			field_of_attribute[i] = i;
	}
	else if (missing)
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_COLUMN), errmsg("record does not fit the tree"),
						errdetail("It has no field \"%s\".", missing),
						errhint("The fields of ROW(..) go by position.")));
}

/* Learns another row type; sets record->type once it is known to fit. */
static void
fit_record(TreeRecord *record, const PartitionTree *tree, HeapTupleHeader row)
{
	RecordType type = record_type_of(row);
	int fields = Max(type.fields->natts, 1);

	record->field_of_attribute = palloc(sizeof(int) * tree->attributes);
	record->field_values = palloc(sizeof(Datum) * fields);
	record->field_nulls = palloc(sizeof(bool) * fields);
	record->values = palloc(sizeof(Datum) * tree->attributes);
	record->nulls = palloc(sizeof(bool) * tree->attributes);
	fit_fields(record->field_of_attribute, tree, type.fields);
	for (int i = 0; i < tree->attributes; i++)
	{
		Oid expected = partition_tree_attribute(tree, i)->type;
		Oid found =
			getBaseType(TupleDescAttr(type.fields, record->field_of_attribute[i])->atttypid);

		if (found != expected)
			ereport(ERROR,
					(errcode(ERRCODE_DATATYPE_MISMATCH), errmsg("record does not fit the tree"),
					 errdetail("Field \"%s\" has type %s, the tree expects %s.",
							   partition_tree_name(tree, i), format_type_be(found),
							   format_type_be(expected))));
	}
	record->type = type;
}

void
tree_record_read(TreeRecord *record, const PartitionTree *tree, HeapTupleHeader row,
				 MemoryContext context)
{
	if (!record_type_fits(&record->type, row))
	{
		MemoryContext previous;

		record->type.type = InvalidOid;
		if (record->context)
			MemoryContextReset(record->context);
		else
			record->context = AllocSetContextCreate(context, "kanon record", CONTEXT_SMALL_SIZES);
		previous = MemoryContextSwitchTo(record->context);
		fit_record(record, tree, row);
		MemoryContextSwitchTo(previous);
	}
	record_type_deform(&record->type, row, record->field_values, record->field_nulls);
	for (int i = 0; i < tree->attributes; i++)
	{
		int field = record->field_of_attribute[i];
		Datum value = record->field_values[field];

		record->nulls[i] = record->field_nulls[field];
		if (!record->nulls[i] && TupleDescAttr(record->type.fields, field)->attlen == -1)
			value = PointerGetDatum(PG_DETOAST_DATUM_PACKED(value));
		record->values[i] = value;
	}
}
