/*
 * local_classes.c
 *		See local_classes.h.
 */
#include "postgres.h"

#include "local/local_classes.h"

#include "base/interrupt.h"
#include "lib/binaryheap.h"
#include "local/local_groups.h"

#define PURPOSE "local recoding"
#define OMITTED_ONE_BY_ONE 64 /* tuples of a class each of which may be left out by itself */

static void
measure_class(const LocalTable *table, LocalClassList *list, int32 class)
{
	Size at = (Size) class * table->attributes;
	const int32 *tuple = list->tuple + list->begin[class];

	list->rows[class] = local_rows(table, tuple, list->size[class]);
	list->cost[class] = list->size[class] == 0
							? 0
							: local_region_measure(table, tuple, list->size[class], list->low + at,
												   list->high + at);
}

LocalClassList
local_classes_list(const LocalClasses *classes)
{
	const LocalTable *table = classes->table;
	Budget *budget = table->budget;
	Size codes = (Size) classes->count * table->attributes;
	LocalClassList list = {.tuple = budget_allocate(budget, table->tuples, sizeof(int32), PURPOSE),
						   .begin = budget_allocate(budget, classes->count, sizeof(int32), PURPOSE),
						   .size = budget_allocate(budget, classes->count, sizeof(int32), PURPOSE),
						   .low = budget_allocate(budget, codes, sizeof(int32), PURPOSE),
						   .high = budget_allocate(budget, codes, sizeof(int32), PURPOSE),
						   .rows = budget_allocate(budget, classes->count, sizeof(int64), PURPOSE),
						   .cost = budget_allocate(budget, classes->count, sizeof(int64), PURPOSE)};

	for (int32 tuple = 0; tuple < table->tuples; tuple++)
		if (classes->class_of[tuple] >= 0)
			list.size[classes->class_of[tuple]]++;
	for (int32 i = 1; i < classes->count; i++)
	{
		list.begin[i] = list.begin[i - 1] + list.size[i - 1];
		list.size[i - 1] = 0;
	}
	list.size[classes->count - 1] = 0;
	for (int32 tuple = 0; tuple < table->tuples; tuple++)
	{
		int32 class = classes->class_of[tuple];

		if (class >= 0)
			list.tuple[list.begin[class] + list.size[class]++] = tuple;
	}
	for (int32 i = 0; i < classes->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		measure_class(table, &list, i);
	}
	return list;
}

void
local_class_list_free(LocalClassList *list)
{
	pfree(list->tuple);
	pfree(list->begin);
	pfree(list->size);
	pfree(list->low);
	pfree(list->high);
	pfree(list->rows);
	pfree(list->cost);
}

void
local_classes_number(LocalClasses *classes)
{
	const LocalTable *table = classes->table;
	int32 *number = budget_allocate(table->budget, classes->count, sizeof(int32), PURPOSE);
	int32 count = 0;

	for (int32 tuple = 0; tuple < table->tuples; tuple++)
	{
		int32 *class = &classes->class_of[tuple];

		interrupt_check(tuple);
		if (*class < 0)
			continue;
		if (number[*class] == 0)
			number[*class] = ++count;
		*class = number[*class] - 1;
	}
	classes->count = count;
	pfree(number);
}

int64
local_classes_cost(const LocalClasses *classes)
{
	LocalClassList list = local_classes_list(classes);
	int64 cost = 0;

	for (int32 i = 0; i < classes->count; i++)
		cost += list.cost[i] * list.rows[i];
	local_class_list_free(&list);
	return cost;
}

int64
local_classes_people(const LocalClasses *classes)
{
	const LocalTable *table = classes->table;
	LocalClassList list;
	int64 people = PG_INT64_MAX;

	if (table->judge == NULL || table->request->models->people == NULL)
		return 0;
	list = local_classes_list(classes);
	for (int32 i = 0; i < classes->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		people = Min(people, local_people(table, list.tuple + list.begin[i], list.size[i]));
	}
	local_class_list_free(&list);
	return people;
}

/* ---- classes with the same cells */

typedef struct Alike
{
	const LocalTable *table;
	const LocalClassList *list;
} Alike;

