/*
 * cohort_advance.c
 *		See cohort_advance.h.
 */
#include "postgres.h"

#include "cohort/cohort_advance.h"

#include "base/interrupt.h"
#include "catalog/pg_type.h"
#include "cell/cell_format.h"
#include "cell/recoding_cells.h"
#include "metric/loss.h"
#include "model/model.h"
#include "partition/region.h"
#include "sql/name_array.h"
#include "sql/own_table.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#define BATCH_ROWS 4096 /* written at a time */

/* Writes a finished night. */
typedef struct NightWriter
{
	CohortSource *source;
	CohortNight *night; /* the source's */
	int attributes;
	CellWriter **writer;     /* [attribute] */
	ValueText *label;        /* [attribute]: of cells as text */
	ValueText *plain;        /* [plain column] */
	ValueText array;         /* of texts */
	Datum *text;             /* [attribute or plain column]: of the current cell or person */
	bool *null;              /* likewise */
	Region *region;          /* of the current cell */
	RecodingFigures figures; /* of the cells shown */
	struct Batch *members;
	MemoryContext scratch;
} NightWriter;

/* ---- deciding */

static void
weigh_attributes(const Description *description, double *weight)
{
	double whole = 0;

	for (int i = 0; i < description->quasi_count; i++)
		whole += description->quasi[i]->weight;
	for (int i = 0; i < description->quasi_count; i++)
		weight[i] = whole > 0 ? description->quasi[i]->weight / whole : 0;
}

/* Decides the night, with the scales of the cells' writers. */
static void
decide(NightWriter *writer)
{
	CohortNight *night = writer->night;
	const RecordCodes *codes = writer->source->codes;
	int count = writer->attributes;
	RecodingColumn *column;
	RecodingColumn *weighed = palloc(sizeof(RecodingColumn) * count);
	double *weight = palloc(sizeof(double) * count);

	weigh_attributes(writer->source->description, weight);
	column = region_columns(night->dataset, dataset_columns_codes(codes->column, count));
	for (int i = 0; i < count; i++)
	{
		writer->writer[i] = cell_writer_create(&column[i], codes, i);
		weighed[i] = cell_writer_loss_column(writer->writer[i], &column[i], codes, i);
		writer->label[i] = value_text_writer(writer->writer[i]->type);
	}
	night->column = column;
	night->stop =
		(PartitionStop){.loss = night->rules.target_loss, .column = weighed, .weight = weight};
	cohort_night_pass(night);
}

/* ---- batches */

/* Rows to be written by one statement. */
typedef struct Batch
{
	const char *sql;     /* for own_table_do; $1: the state's number; $2, ..: arrays of columns */
	int64 number;        /* of the state */
	const char *letters; /* [column]: its type, see sql/query.h */
	ArrayBuildState **column;
	int32 rows;
	MemoryContext context; /* of the columns */
} Batch;

/* In the current context; keeps pointers to sql and letters. */
static Batch *
batch_create(const NightWriter *writer, const char *sql, const char *letters)
{
	Batch *batch = palloc(sizeof(Batch));

	*batch = (Batch){.sql = sql,
					 .number = writer->source->state->number,
					 .letters = letters,
					 .column = palloc0(sizeof(ArrayBuildState *) * strlen(letters)),
					 .context = AllocSetContextCreate(CurrentMemoryContext, "kanon cohort batch",
													  ALLOCSET_DEFAULT_SIZES)};
	return batch;
}

static void
write_rows(Batch *batch)
{
	MemoryContext previous = MemoryContextSwitchTo(batch->context);
	int columns = (int) strlen(batch->letters);
	QueryParameters parameters = {.count = columns + 1,
								  .types = palloc(sizeof(Oid) * (columns + 1)),
								  .values = palloc(sizeof(Datum) * (columns + 1))};

	parameters.types[0] = INT8OID;
	parameters.values[0] = Int64GetDatum(batch->number);
	for (int i = 0; i < columns; i++)
	{
		parameters.types[i + 1] = get_array_type(batch->column[i]->element_type);
		parameters.values[i + 1] = makeArrayResult(batch->column[i], batch->context);
	}
	own_table_do(batch->sql, "p", &parameters);
	MemoryContextSwitchTo(previous);
	MemoryContextReset(batch->context);
	batch->rows = 0;
}

