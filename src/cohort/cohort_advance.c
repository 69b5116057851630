/*
 * cohort_advance.c
 *		See cohort_advance.h.
 */
#include "postgres.h"

#include "cohort/cohort_advance.h"

#include "base/interrupt.h"
#include "catalog/pg_type.h"
#include "cell/cell_writer.h"
#include "cell/recoding_figures.h"
#include "cohort/cohort_batch.h"
#include "cohort/cohort_judge.h"
#include "cohort/cohort_source.h"
#include "executor/tuptable.h"
#include "metric/loss.h"
#include "model/model.h"
#include "partition/region.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#define PURPOSE "state of cohorts"

/* Writes a finished night. */
typedef struct NightWriter
{
	const CohortState *state;
	CohortSource *source;
	CohortNight *night;
	int attributes;
	CellWriter **writer;     /* [attribute] */
	ValueText *label;        /* [attribute]: of cells as text */
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

/* ---- people */

#define UPSERT_MEMBERS                                                                             \
	"INSERT INTO @cohort_member AS m (cohort, digest, cell, since%s)"                              \
	" SELECT $1, v.digest, nullif(v.cell, 0), v.since%s"                                           \
	" FROM unnest($2, $3, $4%s) AS v (digest, cell, since%s)"                                      \
	" ON CONFLICT (cohort, digest) DO UPDATE SET cell = EXCLUDED.cell, since = EXCLUDED.since%s"   \
	" WHERE m.cell IS DISTINCT FROM EXCLUDED.cell OR m.since <> EXCLUDED.since%s"

#define MEMBER_COLUMNS 3

/* A batch of people with this many values, or without (-1). */
static CohortBatch *
member_batch(const NightWriter *writer, int values)
{
	const CohortState *state = writer->state;
	Oid *types = palloc(sizeof(Oid) * (MEMBER_COLUMNS + Max(values, 0)));
	StringInfoData arguments;
	StringInfoData names;
	StringInfoData array;

	initStringInfo(&arguments);
	initStringInfo(&names);
	initStringInfo(&array);
	types[0] = BYTEAOID;
	types[1] = INT8OID;
	types[2] = INT4OID;
	appendStringInfoString(&array, ", ARRAY[");
	for (int i = 0; i < values; i++)
	{
		types[MEMBER_COLUMNS + i] = TEXTOID;
		appendStringInfo(&arguments, ", $%d", MEMBER_COLUMNS + 2 + i);
		appendStringInfo(&names, ", v%d", i);
		appendStringInfo(&array, "%sv.v%d", i > 0 ? ", " : "", i);
	}
	appendStringInfoString(&array, "]::text[]");
	return cohort_batch_create(
		state->number,
		psprintf(UPSERT_MEMBERS, values < 0 ? "" : ", values", values < 0 ? "" : array.data,
				 arguments.data, names.data, values < 0 ? "" : ", values = EXCLUDED.values",
				 values < 0 ? "" : " OR m.values IS DISTINCT FROM EXCLUDED.values"),
		MEMBER_COLUMNS + Max(values, 0), types);
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

/* Adds the chosen people to a batch and ends it. */
static void
send_people(const NightWriter *writer, CohortBatch *batch, bool (*chosen)(const CohortPerson *))
{
	const bool nulls[MEMBER_COLUMNS] = {false};
	Datum values[MEMBER_COLUMNS];

	for (int32 i = 0; i < writer->source->people; i++)
	{
		const CohortPerson *person = &writer->source->person[i];

		interrupt_check(i);
		if (!chosen(person))
			continue;
		fill_member(person, values);
		cohort_batch_add(batch, values, nulls);
		pfree(DatumGetPointer(values[0]));
	}
	cohort_batch_end(batch);
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
write_members(const NightWriter *writer)
{
	send_people(writer, member_batch(writer, -1), is_changed_alone);
}

static void
forget_waiting(const NightWriter *writer)
{
	static const Oid types[] = {BYTEAOID};
	const CohortState *state = writer->state;

	send_people(writer,
				cohort_batch_create(
					state->number,
					"DELETE FROM @cohort_member WHERE cohort = $1 AND digest = ANY ($2)", 1, types),
				has_gone_waiting);
}

/* The texts of the values in the slot, after the row's number. */
static void
write_values(const CohortSource *source, ValueText *text, Datum *values, bool *nulls)
{
	for (int i = 0; i < source->plain_count; i++)
	{
		bool isnull;
		Datum value = slot_getattr(source->slot, i + 2, &isnull);

		nulls[MEMBER_COLUMNS + i] = isnull;
		if (!isnull)
			values[MEMBER_COLUMNS + i] = CStringGetTextDatum(value_text_write(&text[i], value));
	}
}

/* Writes people with the values read. */
typedef struct ReadingWriter
{
	const NightWriter *night;
	CohortBatch *batch;
	ValueText *text; /* [plain column] */
	Datum *values;
	bool *nulls;
} ReadingWriter;

/* A CohortReading. */
static void
write_reading(void *state, int32 person)
{
	const ReadingWriter *writer = state;
	const CohortSource *source = writer->night->source;
	MemoryContext previous = MemoryContextSwitchTo(writer->night->scratch);

	fill_member(&source->person[person], writer->values);
	write_values(source, writer->text, writer->values, writer->nulls);
	MemoryContextSwitchTo(previous);
	cohort_batch_add(writer->batch, writer->values, writer->nulls);
	MemoryContextReset(writer->night->scratch);
}

static void
write_readings(const NightWriter *writer)
{
	CohortSource *source = writer->source;
	int count = source->plain_count;
	ReadingWriter readings = {.night = writer,
							  .batch = member_batch(writer, count),
							  .text = palloc(sizeof(ValueText) * Max(count, 1)),
							  .values = palloc0(sizeof(Datum) * (MEMBER_COLUMNS + count)),
							  .nulls = palloc0(sizeof(bool) * (MEMBER_COLUMNS + count))};

	for (int i = 0; i < count; i++)
		readings.text[i] = value_text_writer(source->plain[i]->type);
	cohort_source_each_reading(source, write_reading, &readings);
	cohort_batch_end(readings.batch);
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

static void
fill_bound(const NightWriter *writer, int attribute, int32 code, Datum *value, bool *isnull)
{
	*isnull = code == DATASET_NULL;
	if (!*isnull)
		*value = CStringGetTextDatum(
			dataset_column_text(writer->source->codes->column[attribute], code));
}

/* (number, shown, k, people, present, low, high, label, low, high, label, ..) */
#define CELL_COLUMNS 5
#define BOUND_COLUMNS 3

static void
fill_cell(const NightWriter *writer, const CohortCell *cell, Datum *values, bool *nulls)
{
	values[0] = Int64GetDatum(cell->number);
	values[1] = BoolGetDatum(cell->shown);
	values[2] = Int32GetDatum(cell->k);
	values[3] = Int32GetDatum(cell->members);
	values[4] = Int32GetDatum(cell->present);
	for (int i = 0; i < writer->attributes; i++)
	{
		int32 low = writer->region->minimum[i];
		int32 high = writer->region->maximum[i];
		RecodedCell recoded = region_cell(&writer->night->column[i], low, high);
		int at = CELL_COLUMNS + BOUND_COLUMNS * i;
		Datum label;

		fill_bound(writer, i, low, &values[at], &nulls[at]);
		fill_bound(writer, i, high, &values[at + 1], &nulls[at + 1]);
		label = cell_writer_write(writer->writer[i], &recoded, &nulls[at + 2]);
		if (!nulls[at + 2])
			values[at + 2] = CStringGetTextDatum(value_text_write(&writer->label[i], label));
	}
}

/* "ARRAY[v.l0, v.l1]", say. */
static char *
bound_array(const char *name, int attributes)
{
	StringInfoData array;

	initStringInfo(&array);
	for (int i = 0; i < attributes; i++)
		appendStringInfo(&array, "%sv.%s%d", i > 0 ? ", " : "ARRAY[", name, i);
	appendStringInfoChar(&array, ']');
	return array.data;
}

static CohortBatch *
cell_batch(const NightWriter *writer)
{
	int columns = CELL_COLUMNS + BOUND_COLUMNS * writer->attributes;
	Oid *types = palloc(sizeof(Oid) * columns);
	StringInfoData arguments;
	StringInfoData names;

	initStringInfo(&arguments);
	initStringInfo(&names);
	types[0] = INT8OID;
	types[1] = BOOLOID;
	types[2] = INT4OID;
	types[3] = INT4OID;
	types[4] = INT4OID;
	for (int i = 0; i < writer->attributes; i++)
		appendStringInfo(&names, ", l%d, h%d, b%d", i, i, i);
	for (int i = CELL_COLUMNS; i < columns; i++)
	{
		types[i] = TEXTOID;
		appendStringInfo(&arguments, ", $%d", i + 2);
	}
	return cohort_batch_create(
		writer->state->number,
		psprintf(
			"INSERT INTO @cohort_cell (cohort, cell, shown, k, people, present, low, high, label)"
			" SELECT $1, v.cell, v.shown, v.k, v.people, v.present, %s, %s, %s"
			" FROM unnest($2, $3, $4, $5, $6%s) AS v"
			" (cell, shown, k, people, present%s) ON CONFLICT (cohort, cell)"
			" DO UPDATE SET shown = EXCLUDED.shown,"
			" people = EXCLUDED.people, present = EXCLUDED.present,"
			" low = EXCLUDED.low, high = EXCLUDED.high, label = EXCLUDED.label",
			bound_array("l", writer->attributes), bound_array("h", writer->attributes),
			bound_array("b", writer->attributes), arguments.data, names.data),
		columns, types);
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

		recoding_figures_add_loss(&writer->figures, i,
								  loss_of_cell(&writer->night->stop.column[i], &recoded),
								  cell->members);
	}
}

static void
write_cells(NightWriter *writer)
{
	CohortBatch *batch = cell_batch(writer);
	Datum *values = palloc0(sizeof(Datum) * batch->columns);
	bool *nulls = palloc0(sizeof(bool) * batch->columns);

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
		fill_cell(writer, cell, values, nulls);
		MemoryContextSwitchTo(previous);
		cohort_batch_add(batch, values, nulls);
		MemoryContextReset(writer->scratch);
	}
	cohort_batch_end(batch);
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
	CohortBatch *batch;

	if (state->terms.models == NIL)
		return;
	batch = cohort_batch_create(
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
			cohort_batch_add(batch, &number, &isnull);
	}
	cohort_batch_end(batch);
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
		write_readings(&writer);
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
