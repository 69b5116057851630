/*
 * release_cohort.h
 *		Releases by cohorts: their texts, which read what is remembered of their table, and
 *		how all releases of a table go from one night to the next.
 *
 * The columns are those of release_cells.h.  A REFRESH of PostgreSQL's own shows the last night
 * again, whatever became of the table since.
 */
#ifndef KANON_RELEASE_COHORT_H
#define KANON_RELEASE_COHORT_H

#include "postgres.h"

#include "release/release_catalog.h"
#include "release/release_request.h"

/*
 * See RecodingOps.  The first release of a table begins its state, with its first night; others
 * show what is there, and must ask for the same.  Errors: options left out or out of their bounds,
 * other ones than those of the state, a key that is published, columns that the state does not have
 * (ERRCODE_INVALID_PARAMETER_VALUE); the current user has not the privileges of the table's
 * owner (ERRCODE_INSUFFICIENT_PRIVILEGE); those of cohort_source_check_key and cohort_advance.
 */
extern ReleaseText release_cohort_write(const ReleaseRequest *request,
										const Description *description);

/* See RecodingOps: one night of the table, and all its releases by cohorts. */
extern List *release_cohort_advance(Oid catalog, const ReleaseEntry *entry);

/*
 * ERRCODE_INSUFFICIENT_PRIVILEGE unless the owner of the release has the privileges of the table's:
 * else it would find no rows.
 */
extern void release_cohort_check_owner(const ReleaseEntry *entry);

#endif /* KANON_RELEASE_COHORT_H */
