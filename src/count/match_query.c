/*
 * match_query.c
 *		See match_query.h.
 */
#include "postgres.h"

#include "count/match_query.h"

#include "base/interrupt.h"
#include "count/group_query.h"
#include "model/known.h"
#include "sql/name_array.h"
#include "suppress/match_rows.h"

#define PURPOSE "rows that match"

static GroupRows *
read_groups(const Description *description, Budget *budget)
{
	if (description->quasi_count > MATCH_COLUMNS_MOST)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("too many quasi-identifiers for null_matches"),
						errdetail("They are %d; the limit is %d.", description->quasi_count,
								  MATCH_COLUMNS_MOST)));
	return group_query_run(description, description->quasi, description->quasi_count, budget);
}

/* text[]: the values of a group. */
static ArrayType *
group_values(const GroupRows *rows, int64 group)
{
	List *texts = NIL;

	for (int i = 0; i < rows->groups->attributes; i++)
		texts = lappend(texts, group_query_text(rows, i, *dataset_code(rows->groups, group, i)));
	return text_array_of(texts);
}

void
match_query_each(const Description *description, bool with_values, ClassConsumer consumer,
				 void *state, Budget *budget)
{
	GroupRows *rows = read_groups(description, budget);
	const Dataset *groups = rows->groups;
	int64 *count = budget_allocate(budget, groups->rows, sizeof(int64), PURPOSE);

	match_rows_count(match_rows_create(groups, NULL), column_set_all(groups->attributes), count);
	for (int64 group = 0; group < groups->rows; group++)
	{
		StreamedClass class = {.rows = dataset_members(groups, dataset_record(groups, group)),
							   .matches = count[group]};

		CHECK_FOR_INTERRUPTS();
		class.members = class.rows;
		if (with_values)
			class.values = PointerGetDatum(group_values(rows, group));
		consumer(state, &class);
		if (with_values)
			pfree(DatumGetPointer(class.values));
	}
}

/* ---- all of them */

typedef struct MatchTally
{
	const MatchRows *rows;
	int k;
	int64 *count; /* [group]: rows that it matches by the set of columns at hand */
	bool *fails;  /* [group]: by any set */
	ClassTally tally;
} MatchTally;

/* Adds the combinations of some columns, each once. */
static void
tally_set(MatchTally *state, ColumnSet columns)
{
	const MatchRows *rows = state->rows;
	const Dataset *groups = rows->dataset;
	ClassTally *tally = &state->tally;
	CountTable *seen = count_table_create(rows->words, groups->budget, groups->rows);
	uint64 *key = palloc(sizeof(uint64) * rows->words);
	const int64 one = 1;

	match_rows_count(rows, columns, state->count);
	for (int64 group = 0; group < groups->rows; group++)
	{
		int64 matches = state->count[group];

		interrupt_check(group);
		state->fails[group] = state->fails[group] || matches < state->k;
		match_rows_key(rows, group, columns, key);
		if (count_table_has(seen, key))
			continue;
		if (!count_table_add_block(seen, key, &one, 1))
			budget_exceeded(groups->budget, 0, PURPOSE);
		class_tally_add(tally, 0, matches, matches < state->k);
	}
	count_table_free(seen);
	pfree(key);
}

ClassTally
match_query_tally(const Description *description, int k, Budget *budget)
{
	int size = known_most_size(&description->demand, description->quasi_count);
	const Dataset *groups;
	MatchTally state = {.k = k};
	KnownSets sets = known_sets_begin(description->quasi_count, size);

	known_check_sets(&description->demand, description->quasi_count);
	groups = read_groups(description, budget)->groups;
	state.rows = match_rows_create(groups, NULL);
	state.count = budget_allocate(budget, groups->rows, sizeof(int64), PURPOSE);
	state.fails = budget_allocate(budget, groups->rows, sizeof(bool), PURPOSE);
	do
	{
		ColumnSet columns = 0;

		CHECK_FOR_INTERRUPTS();
		for (int i = 0; i < size; i++)
			columns |= column_set_of(sets.member[i]);
		tally_set(&state, columns);
	} while (known_sets_next(&sets));
	for (int64 group = 0; group < groups->rows; group++)
	{
		int64 members = dataset_members(groups, dataset_record(groups, group));

		interrupt_check(group);
		state.tally.rows += members;
		state.tally.small_rows += state.fails[group] ? members : 0;
	}
	return state.tally;
}
