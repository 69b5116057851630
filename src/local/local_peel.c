/*
 * local_peel.c
 *		See local_peel.h.
 *
 * Nodes are generated as they are visited: a heap has those whose turn may come.  Each node is
 * generated once, by the node that has one level less in its last attribute that is above the
 * bottom.  No node costs less than its generator, so they come out in order.
 *
 * The rows of a node's groups are counted by a hash of their labels.  Two groups of the same hash
 * would be taken for one, which makes a class larger than need be and nothing else; of 64 bits,
 * that does not happen.
 */
#include "postgres.h"

#include "local/local_peel.h"

#include "base/interrupt.h"

#define PURPOSE "local recoding"
#define MOST_LEVELS 40
#define TUPLE_NODES 16 /* nodes that are visited for each tuple of a block, at most */

/* A level of an attribute in the block. */
typedef struct PeelLevel
{
	int64 label; /* place of its labels, [rank of the code among those that occur] */
	int64 cost;  /* of all rows of the block */
} PeelLevel;

typedef struct PeelChain
{
	int attribute;
	int32 codes; /* that occur */
	int levels;
	PeelLevel level[MOST_LEVELS];
} PeelChain;

typedef struct PeelNode
{
	int64 cost;
	int32 number; /* of its levels */
} PeelNode;

typedef struct PeelSlot
{
	uint64 key;
	int32 rows;
	int32 visit; /* in which it was filled */
	int32 group; /* -1: not numbered */
} PeelSlot;

struct LocalPeel
{
	const LocalTable *table;
	const int32 *tuple;
	int32 count;
	MemoryContext context;
	int32 capacity;   /* tuples for which there is room */
	PeelChain *chain; /* [attribute] */
	int chains;       /* those with more than one level come first */

	/* Codes of one attribute that occur, ascending. */
	int32 *occurring;
	int32 *code_rows; /* [code]: 0 for all others */
	int32 *rank;      /* [code] */

	/* Labels, from 0 in each level. */
	int32 *label;
	int64 labels;
	int64 label_capacity;
	int32 *label_rows; /* [label]: scratch space */

	/* Nodes. */
	PeelNode *heap;
	int64 heap_size;
	int64 heap_capacity;
	uint8 *levels; /* [number * chains + chain] */
	int64 nodes;
	int64 levels_capacity;

	/* The rest, in the order of the tuples. */
	int32 rest;
	int64 rest_rows;
	int32 *place;   /* [entry]: among the block's tuples */
	int32 *code;    /* [place * attributes + attribute]: ranks; [entry * chains + chain] */
	int32 *rows;    /* [entry] */
	uint64 *least;  /* [entry]: packed levels, below which its labels have too few rows */
	int32 counted;  /* entries when these were set */
	int32 *slot_of; /* [entry] */
	PeelSlot *slot;
	int32 *member;      /* tuples of groups to be judged */
	int32 *member_end;  /* [group] */
	bool *member_holds; /* [group] */
	int shift;          /* of hashes, for as many slots as are used now */
	int32 visit;
};

LocalPeel *
local_peel_create(const LocalTable *table)
{
	LocalPeel *peel = palloc0(sizeof(LocalPeel));
	int32 codes = 1;

	peel->table = table;
	for (int i = 0; i < table->attributes; i++)
		codes = Max(codes, table->column[i].codes);
	peel->context = CurrentMemoryContext;
	peel->chain = palloc0(sizeof(PeelChain) * table->attributes);
	peel->occurring = budget_allocate(table->budget, codes, sizeof(int32), PURPOSE);
	peel->code_rows = budget_allocate(table->budget, codes, sizeof(int32), PURPOSE);
	peel->rank = budget_allocate(table->budget, codes, sizeof(int32), PURPOSE);
	peel->label_rows = budget_allocate(table->budget, codes, sizeof(int32), PURPOSE);
	return peel;
}

static void
free_room(LocalPeel *peel)
{
	pfree(peel->rows);
	pfree(peel->least);
	pfree(peel->place);
	pfree(peel->code);
	pfree(peel->slot_of);
	pfree(peel->slot);
	if (peel->table->judge == NULL)
		return;
	pfree(peel->member);
	pfree(peel->member_end);
	pfree(peel->member_holds);
}

