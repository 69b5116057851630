/*
 * dense_table.c
 *		See dense_table.h.
 *
 * If there are hardly more combinations than groups, this is faster than hashing: a cell takes at
 * most a quarter of a hash slot and needs no key and no probing.
 *
 * Example: at a node with 3 codes of zip and 2 of sex the array has 6 cells, and (zip 2, sex 1) is
 * cell 2 * 2 + 1.  For each attribute a table maps the codes of the source's level to its part of
 * the cell number; a group's cell is the sum of the parts.  Attributes whose fields are close
 * together in the key share one table, because lookups dominate counting (measured: two fifths of a
 * search on millions of groups).
 */
#include "postgres.h"

#include "frequency/dense_table.h"

#include "base/interrupt.h"
#include "port/pg_bitutils.h"

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
	int64 entries = frequency_set_entries(source);
	DenseTable *table;
	DenseField *fields;
	int count;

	/* The number of cells ensures that codes fit in 32 bits; counts must fit as well. */
	if (entries < ENTRIES_AT_LEAST || space->rows > PG_UINT32_MAX || cells > PG_INT32_MAX / 2 ||
		cells > (double) entries * CELLS_PER_ENTRY ||
		!budget_fits(space->budget, sizeof(uint32) * (Size) cells))
		return NULL;
	table = palloc(sizeof(DenseTable));
	*table = (DenseTable){.space = space, .cells = (int64) cells};
	table->node = palloc(sizeof(Level) * space->attributes);
	memcpy(table->node, node, sizeof(Level) * space->attributes);
	table->counts =
		palloc_extended(sizeof(uint32) * table->cells, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	fields = make_fields(space, frequency_set_node(source), node, &count);
	count_source(table, source, fields, count);
	for (int f = 0; f < count; f++)
		pfree(fields[f].cell);
	pfree(fields);
	return table;
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
		frequency_set_append(set, entry, 1);
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
