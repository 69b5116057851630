/*
 * report_audit.h
 *		Gathers the figures of a report about a release.
 */
#ifndef KANON_REPORT_AUDIT_H
#define KANON_REPORT_AUDIT_H

#include "postgres.h"

#include "report/release_report.h"
#include "utils/array.h"

/*
 * The figures of a release needed for "needs" (REPORT_*), and the catalogs' information.  Reads the
 * release and its source as the current user, who must have the privileges of the release's owner.
 * columns: name[] of the two columns of the map, or NULL.  In the current context, within a query
 * scope.
 *
 * With REPORT_ALL, a part that fails is missing, with a WARNING.  Missing privileges
 * (release_catalog_own) and a cancel are always errors.  With other needs any failure is an error:
 * those of class_audit_each, matching_audit_run and quality_audit_run.
 */
extern ReleaseReport *report_audit_run(Oid release, int needs, ArrayType *columns);

#endif /* KANON_REPORT_AUDIT_H */