/* Makes room for a block of so many tuples. */
static void
make_room(LocalPeel *peel, int32 tuples)
{
	const LocalTable *table = peel->table;
	Budget *budget = table->budget;
	MemoryContext caller;
	Size slots = 16;

	if (tuples <= peel->capacity)
		return;
	if (peel->capacity > 0)
		free_room(peel);
	tuples = Min(Max(tuples, 2 * peel->capacity), table->tuples);
	peel->capacity = tuples;
	caller = MemoryContextSwitchTo(peel->context);
	while (slots < (Size) tuples * 2)
		slots *= 2;
	peel->rows = budget_allocate(budget, tuples, sizeof(int32), PURPOSE);
	peel->least = budget_allocate(budget, tuples, sizeof(uint64), PURPOSE);
	peel->place = budget_allocate(budget, tuples, sizeof(int32), PURPOSE);
	peel->code = budget_allocate(budget, (Size) tuples * table->attributes, sizeof(int32), PURPOSE);
	peel->slot_of = budget_allocate(budget, tuples, sizeof(int32), PURPOSE);
	peel->slot = budget_allocate(budget, slots, sizeof(PeelSlot), PURPOSE);
	peel->visit = 0;
	if (table->judge)
	{
		peel->member = budget_allocate(budget, tuples, sizeof(int32), PURPOSE);
		peel->member_end = budget_allocate(budget, (Size) tuples + 1, sizeof(int32), PURPOSE);
		peel->member_holds = budget_allocate(budget, tuples, sizeof(bool), PURPOSE);
	}
	MemoryContextSwitchTo(caller);
}

/* ---- chains of levels */

/* Lists the codes of an attribute that occur in the block, and counts their rows. */
static int32
list_codes(LocalPeel *peel, int attribute)
{
	const LocalTable *table = peel->table;
	int32 codes = 0;

	for (int32 i = 0; i < peel->count; i++)
	{
		int32 code = local_tuple(table, peel->tuple[i])[attribute];

		interrupt_check(i);
		if (peel->code_rows[code] == 0)
			peel->occurring[codes++] = code;
		peel->code_rows[code] += local_tuple_rows(table, peel->tuple[i]);
	}
	qsort(peel->occurring, codes, sizeof(int32), interrupt_compare_int32);
	for (int32 i = 0; i < codes; i++)
		peel->rank[peel->occurring[i]] = i;
	return codes;
}

/* Begins another level; valid until the next call. */
static int32 *
add_level(LocalPeel *peel, PeelChain *chain, int64 cost)
{
	int64 place = peel->labels;

	Assert(chain->levels < MOST_LEVELS);
	chain->level[chain->levels++] = (PeelLevel){.label = place, .cost = cost};
	peel->labels += chain->codes;
	peel->label = budget_room(peel->table->budget, peel->label, &peel->label_capacity, peel->labels,
							  sizeof(int32), PURPOSE);
	return peel->label + place;
}

/* How many labels the codes have at a level. */
static int32
count_labels(const LocalPeel *peel, const int32 *label, int32 codes)
{
	int32 labels = 1;

	for (int32 i = 1; i < codes; i++)
	{
		interrupt_check(i);
		labels += label[peel->occurring[i]] != label[peel->occurring[i - 1]];
	}
	return labels;
}

static void
add_labels(LocalPeel *peel, PeelChain *chain, const int32 *label, const int64 *cost)
{
	int32 *here = add_level(peel, chain, 0);
	int32 number = 0;
	int64 all = 0;

	for (int32 i = 0; i < chain->codes; i++)
	{
		int32 code = peel->occurring[i];

		interrupt_check(i);
		number += i > 0 && label[code] != label[peel->occurring[i - 1]];
		here[i] = number;
		all += cost[label[code]] * peel->code_rows[code];
	}
	chain->level[chain->levels - 1].cost = all;
}

/*
 * The levels of a hierarchy up to that at which all codes have one label; "add" them, or only count
 * them.
 */
static int
chain_labels(LocalPeel *peel, PeelChain *chain, bool add)
{
	const LocalColumn *column = &peel->table->column[chain->attribute];
	int32 before = chain->codes + 1;
	int levels = 0;

	for (int level = 0; level <= column->top && before > 1 && levels < MOST_LEVELS; level++)
	{
		int32 labels = count_labels(peel, column->label[level], chain->codes);

		if (labels == before)
			continue;
		before = labels;
		levels++;
		if (add)
			add_labels(peel, chain, column->label[level], column->cost[level]);
	}
	return levels;
}

