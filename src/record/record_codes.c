/*
 * record_codes.c
 *		See record_codes.h.
 */
#include "postgres.h"

#include "record/record_codes.h"

#include <math.h>

#include "access/htup_details.h"
#include "base/compat.h"
#include "base/context.h"
#include "fmgr.h"
#include "record/record_spill.h"
#include "record/record_whole.h"
#include "sql/type_query.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

static void
prepare_target(RecordCodes *codes, Budget *budget)
{
	const DescribedAttribute *target = codes->description->target;

	codes->target_type = getBaseType(target->type);
	if (codes->request.split == SPLIT_REGRESSION && !number_query_is_numeric(codes->target_type))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("target \"%s\" of split \"regression\" must be a number", target->name),
				 errdetail("It has type %s.", format_type_be(target->type))));
	if (codes->request.split == SPLIT_INFOGAIN)
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
	PartitionSplit split =
		split_takes_target(request->split) && !description->target ? SPLIT_MEDIAN : request->split;
	int classes = split == SPLIT_INFOGAIN ? 1 : 0;
	int fields = Max(description->record.fields->natts, 1);

	codes->description = description;
	codes->budget = budget;
	codes->request = *request;
	codes->request.roles = (RecordRoles){0};
	codes->request.split = split;
	codes->dataset = dataset_create(DATASET_RECORDS, description->quasi_count, budget);
	dataset_add_sides(codes->dataset, classes + sensitive_rows_sides(description),
					  split == SPLIT_REGRESSION);
	if (request->way.partitioning != PARTITIONING_MEMORY && description->person == NULL)
		codes->tapes = tapes;
	codes->expected = rows;
	dataset_reserve(codes->dataset, tapes ? record_spill_begin(codes, rows) : rows);
	codes->column = palloc(sizeof(DatasetColumn *) * description->quasi_count);
	for (int i = 0; i < description->quasi_count; i++)
		codes->column[i] = dataset_column_create(codes->dataset, i, description->quasi[i],
												 request->ranks && !request->regions);
	codes->record = description->record;
	codes->values = palloc0(sizeof(Datum) * fields);
	codes->nulls = palloc0(sizeof(bool) * fields);
	codes->scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon record", CONTEXT_SMALL_SIZES);
	if (description->beside)
	{
		MemoryContext previous = MemoryContextSwitchTo(MemoryContextGetParent(budget->context));

		codes->beside = class_sort_create(description);
		MemoryContextSwitchTo(previous);
	}
	if (split_takes_target(split))
		prepare_target(codes, budget);
	if (description_demands(description))
		codes->sensitive = sensitive_rows_create(description, codes->dataset, classes);
	record_spill_ready(codes);
	if (request->whole)
		record_whole_tell(codes);
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
	MemoryContext previous;

	if (codes->nulls[number] ||
		TupleDescAttr(codes->description->record.fields, number)->attlen != -1)
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

	if (codes->request.split == SPLIT_INFOGAIN)
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
	int count = description->demand.columns + (description->person ? 1 : 0);

	for (int i = 0; i < count; i++)
	{
		const DescribedAttribute *attribute =
			i < description->demand.columns ? description->sensitive[i] : description->person;

		codes->values[attribute->number - 1] = plain_value(codes, attribute->number - 1);
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
	if (codes->dataset->rows % RECORD_RESET_EVERY == 0)
		MemoryContextReset(codes->scratch);
}

void
record_codes_add(RecordCodes *codes, HeapTupleHeader record)
{
	if (record == NULL)
		memset(codes->nulls, true, sizeof(bool) * codes->description->record.fields->natts);
	else
	{
		if (!record_type_fits(&codes->record, record))
			change_type(codes, record);
		record_type_deform(&codes->record, record, codes->values, codes->nulls);
	}
	record_codes_add_values(codes);
}

void
record_codes_find(RecordCodes *codes, HeapTupleHeader record, const bool *asks, int32 *code)
{
	const Description *description = codes->description;

	if (!record_type_fits(&codes->record, record))
		ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
						errmsg("rows differ in the number, names or types of their fields")));
	record_type_deform(&codes->record, record, codes->values, codes->nulls);
	for (int i = 0; i < description->quasi_count; i++)
	{
		int number = description->quasi[i]->number - 1;

		*code++ = asks[i] ? dataset_column_find(codes->column[i], plain_value(codes, number),
												codes->nulls[number])
						  : DATASET_NULL;
	}
	for (int i = 0; i < description->demand.columns; i++)
	{
		int number = description->sensitive[i]->number - 1;

		*code++ = sensitive_rows_find(codes->sensitive, i, plain_value(codes, number),
									  codes->nulls[number]);
	}
	MemoryContextReset(codes->scratch);
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
	const RecordRequest *request = &codes->request;

	record_spill_end(codes);
	codes->final = true;
	for (int i = 0; i < codes->description->quasi_count; i++)
	{
		bool by_type = !request->ranks || (request->spans && !codes->description->quasi[i]->plain);

		dataset_column_finish(codes->column[i], by_type ? DICTIONARY_BY_TYPE : DICTIONARY_BY_BYTES);
	}
}

const RowModels *
record_codes_models(RecordCodes *codes, int64 k, const bool *left_out)
{
	return codes->sensitive ? sensitive_rows_finish(codes->sensitive, k, left_out) : NULL;
}

Recoding *
record_codes_recode(RecordCodes *codes, RecodeFunction recode, RecodeOptions options)
{
	int64 rows = record_codes_rows(codes);
	const bool *none;

	if (rows < options.k)
		return NULL;
	record_codes_finish(codes);
	/* Whoever judges again as rows drop out says so from the beginning. */
	none = options.by_rule ? budget_allocate(codes->budget, rows, sizeof(bool), "records") : NULL;
	return recode(codes, record_codes_models(codes, options.k, none), &options);
}

int *
record_codes_order(const RecordCodes *codes)
{
	DescribedAttribute *const *quasi = codes->description->quasi;
	int count = codes->dataset->attributes;
	int *order = palloc(sizeof(int) * count);
	uint64 *extent = palloc(sizeof(uint64) * count);

	for (int i = 0; i < count; i++)
	{
		int place = i;

		extent[i] = dataset_column_extent(codes->column[i]);
		for (; place > 0; place--)
		{
			int before = order[place - 1];

			if (extent[before] < extent[i] ||
				(extent[before] == extent[i] && strcmp(quasi[before]->name, quasi[i]->name) < 0))
				break;
			order[place] = before;
		}
		order[place] = i;
	}
	pfree(extent);
	return order;
}

double *
record_codes_weights(const RecordCodes *codes, const int *order)
{
	const Description *description = codes->description;
	int count = description->quasi_count;
	double *share = palloc(sizeof(double) * count);
	double sum = 0;

	for (int i = 0; i < count; i++)
		sum += description->quasi[order[i]]->weight;
	for (int i = 0; i < count; i++)
		share[i] = sum > 0 ? description->quasi[i]->weight / sum : 1.0 / count;
	return share;
}
