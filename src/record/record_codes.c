/*
 * record_codes.c
 *		See record_codes.h.
 */
#include "postgres.h"

#include "record/record_codes.h"

#include <math.h>

#include "access/htup_details.h"
#include "base/compat.h"
#include "fmgr.h"
#include "record/record_spill.h"
#include "sql/type_query.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#define PURPOSE "partitioning"
#define RESET_EVERY 64 /* records after which scratch memory is reset */

static void
prepare_target(RecordCodes *codes, Budget *budget)
{
	const DescribedAttribute *target = codes->description->target;

	codes->target_type = getBaseType(target->type);
	if (codes->split == SPLIT_REGRESSION && !number_query_is_numeric(codes->target_type))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("target \"%s\" of split \"regression\" must be a number", target->name),
				 errdetail("It has type %s.", format_type_be(target->type))));
	if (codes->split == SPLIT_INFOGAIN)
	{
		ValueType type = type_query_value_type(target->type, target->collation);

		codes->classes = dictionary_create(&type, budget);
	}
}

RecordCodes *
record_codes_create(const Description *description, const RecordRequest *request, int64 rows,
					CodeTapes *tapes, Budget *budget)
{
	RecordCodes *codes = palloc0(sizeof(RecordCodes));
	PartitionSplit split = description->target ? request->split : SPLIT_MEDIAN;
	int classes = split == SPLIT_INFOGAIN ? 1 : 0;

	codes->description = description;
	codes->budget = budget;
	codes->split = split;
	codes->ranks = request->ranks;
	codes->dataset = dataset_create(DATASET_RECORDS, description->quasi_count, budget);
	dataset_add_sides(codes->dataset, classes + sensitive_rows_sides(description),
					  split == SPLIT_REGRESSION);
	codes->partitioning = request->way.partitioning;
	if (codes->partitioning != PARTITIONING_MEMORY && description->person == NULL)
		codes->tapes = tapes;
	codes->class_bytes = request->class_bytes;
	codes->expected = rows;
	dataset_reserve(codes->dataset, tapes ? record_spill_begin(codes, rows) : rows);
	codes->column = palloc(sizeof(DatasetColumn *) * description->quasi_count);
	for (int i = 0; i < description->quasi_count; i++)
		codes->column[i] =
			dataset_column_create(codes->dataset, i, description->quasi[i], codes->ranks);
	codes->record = description->record;
	codes->values = palloc0(sizeof(Datum) * Max(description->record.fields->natts, 1));
	codes->nulls = palloc0(sizeof(bool) * Max(description->record.fields->natts, 1));
	codes->varlena = palloc0(sizeof(bool) * Max(description->record.fields->natts, 1));
	for (int i = 0; i < description->record.fields->natts; i++)
		codes->varlena[i] = TupleDescAttr(description->record.fields, i)->attlen == -1;
	codes->scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon record", ALLOCSET_SMALL_SIZES);
	if (description->beside)
	{
		MemoryContext previous = MemoryContextSwitchTo(MemoryContextGetParent(budget->context));

		codes->beside = class_sort_create(description);
		MemoryContextSwitchTo(previous);
	}
	if (split != SPLIT_MEDIAN)
		prepare_target(codes, budget);
	if (description_demands(description))
		codes->sensitive = sensitive_rows_create(description, codes->dataset, classes);
	record_spill_ready(codes);
	return codes;
}

/* Records of one query may have several types; their fields must be the same. */
static void
change_type(RecordCodes *codes, HeapTupleHeader record)
{
	RecordType type = record_type_of(record);
	TupleDesc expected = codes->description->record.fields;
	bool same = type.fields->natts == expected->natts;

	for (int i = 0; same && i < expected->natts; i++)
		same = TupleDescAttr(type.fields, i)->atttypid == TupleDescAttr(expected, i)->atttypid &&
			   strcmp(NameStr(TupleDescAttr(type.fields, i)->attname),
					  NameStr(TupleDescAttr(expected, i)->attname)) == 0;
	if (!same)
		ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
						errmsg("rows differ in the number, names or types of their fields")));
	if (codes->record.fields != expected)
		FreeTupleDesc(codes->record.fields);
	codes->record = type;
}

/* A field of the current record, detoasted into scratch memory. */
static Datum
plain_value(const RecordCodes *codes, int number)
{
	Datum value = codes->values[number];
	struct varlena *pointer = (struct varlena *) DatumGetPointer(value);
	MemoryContext previous;

	if (!codes->varlena[number] || codes->nulls[number] ||
		!(VARATT_IS_EXTERNAL(pointer) || VARATT_IS_COMPRESSED(pointer)))
		return value;
	previous = MemoryContextSwitchTo(codes->scratch);
	value = PointerGetDatum(PG_DETOAST_DATUM_PACKED(value));
	MemoryContextSwitchTo(previous);
	return value;
}