/* A level of at most so many pieces of values, of about as many rows; NULL is apart. */
static void
add_pieces(LocalPeel *peel, PeelChain *chain, int32 nulls, int64 rows, int32 pieces)
{
	const LocalColumn *column = &peel->table->column[chain->attribute];
	int32 *label = add_level(peel, chain, 0);
	int32 begin = nulls;
	int32 number = 0;
	int64 below = 0;
	int64 cost = 0;

	if (nulls > 0)
		label[0] = number++;
	for (; begin < chain->codes; number++)
	{
		int64 piece = below * pieces / rows;
		int32 end = begin;
		int64 inside = 0;

		while (end < chain->codes && below * pieces / rows == piece)
		{
			interrupt_check(end);
			inside += peel->code_rows[peel->occurring[end]];
			below += peel->code_rows[peel->occurring[end]];
			label[end++] = number;
		}
		cost += inside * local_cell_cost(column, peel->occurring[begin], peel->occurring[end - 1]);
		begin = end;
	}
	chain->level[chain->levels - 1].cost = cost;
}

/* How many of the codes that occur are NULL's. */
static int32
count_nulls(const LocalPeel *peel, const PeelChain *chain)
{
	return peel->occurring[0] < peel->table->column[chain->attribute].lowest ? 1 : 0;
}

/* The pieces at the lowest level above that of values. */
static int32
most_pieces(int32 values)
{
	int32 pieces = 1;

	while (pieces < values / 2)
		pieces *= 2;
	return pieces;
}

/* The levels that chain_pieces makes. */
static int
count_pieces(const LocalPeel *peel, const PeelChain *chain)
{
	int32 nulls = count_nulls(peel, chain);
	int32 values = chain->codes - nulls;
	int levels = 1 + (nulls > 0 && values > 0 ? 1 : 0);

	for (int32 pieces = most_pieces(values); values > 1 && pieces >= 1; pieces /= 2)
		levels++;
	return levels;
}

/* Values, pieces that are halved in number, all values, and all values with NULL. */
static void
chain_pieces(LocalPeel *peel, PeelChain *chain)
{
	const LocalColumn *column = &peel->table->column[chain->attribute];
	int32 nulls = count_nulls(peel, chain);
	int32 values = chain->codes - nulls;
	int64 rows = 0;
	int32 *label = add_level(peel, chain, 0);

	for (int32 i = 0; i < chain->codes; i++)
	{
		label[i] = i;
		rows += i < nulls ? 0 : peel->code_rows[peel->occurring[i]];
	}
	for (int32 pieces = most_pieces(values); values > 1 && pieces >= 1; pieces /= 2)
		add_pieces(peel, chain, nulls, rows, pieces);
	if (nulls == 0 || values == 0)
		return;
	rows += peel->code_rows[peel->occurring[0]];
	label = add_level(peel, chain, rows * column->all);
	memset(label, 0, sizeof(int32) * chain->codes);
}

/* The codes of an attribute that occur in the block; their rows are counted until it ends. */
static PeelChain
begin_chain(LocalPeel *peel, int attribute)
{
	return (PeelChain){.attribute = attribute, .codes = list_codes(peel, attribute)};
}

static void
end_chain(LocalPeel *peel, const PeelChain *chain)
{
	for (int32 i = 0; i < chain->codes; i++)
		peel->code_rows[peel->occurring[i]] = 0;
}

bool
local_peel_is_small(LocalPeel *peel, const int32 *tuple, int32 count, int64 most)
{
	peel->tuple = tuple;
	peel->count = count;
	for (int i = 0; i < peel->table->attributes && most > 0; i++)
	{
		PeelChain chain = begin_chain(peel, i);

		most /= peel->table->column[i].spans ? count_pieces(peel, &chain)
											 : chain_labels(peel, &chain, false);
		end_chain(peel, &chain);
	}
	return most > 0;
}

/* Takes up a block: builds its lattice. */
static void
begin_block(LocalPeel *peel, const int32 *tuple, int32 count)
{
	const LocalTable *table = peel->table;

	peel->tuple = tuple;
	peel->count = count;
	peel->chains = 0;
	peel->labels = 0;
	make_room(peel, count);
	for (int i = 0; i < table->attributes; i++)
	{
		PeelChain *chain = &peel->chain[peel->chains];

		*chain = begin_chain(peel, i);
		if (table->column[i].spans)
			chain_pieces(peel, chain);
		else
			chain_labels(peel, chain, true);
		for (int32 j = 0; j < count; j++)
			peel->code[(Size) j * table->attributes + i] =
				peel->rank[local_tuple(table, tuple[j])[i]];
		end_chain(peel, chain);
		peel->chains += chain->levels > 1;
	}
}

