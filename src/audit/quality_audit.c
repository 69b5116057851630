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
	int done = 0;
	ListCell *cell;

	foreach (cell, audit->predicates)
		predicate_bind(lfirst(cell), known.source);
	for (int i = 0; i < known.source->quasi_count; i++)
		columns = lappend(columns, known_release_cells(&known, i));
	quality.answers = palloc0(sizeof(QualityAnswer) * (list_length(audit->predicates) + 1));
	/* All predicates, as many at a time as one statement allows. */
	do
	{
		List *some = list_copy_tail(audit->predicates, done);

		some = list_truncate(some, QUALITY_QUERY_PREDICATES);
		foreach (cell, columns)
			((CellColumn *) lfirst(cell))->predicates = some;
		quality.tally = quality_query_run(columns, quality.answers + done);
		done += list_length(some);
	} while (done < list_length(audit->predicates));
	return quality;
}