/* Adds a row and copies its values; "nulls" may be NULL.  Writes the batch if it is full. */
static void
batch_add(Batch *batch, const Datum *values, const bool *nulls)
{
	for (int i = 0; batch->letters[i]; i++)
	{
		if (batch->rows == 0)
			batch->column[i] =
				initArrayResult(query_parameter_type(batch->letters[i]), batch->context, false);
		batch->column[i] = accumArrayResult(batch->column[i], values[i], nulls && nulls[i],
											batch->column[i]->element_type, batch->context);
	}
	if (++batch->rows == BATCH_ROWS)
		write_rows(batch);
}

/* Writes the remaining rows. */
static void
batch_end(Batch *batch)
{
	if (batch->rows > 0)
		write_rows(batch);
	MemoryContextDelete(batch->context);
}

/* The writer's texts as a text: that of the array of them, one column of a statement. */
static Datum
join_texts(NightWriter *writer, int count)
{
	ArrayType *array = array_of(TEXTOID, writer->text, writer->null, count);

	return CStringGetTextDatum(value_text_write(&writer->array, PointerGetDatum(array)));
}

/* ---- people */

/* (digest, cell, since, values); values are NULL if they were not read. */
#define MEMBER_COLUMNS 4

static Batch *
member_batch(const NightWriter *writer)
{
	return batch_create(writer,
						"INSERT INTO @cohort_member AS m (cohort, digest, cell, since, values)"
						" SELECT $1, v.digest, nullif(v.cell, 0), v.since, v.texts::text[]"
						" FROM unnest($2, $3, $4, $5) AS v (digest, cell, since, texts)"
						" ON CONFLICT (cohort, digest) DO UPDATE SET cell = EXCLUDED.cell,"
						" since = EXCLUDED.since, values = coalesce(EXCLUDED.values, m.values)"
						" WHERE m.cell IS DISTINCT FROM EXCLUDED.cell OR m.since <> EXCLUDED.since"
						" OR m.values IS DISTINCT FROM coalesce(EXCLUDED.values, m.values)",
						"xlit");
}

/* Adds a person to a batch; texts 0: no values were read. */
static void
add_person(const CohortPerson *person, Batch *batch, Datum texts)
{
	const bool nulls[MEMBER_COLUMNS] = {false, false, false, texts == 0};
	text *digest = cstring_to_text_with_len((const char *) person->digest.byte, RANDOM_NAME);
	const Datum values[MEMBER_COLUMNS] = {PointerGetDatum(digest), Int64GetDatum(person->cell),
										  Int32GetDatum(person->since), texts};

	batch_add(batch, values, nulls);
	pfree(digest);
}

/* Adds the chosen people, without their values. */
static void
add_people(const NightWriter *writer, Batch *batch, bool (*chosen)(const CohortPerson *))
{
	for (int32 i = 0; i < writer->night->people; i++)
	{
		interrupt_check(i);
		if (chosen(&writer->night->person[i]))
			add_person(&writer->night->person[i], batch, 0);
	}
}

/* The person changed, but the values were not read. */
static bool
is_changed_alone(const CohortPerson *person)
{
	return person->changed && !person->read;
}

/* The person left while waiting: a return begins anew. */
static bool
has_gone_waiting(const CohortPerson *person)
{
	return person->known && person->cell == 0 && person->row < 0;
}

static void
forget_waiting(const NightWriter *writer)
{
	Batch *batch = batch_create(
		writer, "DELETE FROM @cohort_member WHERE cohort = $1 AND digest = ANY ($2)", "x");

	add_people(writer, batch, has_gone_waiting);
	batch_end(batch);
}

/* A CohortReading. */
static void
write_reading(void *state, int32 person, TupleTableSlot *values)
{
	NightWriter *writer = state;
	const CohortSource *source = writer->source;
	MemoryContext previous = MemoryContextSwitchTo(writer->scratch);
	Datum texts;

	for (int i = 0; i < source->plain_count; i++)
	{
		Datum value = slot_getattr(values, i + 2, &writer->null[i]);

		if (!writer->null[i])
			writer->text[i] = CStringGetTextDatum(value_text_write(&writer->plain[i], value));
	}
	texts = join_texts(writer, source->plain_count);
	MemoryContextSwitchTo(previous);
	add_person(&writer->night->person[person], writer->members, texts);
	MemoryContextReset(writer->scratch);
}

static void
write_members(NightWriter *writer)
{
	writer->members = member_batch(writer);
	add_people(writer, writer->members, is_changed_alone);
	cohort_source_each_reading(writer->source, write_reading, writer);
	batch_end(writer->members);
}

/* ---- cells */

