/*
 * risk_section.h
 *		The section of a report about the risk of re-identification, before and after.
 */
#ifndef KANON_RISK_SECTION_H
#define KANON_RISK_SECTION_H

#include "postgres.h"

#include "report/report_section.h"

/*
 * Counts the rows of the source, which says how coarse its figures are to be; reads them in groups,
 * which other sections use; and if needed tells their risk, and which columns single people out.
 * Groups and columns are left out where memory does not hold the table.
 */
extern void risk_section_gather(ReleaseReport *report);

/* The risk of a tally; as coarse says, or exact if it is NULL. */
extern ReportRisk risk_section_of(const RiskTally *tally, const Coarse *coarse);

/* When the risk after is told, too. */
extern void risk_section_draw(ReleaseReport *report);
extern void risk_section_write(Html *html, const ReleaseReport *report);

#endif /* KANON_RISK_SECTION_H */
