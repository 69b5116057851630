/*
 * class_report.h
 *		The part of a report about the classes of a release: its checks, the remaining risk, and the
 *		distributions of sensitive values.
 */
#ifndef KANON_CLASS_REPORT_H
#define KANON_CLASS_REPORT_H

#include "postgres.h"

#include "nodes/pg_list.h"
#include "release/release_catalog.h"
#include "report/release_report.h"

#define CLASS_REPORT_SENSITIVE 8 /* most columns whose distributions are shown */

/*
 * Judges the classes of a release or, if it has none, only counts the values of its sensitive
 * columns (names in the release; those with a sortable type).  One pass over the release as the
 * current user, like class_audit_each; within a query scope, in the current context.
 */
extern void class_report_add(ReleaseReport *report, const ReleaseEntry *entry, List *sensitive);

#endif /* KANON_CLASS_REPORT_H */
