/*
 * side_by_side.c
 *		See side_by_side.h.
 *
 * People are sorted by their class or kind in each release.  Those who are beside each other in all
 * of them become neighbours: a group.  If all releases have classes, the size of the group answers
 * for all its members.  Otherwise its first member is compared with the shortest list of candidates
 * from one release: which of these are the same in, or covered by, all others?
 */
#include "postgres.h"

#include "proof/side_by_side.h"

#include "base/interrupt.h"
#include "data/dataset.h"

#define PURPOSE "putting releases side by side"

/* One release. */
typedef struct Side
{
	int covers;       /* kinds that a record covers; 0: the release has classes */
	int32 *covered;   /* [person * covers]: kinds that their record covers; DATASET_NULL: not in
					   * the release */
	int64 capacity;   /* people that fit */
	int32 numbers;    /* classes or kinds are below this */
	int64 *begin;     /* [number]: its first candidate, in the order of numbers; then the end */
	int32 *candidate; /* places of people */
} Side;

struct SideBySide
{
	int releases;
	MemoryContext context;
	Budget *budget;
	Side *side;
	Dataset *people; /* [release]: class or kind */
	bool classes;    /* all releases have classes */
};

SideBySide *
side_by_side_create(int releases, Budget *budget)
{
	SideBySide *people = palloc(sizeof(SideBySide));

	*people = (SideBySide){.releases = releases,
						   .context = CurrentMemoryContext,
						   .budget = budget,
						   .side = palloc0(sizeof(Side) * releases),
						   .people = dataset_create(DATASET_RECORDS, releases, budget),
						   .classes = true};
	return people;
}

/* Keeps what a record covers.  People added before were not in this release. */
static void
keep_covered(SideBySide *people, Side *side, int64 person, const int32 *kind, int count)
{
	if (side->covers == 0)
		side->covers = count;
	if (count > 0 && count != side->covers)
		elog(ERROR, "records of one release cover %d rows and %d", side->covers, count);
	if (person >= side->capacity)
	{
		int64 capacity = Max(2 * side->capacity, Max(person + 1, 1024));
		Size bytes = mul_size(side->covers, sizeof(int32));

		side->covered =
			budget_enlarge(people->budget, side->covered, side->capacity, capacity, bytes, PURPOSE);
		memset((char *) side->covered + side->capacity * bytes, 0xFF,
			   (capacity - side->capacity) * bytes);
		side->capacity = capacity;
	}
	memcpy(side->covered + person * side->covers, kind, sizeof(int32) * count);
}

void
side_by_side_add(SideBySide *people, const int32 *const *who, const int *count)
{
	MemoryContext caller = MemoryContextSwitchTo(people->context);
	int64 person = dataset_append(people->people, 1);
	int32 *record = dataset_record(people->people, person);

	for (int i = 0; i < people->releases; i++)
	{
		Side *side = &people->side[i];

		record[i] = count[i] > 0 ? who[i][0] : DATASET_NULL;
		for (int number = 0; number < count[i]; number++)
			side->numbers = Max(side->numbers, who[i][number] + 1);
		if (count[i] > 1 || side->covers > 0)
			keep_covered(people, side, person, who[i] + 1, Max(count[i] - 1, 0));
		people->classes = people->classes && side->covers == 0;
	}
	MemoryContextSwitchTo(caller);
}

static int32 *
record_of(const SideBySide *people, int64 place)
{
	return dataset_record(people->people, place);
}

/* The kinds that the record of the person at "place" covers or, with classes, the class. */
static const int32 *
covered_by(const SideBySide *people, int release, int64 place, int *count)
{
	const Side *side = &people->side[release];
	const int32 *record = record_of(people, place);

	if (record[release] == DATASET_NULL)
		*count = 0;
	else if (side->covers == 0)
		*count = 1;
	else
		*count = side->covers;
	return side->covers == 0
			   ? record + release
			   : side->covered + (int64) dataset_row(people->people, record) * side->covers;
}

/*
 * Lists, for each class or kind of a release, the people whose records may belong to its members.
 */
