/*
 * release_replace.c
 *		See release_replace.h.
 */
#include "postgres.h"

#include "release/release_replace.h"

#include <math.h>

#include "access/relation.h"
#include "access/table.h"
#include "base/budget.h"
#include "base/names.h"
#include "catalog/pg_type.h"
#include "commands/defrem.h"
#include "matview/successor.h"
#include "matview/view_rule.h"
#include "matview/view_traits.h"
#include "miscadmin.h"
#include "record/record_spill.h"
#include "release/release_catalog.h"
#include "release/release_create.h"
#include "release/release_history.h"
#include "release/release_refresh.h"
#include "release/release_request.h"
#include "release/release_seed.h"
#include "sql/default_privileges.h"
#include "sql/patient_lock.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "sql/rights.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

typedef struct Replacement
{
	const char *name;     /* of the release, qualified and quoted */
	ReleaseEntry *before; /* its row of the catalog */
	ReleaseRequest request;
	Description *description;
	ReleaseText text;
	Query *query;  /* of the new text */
	List *columns; /* of the query, by name */
	ReleaseEntry after;
	ReleaseFigures figures;
} Replacement;

/* Joins names (C strings) for messages. */
static const char *
join(const List *names)
{
	StringInfoData joined;
	int left = list_length(names);
	ListCell *cell;

	initStringInfo(&joined);
	foreach (cell, names)
		names_add(&joined, lfirst(cell), --left);
	return joined.data;
}

/*
 * Drops what the new recoding does not take, with a NOTICE.  Models and people are promises of the
 * release: only its owner may drop them.
 */
static void
leave_behind(Replacement *r, const ReleaseArguments *changes)
{
	ReleaseRequest *request = &r->request;
	List *left = release_options_leave(&request->options, request->recoding);

	if (!(request->recoding->takes & RECODING_SUPPRESSION) && !request->options.models_after &&
		isnan(changes->suppression) && request->suppression > 0)
	{
		left = lcons("suppression", left);
		request->suppression = 0;
	}
	if (left != NIL)
		ereport(NOTICE, (errmsg("release %s is no longer made with %s", r->name, join(left)),
						 errdetail("Recoding \"%s\" takes nothing of that kind.",
								   request->recoding->name)));
}

/* Sets the release's memory limit to the current one, but never below what it was made with. */
static void
take_memory(Replacement *r)
{
	release_request_pin_memory(r->before);
	r->request.options.memory_limit = budget_kilobytes();
	if (r->request.options.partitioning)
		r->request.options.partitioning = record_spill_samples();
}

/* A state that advances from night to night cannot be remade. */
static void
check_recodings(const Replacement *r)
{
	const RecodingOps *recoding =
		r->before->recoding->advance ? r->before->recoding : r->request.recoding;

	if (recoding->advance)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot replace release %s from or to recoding \"%s\"", r->name,
						recoding->name),
				 errdetail("Its contents have grown with its relation from refresh to refresh."),
				 errhint("Make a release under another name.")));
}

static List *
names_of_query(const Query *query)
{
	List *names = NIL;
	ListCell *cell;

	foreach (cell, query->targetList)
		if (!lfirst_node(TargetEntry, cell)->resjunk)
			names = lappend(names, lfirst_node(TargetEntry, cell)->resname);
	return names;
}

/* Writes the text as the release's owner, with the choices made once and for all. */
static void
write_text(Replacement *r)
{
	r->description = description_load(r->request.relation, r->request.quasi_identifiers);
	r->text = r->request.recoding->write(&r->request, r->description);
	r->query = view_rule_parse(r->text.select);
	r->columns = names_of_query(r->query);
	r->after =
		release_create_entry(&r->request, r->description, &r->text, r->before->release, r->columns);
}

/* Does every column of the release, under its current name, keep its origin and type? */
static bool
keeps_columns(const Replacement *r)
{
	Relation release = relation_name_open(r->before->release);
	bool keeps = view_rule_fits(release, r->query);

	for (AttrNumber i = 1; keeps && i <= list_length(r->columns); i++)
	{
		const char *before = release_catalog_origin(r->before, i);
		const char *after = release_catalog_origin(&r->after, i);

		keeps = before && after ? strcmp(before, after) == 0 : before == after;
	}
	relation_close(release, NoLock);
	return keeps;
}

static void
replace_seed(const Replacement *r, Oid heir)
{
	const ReleaseOptions *options = &r->request.options;
	bool new = release_options_is_reset(options, offsetof(ReleaseOptions, seed));
	const char *seed = new ? release_seed_draw() : options->seed;

	release_seed_replace(r->before->release, heir, r->text.seed, seed, options->redraw);
}

/* Counts what was filled: the release's successor, or its heir. */
static void
count(Replacement *r, Oid filled)
{
	ReleaseEntry entry = r->after;

	UpdateActiveSnapshotCommandId();
	(void) release_seed_check_dealt(&entry, filled, ERROR);
	entry.release = filled;
	r->figures = release_catalog_figures_count(&entry);
	if (r->figures.rows == 0 && r->figures.missing > 0 && r->figures.missing < entry.demand.k &&
		!entry.recoding->advance)
		release_catalog_figures_exceeded(relation_name(entry.relation), entry.demand.k,
										 r->figures.missing);
	if (r->text.levels)
	{
		r->figures.loss_known = r->figures.rows > 0;
		r->figures.loss = r->text.loss;
	}
}

