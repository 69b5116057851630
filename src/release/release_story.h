/*
 * release_story.h
 *		What the catalogs know of a release: how it was made and by whom, and all its fillings.
 *
 * For the release's owner; some of it is not public.  Call within a query scope, in the current
 * context.
 */
#ifndef KANON_RELEASE_STORY_H
#define KANON_RELEASE_STORY_H

#include "postgres.h"

#include "release/release_catalog.h"

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

extern ReleaseStory release_story_tell(Oid release);

/* The last fillings, at most "most", oldest first; returns their number. */
extern int release_story_chapters(Oid release, int most, ReleaseChapter **chapter);

#endif /* KANON_RELEASE_STORY_H */
