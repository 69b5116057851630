/*
 * source_report.h
 *		The part of a report about the source of a release, in coarse figures.
 */
#ifndef KANON_SOURCE_REPORT_H
#define KANON_SOURCE_REPORT_H

#include "postgres.h"

#include "metric/coarse.h"
#include "release/release_catalog.h"
#include "report/release_report.h"

/*
 * Adds the source's number of rows and returns the steps of its figures.  With "all", adds its risk
 * and the columns that single people out.  Reads as the current user, within a query scope; in the
 * current context.  Omits sets of columns if the table does not fit in memory.
 */
extern Coarse source_report_add(ReleaseReport *report, const ReleaseEntry *entry, bool all);

#endif /* KANON_SOURCE_REPORT_H */
