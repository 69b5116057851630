/*
 * cell_share.c
 *		The share of cells that a predicate covers: see cell_reader.h.
 *
 * Example: of the ages 20 to 29, age < 25 takes five of ten; of the interval from 20.0 to 29.0 it
 * takes 5 / 9.  A point is in or out; points have no length within an interval.
 */
#include "postgres.h"

#include "cell/cell_reader.h"

#include "base/context.h"
#include "base/interrupt.h"
#include "cell/range_format.h"
#include "lib/qunique.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#define PURPOSE "answers of predicates"

/* Does the predicate cover NULL with a share of 1 (otherwise 0)? */
static bool
takes_null(const CellReader *reader, const Predicate *predicate)
{
	foreach_ptr (const Comparison, comparison, predicate->comparisons)
	{
		if (comparison->attribute == reader->attribute && comparison->kind != COMPARE_NULL)
			return false;
	}
	return true;
}

/* ----------------------------------------------------------------
 * By count
 * ----------------------------------------------------------------
 */

/* Which values satisfy a predicate. */
typedef struct TakenValues
{
	CellDomain *domain;
	bool *taken; /* [code] */
	int32 all;   /* how many values of the domain satisfy */
	int32 *upto; /* [rank]: how many up to this one do; NULL until asked for */
} TakenValues;

static TakenValues
take_values(CellReader *reader, const Predicate *predicate)
{
	CellDomain *domain = reader->domain;
	int32 size = dictionary_size(domain->values);
	PredicateTest *test = predicate_test_create(predicate, reader->attribute);
	TakenValues taken = {.domain = domain,
						 .taken = budget_allocate(domain->budget, size, sizeof(bool), PURPOSE)};

	for (int32 code = 0; code < size; code++)
	{
		interrupt_check(code);
		taken.taken[code] = predicate_test(test, dictionary_value(domain->values, code), false);
		taken.all += taken.taken[code] && code < domain->dimension.domain;
	}
	predicate_test_free(test);
	return taken;
}

/* The share that is taken of the values from one to another. */
static double
share_of_span(TakenValues *taken, const RecodedCell *cell)
{
	const CellDomain *domain = taken->domain;
	int32 from;
	int32 to;

	if (cell->low == cell->high)
		return taken->taken[cell->low];
	if (taken->upto == NULL)
	{
		taken->upto =
			budget_allocate(domain->budget, (Size) domain->known + 1, sizeof(int32), PURPOSE);
		for (int32 rank = 0; rank < domain->known; rank++)
			taken->upto[rank + 1] = taken->upto[rank] + taken->taken[domain->order[rank]];
	}
	from = (int32) domain->column.position[cell->low];
	to = (int32) domain->column.position[cell->high] + 1;
	return (double) (taken->upto[to] - taken->upto[from]) / (to - from);
}

static double
share_of_set(const TakenValues *taken, const RecodedCell *cell)
{
	const int32 *value;
	int32 count = cell_domain_set(taken->domain, cell, &value);
	int32 of_set = 0;

	for (int32 i = 0; i < count; i++)
	{
		interrupt_check(i);
		of_set += taken->taken[value[i]];
	}
	return count > 0 ? (double) of_set / count : 0;
}

static double
share_by_count(TakenValues *taken, const RecodedCell *cell)
{
	int32 domain = taken->domain->dimension.domain;

	if (cell->kind == RECODED_SPAN)
		return share_of_span(taken, cell);
	if (cell->kind != RECODED_ALL)
		return share_of_set(taken, cell);
	return domain > 0 ? (double) taken->all / domain : 0;
}

/* ----------------------------------------------------------------
 * By length
 * ----------------------------------------------------------------
 */

/* One comparison with places on the ranges' scale; kinds follow the order of what they take. */
typedef struct PlaceTest
{
	ComparisonKind kind;
	Numeric *place; /* in order, each once */
	int places;
} PlaceTest;

/* What a predicate demands of a place. */
typedef struct PlaceDemand
{
	bool null; /* it must be NULL */
	bool whole;
	PlaceTest *test;
	int tests;
	bool by_points; /* the predicate has an IN list, of which only these points can satisfy: */
	Numeric *point; /* whole numbers, in order */
	int points;
	Numeric lower; /* NULL: no bound */
	Numeric upper;
} PlaceDemand;

static int
compare_places(const void *a, const void *b)
{
	CHECK_FOR_INTERRUPTS();
	return range_place_compare(*(const Numeric *) a, *(const Numeric *) b);
}

/* The number of these places, in order, that lie below one or, with "along", equal it. */
static int
places_below(const Numeric *places, int count, Numeric place, bool along)
{
	int low = 0;

	while (low < count)
	{
		int middle = low + (count - low) / 2;
		int order = range_place_compare(places[middle], place);

		if (order < 0 || (order == 0 && along))
			low = middle + 1;
		else
			count = middle;
	}
	return low;
}

static bool
test_is_satisfied(const PlaceTest *test, Numeric place)
{
	int at = places_below(test->place, test->places, place, false);
	int order = at == test->places ? 1 : range_place_compare(place, test->place[at]);

	if (order == 0)
		return test->kind != COMPARE_LESS && test->kind != COMPARE_GREATER;
	return order < 0 ? test->kind < COMPARE_IN : test->kind > COMPARE_IN;
}

static bool
place_satisfies(const PlaceDemand *demand, Numeric place)
{
	for (int i = 0; i < demand->tests; i++)
		if (!test_is_satisfied(&demand->test[i], place))
			return false;
	return true;
}

