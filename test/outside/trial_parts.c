/*
 * trial_parts.c
 *		Trials of dictionary, count table, frequency set and lattice; see trial.h.
 */
#include "postgres.h"

#include "trial.h"

#include "base/interrupt.h"
#include "data/bytes_hash.h"
#include "data/dictionary.h"
#include "data/row_classes.h"
#include "frequency/count_table.h"
#include "frequency/frequency_set.h"
#include "lattice/lattice.h"
#include "utils/memutils.h"

bool
trial_may_end(const Trial *trial, const BackendError *error)
{
	if (error->sqlstate == ERRCODE_QUERY_CANCELED)
		return trial->table && trial->table->cancel_after > 0;
	return error->sqlstate == ERRCODE_PROGRAM_LIMIT_EXCEEDED &&
		   strstr(error->message, "exceeds the memory limit") &&
		   trial->budget.limit < ENOUGH_MEMORY;
}

Budget
trial_budget(Size limit)
{
	return (Budget){.context = CurrentMemoryContext, .limit = limit, .before = backend_memory()};
}

void
trial_check_kept(const Trial *trial, Size before, Size kept, const char *what)
{
	Size used = budget_used(&trial->budget);

	if (used > before + kept + FIXED_BYTES)
		elog(ERROR, "%s leaves %zu bytes", what, used - before - kept);
}

static void
draw_budget(Trial *trial, int kilobytes)
{
	trial->budget =
		trial_budget(draw_one_in(trial->draw, 2) ? (Size) draw_below(trial->draw, kilobytes * 1024)
												 : ENOUGH_MEMORY);
}

/* All that was taken since "before" must have been given back. */
static void
check_given_back(Size before, const char *what)
{
	if (backend_memory() != before)
		elog(ERROR, "%s leaves %zu bytes of memory", what, backend_memory() - before);
	if (backend_tapes() != 0)
		elog(ERROR, "%s leaves a temporary file open", what);
}

/* ---- dictionary */

static void
check_code(Dictionary *dictionary, ValueKind kind, int number, int32 code)
{
	Datum expected = value_make(kind, number, 0);

	if (!value_equal(kind, dictionary_value(dictionary, code), expected))
		elog(ERROR, "code %d has the wrong value", code);
	if (dictionary_find(dictionary, expected) != code)
		elog(ERROR, "the value of code %d has code %d", code,
			 dictionary_find(dictionary, expected));
	value_free(kind, expected);
}

static void
encode_one(Trial *trial, Dictionary *dictionary, ValueKind kind, int number, int32 *code)
{
	Datum value = value_make(kind, number, draw_below(trial->draw, 4));
	bool only_look = draw_one_in(trial->draw, 4);
	int32 size = dictionary_size(dictionary);
	int32 found =
		only_look ? dictionary_find(dictionary, value) : dictionary_encode(dictionary, value);

	value_free(kind, value);
	if (code[number] < 0 && !only_look)
		code[number] = size;
	if (found != code[number])
		elog(ERROR, "a value of code %d got the code %d", code[number], found);
}

/*
 * Values that differ in a few bits of each half do not collide more than others: often the
 * highest, which multiplications carry nowhere.
 */
static void
check_chosen(Trial *trial)
{
	enum
	{
		BITS = 6,
		VALUES = 1 << (2 * BITS)
	};
	uint64 key = (uint64) draw_below(trial->draw, PG_INT32_MAX) << 33 ^
				 draw_below(trial->draw, PG_INT32_MAX);
	bool highest = draw_one_in(trial->draw, 2);
	int first = highest ? 64 - BITS : draw_below(trial->draw, 64);
	int second = highest ? first : draw_below(trial->draw, 64);
	uint32 *hash = palloc(sizeof(uint32) * VALUES);
	int distinct = 1;

	for (uint64 i = 0; i < VALUES; i++)
	{
		uint64 low = i & ((1 << BITS) - 1);
		uint64 high = i >> BITS;
		uint64 half[2] = {low << first | low >> 1 >> (63 - first),
						  high << second | high >> 1 >> (63 - second)};

		hash[i] = bytes_hash((const char *) half, sizeof(half), key);
	}
	qsort(hash, VALUES, sizeof(uint32), interrupt_compare_int32);
	for (int i = 1; i < VALUES; i++)
		distinct += hash[i] != hash[i - 1];
	if (distinct < VALUES - 4)
		elog(ERROR, "of %d values that differ in bits %d and %d, %d collide", VALUES, first, second,
			 VALUES - distinct);
	pfree(hash);
}

