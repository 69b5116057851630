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
	const char *name; /* its name in kanon_plot */
	int needs;        /* REPORT_* */
	bool (*has)(const ReleaseReport *report);
	SvgPicture (*draw)(const ReleaseReport *report); /* also draws reports without data for it */
	const char *lacks; /* what a release lacks that has nothing to draw: a sentence */
} ReportPicture;

/* All pictures; the last has the name NULL. */
extern const ReportPicture report_pictures[];

/* The picture with that name, or NULL. */
extern const ReportPicture *report_picture(const char *name);

#endif /* KANON_REPORT_PICTURES_H */
