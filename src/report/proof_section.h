/*
 * proof_section.h
 *		The sections of a report about what was checked: classes or matchings, models, the digest,
 *		and how sensitive values are distributed.
 */
#ifndef KANON_PROOF_SECTION_H
#define KANON_PROOF_SECTION_H

#include "postgres.h"

#include "report/report_section.h"

/*
 * Judges the classes of the release or, if it has none, only counts the values of its sensitive
 * columns.  One pass over the release; tells the risk after.
 */
extern void proof_section_gather_classes(ReleaseReport *report);

/* Judges the matchings of a release without classes; tells the risk after. */
extern void proof_section_gather_matchings(ReleaseReport *report);

extern void proof_section_gather_digest(ReleaseReport *report);

/* The proof, and the sensitive columns. */
extern void proof_section_write(Html *html, const ReleaseReport *report);
extern void proof_section_write_sensitive(Html *html, const ReleaseReport *report);

#endif /* KANON_PROOF_SECTION_H */
