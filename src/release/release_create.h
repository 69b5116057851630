/*
 * release_create.h
 *		Makes a release: a materialized view over a recoding of a table.
 */
#ifndef KANON_RELEASE_CREATE_H
#define KANON_RELEASE_CREATE_H

#include "postgres.h"

#include "relation/description.h"
#include "release/release_request.h"

/*
 * Where a release will be: in the schema named, or the first of the caller's
 * search_path; hence before query_begin.  Errors: those of CREATE for such a
 * name, a temporary schema (ERRCODE_INVALID_TABLE_DEFINITION), a name already
 * taken (ERRCODE_DUPLICATE_TABLE).
 */
extern ReleaseName release_create_name(text *name);

/*
 * The levels of a call as ints, one for each quasi-identifier; current
 * context.  Errors: another number of levels, a NULL among them, an array of
 * more dimensions.
 */
extern int *release_create_levels(const Description *description, ArrayType *levels);

/*
 * Creates and records the materialized view, owned by the caller and readable
 * by nobody else; returns its OID.  Everything is read in the snapshot of the
 * calling statement.  Within a query scope; the request is checked.
 *
 * Full domain: errors where no generalization satisfies, the levels given do not
 * satisfy (ERRCODE_CHECK_VIOLATION), an empty table or fewer than k rows
 * (ERRCODE_INVALID_PARAMETER_VALUE), values missing from a dimension
 * (ERRCODE_FOREIGN_KEY_VIOLATION).  Others: those of release_mondrian_text and of the
 * window functions; fewer than k rows, or rows that do not satisfy a model together, make an
 * empty release, with a NOTICE.  And those of release_models_check and of the statements
 * it runs.
 */
extern Oid release_create(const ReleaseRequest *request);

#endif /* KANON_RELEASE_CREATE_H */
