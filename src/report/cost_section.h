/*
 * cost_section.h
 *		The section of a report about what a release costs: the loss and the levels of its cells,
 *		the errors of count queries, and ranges of two columns.
 */
#ifndef KANON_COST_SECTION_H
#define KANON_COST_SECTION_H

#include "postgres.h"

#include "report/report_section.h"

/*
 * Measures the release against its source by quality_audit_run, coarse.  Tells the loss, that of
 * each column, and the labels of levels.  Count queries need the groups of the source.
 */
extern void cost_section_gather(ReleaseReport *report);

/* Draws the ranges of the two columns of the map, if there are two. */
extern void cost_section_gather_map(ReleaseReport *report);

extern void cost_section_write(Html *html, const ReleaseReport *report);

#endif /* KANON_COST_SECTION_H */
