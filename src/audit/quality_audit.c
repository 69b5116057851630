/*
 * quality_audit.c
 *		See quality_audit.h.
 */
#include "postgres.h"

#include "audit/quality_audit.h"

#include "audit/known_release.h"

QualityReport
quality_audit_run(const QualityAudit *audit)
{
	KnownRelease known =
		known_release_open(audit->release, audit->relation, audit->quasi_identifiers, true);
	QualityReport quality = {.k = known.entry ? known.entry->demand.k : 0};
	List *columns = NIL;
	ListCell *cell;

	foreach (cell, audit->predicates)
		predicate_bind(lfirst(cell), known.source);
	for (int i = 0; i < known.source->quasi_count; i++)
		columns = lappend(columns, known_release_cells(&known, i));
	quality.answers = palloc0(sizeof(QualityAnswer) * (list_length(audit->predicates) + 1));
	quality.tally = quality_query_run(columns, audit->predicates, quality.answers);
	return quality;
}
