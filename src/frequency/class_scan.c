/*
 * class_scan.c
 *		See class_scan.h.
 *
 * First the rows of each class are counted in a hash table, and small classes are pushed: they
 * decide most nodes that fail.  Then the other classes are numbered by slot, the source is read
 * again, each entry gets the number of its class, and a counting sort sorts entries by class.
 */
#include "postgres.h"

#include "frequency/class_scan.h"

#include "base/interrupt.h"
#include "frequency/frequency_set.h"

#define SPLIT 4 /* a part that does not fit is split into this many */

typedef struct ClassScan
{
	FrequencySet *source;
	FrequencySpace *space;
	const ClassScanRequest *request;
	KeyMap map;
	CountTable *table;
	int carried;
	int64 classes; /* pushed so far */
} ClassScan;

/* The classes of one pass that reach the threshold, and their entries. */
typedef struct ScanPart
{
	const Budget *budget;
	int32 *number; /* [slot]: number of the class, or -1 */
	int64 *rows;   /* [class] */
	int64 *slot;   /* [class]: where the table has it */
	int32 *first;  /* [class]: index in place of its first entry; one more at the end */
	int32 classes;
	int width;
	int32 entries;
	int32 capacity;
	int32 *cells;
	int64 *count;
	int32 *place;
} ScanPart;

typedef enum PartOutcome
{
	PART_DONE,
	PART_STOPPED,
	PART_TOO_LARGE
} PartOutcome;

/* Allocates "count" items, or returns NULL if the budget does not allow it. */
static void *
part_allocate(ScanPart *part, Size count, Size size)
{
	Size bytes = mul_size(count, size);

	return budget_fits(part->budget, bytes) ? palloc_extended(bytes, MCXT_ALLOC_HUGE) : NULL;
}

static void
part_free(ScanPart *part)
{
	void *arrays[] = {part->number, part->rows,  part->slot, part->first,
					  part->cells,  part->count, part->place};

	for (size_t i = 0; i < lengthof(arrays); i++)
		if (arrays[i])
			pfree(arrays[i]);
}

/* Pushes small classes unless that was done already, and numbers the others. */
static PartOutcome
number_classes(ClassScan *scan, ScanPart *part, bool push_small)
{
	const CountTable *table = scan->table;
	const uint64 *slot = table->slots;

	part->number = part_allocate(part, table->capacity, sizeof(int32));
	part->rows = part_allocate(part, table->used, sizeof(int64));
	part->slot = part_allocate(part, table->used, sizeof(int64));
	part->first = part_allocate(part, table->used + 1, sizeof(int32));
	if (!part->number || !part->rows || !part->slot || !part->first)
		return PART_TOO_LARGE;
	for (int64 i = 0; i < table->capacity; i++, slot += table->words + 1)
	{
		ClassEntries small = {.key = slot, .rows = (int64) slot[table->words]};

		interrupt_check(i);
		part->number[i] = -1;
		if (small.rows >= scan->request->threshold)
		{
			part->number[i] = part->classes;
			part->slot[part->classes] = i;
			part->rows[part->classes++] = small.rows;
		}
		else if (small.rows > 0 && push_small &&
				 !scan->request->consume(scan->request->state, &small))
			return PART_STOPPED;
	}
	memset(part->first, 0, sizeof(int32) * (part->classes + 1));
	return PART_DONE;
}

/* Makes room for one more block. */
static bool
part_grow(ScanPart *part)
{
	int64 more = Max(part->capacity, COUNT_BLOCK);
	Size bytes = mul_size(sizeof(int32) * part->width + sizeof(int64), more);

	if (part->capacity + more > PG_INT32_MAX / 2 || !budget_fits(part->budget, bytes))
		return false;
	part->capacity += (int32) more;
	part->cells =
		part->cells
			? repalloc_huge(part->cells, sizeof(int32) * part->width * part->capacity)
			: palloc_extended(sizeof(int32) * part->width * part->capacity, MCXT_ALLOC_HUGE);
	part->count = part->count ? repalloc_huge(part->count, sizeof(int64) * part->capacity)
							  : palloc_extended(sizeof(int64) * part->capacity, MCXT_ALLOC_HUGE);
	return true;
}

/* Adds the entries of a block whose class has a number: the number and the carried codes. */
static void
add_entries(const ClassScan *scan, ScanPart *part, KeyPass pass, const uint64 *entries, int n,
			uint64 *keys)
{
	const FrequencySpace *space = scan->space;
	int words = scan->map.words;
	int64 counts[COUNT_BLOCK];

	key_map_block(&scan->map, entries, n, keys, counts);
	for (int i = 0; i < n; i++)
	{
		const uint64 *key = keys + i * words;
		const uint64 *entry = entries + i * (words + 1);
		int32 *cells = part->cells + (int64) part->entries * part->width;

		if (pass.passes > 1 && !key_pass_has(pass, key, words))
			continue;
		cells[0] = part->number[count_table_find(scan->table, key)];
		if (cells[0] < 0)
			continue;
		for (int a = space->quasi; a < space->attributes; a++)
		{
			const KeyField *field = &space->field[a];

			cells[1 + a - space->quasi] =
				(int32) ((entry[field->word] >> field->shift) & field->mask);
		}
		part->count[part->entries++] = counts[i];
		part->first[cells[0] + 1]++;
	}
}

