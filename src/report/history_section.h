/*
 * history_section.h
 *		The section of a report about the fillings of a release.
 */
#ifndef KANON_HISTORY_SECTION_H
#define KANON_HISTORY_SECTION_H

#include "postgres.h"

#include "report/report_section.h"

/* Reads the history, and tells the figures of the last filling. */
extern void history_section_gather(ReleaseReport *report);
extern void history_section_write(Html *html, const ReleaseReport *report);

#endif /* KANON_HISTORY_SECTION_H */
