/*
 * release_report.h
 *		The report of a release: a page of HTML, or one of its pictures.
 *
 * A report is for everybody who may read the release.  So its figures either can be computed from
 * the release, or, if they come from its source or from earlier contents, are rounded by coarse.h.
 * They are those of kanon_check, kanon_classes, kanon_risk, kanon_quality, kanon_check_matchings,
 * kanon_sample_uniques, kanon_digest and kanon_release_history, by the code of these functions.
 *
 * Reads the release and its source as the current user, who must have the privileges of the
 * release's owner (release_catalog_own).  In the current context, within a query scope.
 */
#ifndef KANON_RELEASE_REPORT_H
#define KANON_RELEASE_REPORT_H

#include "postgres.h"

#include "report/svg.h"
#include "utils/array.h"

typedef struct ReportPicture
{
	const char *name;  /* in kanon_plot */
	int needs;         /* the parts of a report that it shows: REPORT_* of report_section.h */
	const char *lacks; /* why there may be nothing to draw: a sentence */
} ReportPicture;

#define REPORT_PICTURES 7 /* that have a name */

extern const ReportPicture report_pictures[REPORT_PICTURES];

/*
 * The whole page.  A part that fails is missing, with a WARNING; a cancel is always an error.
 */
extern char *release_report_write(Oid release);

/*
 * A picture of report_pictures. columns: name[] of the two columns of a map, or NULL.  Errors:
 * those of the functions named above; a release that has nothing to draw
 * (ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE).
 */
extern SvgPicture release_report_draw(Oid release, const ReportPicture *picture,
									  ArrayType *columns);

#endif /* KANON_RELEASE_REPORT_H */
