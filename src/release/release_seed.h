/*
 * release_seed.h
 *		The table kanon_seed: the seeds of drawn releases, and what these were dealt from.
 *
 * With a release's seed, a reader can repeat its draw and then knows which cells belong to each
 * row.  With several draws of the same rows, a reader can compare them.  So each release has one
 * seed, drawn when it is made and used at every refresh.  Its text refers to the seed by number,
 * because everybody may read the text of a view.  Only roles with the privileges of the release's
 * owner get it.  Releases without a draw have a row, too: it says what they were dealt from.
 *
 * Call all of these within a query scope.
 *
 * If cells stand beside different rows in two copies, both together reveal more than either.  With
 * two copies of a ring or two-phase release whose table changed little, a reader knows for most
 * people fewer than k records that can be theirs.  So a refresh of such a release must find the
 * rows from which it was first filled, and produce the same contents.  Digests of both are stored
 * with the release's seed, for its owner alone.
 */
#ifndef KANON_RELEASE_SEED_H
#define KANON_RELEASE_SEED_H

#include "postgres.h"

#include "release/release_catalog.h"

/* A new seed number, never used before. */
extern int64 release_seed_number(void);

/* A release's row. */
typedef struct ReleaseSeed
{
	int64 number;
	bool redraw; /* its contents may change at each refresh */
	char *dealt; /* digests of its contents and of what it was dealt from  (below); or
				  * NULL */
} ReleaseSeed;

/* A new random seed: the key of a fresh generator, in hexadecimal digits. */
extern char *release_seed_draw(void);

/* Stores the seed of a release; a random one if "seed" is NULL. */
extern void release_seed_insert(int64 number, Oid release, const char *seed, bool redraw);

/*
 * The row of a release, for internal use within this statement, whoever the user is; in the current
 * context.  Raises ERRCODE_UNDEFINED_OBJECT if it is gone.
 */
extern ReleaseSeed release_seed_of(Oid release);

/*
 * Gives the row of a release another number and, if given, this seed; if there was none, a random
 * one.  What it was dealt from stays, unless it was dealt anew at each refresh.  Number 0: the
 * release has no row from now on.
 */
extern void release_seed_replace(Oid release, int64 number, const char *seed, bool redraw);

/*
 * The seed with this number, in the current context; also that of a release that was dropped and is
 * in kanon_lost, for its former owner.  Raises ERRCODE_UNDEFINED_OBJECT if there is
 * none, ERRCODE_FEATURE_NOT_SUPPORTED on a worker of Citus, ERRCODE_INSUFFICIENT_PRIVILEGE if the
 * current user lacks the privileges of the release's owner.
 */
extern char *release_seed_read(int64 number);

/* For an sql_drop event trigger: deletes the seeds of the releases just dropped. */
extern void release_seed_delete_dropped(void);

/*
 * Call it after a release was filled.  Raises ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE, or a
 * WARNING and returns false (by level), if a release that is dealt once was dealt anew.  An empty
 * one was not dealt.  "contents": the tally of what it was filled with; NULL: it is not populated.
 * Reads the source as its owner.  Also raises an error if its seed is gone.
 */
extern bool release_seed_check_dealt(const ReleaseEntry *entry, ContentTally *contents, int level);

#endif /* KANON_RELEASE_SEED_H */
