/*
 * release_seed.h
 *		The table kanon_seed: what the draws of releases are made from.
 *
 * Whoever knows a release's seed can repeat its draw, and then knows of each row which
 * cells are its own.  Whoever sees several draws of the same rows can compare them.  So
 * each release has one seed, drawn when it is made and used at every refresh, which its
 * text calls by number, for everybody may read the text of a view.  Row security shows a
 * seed to roles that have the privileges of the release's owner, and so does release_seed_read.
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

/* The seed of a release, one that nobody can foretell where "seed" is NULL. */
extern void release_seed_insert(Oid table, int64 number, Oid release, const char *seed);

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