static void
list_candidates(SideBySide *people, int release)
{
	Side *side = &people->side[release];
	int64 rows = people->people->rows;
	int count;

	side->begin =
		budget_allocate(people->budget, (int64) side->numbers + 2, sizeof(int64), PURPOSE);
	for (int64 place = 0; place < rows; place++)
	{
		const int32 *number = covered_by(people, release, place, &count);

		interrupt_check(place);
		for (int i = 0; i < count; i++)
			side->begin[number[i] + 2]++;
	}
	for (int32 number = 0; number <= side->numbers; number++)
		side->begin[number + 1] += side->begin[number];
	side->candidate =
		budget_allocate(people->budget, side->begin[side->numbers + 1], sizeof(int32), PURPOSE);
	for (int64 place = 0; place < rows; place++)
	{
		const int32 *number = covered_by(people, release, place, &count);

		interrupt_check(place);
		for (int i = 0; i < count; i++)
			side->candidate[side->begin[number[i] + 1]++] = (int32) place;
	}
}

/*
 * May the record of the person at "place", if there is one, belong to somebody of this class or
 * kind?
 */
static bool
may_be(const SideBySide *people, int release, int32 place, int32 wanted)
{
	int count;
	const int32 *number = covered_by(people, release, place, &count);

	if (wanted == DATASET_NULL)
		return count == 0;
	for (int i = 0; i < count; i++)
		if (number[i] == wanted)
			return true;
	return false;
}

/* The release whose list for this person is shortest. */
static int
shortest_list(const SideBySide *people, const int32 *record)
{
	int best = -1;
	int64 least = 0;

	for (int i = 0; i < people->releases; i++)
	{
		const int64 *begin = people->side[i].begin;
		int64 length;

		if (record[i] == DATASET_NULL)
			continue;
		length = begin[record[i] + 1] - begin[record[i]];
		if (best < 0 || length < least)
		{
			best = i;
			least = length;
		}
	}
	return best;
}

/* The number of candidates of the person at "place". */
static int64
count_candidates(const SideBySide *people, int64 place)
{
	const int32 *record = record_of(people, place);
	int shortest = shortest_list(people, record);
	const Side *side = &people->side[shortest];
	int64 found = 0;
	int32 last = -1;

	for (int64 at = side->begin[record[shortest]]; at < side->begin[record[shortest] + 1]; at++)
	{
		int32 candidate = side->candidate[at];
		/* A record may cover a kind twice. */
		bool may = candidate != last;

		interrupt_check(at);
		last = candidate;
		for (int i = 0; may && i < people->releases; i++)
			may = may_be(people, i, candidate, record[i]);
		found += may;
	}
	return found;
}

/* Reports that this many people, from that place on, have "size" candidates. */
static void
report_group(SideBySideReport *report, const SideBySide *people, int k, int64 place, int64 members,
			 int64 size)
{
	report->people += members;
	if (size < k)
	{
		report->below += members;
		report->sizes[size] += members;
	}
	report->alone += size == 1 ? members : 0;
	if (report->smallest == 0 || size < report->smallest)
	{
		report->smallest = size;
		report->weakest_count = 0;
	}
	if (size == report->smallest)
		for (int64 at = place; at < place + members && report->weakest_count < SIDE_BY_SIDE_WEAKEST;
			 at++)
			report->weakest[report->weakest_count++] =
				dataset_row(people->people, record_of(people, at));
}

SideBySideReport
side_by_side_judge(SideBySide *people, int k)
{
	Dataset *dataset = people->people;
	Size bytes = sizeof(int32) * people->releases;
	int64 size_end = Min((int64) k, dataset->rows + 1);
	SideBySideReport report = {.size_end = size_end,
							   .sizes = palloc0(sizeof(int64) * size_end),
							   .weakest = palloc(sizeof(int32) * SIDE_BY_SIDE_WEAKEST)};
	int64 end;

	for (int i = 0; i < people->releases; i++)
	{
		dataset->values[i] = people->side[i].numbers;
		dataset->has_null[i] = true;
	}
	dataset_sort(dataset);
	for (int i = 0; !people->classes && i < people->releases; i++)
		list_candidates(people, i);
	for (int64 begin = 0; begin < dataset->rows; begin = end)
	{
		for (end = begin + 1; end < dataset->rows &&
							  memcmp(record_of(people, begin), record_of(people, end), bytes) == 0;
			 end++)
			interrupt_check(end);
		report_group(&report, people, k, begin, end - begin,
					 people->classes ? end - begin : count_candidates(people, begin));
	}
	return report;
}
