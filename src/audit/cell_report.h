/*
 * cell_report.h
 *		The part of a report about the cells of a release: their loss and levels, the errors of
 *		count queries, and ranges of two columns.
 */
#ifndef KANON_CELL_REPORT_H
#define KANON_CELL_REPORT_H

#include "postgres.h"

#include "audit/source_report.h"
#include "release/release_catalog.h"
#include "report/release_report.h"

/*
 * Reads the release and its source as the caller; within a query scope, in the current context.
 * The figures of the source are those of quality_audit_run, coarse.  column: of the report, where
 * the loss of each goes.  Count queries need the groups of the source.  Errors: those of
 * quality_audit_run.
 */
extern void cell_report_add(ReleaseReport *report, const ReleaseEntry *entry,
							const SourceReport *source, ReportColumn *column);

/* quasi_identifiers: name[] of two columns of ranges, or NULL for the first two. */
extern void cell_report_map(ReleaseReport *report, const ReleaseEntry *entry,
							ArrayType *quasi_identifiers);

#endif /* KANON_CELL_REPORT_H */