/* Collects the entries of all numbered classes. */
static bool
collect_entries(ClassScan *scan, ScanPart *part, KeyPass pass)
{
	FrequencyScan entries_scan = frequency_scan_begin(scan->source);
	uint64 *keys = palloc(sizeof(uint64) * scan->map.words * COUNT_BLOCK);
	const uint64 *entries;
	int64 left;
	bool fits = true;

	while (fits && (left = frequency_scan_next(&entries_scan, &entries)) > 0)
		for (; left > 0; left -= COUNT_BLOCK, entries += COUNT_BLOCK * (scan->map.words + 1))
		{
			fits = part->entries + COUNT_BLOCK <= part->capacity || part_grow(part);
			if (!fits)
				break;
			add_entries(scan, part, pass, entries, Min(left, COUNT_BLOCK), keys);
		}
	frequency_scan_end(&entries_scan);
	pfree(keys);
	return fits;
}

/* Counting sort; first[class + 1] has the number of entries of each class. */
static bool
sort_entries(ScanPart *part)
{
	part->place = part_allocate(part, part->entries, sizeof(int32));
	if (part->place == NULL)
		return false;
	for (int32 class = 0; class < part->classes; class ++)
	{
		interrupt_check(class);
		part->first[class + 1] += part->first[class];
	}
	/* first[class + 1] is the end of the class; counting down turns it into the beginning. */
	for (int32 entry = part->entries - 1; entry >= 0; entry--)
	{
		interrupt_check(entry);
		part->place[--part->first[part->cells[(int64) entry * part->width] + 1]] = entry;
	}
	return true;
}

/* After the sort, first[class + 1] is the beginning of the class. */
static PartOutcome
push_classes(const ClassScan *scan, const ScanPart *part)
{
	const CountTable *table = scan->table;

	for (int32 class = 0; class < part->classes; class ++)
	{
		int32 begin = part->first[class + 1];
		int32 end = class + 1 < part->classes ? part->first[class + 2] : part->entries;
		ClassEntries entries = {.key = table->slots + part->slot[class] * (table->words + 1),
								.rows = part->rows[class],
								.entries = end - begin,
								.place = part->place + begin,
								.width = part->width,
								.cells = part->cells,
								.count = part->count};

		CHECK_FOR_INTERRUPTS();
		if (!scan->request->consume(scan->request->state, &entries))
			return PART_STOPPED;
	}
	return PART_DONE;
}

static PartOutcome
count_classes(ClassScan *scan, KeyPass pass)
{
	int64 most = scan->request->max_classes < 0 ? PG_INT64_MAX : scan->request->max_classes;

	count_table_reset(scan->table);
	if (!key_map_count(scan->source, &scan->map, pass, scan->table, most - scan->classes, NULL) ||
		scan->table->used > PG_INT32_MAX / 2)
		return PART_TOO_LARGE;
	return scan->table->used > most - scan->classes ? PART_STOPPED : PART_DONE;
}

static PartOutcome
scan_part(ClassScan *scan, KeyPass pass, bool *pushed_small)
{
	ScanPart part = {.budget = scan->space->budget, .width = scan->carried + 1};
	PartOutcome outcome = count_classes(scan, pass);

	if (outcome == PART_DONE)
		outcome = number_classes(scan, &part, !*pushed_small);
	if (outcome == PART_DONE)
	{
		*pushed_small = true;
		if (!collect_entries(scan, &part, pass) || !sort_entries(&part))
			outcome = PART_TOO_LARGE;
	}
	if (outcome == PART_DONE)
		outcome = push_classes(scan, &part);
	if (outcome == PART_DONE)
		scan->classes += scan->table->used;
	part_free(&part);
	return outcome;
}

/* Splits a part that is too large.  Classes already pushed are not pushed again. */
static bool
scan_parts(ClassScan *scan, KeyPass pass, bool pushed_small)
{
	PartOutcome outcome = scan_part(scan, pass, &pushed_small);
	bool going = outcome == PART_DONE;

	if (outcome != PART_TOO_LARGE)
		return going;
	if (pass.passes >= KEY_MAP_PASSES)
		budget_exceeded(scan->space->budget, 0, "equivalence class");
	going = true;
	for (int i = 0; going && i < SPLIT; i++)
	{
		KeyPass part = {.number = pass.number + i * pass.passes, .passes = pass.passes * SPLIT};

		going = scan_parts(scan, part, pushed_small);
	}
	return going;
}

bool
class_scan(FrequencySet *source, FrequencySpace *space, const Level *node,
		   const ClassScanRequest *request)
{
	ClassScan scan = {.source = source,
					  .space = space,
					  .request = request,
					  .carried = space->attributes - space->quasi};
	Level *classes = frequency_space_copy(space, node);
	bool done;

	frequency_space_drop_carried(space, classes);
	scan.map = key_map_create(space, source->node, classes);
	scan.table = key_map_table(source, space, classes, 0);
	done = scan_parts(&scan, (KeyPass){.passes = 1}, false);
	count_table_free(scan.table);
	key_map_free(&scan.map);
	pfree(classes);
	return done;
}
