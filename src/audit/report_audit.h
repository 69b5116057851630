/*
 * report_audit.h
 *		Gathers what a report tells of a release.
 */
#ifndef KANON_REPORT_AUDIT_H
#define KANON_REPORT_AUDIT_H

#include "postgres.h"

#include "report/release_report.h"
#include "utils/array.h"

/*
 * The figures of a release that is needed for (REPORT_*), and what is known of it.  Reads the
 * release and its source as the caller, who has the privileges of the release's owner.  columns:
 * name[] of the two that a map is drawn of, or NULL.  In the current context, within a query
 * scope.
 *
 * A part of REPORT_ALL that fails is missing, with a WARNING; but of a release that the caller may
 * not tell of (release_catalog_own) and of a cancel all is an error, and so it is of other needs:
 * those of class_audit_each, matching_audit_run and quality_audit_run.
 */
extern ReleaseReport *report_audit_run(Oid release, int needs, ArrayType *columns);

#endif /* KANON_REPORT_AUDIT_H */
