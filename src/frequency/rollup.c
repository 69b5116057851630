/*
 * rollup.c
 *		See rollup.h.
 *
 * Counts in arrays if they pay (rollup.h), otherwise by hashing (frequency_set.h).
 */
#include "postgres.h"

#include "frequency/rollup.h"

#include "base/interrupt.h"
#include "frequency/frequency_set.h"
#include "port/pg_bitutils.h"

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
	KeyMap map = key_map_create(space, source->node, node);
	CountTable *table = key_map_table(source, space, node, 0);
	FrequencySet *spill = frequency_set_create(space, node, 0);
	FrequencySet *set = spill;

	key_map_count(source, &map, (KeyPass){.passes = 1}, table, PG_INT64_MAX, spill);
	if (spill->entries > 0)
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

static inline void
tally_group(FrequencyTally *tally, const TallyRequest *request, int64 count, const uint64 *key)
{
	bool small = count < request->threshold;

	frequency_tally_add(tally, count, count, small);
	if (small && request->loss)
		frequency_tally_lose(tally, request, count, key);
}

/* Adds the rows in small groups, and nothing else; an empty slot has no rows. */
static void
tally_small_rows(FrequencyTally *tally, const TallyRequest *request, const CountTable *table)
{
	const uint64 *count = table->slots + table->words;
	uint64 threshold = (uint64) request->threshold;
	uint64 rows = 0;

	for (int64 i = 0; i < table->capacity; i++, count += table->words + 1)
	{
		interrupt_check(i);
		rows += *count < threshold ? *count : 0;
	}
	tally->small_rows += (int64) rows;
}

static void
tally_table(FrequencyTally *tally, const TallyRequest *request, const CountTable *table)
{
	const uint64 *slot = table->slots;

	tally->groups += table->used;
	if (request->decide)
	{
		tally_small_rows(tally, request, table);
		return;
	}
	for (int64 i = 0; i < table->capacity; i++, slot += table->words + 1)
	{
		interrupt_check(i);
		if (slot[table->words] != 0)
			tally_group(tally, request, (int64) slot[table->words], slot);
	}
}

/* A set that is not partial needs no counting. */
static void
tally_set(FrequencyTally *tally, const TallyRequest *request, FrequencySet *set, int words)
{
	FrequencyScan scan = frequency_scan_begin(set);
	const uint64 *entries;
	int64 n;

	tally->groups = set->entries;
	while ((n = frequency_scan_next(&scan, &entries)) > 0)
		for (; n > 0; n--, entries += words + 1)
			tally_group(tally, request, (int64) entries[words], entries);
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
	KeyMap map = key_map_create(space, source->node, node);
	CountTable *table = key_map_table(source, space, node, request->expected);
	int passes = 1;

	while (!tally_in_passes(source, &map, passes, request, table, tally))
	{
		passes *= 4;
		if (passes > KEY_MAP_PASSES)
			budget_exceeded(space->budget, 0, "frequency set");
	}
	if (passes == 1 && !tally->too_many && tally_keeps(request, tally, source, table->used) &&
		frequency_set_fits(space, table->used))
		tally->kept = set_from_table(space, node, table);
	count_table_free(table);
	key_map_free(&map);
}

/* Tallies the cells, then frees them. */
static void
tally_by_cells(DenseTable *cells, const FrequencySet *source, const TallyRequest *request,
			   FrequencyTally *tally)
{
	uint64 *key = palloc(sizeof(uint64) * cells->space->words);

	tally->groups = dense_table_groups(cells);
	for (int64 cell = 0; cell < cells->cells; cell++)
	{
		interrupt_check(cell);
		if (cells->counts[cell] == 0)
			continue;
		if (request->loss && cells->counts[cell] < request->threshold)
			dense_table_key(cells, cell, key);
		tally_group(tally, request, cells->counts[cell], key);
	}
	pfree(key);
	tally->too_many = request->max_groups >= 0 && tally->groups > request->max_groups;
	if (!tally->too_many && tally_keeps(request, tally, source, tally->groups) &&
		frequency_set_fits(cells->space, tally->groups))
		tally->kept = dense_table_set(cells);
	dense_table_free(cells);
}

FrequencyTally
rollup_tally(FrequencySet *source, FrequencySpace *space, const Level *node,
			 const TallyRequest *request)
{
	FrequencyTally tally = {0};
	bool same = memcmp(source->node, node, sizeof(Level) * space->attributes) == 0;
	DenseTable *cells;

	if (same && !source->partial)
		tally_set(&tally, request, source, space->words);
	else if ((cells = dense_table_count(source, space, node)) != NULL)
		tally_by_cells(cells, source, request, &tally);
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
		frequency_set_append(set, entry);
	}
	pfree(entry);
	pfree(node);
	return set;
}

