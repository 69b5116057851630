/*
 * matching_draw.c
 *		See matching.h.
 *
 * The rows of each connected part are numbered from 0, by name, then by position.  So a part looks
 * the same wherever it is, and gets the same random numbers.
 *
 * Matching after matching is removed from the part, which stays regular.  Which one is kept, the
 * first, second .. or k-th, is drawn beforehand.
 *
 * A matching grows by one record at a time.  A free record walks to a random row it covers.  If
 * another record has that row, the walk continues from that record to any of its other rows, until
 * it reaches a free row.  Then every record on the walk moves on to the row it walked to.  In a
 * d-regular graph of n records with m free, a walk takes about 1 + n/m steps, so all take O(n log
 * n).
 *
 * If the walk crosses itself, loops must be cut.  Each record remembers only the last row it walked
 * to: following these from the start gives the path without loops.
 *
 * Example: records 0, 1, 2 cover the rows 0 1, 1 2, 2 0.  Record 0 walks to row 1, which is free,
 * and takes it; 1 takes 2.  Record 2 walks to row 2, which record 1 has; its other row 1 belongs to
 * record 0, whose other row 0 is free.  So record 0 moves to row 0, record 1 to row 1, and record 2
 * takes row 2.
 */
#include "postgres.h"

#include "matching/matching.h"

#include "base/progress.h"
#include "port/pg_bswap.h"

#define PURPOSE "drawing of a matching"
#define NOBODY (-1)
#define CHUNK 256 /* words hashed at a time */

/* A row, and the record with the same number. */
typedef struct DrawRow
{
	RowName name;
	int32 turn; /* number among the rows with its name */
	int32 part; /* the lowest row connected with it */
	int32 row;
} DrawRow;

/* All rows, part by part. */
typedef struct Draw
{
	int64 rows;
	int k;
	DrawRow *row;   /* [place] */
	int32 *covered; /* [place * k + i]: numbers within the part, ascending */
	int64 steps;    /* of all walks */
	Budget *budget;
	/* The part that is drawn: */
	int64 begin;   /* its first place */
	int32 count;   /* its rows */
	int32 *record; /* [number] of a row: the record that has it, or NOBODY */
	int32 *step;   /* [number] of a record: which covered row it walked to last */
	int32 *own;    /* [number] of a record: which covered row it has, or NOBODY */
	Random random;
} Draw;

/* Rows already removed are at the end. */
static inline int32 *
covered_by(const Draw *draw, int32 record)
{
	return draw->covered + (draw->begin + record) * draw->k;
}

/* ---- parts */

/* Path halving keeps paths short. */
static int32
find_part(int32 *part, int32 row)
{
	while (part[row] != row)
		row = part[row] = part[part[row]];
	return row;
}

/* [row]: its part.  A record covers its own row, so both share a number here. */
static int32 *
find_parts(const Matching *matching, Budget *budget)
{
	int32 *part = budget_allocate(budget, matching->rows, sizeof(int32), PURPOSE);

	for (int32 row = 0; row < matching->rows; row++)
		part[row] = row;
	for (int64 pair = 0; pair < matching->rows * matching->k; pair++)
	{
		int32 one = find_part(part, (int32) (pair / matching->k));
		int32 other = find_part(part, matching->covered[pair]);

		interrupt_check(pair);
		part[Max(one, other)] = Min(one, other);
	}
	return part;
}

static int
compare_rows(const void *a, const void *b)
{
	const DrawRow *one = a;
	const DrawRow *other = b;

	CHECK_FOR_INTERRUPTS();
	if (one->part != other->part)
		return one->part < other->part ? -1 : 1;
	for (int i = 0; i < 2; i++)
		if (one->name.word[i] != other->name.word[i])
			return one->name.word[i] < other->name.word[i] ? -1 : 1;
	return one->turn < other->turn ? -1 : one->turn > other->turn;
}