/* Replaces the query and contents of the same object. */
static void
replace_in_place(Replacement *r)
{
	Oid release = r->before->release;
	Successor successor;

	replace_seed(r, release);
	release_catalog_figures_begin();
	successor = successor_fill(release, copyObject(r->query));
	count(r, successor.table);
	patient_lock(release, r->name);
	view_rule_replace(release, r->query);
	successor_swap(&successor);
}

static void
check_dependents(const Replacement *r)
{
	List *dependents = view_traits_dependents(r->before->release);

	if (dependents != NIL)
		ereport(
			ERROR,
			(errcode(ERRCODE_DEPENDENT_OBJECTS_STILL_EXIST),
			 errmsg("cannot change the columns of release %s because other objects depend on it",
					r->name),
			 errdetail("These do: %s.", join(dependents)),
			 errhint("Drop and recreate them in the transaction that replaces it, or keep the "
					 "names and types of its columns.")));
}

/* "(a, b)": columns that stay keep their current names in the release. */
static const char *
column_list(const Replacement *r)
{
	StringInfoData list;

	initStringInfo(&list);
	for (int i = 0; i < list_length(r->columns); i++)
	{
		const char *origin = release_catalog_origin(&r->after, (AttrNumber) (i + 1));
		const char *name = origin ? release_catalog_column(r->before, origin) : NULL;

		appendStringInfo(&list, "%s%s", i > 0 ? ", " : " (",
						 quote_identifier(name ? name : list_nth(r->columns, i)));
	}
	appendStringInfoChar(&list, ')');
	return list.data;
}

/* Makes and fills the heir under another name; returns its OID. */
static Oid
make_heir(Replacement *r, const char *own_name, const char *name)
{
	Oid release = r->before->release;
	Oid schema = get_rel_namespace(release);
	Oid heir;

	query_run_with(psprintf("CREATE MATERIALIZED VIEW %s%s%s AS\n%s\nWITH NO DATA", name,
							column_list(r), view_traits_storage(release), r->text.select),
				   QUERY_IN_SNAPSHOT, "");
	heir = rights_made(schema, own_name);
	name = relation_name(heir);
	default_privileges_revoke(name, heir);
	view_traits_hand_over(release, heir, name);
	replace_seed(r, heir);
	release_catalog_figures_begin();
	query_run_with(psprintf("REFRESH MATERIALIZED VIEW %s", name), QUERY_IN_SNAPSHOT, "");
	return heir;
}

static void
notice_lost(const Replacement *r, List *lost)
{
	ereport(NOTICE, (errmsg("release %s is a new object, because its columns changed", r->name),
					 lost != NIL ? errdetail("Lost: %s.", join(lost)) : 0));
}

/* Replaces the release by another object under the same name. */
static void
replace_by_heir(Replacement *r)
{
	Oid release = r->before->release;
	char *own_name = get_rel_name(release);
	Oid schema = get_rel_namespace(release);
	char *other_name = ChooseRelationName(own_name, NULL, "new", schema, false);
	const char *name = quote_qualified_identifier(relation_name_schema(schema), other_name);
	List *statements;
	List *lost;
	ListCell *cell;
	Oid heir;

	check_dependents(r);
	heir = make_heir(r, other_name, name);
	r->after.release = heir;
	count(r, heir);
	statements = view_traits_indexes(release, heir);
	lost = view_traits_lost(release, heir);
	patient_lock(release, r->name);
	release_catalog_hand_over(release, heir);
	release_history_hand_over(release, heir);
	query_run(psprintf("DROP MATERIALIZED VIEW %s", r->name), false);
	query_run(psprintf("ALTER MATERIALIZED VIEW %s RENAME TO %s", name, quote_identifier(own_name)),
			  false);
	foreach (cell, statements)
		query_run(lfirst(cell), false);
	notice_lost(r, lost);
}

static void
notice_levels(const Replacement *r)
{
	ArrayType *before = r->before->levels;
	ArrayType *after = r->text.levels;

	if (r->request.options.levels || before == NULL || after == NULL ||
		datumIsEqual(PointerGetDatum(before), PointerGetDatum(after), false, -1))
		return;
	ereport(NOTICE, (errmsg("release %s has new levels: %s", r->name,
							OidOutputFunctionCall(F_ARRAY_OUT, PointerGetDatum(after))),
					 errdetail("The old levels were %s.",
							   OidOutputFunctionCall(F_ARRAY_OUT, PointerGetDatum(before)))));
}

Oid
release_replace(Oid release, const ReleaseArguments *changes)
{
	Replacement r = {.figures = {.known = false}};
	TimestampTz start = GetCurrentTimestamp();

	r.name = relation_name(release);
	r.before = release_catalog_get(release, r.name);
	r.request = release_request_of(r.before);
	release_request_change(&r.request, changes);
	check_recodings(&r);
	leave_behind(&r, changes);
	release_request_check(&r.request);
	take_memory(&r);
	PushCopiedSnapshot(GetTransactionSnapshot());
	write_text(&r);
	if (keeps_columns(&r))
		replace_in_place(&r);
	else
		replace_by_heir(&r);
	release_catalog_write(&r.after, release_request_parameters(&r.request));
	release_catalog_update(r.after.release, &r.figures);
	release_history_begin(r.after.release, FILLED_BY_REPLACEMENT, start);
	release_history_end(r.after.release, r.figures.digest);
	UpdateActiveSnapshotCommandId();
	notice_levels(&r);
	release_create_notice(&r.request, r.description, r.after.release);
	PopActiveSnapshot();
	return r.after.release;
}
