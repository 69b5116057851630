/*
 * release_notice.c
 *		See release_notice.h.
 */
#include "postgres.h"

#include "release/release_notice.h"

#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "release/release_catalog.h"
#include "sql/own_table.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "utils/builtins.h"

#define EXAMPLES 3

static void
notice_nobody_hidden(const ReleaseRequest *request, const char *name)
{
	if (request->demand.k > 1 || request->demand.models != NIL)
		return;
	ereport(NOTICE, (errmsg("release %s hides nobody", name),
					 errdetail("With k = 1 a row may be the only one of its kind."),
					 errhint("Choose a k of at least 2.")));
}

static double
weight_of(const Description *description, int quasi)
{
	return description->quasi[quasi]->weight;
}

static void
notice_weights(const ReleaseRequest *request, const Description *description)
{
	bool differ = false;
	bool any = false;
	int count;

	for (int i = 0; i < description->quasi_count; i++)
	{
		differ = differ || weight_of(description, i) != weight_of(description, 0);
		any = any || weight_of(description, i) > 0;
	}
	if (!any)
		ereport(NOTICE,
				(errmsg("all quasi-identifiers of relation %s have weight 0", description->name),
				 errdetail("So nothing counts as lost, whatever is hidden."),
				 errhint("Declare weights with kanon_set_attribute.")));
	else if (differ && !(request->recoding->takes & RECODING_WEIGHTS))
		ereport(NOTICE,
				(errmsg("weights do not influence recoding \"%s\"", request->recoding->name),
				 errdetail("They count in the reported loss, and influence %s.",
						   release_recoding_takers(RECODING_WEIGHTS, &count))));
}

ReleaseOthers
release_notice_others(Oid release)
{
	const ReleaseEntry *entry = release_catalog_get(release, relation_name(release));
	ReleaseFigures figures = release_catalog_figures(release);
	/* Releases that share this one's state reveal nothing more together. */
	const char *shared = entry->recoding->advance ? entry->recoding->name : "";
	ReleaseOthers others = {.relation = entry->relation, .classes = entry->recoding->has_classes};
	StringInfoData names;
	Datum *all;

	own_table_read("SELECT format('%I.%I', n.nspname, c.relname), r.release, r.recoding"
				   " FROM @release_state r JOIN pg_class c ON c.oid = r.release"
				   " JOIN pg_namespace n ON n.oid = c.relnamespace"
				   " WHERE r.relation = $1 AND r.release <> $2 AND r.recoding <> $3"
				   " ORDER BY n.nspname, c.relname",
				   "oot", entry->relation, release, shared);
	others.count = (int) query_rows();
	all = palloc(sizeof(Datum) * (others.count + 1));
	all[others.count] = ObjectIdGetDatum(release);
	initStringInfo(&names);
	for (int row = 0; row < others.count; row++)
	{
		if (row < EXAMPLES)
			appendStringInfo(&names, "%s%s", row > 0 ? ", " : "", query_text(row, 1));
		all[row] = ObjectIdGetDatum((Oid) query_int8(row, 2));
		others.classes = others.classes && release_recoding_find(query_text(row, 3))->has_classes;
	}
	if (others.count > EXAMPLES)
		appendStringInfoString(&names, ", ..");
	others.names = names.data;
	others.rows_known = figures.missing_known;
	others.rows = figures.rows + figures.missing;
	others.releases =
		construct_array(all, others.count + 1, REGCLASSOID, sizeof(Oid), true, TYPALIGN_INT);
	return others;
}

void
release_notice(const ReleaseRequest *request, const Description *description, Oid release)
{
	notice_nobody_hidden(request, relation_name(release));
	notice_weights(request, description);
}
