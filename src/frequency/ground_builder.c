/*
 * ground_builder.c
 *		See ground_builder.h.
 *
 * Keys are laid out for the codes seen so far.  When a code does not fit its field, the field gets
 * one more bit and all groups are repacked.  Dictionaries fill early, while there are few groups,
 * so this is cheap.  Groups that do not fit in memory go to a tape in their current layout, one
 * segment for each layout.
 */
#include "postgres.h"

#include "frequency/ground_builder.h"

#include "miscadmin.h"
#include "nodes/pg_list.h"
#include "storage/buffile.h"

#define CHUNK 1024

/* Groups on tape that share one layout. */
typedef struct Segment
{
	int words;
	KeyField *field;
	int64 entries;
} Segment;

struct GroundBuilder
{
	int attributes;
	Budget *budget;
	int64 rows;
	int32 *cardinality; /* codes that a field has room for: a power of two */
	int words;
	KeyField *field;
	CountTable *table;
	uint64 *keys; /* the block being filled */
	int64 counts[COUNT_BLOCK];
	int pending;
	BufFile *tape;
	List *segments;
};

/* Called for every group with its provisional codes. */
typedef void (*GroupVisitor)(void *state, const int32 *codes, int64 count);

static void
lay_out(GroundBuilder *builder)
{
	builder->field = palloc(sizeof(KeyField) * builder->attributes);
	builder->words =
		frequency_space_layout(builder->attributes, builder->cardinality, builder->field);
	builder->keys = palloc(sizeof(uint64) * builder->words * COUNT_BLOCK);
	builder->table = count_table_create(builder->words, builder->budget, 0);
}

GroundBuilder *
ground_builder_create(int attributes, Budget *budget)
{
	GroundBuilder *builder = palloc0(sizeof(GroundBuilder));

	builder->attributes = attributes;
	builder->budget = budget;
	builder->cardinality = palloc(sizeof(int32) * attributes);
	for (int i = 0; i < attributes; i++)
		builder->cardinality[i] = 2;
	lay_out(builder);
	return builder;
}

/* Moves the table's groups to the tape. */
static void
spill(GroundBuilder *builder)
{
	CountTable *table = builder->table;
	int width = table->words + 1;
	Segment *segment = palloc(sizeof(Segment));

	*segment = (Segment){.words = builder->words, .field = builder->field, .entries = table->used};
	builder->segments = lappend(builder->segments, segment);
	if (builder->tape == NULL)
		builder->tape = BufFileCreateTemp(false);
	for (int64 i = 0; i < table->capacity; i++)
	{
		if (i % CHUNK == 0)
			CHECK_FOR_INTERRUPTS();
		if (table->slots[i * width + table->words] != 0)
			BufFileWrite(builder->tape, table->slots + i * width, sizeof(uint64) * width);
	}
	count_table_reset(table);
}

static void
flush_block(GroundBuilder *builder)
{
	while (!count_table_add_block(builder->table, builder->keys, builder->counts, builder->pending))
		spill(builder);
	builder->pending = 0;
}

static void
add_key(GroundBuilder *builder, const int32 *codes, int64 count)
{
	uint64 *key = builder->keys + builder->pending * builder->words;

	for (int w = 0; w < builder->words; w++)
		key[w] = 0;
	for (int i = 0; i < builder->attributes; i++)
		key[builder->field[i].word] |= (uint64) codes[i] << builder->field[i].shift;
	builder->counts[builder->pending++] = count;
	if (builder->pending == COUNT_BLOCK)
		flush_block(builder);
}

static void
unpack(const KeyField *field, int attributes, const uint64 *key, int32 *codes)
{
	for (int i = 0; i < attributes; i++)
		codes[i] = (int32) ((key[field[i].word] >> field[i].shift) & field[i].mask);
}

/* Repacks all groups of the table with wider fields. */
static void
widen(GroundBuilder *builder, const int32 *codes)
{
	CountTable *old = builder->table;
	KeyField *old_field = builder->field;
	int width = old->words + 1;
	int32 *unpacked = palloc(sizeof(int32) * builder->attributes);

	flush_block(builder);
	pfree(builder->keys);
	for (int i = 0; i < builder->attributes; i++)
		while (codes[i] >= builder->cardinality[i])
			builder->cardinality[i] *= 2;
	lay_out(builder);
	for (int64 i = 0; i < old->capacity; i++)
	{
		const uint64 *slot = old->slots + i * width;

		if (slot[old->words] == 0)
			continue;
		unpack(old_field, builder->attributes, slot, unpacked);
		add_key(builder, unpacked, (int64) slot[old->words]);
	}
	flush_block(builder);
	count_table_free(old);
	pfree(unpacked);
}

void
ground_builder_add(GroundBuilder *builder, const int32 *codes, int64 count)
{
	for (int i = 0; i < builder->attributes; i++)
		if (codes[i] >= builder->cardinality[i])
		{
			widen(builder, codes);
			break;
		}
	add_key(builder, codes, count);
	builder->rows += count;
}

