/*
 * source_report.h
 *		The part of a report about the source of a release, in coarse figures.
 */
#ifndef KANON_SOURCE_REPORT_H
#define KANON_SOURCE_REPORT_H

#include "postgres.h"

#include "count/group_query.h"
#include "metric/coarse.h"
#include "release/release_catalog.h"
#include "report/release_report.h"

/* The source data that other parts of a report need. */
typedef struct SourceReport
{
	Coarse coarse;           /* how coarse its figures are to be */
	const GroupRows *groups; /* its rows by the quasi-identifiers of the release; NULL: they are not
							  * needed, or memory does not hold them */
} SourceReport;

/*
 * How many rows it has, and as REPORT_* in "needs" say, its risk and which columns single people
 * out.  Read as the caller, within a query scope; current context.  Sets of columns are left out
 * where memory does not hold the table.
 */
extern SourceReport source_report_add(ReleaseReport *report, const ReleaseEntry *entry, int needs);

#endif /* KANON_SOURCE_REPORT_H */
