/*
 * release_create.h
 *		Makes a release: a materialized view over a recoding of a table.
 */
#ifndef KANON_RELEASE_CREATE_H
#define KANON_RELEASE_CREATE_H

#include "postgres.h"

#include "relation/description.h"
#include "release/release_catalog.h"
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
 * Errors: those of the recoding's write and its window function, of release_models_check, and of
 * the statements it runs.  An empty release is created, with a NOTICE.
 */
extern Oid release_create(const ReleaseRequest *request);

/*
 * The row of kanon_release for a release with this text, whose columns have these names (C
 * strings); in the current context.
 */
extern ReleaseEntry release_create_entry(const ReleaseRequest *request,
										 const Description *description, const ReleaseText *text,
										 Oid release, const List *columns);

/*
 * Raises a NOTICE for each of these: k is 1 and nothing else is demanded; weights that have no
 * effect, because all are zero or the recoding ignores them.  For a release just made; within a
 * query scope.
 */
extern void release_create_notice(const ReleaseRequest *request, const Description *description,
								  Oid release);

#endif /* KANON_RELEASE_CREATE_H */