/* Orders classes by their cells. */
static int
compare_cells(const Alike *alike, int32 one, int32 other)
{
	const LocalTable *table = alike->table;
	const LocalClassList *list = alike->list;

	for (int i = 0; i < table->attributes; i++)
	{
		Size x = (Size) one * table->attributes + i;
		Size y = (Size) other * table->attributes + i;
		LocalCell left = local_cell(&table->column[i], list->low[x], list->high[x]);
		LocalCell right = local_cell(&table->column[i], list->low[y], list->high[y]);

		if (left.level != right.level)
			return left.level < right.level ? -1 : 1;
		if (left.low != right.low)
			return left.low < right.low ? -1 : 1;
		if (left.high != right.high)
			return left.high < right.high ? -1 : 1;
	}
	return 0;
}

/* .. then by number. */
static int
compare_classes(const void *a, const void *b, void *arg)
{
	int32 one = *(const int32 *) a;
	int32 other = *(const int32 *) b;
	int order = compare_cells(arg, one, other);

	CHECK_FOR_INTERRUPTS();
	return order != 0 ? order : one < other ? -1 : one > other;
}

/*
 * People may be in two classes, and a class of both may fail where each satisfies.  Its tuples then
 * join others.
 */
static void
repair(LocalClasses *classes)
{
	const LocalTable *table = classes->table;
	LocalClassList list = local_classes_list(classes);
	int32 *group = budget_allocate(table->budget, table->tuples, sizeof(int32), PURPOSE);
	int32 groups = 0;
	int32 place = 0;
	bool fails = false;

	for (int32 i = 0; i < classes->count; i++)
	{
		bool holds = local_satisfies(table, list.tuple + list.begin[i], list.size[i]);

		CHECK_FOR_INTERRUPTS();
		fails |= !holds;
		for (int32 j = 0; j < list.size[i]; j++)
			group[place++] = holds ? groups : -1;
		groups += holds;
	}
	if (fails)
	{
		classes->count =
			local_groups_complete(table, list.tuple, place, group, groups, PG_INT64_MAX);
		for (int32 i = 0; i < place; i++)
			classes->class_of[list.tuple[i]] = group[i];
	}
	pfree(group);
	local_class_list_free(&list);
}

bool
local_classes_merge(LocalClasses *classes)
{
	const LocalTable *table = classes->table;
	LocalClassList list = local_classes_list(classes);
	Alike alike = {.table = table, .list = &list};
	int32 *order = budget_allocate(table->budget, classes->count, sizeof(int32), PURPOSE);
	int32 *number = budget_allocate(table->budget, classes->count, sizeof(int32), PURPOSE);
	int32 count = 0;
	bool merged;

	for (int32 i = 0; i < classes->count; i++)
		order[i] = i;
	qsort_arg(order, classes->count, sizeof(int32), compare_classes, &alike);
	for (int32 i = 0; i < classes->count; i++)
	{
		bool same = i > 0 && compare_cells(&alike, order[i - 1], order[i]) == 0;

		number[order[i]] = same ? count - 1 : count++;
	}
	for (int32 tuple = 0; tuple < table->tuples; tuple++)
		if (classes->class_of[tuple] >= 0)
			classes->class_of[tuple] = number[classes->class_of[tuple]];
	merged = count < classes->count;
	classes->count = count;
	pfree(order);
	pfree(number);
	local_class_list_free(&list);
	if (merged && table->judge && table->request->models->people)
		repair(classes);
	return merged;
}

/* ---- rows that are left out */

/* Tuples of a class, and what leaving them out saves. */
typedef struct Omission
{
	int64 rows; /* 0: none */
	int64 saved;
	int32 class;
	int attribute; /* the number of attributes: a tuple */
	int32 low;     /* of the attribute: the rows with codes outside are left out; or the place of
					* the tuple in its class */
	int32 high;
} Omission;

typedef struct Omitting
{
	LocalClasses *classes;
	const LocalTable *table;
	LocalClassList *list;
	int64 limit;  /* rows */
	int32 *tuple; /* scratch space: a class, or what is kept of it */
	int32 *low;
	int32 *high;
} Omitting;

/* Does the first save more for each row? */
static bool
saves_more(const Omission *one, const Omission *other)
{
	double first;
	double second;

	if (one->rows == 0 || other->rows == 0)
		return one->rows > 0;
	first = (double) one->saved / (double) one->rows;
	second = (double) other->saved / (double) other->rows;
	return first > second || (first == second && one->class < other->class);
}

/* Is the tuple at a place of its class left out? */
static bool
is_omitted(const LocalTable *table, const Omission *omission, int32 tuple, int32 place)
{
	int32 code;

	if (omission->attribute == table->attributes)
		return place == omission->low;
	code = local_tuple(table, tuple)[omission->attribute];
	return code < omission->low || code > omission->high;
}