/* ---- nodes */

static bool
comes_before(const LocalPeel *peel, const PeelNode *one, const PeelNode *other)
{
	if (one->cost != other->cost)
		return one->cost < other->cost;
	return memcmp(peel->levels + (Size) one->number * peel->chains,
				  peel->levels + (Size) other->number * peel->chains, peel->chains) < 0;
}

/* Adds the node whose levels were written last. */
static void
push_node(LocalPeel *peel, int64 cost)
{
	int64 at = peel->heap_size++;

	peel->heap = budget_room(peel->table->budget, peel->heap, &peel->heap_capacity, peel->heap_size,
							 sizeof(PeelNode), PURPOSE);
	peel->heap[at] = (PeelNode){.cost = cost, .number = (int32) peel->nodes++};
	while (at > 0 && comes_before(peel, &peel->heap[at], &peel->heap[(at - 1) / 2]))
	{
		PeelNode node = peel->heap[at];

		peel->heap[at] = peel->heap[(at - 1) / 2];
		peel->heap[(at - 1) / 2] = node;
		at = (at - 1) / 2;
	}
}

static PeelNode
pop_node(LocalPeel *peel)
{
	PeelNode first = peel->heap[0];
	int64 at = 0;

	peel->heap[0] = peel->heap[--peel->heap_size];
	for (;;)
	{
		int64 least = at;
		PeelNode node;

		for (int64 child = 2 * at + 1; child <= 2 * at + 2; child++)
			if (child < peel->heap_size &&
				comes_before(peel, &peel->heap[child], &peel->heap[least]))
				least = child;
		if (least == at)
			return first;
		node = peel->heap[at];
		peel->heap[at] = peel->heap[least];
		peel->heap[least] = node;
		at = least;
	}
}

/* Room for the levels of another node; palloc'd where the scratch space is. */
static uint8 *
next_levels(LocalPeel *peel)
{
	peel->levels = budget_room(peel->table->budget, peel->levels, &peel->levels_capacity,
							   (peel->nodes + 1) * Max(peel->chains, 1), sizeof(uint8), PURPOSE);
	return peel->levels + peel->nodes * peel->chains;
}

static void
push_bottom(LocalPeel *peel)
{
	int64 cost = 0;

	peel->nodes = peel->heap_size = 0;
	for (int i = 0; i < peel->chains; i++)
		cost += peel->chain[i].level[0].cost;
	memset(next_levels(peel), 0, peel->chains);
	push_node(peel, cost);
}

static void
push_next(LocalPeel *peel, PeelNode node)
{
	int first = peel->chains - 1;

	while (first > 0 && peel->levels[(Size) node.number * peel->chains + first] == 0)
		first--;
	for (int i = Max(first, 0); i < peel->chains; i++)
	{
		uint8 *levels = next_levels(peel);
		const PeelLevel *level = peel->chain[i].level;

		memcpy(levels, peel->levels + (Size) node.number * peel->chains, peel->chains);
		if (++levels[i] < peel->chain[i].levels)
			push_node(peel, node.cost + level[levels[i]].cost - level[levels[i] - 1].cost);
	}
}

/* ---- groups */

/*
 * Levels of a node, packed into fields of five bits: the lower four are the level, or 15 for any
 * higher, and the fifth is free to borrow from.  Chains for which there is no field are left out.
 */
#define PACKED_CHAINS 12
#define PACKED_LEVEL 15
#define PACKED_BITS 5
#define PACKED_GUARDS UINT64CONST(0x0842108421084210)

static inline uint64
packed_level(int chain, int level)
{
	return (uint64) Min(level, PACKED_LEVEL) << (chain * PACKED_BITS);
}

/*
 * A row can only be in a group of enough rows at nodes where each of its labels has enough rows in
 * the rest.  Sets for each entry the least such level of each chain.
 */