/*
 * ---- Arrays.  If there are hardly more combinations than groups, this is faster than hashing: a
 * cell takes at most a quarter of a hash slot and needs no key and no probing.
 *
 * Example: at a node with 3 codes of zip and 2 of sex the array has 6 cells, and (zip 2, sex 1) is
 * cell 2 * 2 + 1.  For each attribute a table maps the codes of the source's level to its part of
 * the cell number; a group's cell is the sum of the parts.  Attributes whose fields are close
 * together in the key share one table, because lookups dominate counting (measured: two fifths of a
 * search on millions of groups).
 */

#define BLOCK 64
/* Most cells for each entry of the source, and the least number of entries for which tables pay. */
#define CELLS_PER_ENTRY 2
#define ENTRIES_AT_LEAST 1024
#define JOINT_BITS 11 /* a table of 8 kB: several fit in the L1 cache */

/* One attribute's part of the cell number. */
typedef struct DenseShare
{
	const KeyField *field;
	int32 codes;
	uint32 *cell; /* [code at the source's level] */
} DenseShare;

/* The parts of attributes whose fields lie within JOINT_BITS of a word. */
typedef struct DenseField
{
	int word;
	int shift;
	uint64 mask;
	uint32 *cell; /* [bits of the word] */
} DenseField;

static bool
tells_apart(const FrequencySpace *space, const Level *node, int attribute)
{
	return node[attribute] != LEVEL_ALL &&
		   space->dimension[attribute]->cardinality[node[attribute]] > 1;
}

/* Finds the attributes that distinguish groups, in order; returns their number. */
static int
make_shares(const FrequencySpace *space, const Level *from, const Level *to, DenseShare *shares)
{
	uint32 stride = 1;
	int count = 0;

	for (int i = 0; i < space->attributes; i++)
		count += tells_apart(space, to, i);
	for (int i = space->attributes - 1, next = count; i >= 0; i--)
	{
		const Dimension *dimension = space->dimension[i];
		int32 codes;
		int32 *map;
		uint32 *cell;

		if (!tells_apart(space, to, i))
			continue;
		codes = dimension->cardinality[from[i]];
		map = dimension_map(dimension, from[i], to[i]);
		cell = palloc_extended(sizeof(uint32) * Max(codes, 1), MCXT_ALLOC_HUGE);
		for (int32 code = 0; code < codes; code++)
			cell[code] = (uint32) map[code] * stride;
		pfree(map);
		shares[--next] = (DenseShare){.field = &space->field[i], .codes = codes, .cell = cell};
		stride *= (uint32) dimension->cardinality[to[i]];
	}
	return count;
}

/* The bits from the beginning of one field to the end of another in the same word. */
static int
span_bits(const KeyField *first, const KeyField *last)
{
	return last->shift + pg_leftmost_one_pos64(last->mask) + 1 - first->shift;
}

