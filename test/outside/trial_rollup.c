/*
 * trial_rollup.c
 *		Trials of dimensions, rollups, tallies and the set cache over a table; see trial.h.
 */
#include "postgres.h"

#include "trial.h"

#include "frequency/rollup.h"
#include "lattice/search.h"
#include "port.h"
#include "table_source.h"

#define STEPS 6

/* ---- dimensions */

/* Rows have the same code at a level just if they have the same label there. */
static void
check_level(const Table *table, const Dimension *dimension, int attribute, int level,
			const int32 *ground)
{
	int labels = table->attribute[attribute].labels[level] + 1;
	int32 *code_of_label = palloc(sizeof(int32) * labels);
	int codes = 0;

	memset(code_of_label, 0xFF, sizeof(int32) * labels);
	for (int row = 0; row < table->rows; row++)
	{
		int label = table_label(table, row, attribute, level);
		int32 code = dimension->ancestor[level][ground[row]];

		if (code < 0 || code >= dimension->cardinality[level])
			elog(ERROR, "a dimension has a code out of bounds");
		codes += code_of_label[label] < 0;
		if (code_of_label[label] >= 0 && code_of_label[label] != code)
			elog(ERROR, "a dimension has two codes for one label");
		code_of_label[label] = code;
	}
	if (codes != dimension->cardinality[level] || codes != oracle_distinct(table, attribute, level))
		elog(ERROR, "a dimension has %d codes for %d labels", dimension->cardinality[level], codes);
	pfree(code_of_label);
}

static void
check_null(const Dimension *dimension, int32 ground)
{
	for (int level = 0; level <= dimension->height; level++)
		if (!dimension->has_null ||
			dimension->null_code[level] != dimension->ancestor[level][ground])
			elog(ERROR, "a dimension has the wrong code for NULL");
}

/* A map between two levels agrees with the ancestors. */
static void
check_map(Draw *draw, const Dimension *dimension)
{
	int to = draw_below(draw, dimension->height + 1);
	int from = draw_below(draw, to + 1);
	int32 *map = dimension_map(dimension, from, to);

	for (int32 ground = 0; ground < dimension->cardinality[0]; ground++)
		if (map[dimension->ancestor[from][ground]] != dimension->ancestor[to][ground])
			elog(ERROR, "a dimension's map between levels is wrong");
	pfree(map);
}

static void
check_dimension(Trial *trial, FrequencySource *source, int attribute)
{
	const Table *table = trial->table;
	const Dimension *dimension = source->space->dimension[attribute];
	int32 *ground = palloc(sizeof(int32) * table->rows);

	for (int row = 0; row < table->rows; row++)
		ground[row] = table_source_code(source, row, attribute);
	for (int level = 0; level <= dimension->height; level++)
		check_level(table, dimension, attribute, level, ground);
	for (int row = 0; row < table->rows; row++)
		if (table->cell[row * table->attributes + attribute] == CELL_NULL)
			check_null(dimension, ground[row]);
	check_map(trial->draw, dimension);
	pfree(ground);
}

/* ---- frequency sets */

static uint64 *
read_set(FrequencySet *set, int width)
{
	FrequencyScan scan = frequency_scan_begin(set);
	uint64 *entries = palloc(sizeof(uint64) * width * set->entries);
	const uint64 *chunk;
	int64 read = 0;
	int64 n;

	while ((n = frequency_scan_next(&scan, &chunk)) > 0)
	{
		memcpy(entries + read * width, chunk, sizeof(uint64) * width * n);
		read += n;
	}
	frequency_scan_end(&scan);
	return entries;
}

/* Adds up entries of the same key; they are sorted. */
static int64
merge_entries(uint64 *entries, int64 n, int width)
{
	int words = width - 1;
	int64 merged = 0;

	for (int64 i = 0; i < n; i++)
	{
		uint64 *entry = entries + i * width;
		uint64 *next = entries + merged * width;

		if (merged > 0 && table_source_compare(next - width, entry, &words) == 0)
			next[-1] += entry[words];
		else
		{
			memmove(next, entry, sizeof(uint64) * width);
			merged++;
		}
	}
	return merged;
}

/* A set has just the groups of its node; each once, if it is not partial. */
static void
check_set(FrequencySource *source, FrequencySet *set, const char *what)
{
	int words = source->space->words;
	int64 n = set->entries;
	uint64 *entries = read_set(set, words + 1);
	int64 merged;
	int64 groups;
	uint64 *expected = table_source_count(source, set->node, &groups);

	qsort_arg(entries, n, sizeof(uint64) * (words + 1), table_source_compare, &words);
	merged = merge_entries(entries, n, words + 1);
	if (merged != n && !set->partial)
		elog(ERROR, "%s has a group twice", what);
	if (merged != groups || memcmp(entries, expected, sizeof(uint64) * (words + 1) * groups) != 0)
		elog(ERROR, "%s has other groups than the table", what);
	pfree(entries);
	pfree(expected);
}

/* ---- tallies */

