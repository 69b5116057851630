/*
 * matching_bound.c
 *		See matching.h.
 *
 * Rows are divided by their cells in the first attribute, at each of its levels; each part of at
 * least k rows likewise in the next one.  A part after the last attribute is a set of rows that one
 * record could cover, at the same loss for all of them.  Parts below k rows cannot grow, and are
 * dropped together with all further patterns (as in Beyer, Ramakrishnan 1999); so are parts in
 * which every row has lost less elsewhere.
 *
 * Example: k = 2, rows (1, a) (1, b) (2, b), loss 1/2 for each hidden cell.  With the first
 * attribute shown, the first two rows remain: nothing with the second one shown, both at 1/2 with
 * it hidden.  With the first hidden and the second shown, (., b) remains with two rows at 1/2.  The
 * bound is 1/2.
 *
 * With prices, a record's loss includes the prices of the k - 1 other rows that it covers, and k -
 * 1 times the mean price is subtracted from the mean: zero in total, if each row is covered k
 * times.  Groups are then sorted by price within every part, cheapest first.  So the k - 1 rows
 * that a record would cover are the first of its part without itself, and their price in a part is
 * a lower bound for any part of it.
 *
 * The loss of a column of digits is known at its last digit.  Before that, the least loss of its
 * patterns with the same prefix counts; the patterns that k rows have are found first, column by
 * column.
 *
 * If there are more than MATCHING_BOUND_PATTERNS patterns, attributes are taken in blocks with at
 * most so many, from the first one on and from the last one back: the greater bound counts.  Then
 * prices are not used, and neither is a column of digits that has more by itself.  Rows that a
 * record covers in all attributes are covered in each block, so the sum over blocks of the least
 * losses is at most the least loss.
 */
#include "postgres.h"

#include "matching/matching.h"

#include <float.h>

#include "base/context.h"
#include "base/interrupt.h"
#include "matching/range_windows.h"
#include "matching/row_groups.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#define PURPOSE "bound of the loss"
#define PRICED_ROWS 100000 /* rows that are priced together */
#define PRICE_TURNS 30

/* One attribute of a block. */
typedef struct BoundAttribute
{
	int attribute;
	int levels;
	int32 **node;        /* [level][code] */
	int32 nodes;         /* their number */
	const double *loss;  /* [node]: what its cells lose; not of digits */
	int32 *count;        /* [node]: rows, zero between divisions; then the end of its rows */
	int32 *parts;        /* nodes that have rows in the current division */
	int32 *begin;        /* [part]: its first row; then the end */
	int32 *row;          /* rows sorted by part */
	DigitLeaves *leaves; /* for a digit's column: patterns that k rows have; otherwise NULL */
	double worth;        /* for a digit's column: its loss if hidden */
	bool last;           /* last digit of its column, or not a digit */
} BoundAttribute;

typedef struct BoundSearch
{
	const MatchingTable *rows;
	const double *const *loss;
	int64 k;
	int32 groups;
	int32 *group;  /* [group]: its first row; then the end */
	double *price; /* [group]: price of each of its rows */
	int attributes;
	BoundAttribute *attribute; /* of the current block */
	double *least;             /* [group]: least loss in the block plus prices of others, so far */
} BoundSearch;

/*
 * The nodes on the path from a value to the root, inclusive; hiding the only value gains nothing.
 */
static int
tree_levels(const MatchingTable *rows, int attribute)
{
	if (rows->range[attribute])
		return range_windows_levels(rows->tree[attribute].values,
									rows->dataset->has_null[attribute]);
	return dataset_cardinality(rows->dataset, attribute) > 1
			   ? cell_tree_height(&rows->tree[attribute]) + 1
			   : 1;
}

/* The number of its rows. */
static inline int32
size_of(const BoundSearch *search, int32 group)
{
	return search->group[group + 1] - search->group[group];
}

