/*
 * class_report.h
 *		The part of a report that tells of the classes of a release: its checks, the risk that is
 *		left, and how sensitive values are distributed.
 */
#ifndef KANON_CLASS_REPORT_H
#define KANON_CLASS_REPORT_H

#include "postgres.h"

#include "nodes/pg_list.h"
#include "release/release_catalog.h"
#include "report/release_report.h"

#define CLASS_REPORT_SENSITIVE 8 /* columns whose distributions are told, at most */

/*
 * Judges the classes of a release, or where it has none only counts the values of its sensitive
 * columns (names it has for them; those whose type has an order).  One pass over the release as
 * the caller, as class_audit_each; within a query scope, in the current context.
 */
extern void class_report_add(ReleaseReport *report, const ReleaseEntry *entry, List *sensitive);

#endif /* KANON_CLASS_REPORT_H */