static void
oracle_levels(const FrequencySpace *space, const Level *node, int *level)
{
	for (int i = 0; i < space->attributes; i++)
		level[i] = node[i] == LEVEL_ALL ? ORACLE_ALL : node[i];
}

static void
compare_tally(const FrequencyTally *tally, const OracleNode *expected)
{
	if (tally->too_many || tally->groups != expected->groups ||
		tally->small_groups != expected->small_groups ||
		tally->small_rows != expected->small_rows || tally->smallest != expected->smallest ||
		tally->squares != expected->squares)
		elog(ERROR, "a tally is wrong");
}

static void
check_tally(Trial *trial, FrequencySource *source, FrequencySet *set, const Level *node)
{
	int level[TABLE_ATTRIBUTES];
	TallyRequest request = {.threshold = trial->table->k,
							.max_groups =
								draw_one_in(trial->draw, 2) ? -1 : draw_below(trial->draw, 40),
							.keep = draw_one_in(trial->draw, 2)};
	FrequencyTally tally = rollup_tally(set, source->space, node, &request);
	OracleNode expected;

	oracle_levels(source->space, node, level);
	expected = oracle_count(trial->table, level);
	if (request.max_groups >= 0 && tally.too_many && expected.groups <= request.max_groups)
		elog(ERROR, "a tally stopped at too few groups");
	if (!tally.too_many)
		compare_tally(&tally, &expected);
	if (tally.kept && !request.keep)
		elog(ERROR, "a tally kept a set unasked");
	if (tally.kept)
	{
		check_set(source, tally.kept, "a set kept by a tally");
		frequency_set_free(tally.kept);
	}
}

/* ---- steps */

/* A random node above another. */
static void
draw_node(Draw *draw, const FrequencySpace *space, const Level *from, Level *node)
{
	int all_in = draw_one_in(draw, 2) ? 0 : draw_between(draw, 2, 6);

	for (int i = 0; i < space->attributes; i++)
	{
		int height = space->dimension[i]->height;

		node[i] = from[i];
		if (all_in > 0 && draw_one_in(draw, all_in))
			node[i] = LEVEL_ALL;
		else if (from[i] != LEVEL_ALL && draw_one_in(draw, 2))
			node[i] = (Level) draw_between(draw, from[i], height);
	}
}

/* One rollup and one tally; the second time, with all maps made, they must leave nothing. */
static FrequencySet *
step(Trial *trial, FrequencySource *source, FrequencySet *set, const Level *node)
{
	FrequencySpace *space = source->space;
	FrequencySet *next = rollup(set, space, node);
	Size memory;
	int tapes;

	check_set(source, next, "a rollup");
	frequency_set_free(next);
	memory = backend_memory();
	tapes = backend_tapes();
	check_tally(trial, source, set, node);
	frequency_set_free(rollup(set, space, node));
	if (backend_memory() != memory || backend_tapes() != tapes)
		elog(ERROR, "rollups leave %zu bytes of memory, %d files", backend_memory() - memory,
			 backend_tapes() - tapes);
	return rollup(set, space, node);
}

/* Whatever a cache has for a node must serve it; the node's own set goes in. */
static void
check_cache(Trial *trial, FrequencySource *source, FrequencySet *ground)
{
	FrequencySpace *space = source->space;
	List *cache = list_make1(ground);
	Requirement requirement = {.k = 1};
	Level node[TABLE_ATTRIBUTES];

	for (int i = 0; i < STEPS; i++)
	{
		FrequencySet *best;

		draw_node(trial->draw, space, ground->node, node);
		best = set_cache_best(cache, node);
		if (!node_generalizes(space->attributes, node, best->node))
			elog(ERROR, "a cache gives a set that does not serve");
		check_tally(trial, source, best, node);
		set_cache_tally(&cache, NULL, &requirement, node,
						(TallyRequest){.max_groups = -1, .keep = TALLY_KEEP});
	}
	set_cache_free(cache);
}

void
trial_rollup(Trial *trial)
{
	const Table *table = trial->table;
	Level node[TABLE_ATTRIBUTES];
	FrequencySource *source;
	FrequencySet *set;

	trial->budget = trial_budget(table->limit);
	backend_cancel_after(table->cancel_after);
	source = table_source_create(table, &trial->budget);
	set = source->read_ground(source);
	check_set(source, set, "the ground set");
	for (int i = 0; i < table->attributes; i++)
	{
		FrequencySet *marginal = rollup_marginal(source->space, i);

		check_dimension(trial, source, i);
		if (table->rows > 0)
			check_set(source, marginal, "a marginal");
		frequency_set_free(marginal);
	}
	check_cache(trial, source, set);
	for (int i = 0; i < STEPS; i++)
	{
		FrequencySet *next;

		draw_node(trial->draw, source->space, set->node, node);
		next = step(trial, source, set, node);
		if (draw_one_in(trial->draw, 4))
		{
			frequency_set_free(next);
			next = source->read_node(source, node);
			check_set(source, next, "a set read from the table");
		}
		frequency_set_free(set);
		set = next;
	}
	frequency_set_free(set);
	if (backend_tapes() != 0)
		elog(ERROR, "a temporary file is left open");
}