/* Sets the target of the last row.  Encoding it may move the other rows to a tape. */
static void
add_target(RecordCodes *codes)
{
	int number = codes->description->target->number - 1;
	bool is_null = codes->nulls[number];

	if (codes->split == SPLIT_INFOGAIN)
	{
		int32 class =
			is_null ? 0 : 1 + dictionary_encode(codes->classes, plain_value(codes, number));

		codes->dataset->side[0][codes->dataset->rows - 1] = class;
	}
	else
		codes->dataset->target[codes->dataset->rows - 1] =
			is_null ? NAN : number_query_scaled(codes->target_type, plain_value(codes, number));
}

/* Sets the sensitive values of the current row, whose other values are no longer needed. */
static void
add_sensitive(RecordCodes *codes)
{
	const Description *description = codes->description;

	for (int i = 0; i < description->demand.columns; i++)
	{
		int number = description->sensitive[i]->number - 1;

		codes->values[number] = plain_value(codes, number);
	}
	if (description->person)
	{
		int number = description->person->number - 1;

		codes->values[number] = plain_value(codes, number);
	}
	sensitive_rows_add(codes->sensitive, codes->values, codes->nulls);
}

void
record_codes_add_values(RecordCodes *codes)
{
	if (codes->beside)
		class_sort_put(codes->beside, codes->values, codes->nulls);
	record_spill_make_room(codes);
	dataset_append(codes->dataset, 1);
	for (int i = 0; i < codes->description->quasi_count; i++)
	{
		int number = codes->description->quasi[i]->number - 1;

		dataset_column_encode(codes->column[i], plain_value(codes, number), codes->nulls[number]);
	}
	if (codes->classes || codes->dataset->target)
		add_target(codes);
	if (codes->sensitive)
		add_sensitive(codes);
	if (codes->dataset->rows % RESET_EVERY == 0)
		MemoryContextReset(codes->scratch);
}

void
record_codes_add(RecordCodes *codes, HeapTupleHeader record)
{
	if (!record_type_fits(&codes->record, record))
		change_type(codes, record);
	record_type_deform(&codes->record, record, codes->values, codes->nulls);
	record_codes_add_values(codes);
}

void
record_codes_add_null(RecordCodes *codes)
{
	memset(codes->nulls, true, sizeof(bool) * Max(codes->description->record.fields->natts, 1));
	record_codes_add_values(codes);
}

int64
record_codes_rows(const RecordCodes *codes)
{
	return codes->dataset->taped + codes->dataset->rows;
}

void
record_codes_end_rows(RecordCodes *codes)
{
	for (int i = 0; i < codes->description->quasi_count; i++)
		codes->column[i]->real = codes->dataset->rows;
}

void
record_codes_finish(RecordCodes *codes)
{
	DictionaryOrder order = codes->ranks ? DICTIONARY_BY_BYTES : DICTIONARY_BY_TYPE;

	record_spill_end(codes);
	codes->final = true;
	for (int i = 0; i < codes->description->quasi_count; i++)
		dataset_column_finish(codes->column[i], order);
}

const RowModels *
record_codes_models(RecordCodes *codes, int64 k, const bool *left_out)
{
	return codes->sensitive ? sensitive_rows_finish(codes->sensitive, k, left_out) : NULL;
}

/* The classes of the target in an order of the values, independent of the rows' order. */
static const int32 *
order_classes(const RecordCodes *codes)
{
	int32 *order = dictionary_order(codes->classes, DICTIONARY_BY_TYPE);
	int32 classes = dictionary_size(codes->classes);
	int32 *rank = budget_allocate(codes->budget, 1 + classes, sizeof(int32), PURPOSE);

	for (int32 i = 0; i < classes; i++)
		rank[1 + order[i]] = 1 + i;
	pfree(order);
	return rank;
}

Recoding *
record_codes_recode(RecordCodes *codes, RecodeFunction recode, RecodeOptions options)
{
	Dataset *dataset = codes->dataset;
	MemoryContext previous = CurrentMemoryContext;
	const RowModels *models;
	Recoding *recoding;

	if (record_codes_rows(codes) < options.k)
		return NULL;
	record_codes_finish(codes);
	models = record_codes_models(codes, options.k, NULL);
	options.split = codes->split;
	options.target_classes = codes->classes ? 1 + dictionary_size(codes->classes) : 0;
	options.tapes = codes->tapes;
	options.most = record_spill_most(codes);
	options.sample = codes->partitioning == PARTITIONING_SAMPLE;
	options.budget = codes->budget;
	if (dataset->tape)
	{
		if (codes->classes && options.sample)
			dataset->final_code[dataset->attributes + 1] = order_classes(codes);
		/* Of its own, so that what it takes is the same for any order of the rows. */
		MemoryContextSwitchTo(
			AllocSetContextCreate(CurrentMemoryContext, "kanon parts", ALLOCSET_SMALL_SIZES));
		options.budget = record_spill_budget(codes);
	}
	recoding = recode(dataset, codes->column, models, &options);
	MemoryContextSwitchTo(previous);
	return recoding;
}
