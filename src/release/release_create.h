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
 * Where a release will be: in the schema named, or the first of the caller's
 * search_path; hence before query_begin.  Errors: those of CREATE for such a
 * name, a temporary schema (ERRCODE_INVALID_TABLE_DEFINITION), a name already
 * taken (ERRCODE_DUPLICATE_TABLE).
 */
extern ReleaseName release_create_name(text *name);

/*
 * Creates and records the materialized view, owned by the caller and readable
 * by nobody else; returns its OID.  Everything is read in the snapshot of the
 * calling statement.  Within a query scope; the request is checked.
 *
 * Errors: those of the recoding's write and of its window function, of release_models_check, and of
 * the statements it runs.  A release that comes out empty is made, with a NOTICE.
 */
extern Oid release_create(const ReleaseRequest *request);

/*
 * What kanon_release has to know of a release made so, whose text gives its columns these names
 * (C strings); current context.
 */
extern ReleaseEntry release_create_entry(const ReleaseRequest *request,
										 const Description *description, const ReleaseText *text,
										 Oid release, const List *columns);

#endif /* KANON_RELEASE_CREATE_H */
