/*
 * release_dealt.h
 *		A drawn release is dealt once, unless it was made to be dealt anew.
 *
 * Cells that stand beside other rows than before tell more than either copy alone: who has two
 * copies of a release by ring or two-phase, of a table in which little changed, knows of most
 * people fewer than k records that can be theirs.  So a refresh of such a release must have the
 * rows that it was filled from first, and hold what it held.  Both are known by their digests,
 * which lie beside the release's seed, for its owner alone.
 */
#ifndef KANON_RELEASE_DEALT_H
#define KANON_RELEASE_DEALT_H

#include "postgres.h"

#include "release/release_catalog.h"

/*
 * After a release was filled: ERROR, or a WARNING and false, if it is one that is dealt once, and
 * it was dealt anew (ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE).  One that holds nothing was not
 * dealt.  "contents" is the release or the table that holds what it is to hold.  Reads that and the
 * source as its owner. Error, too: its seed is gone.
 */
extern bool release_dealt_check(Oid catalog, const ReleaseEntry *entry, Oid contents, int level);

#endif /* KANON_RELEASE_DEALT_H */