static void
widen(const NightWriter *writer, const int32 *code, bool *any)
{
	Region *region = writer->region;

	for (int i = 0; i < writer->attributes; i++)
	{
		region->minimum[i] = *any ? Min(region->minimum[i], code[i]) : code[i];
		region->maximum[i] = *any ? Max(region->maximum[i], code[i]) : code[i];
	}
	*any = true;
}

/*
 * Extends a cell's bounds by its members who are present; keeps those of hidden cells.  Have they
 * changed?
 */
static bool
measure_cell(const NightWriter *writer, const CohortCell *cell)
{
	const Dataset *dataset = writer->night->dataset;
	Size size = sizeof(int32) * writer->attributes;
	const int32 *low = cell->low < 0 ? NULL : dataset_record(dataset, cell->low);
	const int32 *high = cell->low < 0 ? NULL : dataset_record(dataset, cell->high);
	bool any = false;

	for (int32 i = 0; cell->shown && i < cell->members; i++)
	{
		int32 row = writer->night->person[cell->member[i]].row;

		if (row >= 0)
			widen(writer, dataset_record(dataset, row), &any);
	}
	if (low == NULL)
		return true;
	widen(writer, low, &any);
	widen(writer, high, &any);
	return memcmp(writer->region->minimum, low, size) != 0 ||
		   memcmp(writer->region->maximum, high, size) != 0;
}

/* The texts of bounds of the current cell, as one. */
static Datum
join_bounds(NightWriter *writer, const int32 *bound)
{
	for (int i = 0; i < writer->attributes; i++)
	{
		writer->null[i] = bound[i] == DATASET_NULL;
		if (!writer->null[i])
			writer->text[i] = CStringGetTextDatum(
				dataset_column_text(writer->source->codes->column[i], bound[i]));
	}
	return join_texts(writer, writer->attributes);
}

/* The current cell's range or group of an attribute. */
static RecodedCell
recoded_cell(const NightWriter *writer, int attribute)
{
	return region_cell(&writer->night->column[attribute], writer->region->minimum[attribute],
					   writer->region->maximum[attribute]);
}

static Datum
join_labels(NightWriter *writer)
{
	for (int i = 0; i < writer->attributes; i++)
	{
		RecodedCell cell = recoded_cell(writer, i);
		Datum label = cell_writer_write(writer->writer[i], &cell, &writer->null[i]);

		if (!writer->null[i])
			writer->text[i] = CStringGetTextDatum(value_text_write(&writer->label[i], label));
	}
	return join_texts(writer, writer->attributes);
}

static Batch *
cell_batch(const NightWriter *writer)
{
	return batch_create(
		writer,
		"INSERT INTO @cohort_cell (cohort, cell, shown, k, people, present, low, high, label)"
		" SELECT $1, v.cell, v.shown, v.k, v.people, v.present,"
		" v.low::text[], v.high::text[], v.label::text[]"
		" FROM unnest($2, $3, $4, $5, $6, $7, $8, $9)"
		" AS v (cell, shown, k, people, present, low, high, label)"
		" ON CONFLICT (cohort, cell) DO UPDATE SET shown = EXCLUDED.shown,"
		" people = EXCLUDED.people, present = EXCLUDED.present,"
		" low = EXCLUDED.low, high = EXCLUDED.high, label = EXCLUDED.label",
		"lbiiittt");
}

static void
add_cell(NightWriter *writer, const CohortCell *cell, Batch *batch)
{
	MemoryContext previous = MemoryContextSwitchTo(writer->scratch);
	const Datum values[] = {Int64GetDatum(cell->number),
							BoolGetDatum(cell->shown),
							Int32GetDatum(cell->k),
							Int32GetDatum(cell->members),
							Int32GetDatum(cell->present),
							join_bounds(writer, writer->region->minimum),
							join_bounds(writer, writer->region->maximum),
							join_labels(writer)};

	MemoryContextSwitchTo(previous);
	batch_add(batch, values, NULL);
	MemoryContextReset(writer->scratch);
}

/* Adds the loss of a cell that is shown, whose bounds were measured. */
static void
add_loss(NightWriter *writer, const CohortCell *cell)
{
	writer->figures.rows += cell->members;
	for (int i = 0; i < writer->attributes; i++)
	{
		RecodedCell recoded = recoded_cell(writer, i);

		loss_sum_add(&writer->figures.loss[i],
					 loss_of_cell(&writer->night->stop.column[i], &recoded), cell->members);
	}
}

