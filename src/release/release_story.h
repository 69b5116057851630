/*
 * release_story.h
 *		What the catalogs tell of a release: how it was made, by whom, and each time that it was
 *		filled.
 *
 * For its owner: some of it may be for nobody else.  All within a query scope, current context.
 */
#ifndef KANON_RELEASE_STORY_H
#define KANON_RELEASE_STORY_H

#include "postgres.h"

#include "release/release_catalog.h"

typedef struct ReleaseStory
{
	bool filled; /* it can be read */
	/* Times are in UTC. */
	const char *created;
	const char *created_by;
	const char *refreshed;
	const char *refreshed_by;
	const char *kanon; /* versions that filled it last, or those there are */
	const char *postgresql;
	int64 people;   /* kanon_release.people; 0: unknown */
	int parameters; /* that are not as usual, but for those with a column in kanon_release */
	const char **parameter;
	const char **value;
} ReleaseStory;

/* One filling; -1 for numbers, NaN for the loss, where nobody knows. */
typedef struct ReleaseChapter
{
	const char *when;
	const char *by;
	const char *how;
	int64 source_rows;
	int64 rows;
	int64 missing;
	int64 smallest;
	double loss;
} ReleaseChapter;

extern ReleaseStory release_story_tell(Oid catalog, Oid release);

/* The last ones, at most so many, in their order; returns how many. */
extern int release_story_chapters(Oid catalog, Oid release, int most, ReleaseChapter **chapter);

#endif /* KANON_RELEASE_STORY_H */
