/*
 * known_release.h
 *		What kanon knows of a release by itself, where the caller does not say it.
 */
#ifndef KANON_KNOWN_RELEASE_H
#define KANON_KNOWN_RELEASE_H

#include "postgres.h"

#include "release/release_catalog.h"

/*
 * The relation it was made from, and k: as given, or for InvalidOid and 0 as in the entry of
 * kanon_release.  entry: NULL for a relation that is no release; an error then that says what
 * has to be passed (ERRCODE_NULL_VALUE_NOT_ALLOWED).
 */
extern Oid known_release_relation(const ReleaseEntry *entry, Oid release, Oid given);
extern int known_release_k(const ReleaseEntry *entry, Oid release, int given);

#endif /* KANON_KNOWN_RELEASE_H */
