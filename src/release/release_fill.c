/*
 * release_fill.c
 *		See release_fill.h.
 */
#include "postgres.h"

#include "release/release_fill.h"

#include "cell/recoding_cells.h"
#include "matview/difference.h"
#include "relation/citus.h"
#include "release/release_nodes.h"
#include "release/release_seed.h"
#include "release/release_shards.h"
#include "release/release_table.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "utils/snapmgr.h"

/* For errors of the rows, of functions that a view calls. */
static void
say_filling(void *name)
{
	errcontext("filling release %s", (const char *) name);
}

/* The contexts of errors while rows are written. */
typedef struct Writing
{
	ErrorContextCallback filling;
	ErrorContextCallback hints;
} Writing;

static void
begin_writing(Writing *writing, const ReleaseEntry *entry)
{
	writing->filling =
		(ErrorContextCallback){.previous = error_context_stack,
							   .callback = say_filling,
							   .arg = unconstify(char *, relation_name(entry->release))};
	error_context_stack = &writing->filling;
	citus_hints_begin(&writing->hints);
}

static void
end_writing(const Writing *writing)
{
	citus_hints_end(&writing->hints);
	error_context_stack = writing->filling.previous;
}

/* What parts come to together. */
typedef struct FilledParts
{
	RecodingFigures figures;
	ContentTally *tally;
} FilledParts;

static void
take_part(void *state, Datum told)
{
	FilledParts *parts = state;
	const bytea *bytes = DatumGetByteaPP(told);
	FilledPart part;

	if (VARSIZE_ANY_EXHDR(bytes) != sizeof(part))
		elog(ERROR, "a part of a release tells %zu bytes", (Size) VARSIZE_ANY_EXHDR(bytes));
	memcpy(&part, VARDATA_ANY(bytes), sizeof(part));
	recoding_figures_add(&parts->figures, &part.figures);
	content_tally_take(parts->tally, &part.content);
}

/* Fills a successor, by several processes if they are sooner ready. */
static Successor
fill_successor(const ReleaseEntry *entry, Query *query, ContentTally *tally)
{
	/* Citus distributes rows that lie here: no function of the query sees where they go. */
	Oid place = entry->distributed ? entry->query : entry->release;
	SuccessorUse use =
		entry->distributed || release_table_keeps_rows(entry) ? SUCCESSOR_READ : SUCCESSOR_SWAPPED;
	FilledParts parts = {.tally = tally};
	SuccessorRows rows = {.take = take_part, .state = &parts};
	Successor successor;
	int level;

	rows.query = release_nodes_side_by_side(entry, query, &rows.workers);
	if (rows.query == NULL)
		return successor_fill(
			place, &(SuccessorRows){.query = query, .watcher = content_tally_receiver(tally)}, use);
	level = release_nodes_begin_processes(rows.workers);
	successor = successor_fill(place, &rows, use);
	release_nodes_end_processes(level);
	if (content_tally_rows(tally) != (int64) successor.rows)
		elog(ERROR, "parts of a release have " INT64_FORMAT " of " UINT64_FORMAT " rows",
			 content_tally_rows(tally), successor.rows);
	recoding_figures_keep(&parts.figures);
	return successor;
}

/* By a successor that lies here. */
static ReleaseFill
fill_here(const ReleaseEntry *entry, Query *query, bool required)
{
	ContentTally *tally = release_catalog_tally(entry, true);
	ReleaseFill fill = {.shards = InvalidOid};
	Writing writing;

	begin_writing(&writing, entry);
	release_table_mark_query(entry, true);
	fill.successor = fill_successor(entry, query, tally);
	release_table_mark_query(entry, false);
	end_writing(&writing);
	UpdateActiveSnapshotCommandId();
	(void) release_seed_check_dealt(entry, tally, ERROR);
	fill.figures = release_catalog_figures_measure(entry, fill.successor.table, tally, required);
	content_tally_free(tally);
	if (entry->distributed)
	{
		fill.shards = release_shards_fill(entry, &fill.successor);
		successor_drop(&fill.successor);
	}
	return fill;
}

/* By the workers, or here. */
static ReleaseFill
fill_and_measure(const ReleaseEntry *entry, Query *query, bool required)
{
	ReleaseFill fill = {.shards = InvalidOid};
	Writing writing;

	if (query == NULL)
		query = successor_query(entry->query);
	if (!entry->distributed)
		return fill_here(entry, query, required);
	relation_name_hold(entry->query, ExclusiveLock);
	begin_writing(&writing, entry);
	fill.shards = release_shards_fill_there(entry, query, &fill.figures);
	end_writing(&writing);
	return OidIsValid(fill.shards) ? fill : fill_here(entry, query, required);
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

/* Does it hold what was counted? */
static void
check_shown(const char *name, const ReleaseFigures *figures)
{
	bool same;

	query_snapshot_begin();
	same = strcmp(content_tally_digest_of(name), figures->digest) == 0;
	query_snapshot_end();
	if (!same)
		ereport(ERROR, (errcode(ERRCODE_OBJECT_IN_USE),
						errmsg("release %s was written while it was filled", name),
						errdetail("A function that its indexes call wrote it.")));
}

void
release_fill_show(const ReleaseEntry *entry, const char *name, ReleaseFill *fill)
{
	if (release_table_keeps_rows(entry))
	{
		if (difference_write(&fill->successor))
			check_shown(name, &fill->figures);
		return;
	}
	successor_lock(entry->release, name);
	if (entry->distributed)
		release_shards_swap(entry->release, fill->shards);
	else
		successor_swap(&fill->successor);
}
