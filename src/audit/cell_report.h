/*
 * cell_report.h
 *		The part of a report that tells of the cells of a release: what they lose, at which levels
 *		they are, how well one can count with them, and ranges of two columns.
 */
#ifndef KANON_CELL_REPORT_H
#define KANON_CELL_REPORT_H

#include "postgres.h"

#include "metric/coarse.h"
#include "release/release_catalog.h"
#include "report/release_report.h"

/*
 * Reads the release and its source as the caller; within a query scope, in the current context.
 * The figures of the source are those of quality_audit_run, coarse.  column: of the report, where
 * the loss of each goes.  Errors: those of quality_audit_run.
 */
extern void cell_report_add(ReleaseReport *report, const ReleaseEntry *entry, const Coarse *coarse,
							ReportColumn *column);

/* quasi_identifiers: name[] of two columns of ranges, or NULL: the first two there are. */
extern void cell_report_map(ReleaseReport *report, const ReleaseEntry *entry,
							ArrayType *quasi_identifiers);

#endif /* KANON_CELL_REPORT_H */