static void
sort_rows(Draw *draw, const Matching *matching, const RowName *name)
{
	int32 *part = find_parts(matching, draw->budget);

	for (int32 row = 0; row < draw->rows; row++)
	{
		bool again = row > 0 && memcmp(&name[row], &name[row - 1], sizeof(RowName)) == 0;

		interrupt_check(row);
		draw->row[row] = (DrawRow){.name = name[row],
								   .turn = again ? draw->row[row - 1].turn + 1 : 0,
								   .part = find_part(part, row),
								   .row = row};
	}
	qsort(draw->row, draw->rows, sizeof(DrawRow), compare_rows);
	pfree(part);
}

/* The rows that each record covers, by their numbers within the part. */
static void
number_covered(Draw *draw, const Matching *matching)
{
	int32 *number = budget_allocate(draw->budget, draw->rows, sizeof(int32), PURPOSE);
	int32 begin = 0;

	for (int32 place = 0; place < draw->rows; place++)
	{
		interrupt_check(place);
		if (draw->row[place].part != draw->row[begin].part)
			begin = place;
		number[draw->row[place].row] = place - begin;
	}
	for (int32 place = 0; place < draw->rows; place++)
	{
		int32 *covered = draw->covered + (int64) place * draw->k;

		CHECK_FOR_INTERRUPTS();
		memcpy(covered, matching_covered(matching, draw->row[place].row), sizeof(int32) * draw->k);
		for (int i = 0; i < draw->k; i++)
			covered[i] = number[covered[i]];
		qsort(covered, draw->k, sizeof(int32), interrupt_compare_int32);
	}
	pfree(number);
}

/* ---- numbers */

static void
add_numbers(RandomSource *source, const int32 *number, int64 count)
{
	uint32 words[CHUNK];

	for (int64 begin = 0; begin < count; begin += CHUNK)
	{
		int some = (int) Min(count - begin, CHUNK);

		CHECK_FOR_INTERRUPTS();
		for (int i = 0; i < some; i++)
			words[i] = pg_hton32((uint32) number[begin + i]);
		random_source_add(source, words, sizeof(uint32) * some);
	}
}

/* The random numbers of the part, keyed by its rows and who covers whom. */
static Random
part_numbers(const Draw *draw, RandomSource *source)
{
	random_source_add(source, "part", sizeof("part"));
	add_numbers(source, &draw->count, 1);
	for (int32 number = 0; number < draw->count; number++)
	{
		const DrawRow *row = &draw->row[draw->begin + number];
		uint64 words[] = {pg_hton64(row->name.word[0]), pg_hton64(row->name.word[1]),
						  pg_hton64((uint64) row->turn)};

		interrupt_check(number);
		random_source_add(source, words, sizeof(words));
	}
	add_numbers(source, &draw->k, 1);
	add_numbers(source, covered_by(draw, 0), (int64) draw->count * draw->k);
	return random_source_numbers(source);
}

/* ---- matchings */

/* Walks from a free record to a free row. */
static void
walk(Draw *draw, int32 record, int32 degree)
{
	while (record != NOBODY)
	{
		int32 own = draw->own[record];
		int32 step;

		interrupt_check(draw->steps++);
		/* Each row that the record covers but does not have is equally likely. */
		step = (int32) random_below(&draw->random, own == NOBODY ? degree : degree - 1);
		if (own != NOBODY && step >= own)
			step++;
		draw->step[record] = step;
		record = draw->record[covered_by(draw, record)[step]];
	}
}

/* Every record on the path takes the row that it walked to. */
static void
move(Draw *draw, int32 record)
{
	while (record != NOBODY)
	{
		int32 row = covered_by(draw, record)[draw->step[record]];
		int32 next = draw->record[row];

		draw->own[record] = draw->step[record];
		draw->record[row] = record;
		record = next;
	}
}

/* Finds a perfect matching. */
static void
find_matching(Draw *draw, int32 degree)
{
	memset(draw->record, 0xFF, sizeof(int32) * draw->count);
	memset(draw->own, 0xFF, sizeof(int32) * draw->count);
	for (int32 record = 0; record < draw->count; record++)
	{
		CHECK_FOR_INTERRUPTS();
		walk(draw, record, degree);
		move(draw, record);
	}
}

