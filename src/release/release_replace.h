/*
 * release_replace.h
 *		Replaces a release by one with other arguments under the same name.
 *
 * If names and types of its columns stay, it stays the same object: its query is replaced, like
 * CREATE OR REPLACE VIEW, and its contents are swapped as in matview/successor.h, so that it stays
 * readable until then and nothing is lost.
 *
 * Otherwise another view takes its place under its name, with its owner, grants, comments, labels,
 * settings, indexes and statistics, its row in kanon_release and its history, as far as columns
 * match; a NOTICE lists what is lost.  Nothing may depend on the old view.
 *
 * All of it is one transaction: a rollback leaves the old release.
 */
#ifndef KANON_RELEASE_REPLACE_H
#define KANON_RELEASE_REPLACE_H

#include "postgres.h"

#include "release/release_request.h"

/*
 * Replaces a release; returns its OID, which changes if its columns do.  Whatever
 * is not given stays, but levels are searched anew.  Reads as the owner, with the restrictions of a
 * refresh.  Within a query scope.
 *
 * Errors: those of release_refresh and release_create; a recoding with advance, before or after
 * (ERRCODE_FEATURE_NOT_SUPPORTED); not the owner (ERRCODE_INSUFFICIENT_PRIVILEGE); its columns
 * change while other objects depend on it (ERRCODE_DEPENDENT_OBJECTS_STILL_EXIST); those of
 * release_seed_check_dealt, as for a refresh.
 */
extern Oid release_replace(Oid release, const ReleaseArguments *changes);

#endif /* KANON_RELEASE_REPLACE_H */