static void
set_least_levels(LocalPeel *peel)
{
	memset(peel->least, 0, sizeof(uint64) * peel->rest);
	peel->counted = peel->rest;
	for (int i = 0; i < Min(peel->chains, PACKED_CHAINS); i++)
		for (int level = 0; level + 1 < peel->chain[i].levels; level++)
		{
			const int32 *label = peel->label + peel->chain[i].level[level].label;
			const int32 *code = peel->code + i;

			CHECK_FOR_INTERRUPTS();
			memset(peel->label_rows, 0, sizeof(int32) * peel->chain[i].codes);
			for (int32 entry = 0; entry < peel->rest; entry++)
				peel->label_rows[label[code[(Size) entry * peel->chains]]] += peel->rows[entry];
			for (int32 entry = 0; entry < peel->rest; entry++)
				if (peel->label_rows[label[code[(Size) entry * peel->chains]]] <
					peel->table->demanded)
					peel->least[entry] += packed_level(i, level + 1) - packed_level(i, level);
		}
}

static void
begin_rest(LocalPeel *peel)
{
	const LocalTable *table = peel->table;
	int32 *code = peel->code;

	peel->rest = peel->count;
	peel->rest_rows = 0;
	for (int32 i = 0; i < peel->count; i++)
	{
		const int32 *rank = peel->code + (Size) i * table->attributes;

		interrupt_check(i);
		peel->place[i] = i;
		peel->rows[i] = local_tuple_rows(table, peel->tuple[i]);
		peel->rest_rows += peel->rows[i];
		for (int chain = 0; chain < peel->chains; chain++)
			*code++ = rank[peel->chain[chain].attribute];
	}
	set_least_levels(peel);
}

/* As many slots as twice the rest, all of them empty. */
static void
clear_slots(LocalPeel *peel)
{
	Size slots = 16;

	peel->shift = 60;
	while (slots < (Size) peel->rest * 2)
	{
		slots *= 2;
		peel->shift--;
	}
	if (++peel->visit == PG_INT32_MAX)
		elog(ERROR, "too many visits of nodes");
}

static inline int32
find_slot(LocalPeel *peel, uint64 key)
{
	uint64 mask = (UINT64CONST(1) << (64 - peel->shift)) - 1;
	uint64 at = ((key ^ key >> 29) * UINT64CONST(0xbf58476d1ce4e5b9)) >> peel->shift;

	while (peel->slot[at].visit == peel->visit && peel->slot[at].key != key)
		at = (at + 1) & mask;
	if (peel->slot[at].visit != peel->visit)
		peel->slot[at] = (PeelSlot){.key = key, .visit = peel->visit, .group = -1};
	return (int32) at;
}