/* Makes one table for shares[0 .. count - 1].  Bits of other fields between them do not matter. */
static DenseField
join_shares(const DenseShare *shares, int count)
{
	const KeyField *first = shares[0].field;
	int64 size = INT64CONST(1) << span_bits(first, shares[count - 1].field);
	DenseField field = {.word = first->word, .shift = first->shift, .mask = (uint64) size - 1};

	field.cell = palloc_extended(sizeof(uint32) * size, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	for (int s = 0; s < count; s++)
	{
		const KeyField *part = shares[s].field;

		for (int64 bits = 0; bits < size; bits++)
		{
			uint64 code = ((uint64) bits >> (part->shift - first->shift)) & part->mask;

			if (code < (uint64) shares[s].codes)
				field.cell[bits] += shares[s].cell[code];
		}
	}
	return field;
}

static DenseField *
make_fields(const FrequencySpace *space, const Level *from, const Level *to, int *count)
{
	DenseShare *shares = palloc(sizeof(DenseShare) * space->attributes);
	DenseField *fields = palloc(sizeof(DenseField) * space->attributes);
	int total = make_shares(space, from, to, shares);

	*count = 0;
	for (int begin = 0, end; begin < total; begin = end)
	{
		for (end = begin + 1; end < total; end++)
			if (shares[end].field->word != shares[begin].field->word ||
				span_bits(shares[begin].field, shares[end].field) > JOINT_BITS)
				break;
		fields[(*count)++] = join_shares(shares + begin, end - begin);
	}
	for (int i = 0; i < total; i++)
		pfree(shares[i].cell);
	pfree(shares);
	return fields;
}

static void
add_entries(DenseTable *table, const uint64 *entries, int n, const DenseField *fields, int count)
{
	int width = table->space->words + 1;
	uint32 cell[BLOCK] = {0};

	for (int f = 0; f < count; f++)
	{
		const DenseField field = fields[f];

		for (int i = 0; i < n; i++)
			cell[i] += field.cell[(entries[i * width + field.word] >> field.shift) & field.mask];
	}
	for (int i = 0; i < n; i++)
		table->counts[cell[i]] += (uint32) entries[i * width + width - 1];
}

static void
count_source(DenseTable *table, FrequencySet *source, const DenseField *fields, int count)
{
	FrequencyScan scan = frequency_scan_begin(source);
	int width = table->space->words + 1;
	const uint64 *entries;
	int64 left;

	while ((left = frequency_scan_next(&scan, &entries)) > 0)
		for (; left > 0; left -= BLOCK, entries += BLOCK * width)
			add_entries(table, entries, Min(left, BLOCK), fields, count);
	frequency_scan_end(&scan);
}

DenseTable *
dense_table_count(FrequencySet *source, FrequencySpace *space, const Level *node)
{
	double cells = frequency_space_domain(space, node);
	int64 entries = source->entries;
	DenseTable *table;
	DenseField *fields;
	int count;

	/* The number of cells ensures that codes fit in 32 bits; counts must fit as well. */
	if (entries < ENTRIES_AT_LEAST || space->rows > PG_UINT32_MAX || cells > PG_INT32_MAX / 2 ||
		cells > (double) entries * CELLS_PER_ENTRY ||
		!budget_fits(space->budget, sizeof(uint32) * (Size) cells))
		return NULL;
	table = palloc(sizeof(DenseTable));
	*table = (DenseTable){
		.space = space, .node = frequency_space_copy(space, node), .cells = (int64) cells};
	table->counts =
		palloc_extended(sizeof(uint32) * table->cells, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	fields = make_fields(space, source->node, node, &count);
	count_source(table, source, fields, count);
	for (int f = 0; f < count; f++)
		pfree(fields[f].cell);
	pfree(fields);
	return table;
}

void
dense_table_key(const DenseTable *table, int64 cell, uint64 *key)
{
	const FrequencySpace *space = table->space;

	memset(key, 0, sizeof(uint64) * space->words);
	for (int i = space->attributes - 1; i >= 0; i--)
	{
		const KeyField *field = &space->field[i];
		int32 codes;

		if (!tells_apart(space, table->node, i))
			continue;
		codes = space->dimension[i]->cardinality[table->node[i]];
		key[field->word] |= (uint64) (cell % codes) << field->shift;
		cell /= codes;
	}
}

/* The fields of the next cell's key: an odometer over the codes. */
typedef struct Odometer
{
	int digits;
	const KeyField **field; /* [digit]: fastest first */
	int32 *cardinality;
	int32 *code;
} Odometer;

/* From the key of one cell to that of the next. */
static void
odometer_advance(Odometer *odometer, uint64 *key)
{
	for (int d = 0; d < odometer->digits; d++)
	{
		const KeyField *field = odometer->field[d];

		if (++odometer->code[d] < odometer->cardinality[d])
		{
			key[field->word] += UINT64CONST(1) << field->shift;
			return;
		}
		odometer->code[d] = 0;
		key[field->word] &= ~(field->mask << field->shift);
	}
}

int64
dense_table_groups(const DenseTable *table)
{
	int64 groups = 0;

	for (int64 cell = 0; cell < table->cells; cell++)
		groups += table->counts[cell] != 0;
	return groups;
}

FrequencySet *
dense_table_set(const DenseTable *table)
{
	const FrequencySpace *space = table->space;
	FrequencySet *set = frequency_set_create(table->space, table->node, dense_table_groups(table));
	uint64 *entry = palloc0(sizeof(uint64) * (space->words + 1));
	Odometer odometer = {.field = palloc(sizeof(KeyField *) * space->attributes),
						 .cardinality = palloc(sizeof(int32) * space->attributes),
						 .code = palloc0(sizeof(int32) * space->attributes)};

	for (int i = space->attributes - 1; i >= 0; i--)
	{
		if (!tells_apart(space, table->node, i))
			continue;
		odometer.field[odometer.digits] = &space->field[i];
		odometer.cardinality[odometer.digits++] = space->dimension[i]->cardinality[table->node[i]];
	}
	for (int64 cell = 0; cell < table->cells; cell++, odometer_advance(&odometer, entry))
	{
		interrupt_check(cell);
		if (table->counts[cell] == 0)
			continue;
		entry[space->words] = table->counts[cell];
		frequency_set_append(set, entry);
	}
	pfree(entry);
	pfree(odometer.field);
	pfree(odometer.cardinality);
	pfree(odometer.code);
	return set;
}

void
dense_table_free(DenseTable *table)
{
	pfree(table->counts);
	pfree(table->node);
	pfree(table);
}
