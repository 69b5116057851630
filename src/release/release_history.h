/*
 * release_history.h
 *		The history of releases, and what the catalogs tell of one.
 *
 * An entry is begun before the release is filled and ended afterwards, in one transaction, so that
 * an interruption leaves none.  Entries outlive their release.
 *
 * Call all of these within a query scope, in the current context.  What is told of one release is
 * for its owner; some of it is not public.
 */
#ifndef KANON_RELEASE_HISTORY_H
#define KANON_RELEASE_HISTORY_H

#include "postgres.h"

#include "datatype/timestamp.h"
#include "release/release_catalog.h"

/* The column "how". */
#define FILLED_BY_CREATION "created"
#define FILLED_BY_KANON "refreshed"
#define FILLED_BY_REPLACEMENT "replaced"
#define FILLED_BY_ADOPTION "adopted" /* filled by the command that recreated it */
#define FILLED_BY_REFRESH "REFRESH"  /* a plain one; of a release just restored it is "restored" */

/*
 * Begins an entry for a release in the catalog, by the current role, with this start time.  Does
 * nothing if this transaction has an open entry for it: the first caller determines "how".
 */
extern void release_history_begin(Oid release, const char *how, TimestampTz start);

/* Is the open entry that of a release restored from a dump? */
extern bool release_history_restores(Oid release);

/*
 * Records a filling by the current role with these figures: in the catalog, where the loss stays if
 * levels were chosen when the release was made, and in the open entry, if there is one, which ends.
 */
extern void release_history_end(Oid release, const ReleaseFigures *figures);

/* The last filling of a release. */
typedef struct ReleaseFilling
{
	Oid release;
	ReleaseFigures figures; /* without people and digest */
	bool changed_known;
	bool changed; /* the contents differ from those last known */
	double seconds;
} ReleaseFilling;

extern ReleaseFilling release_history_last(Oid release);

/* Adds an entry for a failed filling. name: the release's qualified name, in case it is gone. */
extern void release_history_fail(Oid release, const char *name, const char *message);

/*
 * Gives a dropped release that is adopted under the same name its entries back: the last of that
 * name and its owner since one was created.
 */
extern void release_history_adopt(Oid release, const char *name);

typedef struct ReleaseStory
{
	bool filled; /* it is populated */
	/* Times are in UTC. */
	const char *created;
	const char *created_by;
	const char *refreshed;
	const char *refreshed_by;
	const char *kanon; /* versions that last filled it, or the current ones */
	const char *postgresql;
	int64 people;   /* kanon_release.people; 0: unknown */
	int parameters; /* parameters that differ from the default and have no column in
					 * kanon_release */
	const char **parameter;
	const char **value;
} ReleaseStory;

/* One filling.  Unknown: -1 for integers, NaN for the loss. */
typedef struct ReleaseChapter
{
	const char *when;
	double days; /* the same, since 1970 */
	const char *by;
	const char *how;
	int64 source_rows;
	int64 rows;
	int64 missing;
	int64 smallest;
	double loss;
} ReleaseChapter;

extern ReleaseStory release_history_story(Oid release);

/* The last fillings, at most "most", oldest first; returns their number. */
extern int release_history_chapters(Oid release, int most, ReleaseChapter **chapter);

#endif /* KANON_RELEASE_HISTORY_H */