/* Equal rows share their prices. */
static void
group_rows(BoundSearch *search, const double *price)
{
	const MatchingTable *rows = search->rows;
	Size bytes = mul_size(sizeof(int32), rows->dataset->attributes);

	search->group = budget_allocate(rows->budget, rows->dataset->rows + 1, sizeof(int32), PURPOSE);
	search->price = budget_allocate(rows->budget, rows->dataset->rows, sizeof(double), PURPOSE);
	for (int32 row = 0; row < rows->dataset->rows; row++)
	{
		interrupt_check(row);
		if (row == 0 || memcmp(dataset_record(rows->dataset, row),
							   dataset_record(rows->dataset, row - 1), bytes) != 0)
			search->group[search->groups++] = row;
		search->price[search->groups - 1] += price ? price[row] : 0;
	}
	search->group[search->groups] = (int32) rows->dataset->rows;
	for (int32 group = 0; group < search->groups; group++)
	{
		interrupt_check(group);
		search->price[group] /= size_of(search, group);
	}
}

/* The nodes of its tree above each code. */
static void
find_nodes(const BoundSearch *search, BoundAttribute *bound)
{
	const CellTree *tree = &search->rows->tree[bound->attribute];

	bound->node = palloc(sizeof(int32 *) * bound->levels);
	for (int level = 0; level < bound->levels; level++)
	{
		int32 *node =
			budget_allocate(search->rows->budget, (Size) tree->values + 1, sizeof(int32), PURPOSE);

		node -= DATASET_NULL;
		for (int32 value = DATASET_NULL; value < tree->values; value++)
		{
			interrupt_check(value);
			node[value] = level > 0 ? tree->parent[bound->node[level - 1][value]] : value;
		}
		bound->node[level] = node;
	}
	bound->nodes = tree->nodes;
	bound->loss = search->loss[bound->attribute];
}

/* The windows of its ranges around each code. */
static void
find_windows(const BoundSearch *search, BoundAttribute *bound)
{
	const CellTree *tree = &search->rows->tree[bound->attribute];
	double worth = search->loss[bound->attribute][tree->nodes - 1];
	RangeWindows windows = range_windows_create(search->rows->range[bound->attribute], tree->values,
												search->rows->dataset->has_null[bound->attribute],
												search->rows->budget);

	for (int32 node = DATASET_NULL; node < windows.nodes; node++)
	{
		interrupt_check(node);
		windows.loss[node] *= worth;
	}
	bound->node = windows.node;
	bound->nodes = windows.nodes;
	bound->loss = windows.loss;
}

static void
begin_attribute(BoundSearch *search, BoundAttribute *bound, int attribute)
{
	Budget *budget = search->rows->budget;
	Size values = (Size) search->rows->tree[attribute].values + 1; /* NULL's included */

	bound->attribute = attribute;
	bound->last = true;
	bound->levels = tree_levels(search->rows, attribute);
	if (search->rows->range[attribute])
		find_windows(search, bound);
	else
		find_nodes(search, bound);
	bound->count = budget_allocate(budget, (Size) bound->nodes + 1, sizeof(int32), PURPOSE);
	bound->count -= DATASET_NULL;
	bound->parts = budget_allocate(budget, values, sizeof(int32), PURPOSE);
	bound->begin = budget_allocate(budget, values + 1, sizeof(int32), PURPOSE);
	bound->row = budget_allocate(budget, search->groups, sizeof(int32), PURPOSE);
}

static inline int32
node_at(const BoundSearch *search, const BoundAttribute *bound, int level, int32 group)
{
	return bound->node[level][dataset_record(search->rows->dataset,
											 search->group[group])[bound->attribute]];
}

