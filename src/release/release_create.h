/*
 * release_create.h
 *		Makes a release: a materialized view over a recoding of a table; and replaces it by one with
 *		other arguments under the same name.
 */
#ifndef KANON_RELEASE_CREATE_H
#define KANON_RELEASE_CREATE_H

#include "postgres.h"

#include "release/release_request.h"

/*
 * The schema and name of a new release: in the schema named, or the first of the caller's
 * search_path, so call it before query_begin.  Errors: those of CREATE for such a name, a temporary
 * schema (ERRCODE_INVALID_TABLE_DEFINITION), a name in use (ERRCODE_DUPLICATE_TABLE).
 */
extern ReleaseName release_create_name(text *name);

/*
 * Creates, fills and records the materialized view, owned by the current user and readable by
 * nobody else; returns its OID.  Reads everything in the snapshot of the calling statement.  Call
 * within a query scope, with a checked request.
 *
 * Errors: those of the recoding's write and its window function, and of the statements it runs; a k
 * above the rows and, of release_models_check_values, models that no class of these values can
 * satisfy.  If a release is empty for other reasons, it is created, with a NOTICE.
 */
extern Oid release_create(ReleaseRequest *request);

/*
 * Replaces a release.  It stays the same object, with the same columns: its query is replaced, like
 * CREATE OR REPLACE VIEW, and its contents are swapped as in matview/successor.h, so that it stays
 * readable until then and nothing is lost.  All of it is one transaction: a rollback leaves the old
 * release.
 *
 * Whatever is not given stays, but levels are searched anew.  Reads as the owner, with the
 * restrictions of a refresh.  Within a query scope.
 *
 * Errors: those of release_refresh and release_create; a recoding with advance, before or after
 * (ERRCODE_FEATURE_NOT_SUPPORTED); not the owner (ERRCODE_INSUFFICIENT_PRIVILEGE);
 * columns of other origins or types (ERRCODE_INVALID_TABLE_DEFINITION); those of
 * release_seed_check_dealt, as for a refresh.
 */
extern void release_replace(Oid release, const ReleaseArguments *changes);

#endif /* KANON_RELEASE_CREATE_H */