/* Sets what the omission saves, and keeps it if that is most and what remains satisfies. */
static void
consider_omission(Omitting *omitting, Omission omission, Omission *best)
{
	const LocalTable *table = omitting->table;
	const LocalClassList *list = omitting->list;
	const int32 *tuple = list->tuple + list->begin[omission.class];
	int32 size = list->size[omission.class];
	int64 rows = list->rows[omission.class];
	int32 kept = 0;

	for (int32 i = 0; i < size; i++)
	{
		interrupt_check(i);
		if (is_omitted(table, &omission, tuple[i], i))
			omission.rows += local_tuple_rows(table, tuple[i]);
		else
			omitting->tuple[kept++] = tuple[i];
	}
	if (omission.rows == 0 || omission.rows > omitting->limit || kept == 0)
		return;
	omission.saved = rows * list->cost[omission.class] -
					 (rows - omission.rows) * local_region_measure(table, omitting->tuple, kept,
																   omitting->low, omitting->high);
	if (saves_more(&omission, best) && local_satisfies(table, omitting->tuple, kept))
		*best = omission;
}

/* The codes of the most frequent label right below that of the class; the lowest on a tie. */
static void
consider_labels(Omitting *omitting, int32 class, int attribute, Omission *best)
{
	const LocalTable *table = omitting->table;
	const LocalColumn *column = &table->column[attribute];
	Size at = (Size) class * table->attributes + attribute;
	int32 low = omitting->list->low[at];
	int32 high = omitting->list->high[at];
	int level = local_cell(column, low, high).level - 1;
	int64 most = 0;
	Omission omission = {.class = class, .attribute = attribute};

	for (int32 begin = low, end; begin <= high; begin = end)
	{
		int64 rows = 0;

		end = begin;
		while (end <= high && column->label[level][end] == column->label[level][begin])
			end++;
		for (int32 i = 0; i < omitting->list->size[class]; i++)
		{
			int32 tuple = omitting->list->tuple[omitting->list->begin[class] + i];
			int32 code = local_tuple(table, tuple)[attribute];

			interrupt_check(i);
			rows += code >= begin && code < end ? local_tuple_rows(table, tuple) : 0;
		}
		if (rows > most)
		{
			most = rows;
			omission.low = begin;
			omission.high = end - 1;
		}
	}
	consider_omission(omitting, omission, best);
}

typedef struct CodeOrder
{
	const LocalTable *table;
	int attribute;
} CodeOrder;

/* By the code of an attribute, then by number. */
static int
compare_codes(const void *a, const void *b, void *arg)
{
	const CodeOrder *order = arg;
	int32 one = *(const int32 *) a;
	int32 other = *(const int32 *) b;
	int32 x = local_tuple(order->table, one)[order->attribute];
	int32 y = local_tuple(order->table, other)[order->attribute];

	CHECK_FOR_INTERRUPTS();
	return x != y ? (x < y ? -1 : 1) : one < other ? -1 : one > other;
}

/*
 * All rows above a code, or all below one: those behind the first ones of the class, sorted by the
 * attribute upward or downward.
 */
static void
consider_cuts(Omitting *omitting, int32 class, int attribute, bool up, Omission *best)
{
	const LocalTable *table = omitting->table;
	const LocalClassList *list = omitting->list;
	int32 size = list->size[class];
	int32 *tuple = omitting->tuple;
	int64 rows = 0;

	memcpy(omitting->low, local_tuple(table, tuple[up ? 0 : size - 1]),
		   sizeof(int32) * table->attributes);
	memcpy(omitting->high, omitting->low, sizeof(int32) * table->attributes);
	for (int32 i = 0; i + 1 < size; i++)
	{
		int32 last = up ? i : size - 1 - i;
		const int32 *code = local_tuple(table, tuple[last]);
		const int32 *next = local_tuple(table, tuple[up ? last + 1 : last - 1]);
		Omission omission = {.class = class, .attribute = attribute};

		interrupt_check(i);
		rows += local_tuple_rows(table, tuple[last]);
		for (int j = 0; j < table->attributes; j++)
		{
			omitting->low[j] = Min(omitting->low[j], code[j]);
			omitting->high[j] = Max(omitting->high[j], code[j]);
		}
		if (code[attribute] == next[attribute] || list->rows[class] - rows > omitting->limit)
			continue;
		omission.low = omitting->low[attribute];
		omission.high = omitting->high[attribute];
		omission.rows = list->rows[class] - rows;
		omission.saved = list->rows[class] * list->cost[class] -
						 rows * local_region_cost(table, omitting->low, omitting->high);
		if (saves_more(&omission, best) && local_satisfies(table, tuple + (up ? 0 : last), i + 1))
			*best = omission;
	}
}