/* Divides groups of rows by their cells at a level; returns the number of parts. */
static int32
divide(const BoundSearch *search, BoundAttribute *bound, int level, const int32 *groups,
	   int32 count)
{
	int32 parts = 0;
	int32 end = 0;

	for (int32 i = 0; i < count; i++)
	{
		int32 node = node_at(search, bound, level, groups[i]);

		interrupt_check(i);
		if (bound->count[node]++ == 0)
			bound->parts[parts++] = node;
	}
	for (int32 part = 0; part < parts; part++)
	{
		int32 members = bound->count[bound->parts[part]];

		bound->begin[part] = bound->count[bound->parts[part]] = end;
		end += members;
	}
	bound->begin[parts] = end;
	for (int32 i = 0; i < count; i++)
	{
		interrupt_check(i);
		bound->row[bound->count[node_at(search, bound, level, groups[i])]++] = groups[i];
	}
	for (int32 part = 0; part < parts; part++)
		bound->count[bound->parts[part]] = 0;
	return parts;
}

static int64
row_count(const BoundSearch *search, const int32 *groups, int32 count)
{
	int64 rows = 0;

	for (int32 i = 0; i < count; i++)
	{
		interrupt_check(i);
		rows += size_of(search, groups[i]);
	}
	return rows;
}

/* The letter of a part, in the form of digit patterns. */
static int32
part_letter(const BoundSearch *search, const BoundAttribute *bound, int32 part)
{
	return digit_leaves_letter(&search->rows->tree[bound->attribute], bound->parts[part]);
}

/* Adds all digit patterns of a column that k rows have, from attribute "depth" on. */
static void
add_patterns(BoundSearch *search, int depth, const int32 *groups, int32 count, int32 pattern)
{
	BoundAttribute *bound = &search->attribute[depth];

	CHECK_FOR_INTERRUPTS();
	for (int level = 0; level < bound->levels; level++)
	{
		int32 parts = divide(search, bound, level, groups, count);

		for (int32 part = 0; part < parts; part++)
		{
			const int32 *rows = bound->row + bound->begin[part];
			int32 size = bound->begin[part + 1] - bound->begin[part];
			int32 longer;

			if (row_count(search, rows, size) < search->k)
				continue;
			longer = digit_leaves_add(bound->leaves, pattern, part_letter(search, bound, part));
			if (!bound->last)
				add_patterns(search, depth + 1, rows, size, longer);
		}
	}
}

/* Prepares the digits of a column whose first attribute is "depth", if it is one. */
static void
begin_digits(BoundSearch *search, int depth, const int32 *groups)
{
	int first = search->attribute[depth].attribute;
	const CellTree *tree = &search->rows->tree[first];
	const DigitDomain *domain = search->rows->digits[first];
	DigitLeaves *leaves;

	if (domain == NULL)
		return;
	leaves = digit_leaves_create(domain, search->rows->budget);
	for (int i = 0; i < domain->digits; i++)
	{
		BoundAttribute *bound = &search->attribute[depth + i];

		bound->leaves = leaves;
		bound->worth = search->loss[first][tree->nodes - 1];
		bound->last = i == domain->digits - 1;
	}
	add_patterns(search, depth, groups, search->groups, 0);
	digit_leaves_count(leaves);
}

/* The price of the "rows" cheapest rows; groups are sorted by price. */
static double
cheapest(const BoundSearch *search, const int32 *groups, int32 count, int64 rows)
{
	double sum = 0;

	for (int32 i = 0; i < count && rows > 0; i++)
	{
		int64 taken = Min(rows, size_of(search, groups[i]));

		interrupt_check(i);
		sum += search->price[groups[i]] * (double) taken;
		rows -= taken;
	}
	return sum;
}

/* Could a record that covers some of these lose less than one of them has so far? */
static bool
is_worthwhile(const BoundSearch *search, const int32 *groups, int32 count, double loss)
{
	double least = loss + cheapest(search, groups, count, search->k - 1);
	int64 members = 0;
	bool better = false;

	for (int32 i = 0; i < count; i++)
	{
		interrupt_check(i);
		members += size_of(search, groups[i]);
		better = better || least < search->least[groups[i]];
		if (better && members >= search->k)
			return true;
	}
	return false;
}

