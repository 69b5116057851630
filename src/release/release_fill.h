/*
 * release_fill.h
 *		Fills a release beside its contents, and counts the rows on their way.
 *
 * However a release is made, refreshed or replaced by kanon, it is filled here.  A plain REFRESH
 * MATERIALIZED VIEW fills it otherwise, and kanon reads it afterwards (release_refresh.h).
 */
#ifndef KANON_RELEASE_FILL_H
#define KANON_RELEASE_FILL_H

#include "postgres.h"

#include "cell/recoding_cells.h"
#include "count/content_tally.h"
#include "matview/successor.h"
#include "release/release_catalog.h"

/* What some rows of a release hold, as the bytes of kanon_view_tally. */
typedef struct FilledPart
{
	RecodingFigures figures;
	ContentPart content;
} FilledPart;

typedef struct ReleaseFill
{
	Successor successor;
	Oid shards; /* of a distributed release: its partition to be, with the rows of a successor that
				 * is gone */
	ReleaseFigures figures;
} ReleaseFill;

/*
 * Fills a successor by "query", or by the release's own if that is NULL, and measures it; "entry"
 * is what the release will be.  required: what the owner may not read is an error.  Call it as
 * successor_fill, within a query scope, with an active snapshot of your own (PushCopiedSnapshot),
 * which sees the successor afterwards.  Errors: those of successor_fill,
 * release_seed_check_dealt and release_catalog_figures_measure; with a hint if Citus fills it where
 * its dimensions are not.
 */
extern ReleaseFill release_fill(const ReleaseEntry *entry, Query *query, bool required);

/*
 * Gives the release, "name", these contents: those of release_table_keeps_rows by
 * difference_write, others by successor_lock and successor_swap, or release_shards_swap.  Call it
 * as the release's owner.  Errors: theirs; ERRCODE_OBJECT_IN_USE if a function of an index has
 * written the release.
 */
extern void release_fill_show(const ReleaseEntry *entry, const char *name, ReleaseFill *fill);

#endif /* KANON_RELEASE_FILL_H */