static void
consider_spans(Omitting *omitting, int32 class, int attribute, Omission *best)
{
	const LocalClassList *list = omitting->list;
	CodeOrder order = {.table = omitting->table, .attribute = attribute};

	memcpy(omitting->tuple, list->tuple + list->begin[class], sizeof(int32) * list->size[class]);
	qsort_arg(omitting->tuple, list->size[class], sizeof(int32), compare_codes, &order);
	consider_cuts(omitting, class, attribute, true, best);
	consider_cuts(omitting, class, attribute, false, best);
}

/* What is best left out of a class. */
static Omission
best_omission(Omitting *omitting, int32 class)
{
	const LocalTable *table = omitting->table;
	int32 size = omitting->list->size[class];
	Omission best = {.class = class};

	CHECK_FOR_INTERRUPTS();
	if (size == 0 || omitting->list->cost[class] == 0)
		return best;
	for (int i = 0; i < table->attributes; i++)
	{
		Size at = (Size) class * table->attributes + i;
		int32 low = omitting->list->low[at];
		int32 high = omitting->list->high[at];

		if (low == high)
			continue;
		if (table->column[i].spans)
			consider_spans(omitting, class, i, &best);
		else
			consider_labels(omitting, class, i, &best);
	}
	for (int32 i = 0; i < size && size <= OMITTED_ONE_BY_ONE; i++)
		consider_omission(
			omitting, (Omission){.class = class, .attribute = table->attributes, .low = i}, &best);
	return best;
}

/* Leaves out what an omission says, and measures what remains of the class. */
static void
leave_out(Omitting *omitting, const Omission *omission)
{
	LocalClassList *list = omitting->list;
	int32 *tuple = list->tuple + list->begin[omission->class];
	int32 kept = 0;

	for (int32 i = 0; i < list->size[omission->class]; i++)
		if (is_omitted(omitting->table, omission, tuple[i], i))
			omitting->classes->class_of[tuple[i]] = LOCAL_LEFT_OUT;
		else
			tuple[kept++] = tuple[i];
	list->size[omission->class] = kept;
	measure_class(omitting->table, list, omission->class);
	omitting->limit -= omission->rows;
}

/* Orders classes by what is best left out of them: what saves most for each row comes first. */
static int
compare_omissions(Datum a, Datum b, void *arg)
{
	const Omission *omission = arg;

	if (saves_more(&omission[DatumGetInt32(a)], &omission[DatumGetInt32(b)]))
		return 1;
	return saves_more(&omission[DatumGetInt32(b)], &omission[DatumGetInt32(a)]) ? -1 : 0;
}

void
local_classes_leave_out(LocalClasses *classes, int64 rows)
{
	const LocalTable *table = classes->table;
	LocalClassList list = local_classes_list(classes);
	Omitting omitting = {.classes = classes, .table = table, .list = &list, .limit = rows};
	Omission *omission = budget_allocate(table->budget, classes->count, sizeof(Omission), PURPOSE);
	double lost = table->unit * table->attributes; /* of a row that has lost everything */
	binaryheap *heap;

	omitting.tuple = budget_allocate(table->budget, table->tuples, sizeof(int32), PURPOSE);
	omitting.low = palloc(sizeof(int32) * table->attributes);
	omitting.high = palloc(sizeof(int32) * table->attributes);
	budget_check(table->budget, sizeof(Datum) * classes->count, PURPOSE);
	heap = binaryheap_allocate(classes->count, compare_omissions, omission);
	for (int32 i = 0; i < classes->count; i++)
	{
		omission[i] = best_omission(&omitting, i);
		binaryheap_add_unordered(heap, Int32GetDatum(i));
	}
	binaryheap_build(heap);
	for (;;)
	{
		int32 class = DatumGetInt32(binaryheap_first(heap));
		Omission *best = &omission[class];

		CHECK_FOR_INTERRUPTS();
		if (best->rows == 0 || (double) best->saved <= lost * (double) best->rows)
			break;
		if (best->rows <= omitting.limit)
			leave_out(&omitting, best);
		*best = best_omission(&omitting, class);
		binaryheap_replace_first(heap, Int32GetDatum(class));
	}
	binaryheap_free(heap);
	pfree(omission);
	pfree(omitting.tuple);
	local_class_list_free(&list);
	local_classes_number(classes);
}