/* All of these are equal under the pattern, and pay for k - 1 others. */
static void
settle(BoundSearch *search, const int32 *groups, int32 count, double loss)
{
	double without = cheapest(search, groups, count, search->k - 1);
	double with = cheapest(search, groups, count, search->k);
	double others;

	for (int32 i = 0; i < count; i++)
	{
		interrupt_check(i);
		/* A row among the cheapest pays for the next one instead of itself. */
		others = Max(without, with - search->price[groups[i]]);
		search->least[groups[i]] = Min(search->least[groups[i]], loss + others);
	}
}

/*
 * Tries all patterns of the attributes from "depth" on; recursion is at most a block deep. "loss"
 * is that of the whole columns before it, "pattern" its own column's digits so far.
 */
static void
search_patterns(BoundSearch *search, int depth, const int32 *groups, int32 count, double loss,
				int32 pattern)
{
	BoundAttribute *bound = &search->attribute[depth];

	CHECK_FOR_INTERRUPTS();
	if (depth == search->attributes)
	{
		settle(search, groups, count, loss);
		return;
	}
	for (int level = 0; level < bound->levels; level++)
	{
		int32 parts = divide(search, bound, level, groups, count);

		for (int32 part = 0; part < parts; part++)
		{
			const int32 *rows = bound->row + bound->begin[part];
			int32 size = bound->begin[part + 1] - bound->begin[part];
			int32 longer = 0;
			double more = loss;

			if (bound->leaves == NULL)
				more += bound->loss[bound->parts[part]];
			else
			{
				longer =
					digit_leaves_find(bound->leaves, pattern, part_letter(search, bound, part));
				if (longer < 0)
					continue;
				more += bound->worth * bound->leaves->node[longer].loss;
			}
			if (is_worthwhile(search, rows, size, more))
				search_patterns(search, depth + 1, rows, size, bound->last ? more : loss,
								bound->last ? 0 : longer);
		}
	}
}

/* The first attribute after the column that begins with this one. */
static int
column_end(const MatchingTable *rows, int first)
{
	return first + (rows->digits[first] ? rows->digits[first]->digits : 1);
}

/* The first attribute of the column that ends before this one. */
static int
column_begin(const MatchingTable *rows, int end)
{
	int first = 0;

	while (column_end(rows, first) < end)
		first = column_end(rows, first);
	return first;
}

/* The number of patterns of these attributes, or any number above a block's limit. */
static int64
pattern_count(const MatchingTable *rows, int first, int end)
{
	int64 patterns = 1;

	for (int i = first; i < end && patterns <= MATCHING_BOUND_PATTERNS; i++)
		patterns *= tree_levels(rows, i);
	return patterns;
}

static bool
has_one_block(const MatchingTable *rows)
{
	return pattern_count(rows, 0, rows->dataset->attributes) <= MATCHING_BOUND_PATTERNS;
}

static int
compare_prices(const void *a, const void *b, void *search)
{
	int32 one = *(const int32 *) a;
	int32 other = *(const int32 *) b;
	double one_price = ((BoundSearch *) search)->price[one];
	double other_price = ((BoundSearch *) search)->price[other];

	CHECK_FOR_INTERRUPTS();
	if (one_price != other_price)
		return one_price < other_price ? -1 : 1;
	return one < other ? -1 : one > other;
}

