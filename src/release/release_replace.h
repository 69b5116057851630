/*
 * release_replace.h
 *		Replaces a release by one with other arguments under the same name.
 *
 * It stays the same object, with the same columns: its query is replaced, like CREATE OR REPLACE
 * VIEW, and its contents are swapped as in matview/successor.h, so that it stays readable until
 * then and nothing is lost.
 *
 * All of it is one transaction: a rollback leaves the old release.
 */
#ifndef KANON_RELEASE_REPLACE_H
#define KANON_RELEASE_REPLACE_H

#include "postgres.h"

#include "release/release_request.h"

/*
 * Replaces a release.  Whatever is not given stays, but levels are searched anew.  Reads as the
 * owner, with the restrictions of a refresh.  Within a query scope.
 *
 * Errors: those of release_refresh and release_create; a recoding with advance, before or after
 * (ERRCODE_FEATURE_NOT_SUPPORTED); not the owner (ERRCODE_INSUFFICIENT_PRIVILEGE);
 * columns of other origins or types (ERRCODE_INVALID_TABLE_DEFINITION); those of
 * release_seed_check_dealt, as for a refresh.
 */
extern void release_replace(Oid release, const ReleaseArguments *changes);

#endif /* KANON_RELEASE_REPLACE_H */
