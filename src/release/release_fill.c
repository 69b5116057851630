/*
 * release_fill.c
 *		See release_fill.h.
 */
#include "postgres.h"

#include "release/release_fill.h"

#include "cell/recoding_cells.h"
#include "relation/citus.h"
#include "release/release_seed.h"
#include "release/release_shards.h"
#include "release/release_table.h"
#include "sql/relation_name.h"
#include "utils/snapmgr.h"

/* For errors of the rows, of functions that a view calls. */
static void
say_filling(void *name)
{
	errcontext("filling release %s", (const char *) name);
}

static ReleaseFill
fill_and_measure(const ReleaseEntry *entry, Query *query, bool required)
{
	ContentTally *tally = release_catalog_tally(entry, true);
	ErrorContextCallback filling = {.previous = error_context_stack,
									.callback = say_filling,
									.arg = unconstify(char *, relation_name(entry->release))};
	ErrorContextCallback hints;
	/* Citus distributes rows that lie here: no function of the query sees where they go. */
	Oid place = entry->distributed ? entry->query : entry->release;
	ReleaseFill fill = {.shards = InvalidOid};

	if (entry->distributed)
		relation_name_hold(place, ExclusiveLock);
	error_context_stack = &filling;
	citus_hints_begin(&hints);
	release_table_mark_query(entry, true);
	fill.successor = successor_fill(place, query ? query : successor_query(entry->query),
									content_tally_receiver(tally));
	release_table_mark_query(entry, false);
	citus_hints_end(&hints);
	error_context_stack = filling.previous;
	UpdateActiveSnapshotCommandId();
	(void) release_seed_check_dealt(entry, tally, ERROR);
	fill.figures = release_catalog_figures_measure(entry, fill.successor.table, tally, required);
	content_tally_free(tally);
	if (entry->distributed)
	{
		fill.shards = release_shards_fill(entry, &fill.successor);
		successor_discard(&fill.successor);
	}
	return fill;
}

ReleaseFill
release_fill(const ReleaseEntry *entry, Query *query, bool required)
{
	/* Of a release whose relation calls for this filling, between its recoding and its last row. */
	RecodingFigures outer = recoding_figures_take();
	ReleaseFill fill = {0};

	PG_TRY();
	{
		fill = fill_and_measure(entry, query, required);
	}
	PG_FINALLY();
	{
		recoding_figures_keep(&outer);
	}
	PG_END_TRY();
	return fill;
}

void
release_fill_swap(const ReleaseEntry *entry, ReleaseFill *fill)
{
	if (entry->distributed)
		release_shards_swap(entry->release, fill->shards);
	else
		successor_swap(&fill->successor);
}
