/*
 * rollup.c
 *		See rollup.h.
 *
 * Counts in arrays if they pay (dense_table.h), otherwise by hashing (key_map.h).
 */
#include "postgres.h"

#include "frequency/rollup.h"

#include "base/interrupt.h"
#include "frequency/dense_table.h"
#include "frequency/key_map.h"

static FrequencySet *
set_from_table(FrequencySpace *space, const Level *node, CountTable *table)
{
	FrequencySet *set = frequency_set_create(space, node, table->used);

	frequency_set_append_table(set, table);
	return set;
}

static FrequencySet *
rollup_by_hashing(FrequencySet *source, FrequencySpace *space, const Level *node)
{
	KeyMap map = key_map_create(space, frequency_set_node(source), node);
	CountTable *table = key_map_table(source, space, node);
	FrequencySet *spill = frequency_set_create(space, node, 0);
	FrequencySet *set = spill;

	key_map_count(source, &map, (KeyPass){.passes = 1}, table, PG_INT64_MAX, spill);
	if (frequency_set_entries(spill) > 0)
		frequency_set_append_table(spill, table);
	else
	{
		frequency_set_free(spill);
		set = set_from_table(space, node, table);
	}
	count_table_free(table);
	key_map_free(&map);
	return set;
}

FrequencySet *
rollup(FrequencySet *source, FrequencySpace *space, const Level *node)
{
	DenseTable *cells = dense_table_count(source, space, node);
	FrequencySet *set;

	if (cells == NULL)
		return rollup_by_hashing(source, space, node);
	set = dense_table_set(cells);
	dense_table_free(cells);
	return set;
}

static void
tally_group(FrequencyTally *tally, const TallyRequest *request, int64 count)
{
	frequency_tally_add(tally, count, count, count < request->threshold);
}

static void
tally_table(FrequencyTally *tally, const TallyRequest *request, const CountTable *table)
{
	const uint64 *slot = table->slots;

	tally->groups += table->used;
	for (int64 i = 0; i < table->capacity; i++, slot += table->words + 1)
	{
		interrupt_check(i);
		if (slot[table->words] != 0)
			tally_group(tally, request, (int64) slot[table->words]);
	}
}

/* A set that is not partial needs no counting. */
static void
tally_set(FrequencyTally *tally, const TallyRequest *request, FrequencySet *set, int words)
{
	FrequencyScan scan = frequency_scan_begin(set);
	const uint64 *entries;
	int64 n;

	tally->groups = frequency_set_entries(set);
	while ((n = frequency_scan_next(&scan, &entries)) > 0)
		for (; n > 0; n--, entries += words + 1)
			tally_group(tally, request, (int64) entries[words]);
	frequency_scan_end(&scan);
}

/* Makes all passes over the keys; false if even one part of them does not fit. */
static bool
tally_in_passes(FrequencySet *source, const KeyMap *map, int passes, const TallyRequest *request,
				CountTable *table, FrequencyTally *tally)
{
	int64 max_groups = request->max_groups < 0 ? PG_INT64_MAX : request->max_groups;

	*tally = (FrequencyTally){0};
	for (int number = 0; number < passes && !tally->too_many; number++)
	{
		count_table_reset(table);
		if (!key_map_count(source, map, (KeyPass){.number = number, .passes = passes}, table,
						   max_groups - tally->groups, NULL))
			return false;
		tally_table(tally, request, table);
		tally->too_many = tally->groups > max_groups;
	}
	return true;
}

static void
tally_by_hashing(FrequencySet *source, FrequencySpace *space, const Level *node,
				 const TallyRequest *request, FrequencyTally *tally)
{
	KeyMap map = key_map_create(space, frequency_set_node(source), node);
	CountTable *table = key_map_table(source, space, node);
	int passes = 1;

	while (!tally_in_passes(source, &map, passes, request, table, tally))
	{
		passes *= 4;
		if (passes > KEY_MAP_PASSES)
			budget_exceeded(space->budget, 0, "frequency set");
	}
	if (request->keep && passes == 1 && !tally->too_many && frequency_set_fits(space, table->used))
		tally->kept = set_from_table(space, node, table);
	count_table_free(table);
	key_map_free(&map);
}

/* Tallies the cells, then frees them. */
static void
tally_by_cells(DenseTable *cells, const TallyRequest *request, FrequencyTally *tally)
{
	tally->groups = dense_table_groups(cells);
	for (int64 cell = 0; cell < cells->cells; cell++)
	{
		interrupt_check(cell);
		if (cells->counts[cell] != 0)
			tally_group(tally, request, cells->counts[cell]);
	}
	tally->too_many = request->max_groups >= 0 && tally->groups > request->max_groups;
	if (request->keep && !tally->too_many && frequency_set_fits(cells->space, tally->groups))
		tally->kept = dense_table_set(cells);
	dense_table_free(cells);
}

FrequencyTally
rollup_tally(FrequencySet *source, FrequencySpace *space, const Level *node,
			 const TallyRequest *request)
{
	FrequencyTally tally = {0};
	bool same = memcmp(frequency_set_node(source), node, sizeof(Level) * space->attributes) == 0;
	DenseTable *cells;

	if (same && !frequency_set_is_partial(source))
		tally_set(&tally, request, source, space->words);
	else if ((cells = dense_table_count(source, space, node)) != NULL)
		tally_by_cells(cells, request, &tally);
	else
		tally_by_hashing(source, space, node, request, &tally);
	return tally;
}

FrequencySet *
rollup_marginal(FrequencySpace *space, int attribute)
{
	int32 codes = space->dimension[attribute]->cardinality[0];
	const KeyField *field = &space->field[attribute];
	Level *node = palloc(sizeof(Level) * space->attributes);
	uint64 *entry = palloc0(sizeof(uint64) * (space->words + 1));
	FrequencySet *set;

	memset(node, LEVEL_ALL, sizeof(Level) * space->attributes);
	node[attribute] = 0;
	set = frequency_set_create(space, node, codes);
	for (int32 code = 0; code < codes; code++)
	{
		entry[field->word] = (uint64) code << field->shift;
		entry[space->words] = (uint64) space->marginal[attribute][code];
		frequency_set_append(set, entry, 1);
	}
	pfree(entry);
	pfree(node);
	return set;
}