/* An odd number for each chain. */
static inline uint64
chain_factor(int chain)
{
	uint64 x = (uint64) (chain + 1) * UINT64CONST(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64CONST(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64CONST(0x94d049bb133111eb);
	return (x ^ x >> 31) | 1;
}

/* Counts the rows of the rest by their labels at the node.  Has any group enough? */
static bool
count_groups(LocalPeel *peel, const uint8 *level, const int32 **label, uint64 *factor)
{
	int chains = peel->chains;
	uint64 packed = PACKED_GUARDS;
	bool enough = false;

	clear_slots(peel);
	for (int i = 0; i < chains; i++)
	{
		label[i] = peel->label + peel->chain[i].level[level[i]].label;
		factor[i] = chain_factor(i);
		packed += i < PACKED_CHAINS ? packed_level(i, level[i]) : 0;
	}
	for (int32 entry = 0; entry < peel->rest; entry++)
	{
		const int32 *code = peel->code + (Size) entry * chains;
		uint64 key = 0;
		PeelSlot *slot;

		interrupt_check(entry);
		peel->slot_of[entry] = -1;
		if (((packed - peel->least[entry]) & PACKED_GUARDS) != PACKED_GUARDS)
			continue;
		for (int i = 0; i < chains; i++)
			key += factor[i] * (uint32) (label[i][code[i]] + 1);
		peel->slot_of[entry] = find_slot(peel, key);
		slot = &peel->slot[peel->slot_of[entry]];
		slot->rows += peel->rows[entry];
		enough |= slot->rows >= peel->table->demanded;
	}
	return enough;
}

/* The group of an entry at the node; -1: none. */
static inline int32
entry_group(const LocalPeel *peel, int32 entry)
{
	return peel->slot_of[entry] < 0 ? -1 : peel->slot[peel->slot_of[entry]].group;
}

/* Numbers the groups of enough rows from "first" on, in the order of their first tuples. */
static int32
number_groups(LocalPeel *peel, int32 first)
{
	int32 groups = first;

	for (int32 entry = 0; entry < peel->rest; entry++)
	{
		PeelSlot *slot = &peel->slot[Max(peel->slot_of[entry], 0)];

		interrupt_check(entry);
		if (peel->slot_of[entry] >= 0 && slot->group < 0 && slot->rows >= peel->table->demanded)
			slot->group = groups++;
	}
	return groups;
}

/* Numbers anew only those groups that satisfy the models.  Returns the number behind the last. */
static int32
judge_groups(LocalPeel *peel, int32 first, int32 groups)
{
	int32 *end = peel->member_end;
	int32 kept = first;
	int32 *number = (int32 *) peel->member_end;

	/* Members, group by group: places from the ends of the groups before. */
	memset(end, 0, sizeof(int32) * (groups - first + 1));
	for (int32 entry = 0; entry < peel->rest; entry++)
	{
		int32 group = entry_group(peel, entry);

		interrupt_check(entry);
		if (group >= 0)
			end[group - first + 1]++;
	}
	for (int32 i = 1; i <= groups - first; i++)
		end[i] += end[i - 1];
	for (int32 entry = 0; entry < peel->rest; entry++)
	{
		int32 group = entry_group(peel, entry);

		if (group >= 0)
			peel->member[end[group - first]++] = peel->tuple[peel->place[entry]];
	}
	for (int32 i = 0; i < groups - first; i++)
	{
		int32 begin = i == 0 ? 0 : end[i - 1];

		CHECK_FOR_INTERRUPTS();
		peel->member_holds[i] = local_satisfies(peel->table, peel->member + begin, end[i] - begin);
	}
	for (int32 i = 0; i < groups - first; i++)
		number[i] = peel->member_holds[i] ? kept++ : -1;
	for (int32 entry = 0; entry < peel->rest; entry++)
	{
		PeelSlot *slot = &peel->slot[Max(peel->slot_of[entry], 0)];

		/* Each slot is renumbered at its first entry. */
		if (entry_group(peel, entry) >= first && slot->rows > 0)
		{
			slot->group = number[slot->group - first];
			slot->rows = 0;
		}
	}
	return kept;
}

/* Takes the numbered groups out of the rest. */
static void
take_groups(LocalPeel *peel, int32 *group)
{
	int chains = peel->chains;
	int32 kept = 0;

	for (int32 entry = 0; entry < peel->rest; entry++)
	{
		int32 number = entry_group(peel, entry);
		int32 place = peel->place[entry];

		interrupt_check(entry);
		if (number >= 0)
		{
			group[place] = number;
			peel->rest_rows -= peel->rows[entry];
			continue;
		}
		peel->rows[kept] = peel->rows[entry];
		peel->least[kept] = peel->least[entry];
		memmove(peel->code + (Size) kept * chains, peel->code + (Size) entry * chains,
				sizeof(int32) * chains);
		peel->place[kept++] = place;
	}
	peel->rest = kept;
	if (peel->rest < peel->counted - peel->counted / 8)
		set_least_levels(peel);
}

int32
local_peel_run(LocalPeel *peel, const int32 *tuple, int32 count, int64 nodes, int32 *group)
{
	const int32 **label = palloc(sizeof(int32 *) * peel->table->attributes);
	uint64 *factor = palloc(sizeof(uint64) * peel->table->attributes);
	int32 groups = 0;

	begin_block(peel, tuple, count);
	nodes = Min(nodes, (int64) count * TUPLE_NODES);
	for (int32 i = 0; i < peel->count; i++)
		group[i] = -1;
	begin_rest(peel);
	push_bottom(peel);
	for (int64 visit = 0; visit < nodes && peel->heap_size > 0; visit++)
	{
		PeelNode node = pop_node(peel);
		int32 more;

		if (peel->rest_rows < peel->table->demanded)
			break;
		CHECK_FOR_INTERRUPTS();
		if (count_groups(peel, peel->levels + (Size) node.number * peel->chains, label, factor))
		{
			more = number_groups(peel, groups);
			if (peel->table->judge)
				more = judge_groups(peel, groups, more);
			groups = more;
			take_groups(peel, group);
		}
		push_next(peel, node);
	}
	pfree(label);
	pfree(factor);
	return groups;
}