void
trial_dictionary(Trial *trial)
{
	static const int choices[] = {3, 100, 1000, 6000};
	int numbers = draw_size(trial->draw, choices, lengthof(choices));
	int rows = draw_below(trial->draw, numbers * 2);
	ValueKind kind = (ValueKind) draw_below(trial->draw, VALUE_KINDS);
	ValueType type = value_type(kind);
	int32 *code = palloc(sizeof(int32) * numbers);
	Dictionary *dictionary;

	check_chosen(trial);
	memset(code, 0xFF, sizeof(int32) * numbers);
	draw_budget(trial, 256);
	dictionary = dictionary_create(&type, &trial->budget);
	for (int i = 0; i < rows; i++)
		encode_one(trial, dictionary, kind, draw_below(trial->draw, numbers), code);
	for (int number = 0; number < numbers; number++)
		if (code[number] >= 0)
			check_code(dictionary, kind, number, code[number]);
}

/* ---- count table */

typedef struct Keys
{
	int words;
	bool mixed; /* or all bits but the lowest are 0 */
} Keys;

/* The key of a number, which its last word tells. */
static void
make_key(const Keys *keys, uint32 number, uint64 *key)
{
	for (int w = 0; w < keys->words; w++)
		key[w] = keys->mixed ? draw_mix((uint64) number * 8 + w + 1) : 0;
	key[keys->words - 1] = (key[keys->words - 1] & ~UINT64CONST(0xFFFFFFFF)) | number;
}

static void
check_slots(const CountTable *table, const Keys *keys, const int64 *count, int numbers)
{
	int width = keys->words + 1;
	uint64 key[4];
	int64 used = 0;
	int64 expected = 0;

	for (int number = 0; number < numbers; number++)
		expected += count[number] != 0;
	for (int64 i = 0; i < table->capacity; i++)
	{
		const uint64 *slot = table->slots + i * width;
		uint32 number = (uint32) slot[keys->words - 1];

		if (slot[keys->words] == 0)
			continue;
		used++;
		make_key(keys, number, key);
		if (memcmp(key, slot, sizeof(uint64) * keys->words) != 0)
			elog(ERROR, "a count table made up a key");
		if ((int64) slot[keys->words] != count[number])
			elog(ERROR, "a count table counts wrongly");
	}
	if (used != expected || table->used != expected)
		elog(ERROR, "a count table lost a key or has it twice");
}

/* Adds a block to the table and, if that took it, to the counts. */
static bool
add_random_block(Trial *trial, CountTable *table, const Keys *keys, int64 *count, int numbers)
{
	int n = draw_below(trial->draw, COUNT_BLOCK + 1);
	uint64 *block = palloc(sizeof(uint64) * keys->words * n);
	int64 *rows = palloc(sizeof(int64) * n);
	int *number = palloc(sizeof(int) * n);
	bool added;

	for (int i = 0; i < n; i++)
	{
		number[i] = draw_below(trial->draw, numbers);
		rows[i] = draw_one_in(trial->draw, 50) ? INT64CONST(1) << 40 : 1 + number[i] % 7;
		make_key(keys, (uint32) number[i], block + i * keys->words);
	}
	added = count_table_add_block(table, block, rows, n);
	for (int i = 0; added && i < n; i++)
		count[number[i]] += rows[i];
	pfree(block);
	pfree(rows);
	pfree(number);
	return added;
}

