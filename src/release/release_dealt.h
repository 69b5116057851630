/*
 * release_dealt.h
 *		A drawn release is dealt only once, unless it was made to be dealt anew.
 *
 * If cells stand beside different rows in two copies, both together reveal more than either.  With
 * two copies of a ring or two-phase release whose table changed little, a reader knows for most
 * people fewer than k records that can be theirs.  So a refresh of such a release must find the
 * rows from which it was first filled, and produce the same contents.  Digests of both are stored
 * with the release's seed, for its owner alone.
 */
#ifndef KANON_RELEASE_DEALT_H
#define KANON_RELEASE_DEALT_H

#include "postgres.h"

#include "release/release_catalog.h"

/*
 * Call it after a release was filled.  Raises ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE, or a
 * WARNING and returns false (by level), if a release that is dealt once was dealt anew.  An empty
 * one was not dealt. "contents": the release, or the table with its new contents.  Reads that and
 * the source as its owner.  Also raises an error if its seed is gone.
 */
extern bool release_dealt_check(const ReleaseEntry *entry, Oid contents, int level);

#endif /* KANON_RELEASE_DEALT_H */