/* The sum over all rows of the least loss in the attributes from "first" to before "end". */
static double
search_block(BoundSearch *search, int first, int end)
{
	MemoryContext of_block =
		AllocSetContextCreate(CurrentMemoryContext, "kanon bound", CONTEXT_SMALL_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(of_block);
	int32 *groups = budget_allocate(search->rows->budget, search->groups, sizeof(int32), PURPOSE);
	double sum = 0;

	search->attributes = end - first;
	search->attribute = palloc0(sizeof(BoundAttribute) * (search->attributes + 1));
	for (int i = 0; i < search->attributes; i++)
		begin_attribute(search, &search->attribute[i], first + i);
	for (int32 group = 0; group < search->groups; group++)
	{
		interrupt_check(group);
		groups[group] = group;
		search->least[group] = DBL_MAX;
	}
	qsort_arg(groups, search->groups, sizeof(int32), compare_prices, search);
	for (int i = first; i < end; i = column_end(search->rows, i))
		begin_digits(search, i - first, groups);
	search_patterns(search, 0, groups, search->groups, 0, 0);
	for (int32 group = 0; group < search->groups; group++)
	{
		interrupt_check(group);
		sum += (search->least[group] - (double) (search->k - 1) * search->price[group]) *
			   size_of(search, group);
	}
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(of_block);
	return sum;
}

/*
 * The sum over blocks, each of as many columns as have few enough patterns, at least one; from the
 * first column on, or from the last one back.
 */
static double
search_blocks(BoundSearch *search, bool back)
{
	const MatchingTable *rows = search->rows;
	int begin = 0; /* the attributes that are left */
	int end = rows->dataset->attributes;
	double sum = 0;

	while (begin < end)
	{
		int first = back ? column_begin(rows, end) : begin;
		int last = back ? end : column_end(rows, begin);

		while (first > begin || last < end)
		{
			int wider_first = back ? column_begin(rows, first) : first;
			int wider_last = back ? last : column_end(rows, last);

			if (pattern_count(rows, wider_first, wider_last) > MATCHING_BOUND_PATTERNS)
				break;
			first = wider_first;
			last = wider_last;
		}
		/* A column of digits with too many patterns contributes nothing. */
		if (pattern_count(rows, first, last) <= MATCHING_BOUND_PATTERNS)
			sum += search_block(search, first, last);
		begin = back ? begin : last;
		end = back ? first : end;
	}
	return sum;
}

double
matching_bound_run(const MatchingTable *rows, int k, const double *const *loss, const double *price)
{
	BoundSearch search = {.rows = rows, .loss = loss, .k = k};
	double sum;

	group_rows(&search, has_one_block(rows) ? price : NULL);
	search.least = budget_allocate(rows->budget, search.groups, sizeof(double), PURPOSE);
	sum = search_blocks(&search, false);
	if (!has_one_block(rows))
		sum = Max(sum, search_blocks(&search, true));
	pfree(search.least);
	pfree(search.price);
	pfree(search.group);
	return sum / (double) rows->dataset->rows;
}

typedef struct BoundPrices
{
	const double *const *loss;
	double *price; /* [row] */
} BoundPrices;

/* A BlockConsumer. */
static void
price_block(void *state, Block *block, int64 begin)
{
	BoundPrices *prices = state;
	int32 *paid = budget_allocate(block->budget, block->count, sizeof(int32), PURPOSE);
	double cost = 0;
	double lost = 0;
	double unit;

	/* A price of 1 as a loss, averaged over all attributes: their weights may differ there. */
	for (int i = 0; i < block->attributes; i++)
	{
		int32 root = block->attribute[i].tree->nodes - 1;

		cost += block->attribute[i].cost[root];
		lost += prices->loss[i][root];
	}
	unit = cost > 0 ? lost / cost / TARGET_PRICE_UNIT : 0;
	targets_find(block, row_groups_create(block), PRICE_TURNS, paid);
	for (int32 row = 0; row < block->count; row++)
	{
		interrupt_check(row);
		prices->price[begin + row] = paid[row] * unit;
	}
}

double *
matching_bound_prices(const MatchingTable *rows, int k, const double *const *loss)
{
	BoundPrices prices = {.loss = loss};

	if (!has_one_block(rows))
		return NULL;
	prices.price = budget_allocate(rows->budget, rows->dataset->rows, sizeof(double), PURPOSE);
	block_each(rows, k, Max(PRICED_ROWS, (int64) 4 * k), price_block, &prices);
	return prices.price;
}