int64
ground_builder_rows(const GroundBuilder *builder)
{
	return builder->rows;
}

void
ground_builder_make_room(GroundBuilder *builder, Size bytes)
{
	if (budget_left(builder->budget) >= bytes)
		return;
	flush_block(builder);
	spill(builder);
	count_table_free(builder->table);
	builder->table = count_table_create(builder->words, builder->budget, 0);
}

static void
visit_table(GroundBuilder *builder, GroupVisitor visit, void *state, int32 *codes)
{
	CountTable *table = builder->table;
	int width = table->words + 1;

	for (int64 i = 0; i < table->capacity; i++)
	{
		const uint64 *slot = table->slots + i * width;

		if (i % CHUNK == 0)
			CHECK_FOR_INTERRUPTS();
		if (slot[table->words] == 0)
			continue;
		unpack(builder->field, builder->attributes, slot, codes);
		visit(state, codes, (int64) slot[table->words]);
	}
}

static void
visit_segment(GroundBuilder *builder, const Segment *segment, GroupVisitor visit, void *state,
			  int32 *codes)
{
	int width = segment->words + 1;
	uint64 *buffer = palloc(sizeof(uint64) * width * CHUNK);

	for (int64 left = segment->entries; left > 0;)
	{
		int64 n = Min(left, CHUNK);
		Size bytes = sizeof(uint64) * width * n;

		CHECK_FOR_INTERRUPTS();
		if (BufFileRead(builder->tape, buffer, bytes) != bytes)
			ereport(ERROR, (errcode_for_file_access(), errmsg("could not read temporary file")));
		for (int64 i = 0; i < n; i++)
		{
			unpack(segment->field, builder->attributes, buffer + i * width, codes);
			visit(state, codes, (int64) buffer[i * width + segment->words]);
		}
		left -= n;
	}
	pfree(buffer);
}

/* Visits every group once for each place it lies in: spilled groups may come again. */
static void
visit_groups(GroundBuilder *builder, GroupVisitor visit, void *state)
{
	int32 *codes = palloc(sizeof(int32) * builder->attributes);
	ListCell *cell;

	flush_block(builder);
	if (builder->tape && BufFileSeek(builder->tape, 0, 0, SEEK_SET) != 0)
		ereport(ERROR, (errcode_for_file_access(), errmsg("could not rewind temporary file")));
	foreach (cell, builder->segments)
		visit_segment(builder, lfirst(cell), visit, state, codes);
	visit_table(builder, visit, state, codes);
	pfree(codes);
}

typedef struct MarginalState
{
	int attributes;
	int64 **marginal;
} MarginalState;

static void
add_to_marginals(void *state, const int32 *codes, int64 count)
{
	MarginalState *marginals = state;

	for (int i = 0; i < marginals->attributes; i++)
		marginals->marginal[i][codes[i]] += count;
}

int64 **
ground_builder_marginals(GroundBuilder *builder, const int32 *codes)
{
	MarginalState state = {.attributes = builder->attributes};

	state.marginal = palloc(sizeof(int64 *) * builder->attributes);
	for (int i = 0; i < builder->attributes; i++)
		state.marginal[i] =
			budget_allocate(builder->budget, codes[i], sizeof(int64), "dictionary of values");
	visit_groups(builder, add_to_marginals, &state);
	return state.marginal;
}

typedef struct FinishState
{
	FrequencySpace *space;
	int32 *const *final_code;
	FrequencySet *set;
	uint64 *entry;
} FinishState;

static void
append_final(void *state, const int32 *codes, int64 count)
{
	FinishState *finish = state;
	const FrequencySpace *space = finish->space;

	memset(finish->entry, 0, sizeof(uint64) * space->words);
	for (int i = 0; i < space->attributes; i++)
	{
		int32 code = finish->final_code[i] ? finish->final_code[i][codes[i]] : codes[i];

		finish->entry[space->field[i].word] |= (uint64) code << space->field[i].shift;
	}
	finish->entry[space->words] = (uint64) count;
	frequency_set_append(finish->set, finish->entry);
}

FrequencySet *
ground_builder_finish(GroundBuilder *builder, FrequencySpace *space, int32 *const *final_code)
{
	FinishState state = {.space = space, .final_code = final_code};
	Level *ground = frequency_space_ground(space);
	int64 expected = builder->tape ? 0 : builder->table->used + builder->pending;

	state.set = frequency_set_create(space, ground, expected);
	state.entry = palloc(sizeof(uint64) * (space->words + 1));
	visit_groups(builder, append_final, &state);
	if (builder->tape)
	{
		frequency_set_mark_partial(state.set);
		BufFileClose(builder->tape);
	}
	count_table_free(builder->table);
	pfree(builder->keys);
	pfree(builder);
	pfree(state.entry);
	return state.set;
}
