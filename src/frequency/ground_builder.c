/*
 * ground_builder.c
 *		See ground_builder.h.
 *
 * Keys are laid out for the codes seen so far.  When a code does not fit its field, the field gets
 * one more bit and all groups are repacked.  Dictionaries fill early, while there are few groups,
 * so this is cheap.  Groups that do not fit in memory go to a set on tape, one for each layout.
 */
#include "postgres.h"

#include "frequency/ground_builder.h"

#include "base/interrupt.h"
#include "nodes/pg_list.h"

struct GroundBuilder
{
	FrequencySpace *space; /* the current layout, and nothing else of a space */
	List *layouts;         /* all spaces; each with its fields behind it */
	FrequencySet *spilled; /* groups in the current one; NULL: none */
	List *sets;            /* those of all layouts */
	int64 rows;
	CountTable *table;
	uint64 *keys; /* the block being filled */
	int64 counts[COUNT_BLOCK];
	int pending;
};

/* Called for every group with its provisional codes. */
typedef void (*GroupVisitor)(void *state, const int32 *codes, int64 count);

static void
lay_out(GroundBuilder *builder, int attributes, const int32 *cardinality, Budget *budget)
{
	FrequencySpace *space = palloc0(sizeof(FrequencySpace) + sizeof(KeyField) * attributes);

	space->attributes = attributes;
	space->budget = budget;
	space->field = (KeyField *) (space + 1);
	space->words = frequency_space_layout(attributes, cardinality, space->field);
	builder->space = space;
	builder->layouts = lappend(builder->layouts, space);
	builder->spilled = NULL;
	builder->keys = palloc(sizeof(uint64) * space->words * COUNT_BLOCK);
	builder->table = count_table_create(space->words, budget, 0);
}

GroundBuilder *
ground_builder_create(int attributes, Budget *budget)
{
	GroundBuilder *builder = palloc0(sizeof(GroundBuilder));
	int32 *cardinality = palloc0(sizeof(int32) * attributes);

	/* Each field has at least one bit. */
	lay_out(builder, attributes, cardinality, budget);
	pfree(cardinality);
	return builder;
}

/* Moves the table's groups to a tape. */
static void
spill(GroundBuilder *builder)
{
	if (builder->spilled == NULL)
	{
		builder->spilled =
			frequency_set_create(builder->space, frequency_space_ground(builder->space), 0);
		builder->sets = lappend(builder->sets, builder->spilled);
	}
	frequency_set_append_table(builder->spilled, builder->table);
	count_table_reset(builder->table);
}

static void
flush_block(GroundBuilder *builder)
{
	while (!count_table_add_block(builder->table, builder->keys, builder->counts, builder->pending))
		spill(builder);
	builder->pending = 0;
}

/* A GroupVisitor. */
static void
add_key(void *state, const int32 *codes, int64 count)
{
	GroundBuilder *builder = state;
	const FrequencySpace *space = builder->space;
	uint64 *key = builder->keys + builder->pending * space->words;

	for (int w = 0; w < space->words; w++)
		key[w] = 0;
	for (int i = 0; i < space->attributes; i++)
		key[space->field[i].word] |= (uint64) codes[i] << space->field[i].shift;
	builder->counts[builder->pending++] = count;
	if (builder->pending == COUNT_BLOCK)
		flush_block(builder);
}

/* Visits entries of a set, or slots of a table, of which free ones have no count. */
static void
visit_entries(const FrequencySpace *space, const uint64 *entries, int64 count, GroupVisitor visit,
			  void *state)
{
	int32 *codes = palloc(sizeof(int32) * space->attributes);

	for (int64 n = 0; n < count; n++, entries += space->words + 1)
	{
		interrupt_check(n);
		if (entries[space->words] == 0)
			continue;
		for (int i = 0; i < space->attributes; i++)
		{
			const KeyField *field = &space->field[i];

			codes[i] = (int32) ((entries[field->word] >> field->shift) & field->mask);
		}
		visit(state, codes, (int64) entries[space->words]);
	}
	pfree(codes);
}

/* Repacks all groups of the table with wider fields. */
static void
widen(GroundBuilder *builder, const int32 *codes)
{
	const FrequencySpace *space = builder->space;
	CountTable *table = builder->table;
	int32 *cardinality = palloc(sizeof(int32) * space->attributes);

	flush_block(builder);
	pfree(builder->keys);
	for (int i = 0; i < space->attributes; i++)
		cardinality[i] = Max(codes[i], (int32) space->field[i].mask) + 1;
	lay_out(builder, space->attributes, cardinality, space->budget);
	pfree(cardinality);
	visit_entries(space, table->slots, table->capacity, add_key, builder);
	flush_block(builder);
	count_table_free(table);
}

void
ground_builder_add(GroundBuilder *builder, const int32 *codes, int64 count)
{
	const FrequencySpace *space = builder->space;
	uint64 excess = 0;

	for (int i = 0; i < space->attributes; i++)
		excess |= (uint64) codes[i] & ~space->field[i].mask;
	if (excess != 0)
		widen(builder, codes);
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
	const FrequencySpace *space = builder->space;

	if (budget_left(space->budget) >= bytes)
		return;
	flush_block(builder);
	spill(builder);
	count_table_free(builder->table);
	builder->table = count_table_create(space->words, space->budget, 0);
}

/* Visits every group once for each place it lies in: spilled groups may come again. */
static void
visit_groups(GroundBuilder *builder, GroupVisitor visit, void *state)
{
	const uint64 *entries;
	int64 count;

	flush_block(builder);
	foreach_ptr (FrequencySet, set, builder->sets)
	{
		FrequencyScan scan = frequency_scan_begin(set);

		while ((count = frequency_scan_next(&scan, &entries)) > 0)
			visit_entries(set->space, entries, count, visit, state);
		frequency_scan_end(&scan);
	}
	visit_entries(builder->space, builder->table->slots, builder->table->capacity, visit, state);
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
	MarginalState state = {.attributes = builder->space->attributes};

	state.marginal = palloc(sizeof(int64 *) * state.attributes);
	for (int i = 0; i < state.attributes; i++)
		state.marginal[i] = budget_allocate(builder->space->budget, codes[i], sizeof(int64),
											"dictionary of values");
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
		const int32 *final = finish->final_code ? finish->final_code[i] : NULL;
		int32 code = final ? final[codes[i]] : codes[i];

		finish->entry[space->field[i].word] |= (uint64) code << space->field[i].shift;
	}
	finish->entry[space->words] = (uint64) count;
	frequency_set_append(finish->set, finish->entry);
}

FrequencySet *
ground_builder_finish(GroundBuilder *builder, FrequencySpace *space, const Level *node,
					  int32 *const *final_code)
{
	FinishState state = {.space = space, .final_code = final_code};
	int64 expected = builder->sets ? 0 : builder->table->used + builder->pending;
	ListCell *cell;

	state.set = frequency_set_create(space, node, expected);
	state.entry = palloc(sizeof(uint64) * (space->words + 1));
	visit_groups(builder, append_final, &state);
	state.set->partial = builder->sets != NIL;
	foreach (cell, builder->sets)
		frequency_set_free(lfirst(cell));
	list_free(builder->sets);
	list_free_deep(builder->layouts);
	count_table_free(builder->table);
	pfree(builder->keys);
	pfree(builder);
	pfree(state.entry);
	return state.set;
}