/* Bounds of whole numbers are taken at the least or greatest number that satisfies. */
static void
add_bound(PlaceDemand *demand, ComparisonKind kind, Numeric bound)
{
	bool above = kind > COMPARE_IN;
	Numeric *known = above ? &demand->lower : &demand->upper;

	if (demand->whole)
		bound = range_place_whole(bound, above, kind != COMPARE_LESS && kind != COMPARE_GREATER);
	if (*known == NULL || (range_place_compare(bound, *known) > 0) == above)
		*known = bound;
}

/* Chooses points of a test, of which the demanded places are some. */
static void
choose_points(PlaceDemand *demand, const PlaceTest *test)
{
	demand->by_points = true;
	demand->point = palloc(sizeof(Numeric) * test->places);
	for (int i = 0; i < test->places; i++)
	{
		Numeric place = test->place[i];

		interrupt_check(i);
		if (range_place_compare(place, range_place_whole(place, true, true)) == 0 &&
			place_satisfies(demand, place))
			demand->point[demand->points++] = place;
	}
}

static PlaceTest
test_of(const Comparison *comparison)
{
	PlaceTest test = {.kind = comparison->kind,
					  .place = palloc(sizeof(Numeric) * list_length(comparison->constants))};

	foreach_ptr (const Const, constant, comparison->constants)
	{
		CHECK_FOR_INTERRUPTS();
		test.place[test.places++] =
			range_place(getBaseType(constant->consttype), constant->constvalue);
	}
	qsort(test.place, test.places, sizeof(Numeric), compare_places);
	test.places = (int) qunique(test.place, test.places, sizeof(Numeric), compare_places);
	return test;
}

static PlaceDemand
demand_of(const CellReader *reader, const Predicate *predicate)
{
	PlaceDemand demand = {.whole = reader->whole,
						  .test = palloc0(sizeof(PlaceTest) * list_length(predicate->comparisons))};

	foreach_ptr (const Comparison, comparison, predicate->comparisons)
	{
		if (comparison->attribute != reader->attribute || comparison->kind == COMPARE_NOT_NULL)
			continue;
		demand.null = demand.null || comparison->kind == COMPARE_NULL;
		if (comparison->kind == COMPARE_NULL)
			continue;
		demand.test[demand.tests] = test_of(comparison);
		if (comparison->kind != COMPARE_IN)
			add_bound(&demand, comparison->kind, demand.test[demand.tests].place[0]);
		demand.tests++;
	}
	for (int i = 0; i < demand.tests && !demand.by_points; i++)
		if (demand.test[i].kind == COMPARE_IN)
			choose_points(&demand, &demand.test[i]);
	return demand;
}

/* How many of the demanded points are in the interval. */
static int
count_points(const PlaceDemand *demand, Numeric low, Numeric high)
{
	return places_below(demand->point, demand->points, high, true) -
		   places_below(demand->point, demand->points, low, false);
}

static double
share_by_length(const CellReader *reader, const PlaceDemand *demand, const RecodedCell *cell)
{
	const Dictionary *places = reader->domain->values;
	Numeric low;
	Numeric high;
	Numeric from;
	Numeric to;
	Numeric length;

	if (demand->null || cell->low < 0)
		return 0;
	low = DatumGetNumeric(dictionary_value(places, cell->low));
	high = DatumGetNumeric(dictionary_value(places, cell->high));
	if (cell->low == cell->high)
		return place_satisfies(demand, low);
	length = range_place_length(low, high, demand->whole);
	if (demand->by_points)
		return demand->whole
				   ? range_place_share(int64_to_numeric(count_points(demand, low, high)), length)
				   : 0;
	from = demand->lower && range_place_compare(demand->lower, low) > 0 ? demand->lower : low;
	to = demand->upper && range_place_compare(demand->upper, high) < 0 ? demand->upper : high;
	if (range_place_compare(to, from) < 0)
		return 0;
	return range_place_share(range_place_length(from, to, demand->whole), length);
}

/* ---- both */

static void
add_shares_by_length(const CellReader *reader, const Predicate *predicate, const RecodedCell *cell,
					 int32 count, double *share)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "kanon demand", CONTEXT_SMALL_SIZES);
	MemoryContext scratch = AllocSetContextCreate(context, "kanon share", CONTEXT_SMALL_SIZES);
	MemoryContext previous = MemoryContextSwitchTo(context);
	PlaceDemand demand = demand_of(reader, predicate);

	MemoryContextSwitchTo(scratch);
	for (int32 i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (cell[i].kind != RECODED_NULL)
			share[i] = share_by_length(reader, &demand, &cell[i]);
		MemoryContextReset(scratch);
	}
	MemoryContextSwitchTo(previous);
	MemoryContextDelete(context);
}

void
cell_share_of_all(CellReader *reader, const Predicate *predicate, const RecodedCell *cell,
				  int32 count, double *share)
{
	double null = takes_null(reader, predicate);
	TakenValues taken;

	for (int32 i = 0; i < count; i++)
		share[i] = null;
	if (reader->only == &range_format)
	{
		add_shares_by_length(reader, predicate, cell, count, share);
		return;
	}
	taken = take_values(reader, predicate);
	for (int32 i = 0; i < count; i++)
	{
		interrupt_check(i);
		if (cell[i].kind != RECODED_NULL)
			share[i] = share_by_count(&taken, &cell[i]);
	}
	if (taken.upto)
		pfree(taken.upto);
	pfree(taken.taken);
}