void
trial_count_table(Trial *trial)
{
	Draw *draw = trial->draw;
	int numbers = draw_seldom(draw, 40)
					  ? 60000
					  : draw_between(draw, 1, draw_size(draw, (const int[]){20, 4000, 4000}, 3));
	int blocks = draw_below(draw, numbers / 16 + 4);
	Keys keys = {.words = draw_between(draw, 1, 4), .mixed = draw_one_in(draw, 2)};
	int64 *count = palloc0(sizeof(int64) * numbers);
	Size before = backend_memory();
	CountTable *table;

	draw_budget(trial, draw_one_in(draw, 4) ? 4096 : 512);
	table = count_table_create(keys.words, &trial->budget, draw_below(draw, numbers));
	for (int i = 0; i < blocks; i++)
	{
		bool added = add_random_block(trial, table, &keys, count, numbers);

		if (!added && trial->budget.limit == ENOUGH_MEMORY)
			elog(ERROR, "a count table does not grow");
		if (!added || draw_one_in(draw, 100))
			check_slots(table, &keys, count, numbers);
		if (!added || draw_one_in(draw, 100))
		{
			count_table_reset(table);
			memset(count, 0, sizeof(int64) * numbers);
		}
	}
	check_slots(table, &keys, count, numbers);
	count_table_free(table);
	check_given_back(before, "a count table");
}

/* ---- frequency set */

static void
check_scan(FrequencySet *set, const uint64 *entries, int64 n, int width)
{
	FrequencyScan scan = frequency_scan_begin(set);
	const uint64 *chunk;
	int64 read = 0;
	int64 got;

	while ((got = frequency_scan_next(&scan, &chunk)) > 0)
	{
		if (read + got > n ||
			memcmp(chunk, entries + read * width, sizeof(uint64) * width * got) != 0)
			elog(ERROR, "a frequency set gives other entries than it got");
		read += got;
	}
	frequency_scan_end(&scan);
	if (read != n || set->entries != n)
		elog(ERROR, "a frequency set lost entries");
}

void
trial_frequency_set(Trial *trial)
{
	static const int choices[] = {10, 500, 5000, 20000};
	static const Level node[] = {1, LEVEL_ALL, 0};
	Draw *draw = trial->draw;
	FrequencySpace space = {
		.attributes = lengthof(node), .words = draw_between(draw, 1, 3), .budget = &trial->budget};
	int width = space.words + 1;
	int64 n = draw_below(draw, draw_size(draw, choices, lengthof(choices)));
	uint64 *entries = palloc(sizeof(uint64) * width * n);
	Size before = backend_memory();
	FrequencySet *set;

	for (int64 i = 0; i < n * width; i++)
		entries[i] = draw_mix((uint64) i + 1);
	draw_budget(trial, 1024);
	set = frequency_set_create(&space, node,
							   draw_one_in(draw, 3) ? n : draw_below(draw, (int) n * 2 + 1));
	for (int64 i = 0; i < n; i++)
		frequency_set_append(set, entries + i * width);
	check_scan(set, entries, n, width);
	check_scan(set, entries, n, width);
	if (memcmp(set->node, node, sizeof(node)) != 0 || set->partial)
		elog(ERROR, "a frequency set forgot what it is");
	frequency_set_free(set);
	check_given_back(before, "a frequency set");
}

/* ---- row store */

static bool
is_given(int32 row)
{
	return draw_mix((uint64) row + 99) % 8 > 0;
}

static void
check_row(RowStore *store, int32 row)
{
	int32 number = row_store_get(store, row);

	if (!is_given(row) && number != 0)
		elog(ERROR, "a row store made something up");
	if (is_given(row) && number != ~row)
		elog(ERROR, "a row store gives something else than was put");
}

