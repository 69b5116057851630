/*
 * release_cohort.h
 *		Releases by cohorts: their texts, which read the state of their table, and the nightly
 *		advance of all releases of a table.
 *
 * The columns are those of release_cells.h.  A plain REFRESH shows the last night again, however
 * the table has changed since.
 */
#ifndef KANON_RELEASE_COHORT_H
#define KANON_RELEASE_COHORT_H

#include "postgres.h"

#include "release/release_catalog.h"
#include "release/release_request.h"

/*
 * See RecodingOps.  The first release of a table creates its state and runs its first night; later
 * ones show the existing state and must use the same parameters.  If it is to begin anew, an
 * existing state ends; there must be no releases (ERRCODE_OBJECT_IN_USE).  Errors: missing, invalid
 * or different options, a published key, columns that the state lacks
 * (ERRCODE_INVALID_PARAMETER_VALUE); the current user lacks the privileges of the table's owner
 * (ERRCODE_INSUFFICIENT_PRIVILEGE); those of cohort_source_check_key and cohort_advance.
 */
extern ReleaseText release_cohort_write(const ReleaseRequest *request,
										const Description *description);

/*
 * See RecodingOps: one night of the table, for all its releases by cohorts.  Works as the owner of
 * the table, whose rights the owner of the release must have (release_cohort_check).
 */
extern List *release_cohort_advance(const ReleaseEntry *entry);

/* See RecodingOps: the loss of the last night, which a plain REFRESH shows again. */
extern bool release_cohort_losses(const ReleaseEntry *entry, double *mean);

/*
 * Before a release is filled.  Raises ERRCODE_INSUFFICIENT_PRIVILEGE unless its owner has the
 * privileges of the table's owner: it would find no rows; ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE
 * unless its text reads the state that its table has now: if another table has adopted that, it
 * would show people of the other table.  Does not lock the release.
 */
extern void release_cohort_check(const ReleaseEntry *entry);

#endif /* KANON_RELEASE_COHORT_H */
