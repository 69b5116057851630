/*
 * release_notice.c
 *		See release_notice.h.
 */
#include "postgres.h"

#include "release/release_notice.h"

#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
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
	return description->attributes[description->quasi[quasi]].weight;
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
	else if (differ && !(request->recoding->options & RECODING_WEIGHTS))
		ereport(NOTICE, (errmsg("weights do not steer recoding \"%s\"", request->recoding->name),
						 errdetail("They count in the loss that is reported, and steer %s.",
								   release_recoding_takers(RECODING_WEIGHTS, &count))));
}

/* Those of them that are named, by SPI's result: [row] (OID). */
static char *
names_of_others(void)
{
	StringInfoData names;

	initStringInfo(&names);
	for (uint64 row = 0; row < Min(query_rows(), EXAMPLES); row++)
		appendStringInfo(&names, "%s%s", row > 0 ? ", " : "", query_text(row, 1));
	if (query_rows() > EXAMPLES)
		appendStringInfoString(&names, ", ..");
	return names.data;
}

static void
notice_others(const ReleaseRequest *request, const Description *description, Oid release)
{
	/* Those that share a state with this one tell no more beside each other. */
	const char *shared = request->recoding->advance ? request->recoding->name : "";
	Oid types[] = {OIDOID, OIDOID, TEXTOID};
	Datum values[] = {ObjectIdGetDatum(description->relation), ObjectIdGetDatum(release),
					  CStringGetTextDatum(shared)};

	own_table_read("kanon_release",
				   "SELECT format('%%I.%%I', n.nspname, c.relname)"
				   " FROM %s r JOIN pg_class c ON c.oid = r.release"
				   " JOIN pg_namespace n ON n.oid = c.relnamespace"
				   " WHERE r.relation = $1 AND r.release <> $2 AND r.recoding <> $3 ORDER "
				   "BY n.nspname, c.relname",
				   lengthof(types), types, values);
	if (query_rows() == 0)
		return;
	ereport(
		NOTICE,
		(errmsg_plural("relation %s has another release: %s", "relation %s has other releases: %s",
					   (unsigned long) query_rows(), description->name, names_of_others()),
		 errdetail("A reader of several can compare them, and learns more than from each of them."),
		 errhint("Give each reader only one of them; kanon_check_releases shows what several "
				 "reveal.")));
}

void
release_notice(const ReleaseRequest *request, const Description *description, Oid release)
{
	notice_nobody_hidden(request, relation_name(release));
	notice_weights(request, description);
	notice_others(request, description, release);
}
