/*
 * quality_audit.c
 *		See quality_audit.h.
 */
#include "postgres.h"

#include "audit/quality_audit.h"

#include "audit/known_release.h"
#include "catalog/pg_type.h"
#include "dimension/star_query.h"
#include "utils/array.h"

/* The level of a full-domain release's column, as long as the hierarchy has it. */
static int
known_level(const KnownRelease *known, int quasi)
{
	const ReleaseEntry *entry = known->entry;
	const Description *source = known->source;
	Datum *levels;
	int count;
	int level;

	if (known->position[quasi] < 0 || entry->levels == NULL || entry->relation != source->relation)
		return CELL_LEVEL_UNKNOWN;
	deconstruct_array(entry->levels, INT4OID, sizeof(int32), true, TYPALIGN_INT, &levels, NULL,
					  &count);
	level = DatumGetInt32(levels[known->position[quasi]]);
	return level <= star_query_height(&source->attributes[source->quasi[quasi]])
			   ? level
			   : CELL_LEVEL_UNKNOWN;
}

static CellColumn *
make_column(const KnownRelease *known, int quasi)
{
	CellColumn *column = palloc(sizeof(CellColumn));

	*column = (CellColumn){.source = known->source,
						   .quasi = quasi,
						   .number = quasi + 1,
						   .release = known->release->name,
						   .released = known->released[quasi]->name,
						   .type = known->released[quasi]->type,
						   .level = known_level(known, quasi),
						   .cellwise = known->entry && known->entry->recoding->keeps_types};
	return column;
}

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
		columns = lappend(columns, make_column(&known, i));
	quality.answers = palloc0(sizeof(QualityAnswer) * (list_length(audit->predicates) + 1));
	/* All predicates, as many at a time as one statement takes. */
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