static void
write_cells(NightWriter *writer)
{
	Batch *batch = cell_batch(writer);

	for (int32 i = 0; i < writer->night->cells; i++)
	{
		const CohortCell *cell = &writer->night->cell[i];
		bool widened = measure_cell(writer, cell);

		CHECK_FOR_INTERRUPTS();
		if (cell->shown)
			add_loss(writer, cell);
		if (widened || cell->changed)
			add_cell(writer, cell, batch);
	}
	batch_end(batch);
}

/* The values of a member, without those that a failing cell does not publish. */
static char *
insensitive_values(const NightWriter *writer)
{
	StringInfoData array;

	initStringInfo(&array);
	for (int i = 0; i < writer->source->plain_count; i++)
	{
		const DescribedAttribute *column = writer->source->plain[i];
		bool hidden = column->role == ROLE_SENSITIVE;

		foreach_ptr (const Model, model, writer->source->state->terms.models)
			hidden |= strcmp(model->column, column->name) == 0;
		appendStringInfoString(&array, i > 0 ? ", " : "ARRAY[");
		if (hidden)
			appendStringInfoString(&array, "NULL");
		else
			appendStringInfo(&array, "values[%d]", i + 1);
	}
	appendStringInfoString(&array, "]::text[]");
	return array.data;
}

static void
hide_failing(const NightWriter *writer)
{
	Batch *batch;

	if (writer->source->state->terms.models == NIL)
		return;
	batch = batch_create(
		writer,
		psprintf("UPDATE @cohort_member SET values = %s WHERE cohort = $1 AND cell = ANY ($2)",
				 insensitive_values(writer)),
		"l");
	for (int32 i = 0; i < writer->night->cells; i++)
	{
		Datum number = Int64GetDatum(writer->night->cell[i].number);

		if (writer->night->cell[i].failing)
			batch_add(batch, &number, NULL);
	}
	batch_end(batch);
}

/* ---- the whole night */

/* float8[]: by quasi-identifier; NULL: nothing is shown. */
static ArrayType *
mean_losses(const RecodingFigures *figures)
{
	double *mean = palloc(sizeof(double) * figures->attributes);
	Datum *values = palloc(sizeof(Datum) * figures->attributes);

	if (!recoding_figures_loss(figures, figures->attributes, mean))
		return NULL;
	for (int i = 0; i < figures->attributes; i++)
		values[i] = Float8GetDatum(mean[i]);
	return array_of(FLOAT8OID, values, NULL, figures->attributes);
}

static NightWriter
begin_writing(CohortSource *source)
{
	int attributes = source->description->quasi_count;
	int texts = Max(attributes, source->plain_count);
	NightWriter writer = {.source = source,
						  .night = &source->night,
						  .attributes = attributes,
						  .writer = palloc(sizeof(CellWriter *) * attributes),
						  .label = palloc(sizeof(ValueText) * attributes),
						  .plain = palloc(sizeof(ValueText) * Max(source->plain_count, 1)),
						  .array = value_text_writer(TEXTARRAYOID),
						  .text = palloc0(sizeof(Datum) * texts),
						  .null = palloc0(sizeof(bool) * texts),
						  .region = region_create(source->codes->dataset),
						  .figures = {.attributes = attributes}};

	for (int i = 0; i < source->plain_count; i++)
		writer.plain[i] = value_text_writer(source->plain[i]->type);
	writer.scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon cohort texts", ALLOCSET_SMALL_SIZES);
	return writer;
}

static void
pass_night(CohortState *state, Budget *budget)
{
	CohortSource *source = cohort_source_read(state, budget);
	NightWriter writer = begin_writing(source);

	if (source->night.dataset->rows > 0)
	{
		decide(&writer);
		cohort_judge(source);
		write_cells(&writer);
		write_members(&writer);
		hide_failing(&writer);
	}
	forget_waiting(&writer);
	state->numbers = source->night.numbers;
	state->loss = mean_losses(&writer.figures);
	tuple_spool_free(source->values);
}

void
cohort_advance(Oid relation)
{
	CohortState *state = cohort_state_lock(relation);
	MemoryContext context;
	MemoryContext caller;
	Budget budget;

	context = AllocSetContextCreate(CurrentMemoryContext, "kanon cohorts", ALLOCSET_DEFAULT_SIZES);
	caller = MemoryContextSwitchTo(context);
	budget = budget_begin();
	query_snapshot_begin();
	pass_night(state, &budget);
	query_snapshot_end();
	cohort_state_close(state);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
}
