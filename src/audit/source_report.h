/*
 * source_report.h
 *		The part of a report that tells of the source of a release, in coarse figures.
 */
#ifndef KANON_SOURCE_REPORT_H
#define KANON_SOURCE_REPORT_H

#include "postgres.h"

#include "metric/coarse.h"
#include "release/release_catalog.h"
#include "report/release_report.h"

/*
 * How many rows it has and how coarse its figures are to be; those and, with "all", its risk and
 * which columns single people out.  Read as the caller, within a query scope; current context.
 * Sets of columns are left out where memory does not hold the table.
 */
extern Coarse source_report_add(ReleaseReport *report, const ReleaseEntry *entry, bool all);

#endif /* KANON_SOURCE_REPORT_H */
