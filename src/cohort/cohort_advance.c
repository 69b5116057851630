/*
 * cohort_advance.c
 *		See cohort_advance.h.
 */
#include "postgres.h"

#include "cohort/cohort_advance.h"

#include "base/context.h"
#include "base/interrupt.h"
#include "cell/cell_format.h"
#include "cell/recoding_cells.h"
#include "metric/loss.h"
#include "miscadmin.h"
#include "model/model.h"
#include "partition/region.h"
#include "sql/name_array.h"
#include "sql/own_table.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/typcache.h"

/* Writes a finished night. */
typedef struct NightWriter
{
	CohortSource *source;
	CohortNight *night; /* the source's */
	int attributes;
	CellWriter **writer;     /* [attribute] */
	ValueText *label;        /* [attribute]: of cells as text */
	ValueText *plain;        /* [plain column] */
	bool *hidden;            /* [plain column]: failing cells do not publish it */
	Region *region;          /* of the current cell */
	RecodingFigures figures; /* of the cells shown */
	TupleSpool *members;     /* rows being written */
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
		weighed[i] = writer->writer[i]->loss;
		writer->label[i] = value_text_writer(writer->writer[i]->type);
	}
	night->column = column;
	night->order = record_codes_order(codes);
	night->stop =
		(PartitionStop){.loss = night->rules.target_loss, .column = weighed, .weight = weight};
	cohort_night_pass(night);
}

/* ---- rows for a table of kanon's, which one statement writes */

/* None yet; in the current context. */
static TupleSpool *
begin_rows(const char *table)
{
	Oid type = get_rel_type_id(own_table_find(table));

	return tuple_spool_create(lookup_rowtype_tupdesc_copy(type, -1), work_mem);
}

/* The statement reads the rows as "written". */
static void
write_rows(TupleSpool *rows, const char *sql)
{
	QueryScope scope = query_begin();

	tuple_spool_offer(rows, "written");
	own_table_do(sql, "");
	query_end(scope);
	tuple_spool_free(rows);
}

/* ---- people */

/* Adds a person to the rows; texts NULL: no values were read. */
static void
add_person(const NightWriter *writer, const CohortPerson *person, const ArrayType *texts)
{
	text *digest = cstring_to_text_with_len((const char *) person->digest.byte, RANDOM_NAME);
	const bool nulls[] = {false, false, person->cell == 0, false, texts == NULL};
	const Datum values[] = {Int64GetDatum(writer->source->state->number), PointerGetDatum(digest),
							Int64GetDatum(person->cell), Int32GetDatum(person->since),
							PointerGetDatum(texts)};

	tuple_spool_put(writer->members, values, nulls);
	pfree(digest);
}

