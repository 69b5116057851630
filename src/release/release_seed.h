/*
 * release_seed.h
 *		The table kanon_seed: what the draws of releases are made from.
 *
 * Whoever knows a release's seed can repeat its draw, and then knows of each row which
 * cells are its own.  Whoever sees several draws of the same rows can compare them.  So
 * each release has one seed, drawn when it is made and used at every refresh, which its
 * text calls by number, for everybody may read the text of a view.  Row security shows a
 * seed to roles that have the privileges of the release's owner, and so does release_seed_read.
 * Releases without a draw have a row, too: it says what they were dealt from.
 *
 * All but release_seed_is_own within a query scope.
 */
#ifndef KANON_RELEASE_SEED_H
#define KANON_RELEASE_SEED_H

#include "postgres.h"

/* The table's OID, given the schema kanon lives in, or InvalidOid. */
extern Oid release_seed_table_in(Oid schema);

/* A number that no seed has had. */
extern int64 release_seed_number(Oid table);

/* A release's row. */
typedef struct ReleaseSeed
{
	int64 number;
	bool redraw; /* it may hold something else after each refresh */
	char *dealt; /* digests of what it holds and was dealt from (release_dealt.h); or NULL */
} ReleaseSeed;

/* The seed of a release, one that nobody can foretell where "seed" is NULL. */
extern void release_seed_insert(Oid table, int64 number, Oid release, const char *seed,
								bool redraw);

/*
 * The row of a release, for the present statement's own use, whoever the user is; in the current
 * context.  ERRCODE_UNDEFINED_OBJECT: it is gone.
 */
extern ReleaseSeed release_seed_of(Oid table, Oid release);

/* From now on it is dealt from nothing else. */
extern void release_seed_keep_dealt(Oid table, Oid release, const char *digest);

/*
 * The row of a release becomes that of its heir, which may be the release itself, under another
 * number, with this seed where it is given; where there was none, one that nobody can foretell.
 * What it was dealt from stays, unless it was dealt anew at each refresh.  Number 0: the heir has
 * none.
 */
extern void release_seed_replace(Oid table, Oid release, Oid heir, int64 number, const char *seed,
								 bool redraw);

/*
 * In the current context.  Errors: there is no such seed (ERRCODE_UNDEFINED_OBJECT); the
 * current user has not the privileges of the release's owner (ERRCODE_INSUFFICIENT_PRIVILEGE).
 */
extern char *release_seed_read(Oid table, int64 number);

/* Has the current user the privileges of the release's owner?  False where there is none. */
extern bool release_seed_is_own(Oid release);

/* Forgets that of a release. */
extern void release_seed_delete(Oid table, Oid release);

/* Within a sql_drop event trigger: forgets those of the releases just dropped. */
extern void release_seed_delete_dropped(Oid table);

#endif /* KANON_RELEASE_SEED_H */