void
trial_row_store(Trial *trial)
{
	static const int choices[] = {1, 300, 3000, 20000};
	int rows = 1 + draw_below(trial->draw, draw_size(trial->draw, choices, lengthof(choices)));
	int begin = draw_below(trial->draw, rows);
	Size before = backend_memory();
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "store", ALLOCSET_SMALL_SIZES);
	MemoryContext previous = MemoryContextSwitchTo(context);
	CodeTapes *tapes;
	RowStore *store;

	draw_budget(trial, 1024);
	tapes = code_tapes_create();
	store = row_store_create(rows, tapes, &trial->budget);
	for (int i = 0; i < 20011; i++)
	{
		/* 20011 is prime, and more than there are. */
		int32 row = (int32) ((begin + (int64) i * 7919) % 20011);

		if (row < rows && is_given(row))
			row_store_put(store, row, ~row);
	}
	for (int32 row = 0; row < rows; row++)
		check_row(store, row);
	MemoryContextSwitchTo(previous);
	MemoryContextDelete(context);
	check_given_back(before, "a row store");
}

/* ---- lattice */

/* A node's levels are the digits of its number; its height is their sum. */
static void
check_node(const Lattice *lattice, int64 index, int attribute_step)
{
	Level *node = palloc(sizeof(Level) * lattice->width);
	int64 rest = index;
	int height = 0;

	lattice_node(lattice, index, node);
	for (int i = lattice->attributes - 1; i >= 0; i--)
	{
		int level = (int) (rest % (lattice->height[i] + 1));

		if (node[i * attribute_step] != level || lattice_level(lattice, index, i) != level)
			elog(ERROR, "a lattice has wrong levels");
		height += level;
		rest /= lattice->height[i] + 1;
	}
	for (int i = 0; i < lattice->width; i++)
		if (i % attribute_step != 0 && node[i] != LEVEL_ALL)
			elog(ERROR, "an attribute outside a lattice has a level");
	if (lattice_height(lattice, index) != height)
		elog(ERROR, "a lattice has a wrong height");
	pfree(node);
}

/* All nodes, height by height, within each in the order of numbers. */
static void
check_order(const Lattice *lattice)
{
	const int64 *first = lattice->first;
	int64 *order = lattice_order(lattice);
	int64 seen = 0;

	for (int height = 0; height <= lattice_top_height(lattice); height++)
		for (int64 i = first[height]; i < first[height + 1]; i++, seen++)
			if (lattice_height(lattice, order[i]) != height ||
				(i > first[height] && order[i] <= order[i - 1]))
				elog(ERROR, "a lattice is out of order");
	if (first[0] != 0 || seen != lattice->nodes)
		elog(ERROR, "a lattice's order lacks nodes");
	pfree(order);
}

/* Every attribute, or every other one, of some that only have heights. */
void
trial_lattice(Trial *trial)
{
	Draw *draw = trial->draw;
	int width = draw_between(draw, 1, draw_size(draw, (const int[]){4, 12}, 2));
	int step = draw_between(draw, 1, 2);
	int most = draw_seldom(draw, 4) ? 127 : draw_between(draw, 1, 8);
	Dimension dimension[12] = {0};
	Dimension *dimensions[12];
	int attribute[12];
	int attributes = 0;
	FrequencySpace space = {
		.attributes = width, .quasi = width, .dimension = dimensions, .budget = &trial->budget};
	Size before = backend_memory();
	Lattice *lattice;

	for (int i = 0; i < width; i++)
	{
		dimension[i].height = draw_below(draw, most);
		dimensions[i] = &dimension[i];
		if (i % step == 0)
			attribute[attributes++] = i;
	}
	trial->budget = trial_budget((Size) draw_below(draw, 1024 * 1024));
	lattice = lattice_create(&space, attribute, attributes);
	for (int64 i = 0; i < lattice->nodes; i += draw_between(draw, 1, 1 + (int) lattice->nodes / 50))
		check_node(lattice, i, step);
	check_node(lattice, lattice->nodes - 1, step);
	check_order(lattice);
	lattice_free(lattice);
	check_given_back(before, "a lattice");
}
