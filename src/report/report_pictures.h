/*
 * report_pictures.h
 *		The pictures of a report.
 */
#ifndef KANON_REPORT_PICTURES_H
#define KANON_REPORT_PICTURES_H

#include "postgres.h"

#include "report/release_report.h"

typedef struct ReportPicture
{
	const char *name; /* of kanon_plot */
	int needs;        /* REPORT_* */
	bool (*has)(const ReleaseReport *report);
	SvgPicture (*draw)(const ReleaseReport *report); /* also of one that has nothing to show */
} ReportPicture;

/* All of them; a name NULL behind the last. */
extern const ReportPicture report_pictures[];

/* The one of that name, or NULL. */
extern const ReportPicture *report_picture(const char *name);

#endif /* KANON_REPORT_PICTURES_H */