static void
draw_part(Draw *draw, RandomSource *source, int32 *record_of_row)
{
	const DrawRow *row = draw->row + draw->begin;
	int32 degree = draw->k;
	int32 last;

	draw->random = part_numbers(draw, source);
	last = degree - (int32) random_below(&draw->random, degree);
	for (; degree > last; degree--)
	{
		find_matching(draw, degree);
		/* Removes the matching: the rows taken move behind the others. */
		for (int32 record = 0; record < draw->count; record++)
		{
			int32 *covered = covered_by(draw, record);
			int32 own = draw->own[record];
			int32 taken = covered[own];

			interrupt_check(record);
			covered[own] = covered[degree - 1];
			covered[degree - 1] = taken;
		}
	}
	find_matching(draw, degree);
	for (int32 number = 0; number < draw->count; number++)
	{
		interrupt_check(number);
		record_of_row[row[number].row] = row[draw->record[number]].row;
	}
}

static void
draw_parts(Draw *draw, RandomSource *source, int32 *record_of_row)
{
	int64 end;

	progress_phase("dealing rows", draw->rows);
	for (draw->begin = 0; draw->begin < draw->rows; draw->begin = end)
	{
		int32 part = draw->row[draw->begin].part;

		for (end = draw->begin; end < draw->rows && draw->row[end].part == part; end++)
			interrupt_check(end);
		draw->count = (int32) (end - draw->begin);
		draw_part(draw, source, record_of_row);
		progress_done(end);
	}
}

/*
 * Permutes the records of equal rows secretly, because their order of arrival may depend on values
 * that must stay hidden.  The random numbers depend on these rows alone.
 */
static void
shuffle_equals(int32 *record_of_row, const RowName *name, int64 rows, RandomSource *source)
{
	int64 end;

	for (int64 begin = 0; begin < rows; begin = end)
	{
		Random random = {.left = 0};

		end = begin + 1;
		while (end < rows && memcmp(&name[end], &name[begin], sizeof(RowName)) == 0)
			interrupt_check(end++);
		if (end > begin + 1)
		{
			uint64 words[] = {pg_hton64(name[begin].word[0]), pg_hton64(name[begin].word[1]),
							  pg_hton64((uint64) (end - begin))};

			random_source_add(source, "equals", sizeof("equals"));
			random_source_add(source, words, sizeof(words));
			random = random_source_numbers(source);
		}
		for (int64 last = end - 1; last > begin; last--)
		{
			int64 other = begin + (int64) random_below(&random, last - begin + 1);
			int32 record = record_of_row[other];

			interrupt_check(last);
			record_of_row[other] = record_of_row[last];
			record_of_row[last] = record;
		}
	}
}

int32 *
matching_draw(const Matching *matching, const RowName *name, RandomSource *source, Budget *budget)
{
	int64 rows = matching->rows;
	Size pairs = mul_size(rows, matching->k);
	int32 *record_of_row = budget_allocate(budget, rows, sizeof(int32), PURPOSE);
	Draw draw = {.rows = rows, .k = matching->k, .budget = budget};

	draw.row = budget_allocate(budget, rows, sizeof(DrawRow), PURPOSE);
	draw.covered = budget_allocate(budget, pairs, sizeof(int32), PURPOSE);
	sort_rows(&draw, matching, name);
	number_covered(&draw, matching);
	draw.record = budget_allocate(budget, rows, sizeof(int32), PURPOSE);
	draw.step = budget_allocate(budget, rows, sizeof(int32), PURPOSE);
	draw.own = budget_allocate(budget, rows, sizeof(int32), PURPOSE);
	draw_parts(&draw, source, record_of_row);
	shuffle_equals(record_of_row, name, rows, source);
	pfree(draw.row);
	pfree(draw.covered);
	pfree(draw.record);
	pfree(draw.step);
	pfree(draw.own);
	return record_of_row;
}