/* Adds the chosen people, without their values. */
static void
add_people(const NightWriter *writer, bool (*chosen)(const CohortPerson *))
{
	for (int32 i = 0; i < writer->night->people; i++)
	{
		interrupt_check(i);
		if (chosen(&writer->night->person[i]))
			add_person(writer, &writer->night->person[i], NULL);
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
forget_waiting(NightWriter *writer)
{
	writer->members = begin_rows("kanon_cohort_member");
	add_people(writer, has_gone_waiting);
	write_rows(writer->members, "DELETE FROM @cohort_member m USING written w"
								" WHERE m.cohort = w.cohort AND m.digest = w.digest");
}

/* A CohortReading: adds the values, without those that a failing cell does not publish. */
static void
write_reading(void *state, int32 person, TupleTableSlot *values)
{
	const NightWriter *writer = state;
	const CohortNight *night = writer->night;
	MemoryContext previous = MemoryContextSwitchTo(writer->scratch);
	int32 cell = cohort_night_find_cell(night, night->person[person].cell);
	bool failing = cell >= 0 && night->cell[cell].failing;
	List *texts = NIL;

	for (int i = 0; i < writer->source->plain_count; i++)
	{
		bool isnull;
		Datum value = slot_getattr(values, i + 2, &isnull);
		bool published = !isnull && !(failing && writer->hidden[i]);

		texts = lappend(texts, published ? value_text_write(&writer->plain[i], value) : NULL);
	}
	add_person(writer, &night->person[person], text_array_of(texts));
	MemoryContextSwitchTo(previous);
	MemoryContextReset(writer->scratch);
}

static void
write_members(NightWriter *writer)
{
	writer->members = begin_rows("kanon_cohort_member");
	cohort_source_each_reading(writer->source, write_reading, writer);
	add_people(writer, is_changed_alone);
	write_rows(writer->members,
			   "INSERT INTO @cohort_member AS m SELECT * FROM written"
			   " ON CONFLICT (cohort, digest) DO UPDATE SET cell = EXCLUDED.cell,"
			   " since = EXCLUDED.since, values = coalesce(EXCLUDED.values, m.values)"
			   " WHERE m.cell IS DISTINCT FROM EXCLUDED.cell OR m.since <> EXCLUDED.since"
			   " OR m.values IS DISTINCT FROM coalesce(EXCLUDED.values, m.values)");
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

/* The texts of bounds of the current cell. */
static Datum
bounds_array(const NightWriter *writer, const int32 *bound)
{
	List *texts = NIL;

	for (int i = 0; i < writer->attributes; i++)
		texts =
			lappend(texts, bound[i] == DATASET_NULL
							   ? NULL
							   : dataset_column_text(writer->source->codes->column[i], bound[i]));
	return PointerGetDatum(text_array_of(texts));
}

/* The current cell's range or group of an attribute. */
static RecodedCell
recoded_cell(const NightWriter *writer, int attribute)
{
	return region_cell(&writer->night->column[attribute], writer->region->minimum[attribute],
					   writer->region->maximum[attribute]);
}

static Datum
labels_array(NightWriter *writer)
{
	List *texts = NIL;

	for (int i = 0; i < writer->attributes; i++)
	{
		RecodedCell cell = recoded_cell(writer, i);
		bool isnull;
		Datum label = cell_writer_write(writer->writer[i], &cell, &isnull);

		texts = lappend(texts, isnull ? NULL : value_text_write(&writer->label[i], label));
	}
	return PointerGetDatum(text_array_of(texts));
}

static void
add_cell(NightWriter *writer, const CohortCell *cell, TupleSpool *cells)
{
	MemoryContext previous = MemoryContextSwitchTo(writer->scratch);
	const Datum values[] = {Int64GetDatum(writer->source->state->number),
							Int64GetDatum(cell->number),
							BoolGetDatum(cell->shown),
							bounds_array(writer, writer->region->minimum),
							bounds_array(writer, writer->region->maximum),
							labels_array(writer),
							Int32GetDatum(cell->k),
							Int32GetDatum(cell->members),
							Int32GetDatum(cell->present)};
	const bool nulls[lengthof(values)] = {false};

	tuple_spool_put(cells, values, nulls);
	MemoryContextSwitchTo(previous);
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
	TupleSpool *cells = begin_rows("kanon_cohort_cell");

	for (int32 i = 0; i < writer->night->cells; i++)
	{
		const CohortCell *cell = &writer->night->cell[i];
		bool widened = measure_cell(writer, cell);

		CHECK_FOR_INTERRUPTS();
		if (cell->shown)
			add_loss(writer, cell);
		if (widened || cell->changed)
			add_cell(writer, cell, cells);
	}
	write_rows(cells, "INSERT INTO @cohort_cell SELECT * FROM written"
					  " ON CONFLICT (cohort, cell) DO UPDATE SET shown = EXCLUDED.shown,"
					  " people = EXCLUDED.people, present = EXCLUDED.present,"
					  " low = EXCLUDED.low, high = EXCLUDED.high, label = EXCLUDED.label");
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
	NightWriter writer = {.source = source,
						  .night = &source->night,
						  .attributes = attributes,
						  .writer = palloc(sizeof(CellWriter *) * attributes),
						  .label = palloc(sizeof(ValueText) * attributes),
						  .plain = palloc(sizeof(ValueText) * Max(source->plain_count, 1)),
						  .hidden = palloc(sizeof(bool) * Max(source->plain_count, 1)),
						  .region = region_create(source->codes->dataset),
						  .figures = {.attributes = attributes}};

	for (int i = 0; i < source->plain_count; i++)
	{
		const DescribedAttribute *column = source->plain[i];

		writer.plain[i] = value_text_writer(column->type);
		writer.hidden[i] = column->role == ROLE_SENSITIVE;
		foreach_ptr (const Model, model, source->state->terms.models)
			writer.hidden[i] |= strcmp(model->column, column->name) == 0;
	}
	writer.scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon cohort texts", CONTEXT_SMALL_SIZES);
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

	context = AllocSetContextCreate(CurrentMemoryContext, "kanon cohorts", CONTEXT_DEFAULT_SIZES);
	caller = MemoryContextSwitchTo(context);
	budget = budget_begin();
	query_snapshot_begin();
	pass_night(state, &budget);
	query_snapshot_end();
	cohort_state_close(state);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
}
