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
#include "cohort/cohort_judge.h"
#include "cohort/cohort_source.h"
#include "executor/tuptable.h"
#include "metric/loss.h"
#include "model/model.h"
#include "partition/region.h"
#include "sql/own_table.h"
#include "sql/query.h"
#include "sql/value_text.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#define BATCH_ROWS 4096 /* written at a time */

/* Writes a finished night. */
typedef struct NightWriter
{
	const CohortState *state;
	CohortSource *source;
	CohortNight *night;
	int attributes;
	CellWriter **writer;     /* [attribute] */
	ValueText *label;        /* [attribute]: of cells as text */
	ValueText array;         /* of texts */
	Region *region;          /* of the current cell */
	RecodingFigures figures; /* of the cells shown */
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
static CohortNight *
decide(const CohortState *state, CohortSource *source, CellWriter **writer)
{
	const RecordCodes *codes = source->codes;
	int count = source->description->quasi_count;
	CohortNight *night = palloc0(sizeof(CohortNight));
	RecodingColumn *column;
	RecodingColumn *weighed = palloc(sizeof(RecodingColumn) * count);
	double *weight = palloc(sizeof(double) * count);

	column = region_columns(codes->dataset, dataset_columns_codes(codes->column, count));
	weigh_attributes(source->description, weight);
	for (int i = 0; i < count; i++)
	{
		writer[i] = cell_writer_create(&column[i], codes, i);
		weighed[i] = cell_writer_weighs(writer[i], &column[i], codes, i);
	}
	*night = (CohortNight){
		.rules = state->terms.rules,
		.night = state->night,
		.numbers = state->numbers,
		.dataset = codes->dataset,
		.column = column,
		.stop = {.loss = state->terms.rules.target_loss, .column = weighed, .weight = weight},
		.person = source->person,
		.people = source->people,
		.cell = source->cell,
		.cells = source->cells,
		.capacity = source->cells,
		.budget = source->budget};
	cohort_night_pass(night);
	return night;
}

/* ---- batches */

/* Rows to be written by one statement. */
typedef struct Batch
{
	const char *sql; /* for own_table_do; $1: the number of the state; $2, ..: arrays of columns */
	int64 number;
	int columns;
	const Oid *type; /* [column] */
	Datum **value;   /* [column][row] */
	bool **null;
	int32 rows;
	MemoryContext context; /* of the values */
} Batch;

/* In the current context; keeps pointers to sql and types. */
static Batch *
batch_create(int64 number, const char *sql, int columns, const Oid *type)
{
	Batch *batch = palloc0(sizeof(Batch));

	*batch = (Batch){.sql = sql,
					 .number = number,
					 .columns = columns,
					 .type = type,
					 .value = palloc(sizeof(Datum *) * columns),
					 .null = palloc(sizeof(bool *) * columns)};
	for (int i = 0; i < columns; i++)
	{
		batch->value[i] = palloc(sizeof(Datum) * BATCH_ROWS);
		batch->null[i] = palloc(sizeof(bool) * BATCH_ROWS);
	}
	batch->context =
		AllocSetContextCreate(CurrentMemoryContext, "kanon cohort batch", ALLOCSET_DEFAULT_SIZES);
	return batch;
}

static void
write_rows(Batch *batch)
{
	MemoryContext previous = MemoryContextSwitchTo(batch->context);
	Oid *types = palloc(sizeof(Oid) * (batch->columns + 1));
	Datum *values = palloc(sizeof(Datum) * (batch->columns + 1));
	QueryParameters parameters = {.count = batch->columns + 1, .types = types, .values = values};
	int start = 1;

	types[0] = INT8OID;
	values[0] = Int64GetDatum(batch->number);
	for (int i = 0; i < batch->columns; i++)
	{
		int16 length;
		bool by_value;
		char alignment;

		get_typlenbyvalalign(batch->type[i], &length, &by_value, &alignment);
		types[i + 1] = get_array_type(batch->type[i]);
		values[i + 1] = PointerGetDatum(construct_md_array(batch->value[i], batch->null[i], 1,
														   &batch->rows, &start, batch->type[i],
														   length, by_value, alignment));
	}
	own_table_do_bound(batch->sql, &parameters);
	MemoryContextSwitchTo(previous);
	MemoryContextReset(batch->context);
	batch->rows = 0;
}

/* Adds a row and copies its values; writes the batch if it is full. */
static void
batch_add(Batch *batch, const Datum *values, const bool *nulls)
{
	MemoryContext previous = MemoryContextSwitchTo(batch->context);

	for (int i = 0; i < batch->columns; i++)
	{
		int16 length;
		bool by_value;

		get_typlenbyval(batch->type[i], &length, &by_value);
		batch->null[i][batch->rows] = nulls[i];
		batch->value[i][batch->rows] = nulls[i] ? 0 : datumCopy(values[i], by_value, length);
	}
	MemoryContextSwitchTo(previous);
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

/* Texts as a text: that of the array of them, which costs a statement one column for any number. */
static Datum
join_texts(NightWriter *writer, const Datum *texts, const bool *nulls, int count)
{
	int start = 1;
	ArrayType *array = construct_md_array(unconstify(Datum *, texts), unconstify(bool *, nulls), 1,
										  &count, &start, TEXTOID, -1, false, TYPALIGN_INT);

	return CStringGetTextDatum(value_text_write(&writer->array, PointerGetDatum(array)));
}

/* ---- people */

/* (digest, cell, since, values); values are NULL if they were not read. */
#define MEMBER_COLUMNS 4

static Batch *
member_batch(const NightWriter *writer)
{
	static const Oid types[] = {BYTEAOID, INT8OID, INT4OID, TEXTOID};

	return batch_create(writer->state->number,
						"INSERT INTO @cohort_member AS m (cohort, digest, cell, since, values)"
						" SELECT $1, v.digest, nullif(v.cell, 0), v.since, v.texts::text[]"
						" FROM unnest($2, $3, $4, $5) AS v (digest, cell, since, texts)"
						" ON CONFLICT (cohort, digest) DO UPDATE SET cell = EXCLUDED.cell,"
						" since = EXCLUDED.since, values = coalesce(EXCLUDED.values, m.values)"
						" WHERE m.cell IS DISTINCT FROM EXCLUDED.cell OR m.since <> EXCLUDED.since"
						" OR m.values IS DISTINCT FROM coalesce(EXCLUDED.values, m.values)",
						lengthof(types), types);
}

static void
fill_member(const CohortPerson *person, Datum *values)
{
	bytea *digest = palloc(VARHDRSZ + COHORT_DIGEST);

	SET_VARSIZE(digest, VARHDRSZ + COHORT_DIGEST);
	memcpy(VARDATA(digest), person->digest.byte, COHORT_DIGEST);
	values[0] = PointerGetDatum(digest);
	values[1] = Int64GetDatum(person->cell);
	values[2] = Int32GetDatum(person->since);
}

/* Adds the chosen people to a batch, without their values. */
static void
add_people(const NightWriter *writer, Batch *batch, bool (*chosen)(const CohortPerson *))
{
	const bool nulls[MEMBER_COLUMNS] = {false, false, false, true};
	Datum values[MEMBER_COLUMNS] = {0};

	for (int32 i = 0; i < writer->source->people; i++)
	{
		const CohortPerson *person = &writer->source->person[i];

		interrupt_check(i);
		if (!chosen(person))
			continue;
		fill_member(person, values);
		batch_add(batch, values, nulls);
		pfree(DatumGetPointer(values[0]));
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
	static const Oid types[] = {BYTEAOID};
	Batch *batch = batch_create(
		writer->state->number, "DELETE FROM @cohort_member WHERE cohort = $1 AND digest = ANY ($2)",
		1, types);

	add_people(writer, batch, has_gone_waiting);
	batch_end(batch);
}

/* Writes people with the values read. */
typedef struct ReadingWriter
{
	NightWriter *night;
	Batch *batch;
	ValueText *writer; /* [plain column] */
	Datum *text;       /* [plain column]: of the current person */
	bool *null;
} ReadingWriter;

/* A CohortReading: the values are in the slot, after the row's number. */
static void
write_reading(void *state, int32 person)
{
	const ReadingWriter *reading = state;
	const CohortSource *source = reading->night->source;
	MemoryContext previous = MemoryContextSwitchTo(reading->night->scratch);
	const bool nulls[MEMBER_COLUMNS] = {false};
	Datum values[MEMBER_COLUMNS];

	fill_member(&source->person[person], values);
	for (int i = 0; i < source->plain_count; i++)
	{
		Datum value = slot_getattr(source->slot, i + 2, &reading->null[i]);

		if (!reading->null[i])
			reading->text[i] = CStringGetTextDatum(value_text_write(&reading->writer[i], value));
	}
	values[3] = join_texts(reading->night, reading->text, reading->null, source->plain_count);
	MemoryContextSwitchTo(previous);
	batch_add(reading->batch, values, nulls);
	MemoryContextReset(reading->night->scratch);
}

static void
write_members(NightWriter *writer)
{
	CohortSource *source = writer->source;
	int count = source->plain_count;
	ReadingWriter readings = {.night = writer,
							  .batch = member_batch(writer),
							  .writer = palloc(sizeof(ValueText) * Max(count, 1)),
							  .text = palloc0(sizeof(Datum) * Max(count, 1)),
							  .null = palloc0(sizeof(bool) * Max(count, 1))};

	add_people(writer, readings.batch, is_changed_alone);
	for (int i = 0; i < count; i++)
		readings.writer[i] = value_text_writer(source->plain[i]->type);
	cohort_source_each_reading(source, write_reading, &readings);
	batch_end(readings.batch);
}

/* ---- cells */

static void
widen(const NightWriter *writer, int32 row, bool *any)
{
	const int32 *code = dataset_record(writer->source->codes->dataset, row);
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
	const Dataset *dataset = writer->source->codes->dataset;
	Size size = sizeof(int32) * writer->attributes;
	bool any = false;

	if (cell->low >= 0)
	{
		widen(writer, cell->low, &any);
		widen(writer, cell->high, &any);
	}
	for (int32 i = 0; cell->shown && i < cell->members; i++)
	{
		int32 row = writer->source->person[cell->member[i]].row;

		if (row >= 0)
			widen(writer, row, &any);
	}
	return cell->low < 0 ||
		   memcmp(writer->region->minimum, dataset_record(dataset, cell->low), size) != 0 ||
		   memcmp(writer->region->maximum, dataset_record(dataset, cell->high), size) != 0;
}

/* The texts of bounds of the current cell, as one. */
static Datum
join_bounds(NightWriter *writer, const int32 *bound, Datum *text, bool *null)
{
	for (int i = 0; i < writer->attributes; i++)
	{
		null[i] = bound[i] == DATASET_NULL;
		if (!null[i])
			text[i] = CStringGetTextDatum(
				dataset_column_text(writer->source->codes->column[i], bound[i]));
	}
	return join_texts(writer, text, null, writer->attributes);
}

static Datum
join_labels(NightWriter *writer, Datum *text, bool *null)
{
	for (int i = 0; i < writer->attributes; i++)
	{
		RecodedCell cell = region_cell(&writer->night->column[i], writer->region->minimum[i],
									   writer->region->maximum[i]);
		Datum label = cell_writer_write(writer->writer[i], &cell, &null[i]);

		if (!null[i])
			text[i] = CStringGetTextDatum(value_text_write(&writer->label[i], label));
	}
	return join_texts(writer, text, null, writer->attributes);
}

/* (number, shown, k, people, present, low, high, label) */
#define CELL_COLUMNS 8

static void
fill_cell(NightWriter *writer, const CohortCell *cell, Datum *values)
{
	Datum *text = palloc(sizeof(Datum) * writer->attributes);
	bool *null = palloc(sizeof(bool) * writer->attributes);

	values[0] = Int64GetDatum(cell->number);
	values[1] = BoolGetDatum(cell->shown);
	values[2] = Int32GetDatum(cell->k);
	values[3] = Int32GetDatum(cell->members);
	values[4] = Int32GetDatum(cell->present);
	values[5] = join_bounds(writer, writer->region->minimum, text, null);
	values[6] = join_bounds(writer, writer->region->maximum, text, null);
	values[7] = join_labels(writer, text, null);
}

static Batch *
cell_batch(const NightWriter *writer)
{
	static const Oid types[] = {INT8OID, BOOLOID, INT4OID, INT4OID,
								INT4OID, TEXTOID, TEXTOID, TEXTOID};

	return batch_create(
		writer->state->number,
		"INSERT INTO @cohort_cell (cohort, cell, shown, k, people, present, low, high, label)"
		" SELECT $1, v.cell, v.shown, v.k, v.people, v.present,"
		" v.low::text[], v.high::text[], v.label::text[]"
		" FROM unnest($2, $3, $4, $5, $6, $7, $8, $9)"
		" AS v (cell, shown, k, people, present, low, high, label)"
		" ON CONFLICT (cohort, cell) DO UPDATE SET shown = EXCLUDED.shown,"
		" people = EXCLUDED.people, present = EXCLUDED.present,"
		" low = EXCLUDED.low, high = EXCLUDED.high, label = EXCLUDED.label",
		lengthof(types), types);
}

/* Adds the loss of a cell that is shown, whose bounds were measured. */
static void
add_loss(NightWriter *writer, const CohortCell *cell)
{
	writer->figures.rows += cell->members;
	for (int i = 0; i < writer->attributes; i++)
	{
		RecodedCell recoded = region_cell(&writer->night->column[i], writer->region->minimum[i],
										  writer->region->maximum[i]);

		loss_sum_add(&writer->figures.loss[i],
					 loss_of_cell(&writer->night->stop.column[i], &recoded), cell->members);
	}
}

static void
write_cells(NightWriter *writer)
{
	Batch *batch = cell_batch(writer);
	const bool nulls[CELL_COLUMNS] = {false};
	Datum values[CELL_COLUMNS];

	for (int32 i = 0; i < writer->night->cells; i++)
	{
		const CohortCell *cell = &writer->night->cell[i];
		bool widened = measure_cell(writer, cell);
		MemoryContext previous;

		CHECK_FOR_INTERRUPTS();
		if (cell->shown)
			add_loss(writer, cell);
		if (!widened && !cell->changed)
			continue;
		previous = MemoryContextSwitchTo(writer->scratch);
		fill_cell(writer, cell, values);
		MemoryContextSwitchTo(previous);
		batch_add(batch, values, nulls);
		MemoryContextReset(writer->scratch);
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
		ListCell *cell;

		foreach (cell, writer->state->terms.models)
			hidden |= strcmp(((const Model *) lfirst(cell))->column, column->name) == 0;
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
	static const Oid types[] = {INT8OID};
	const CohortState *state = writer->state;
	Batch *batch;

	if (state->terms.models == NIL)
		return;
	batch = batch_create(
		state->number,
		psprintf("UPDATE @cohort_member SET values = %s WHERE cohort = $1 AND cell = ANY ($2)",
				 insensitive_values(writer)),
		1, types);
	for (int32 i = 0; i < writer->night->cells; i++)
	{
		const CohortCell *cell = &writer->night->cell[i];
		Datum number = Int64GetDatum(cell->number);
		bool isnull = false;

		if (cell->failing)
			batch_add(batch, &number, &isnull);
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
	return construct_array(values, figures->attributes, FLOAT8OID, sizeof(float8), FLOAT8PASSBYVAL,
						   TYPALIGN_DOUBLE);
}

static void
pass_night(CohortState *state, Budget *budget)
{
	CohortSource *source = cohort_source_read(state, budget);
	int attributes = source->description->quasi_count;
	NightWriter writer = {.state = state,
						  .source = source,
						  .attributes = attributes,
						  .writer = palloc(sizeof(CellWriter *) * attributes),
						  .label = palloc(sizeof(ValueText) * attributes),
						  .array = value_text_writer(TEXTARRAYOID),
						  .region = region_create(source->codes->dataset),
						  .figures = {.attributes = attributes}};

	writer.scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon cohort texts", ALLOCSET_SMALL_SIZES);
	if (source->codes->dataset->rows > 0)
	{
		writer.night = decide(state, source, writer.writer);
		cohort_judge(state, source, writer.night);
		for (int i = 0; i < attributes; i++)
			writer.label[i] = value_text_writer(writer.writer[i]->type);
		write_cells(&writer);
		write_members(&writer);
		hide_failing(&writer);
		forget_waiting(&writer);
		state->numbers = writer.night->numbers;
	}
	else
		forget_waiting(&writer);
	state->loss = mean_losses(&writer.figures);
	cohort_source_close(source);
}

void
cohort_advance(Oid relation)
{
	CohortState *state = cohort_state_lock(relation);
	MemoryContext context;
	MemoryContext caller;
	Budget budget;

	if (state == NULL)
		cohort_state_report_none(relation);
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
