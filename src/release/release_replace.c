/*
 * release_replace.c
 *		See release_replace.h.
 */
#include "postgres.h"

#include "release/release_replace.h"

#include <math.h>

#include "access/relation.h"
#include "base/budget.h"
#include "base/names.h"
#include "matview/successor.h"
#include "record/record_spill.h"
#include "release/release_catalog.h"
#include "release/release_create.h"
#include "release/release_history.h"
#include "release/release_request.h"
#include "release/release_seed.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/fmgroids.h"
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
		ereport(NOTICE, (errmsg("release %s is no longer made with %s", r->name, names_join(left)),
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

	foreach_ptr (TargetEntry, column, query->targetList)
		if (!column->resjunk)
			names = lappend(names, column->resname);
	return names;
}

/* Writes the text as the release's owner, with the choices made once and for all. */
static void
write_text(Replacement *r)
{
	r->description = release_request_describe(&r->request);
	r->text = r->request.recoding->write(&r->request, r->description);
	r->query = successor_parse(r->text.select);
	r->columns = names_of_query(r->query);
	r->after =
		release_create_entry(&r->request, r->description, &r->text, r->before->release, r->columns);
}

/* "age int4range, ward text and disease text" */
static const char *
describe(TupleDesc columns)
{
	List *descriptions = NIL;

	for (int i = 0; i < columns->natts; i++)
	{
		Form_pg_attribute column = TupleDescAttr(columns, i);

		descriptions = lappend(
			descriptions, psprintf("%s %s", quote_identifier(NameStr(column->attname)),
								   format_type_with_typemod(column->atttypid, column->atttypmod)));
	}
	return names_join(descriptions);
}

/*
 * Does the release's column at this place, under whatever name, keep its origin and type?  Grants,
 * indexes and views are about the columns of the object.
 */
static bool
keeps_column(const Replacement *r, Form_pg_attribute before, Form_pg_attribute after)
{
	const char *origin = release_catalog_origin(r->before, before->attnum);
	const char *other = release_catalog_origin(&r->after, before->attnum);

	return before->atttypid == after->atttypid && before->atttypmod == after->atttypmod &&
		   before->attcollation == after->attcollation &&
		   (origin && other ? strcmp(origin, other) == 0 : origin == other);
}

static void
check_columns(const Replacement *r)
{
	Relation release = relation_name_open(r->before->release);
	TupleDesc before = RelationGetDescr(release);
	TupleDesc after = successor_columns(r->query);
	bool keeps = before->natts == after->natts;

	for (int i = 0; keeps && i < after->natts; i++)
		keeps = keeps_column(r, TupleDescAttr(before, i), TupleDescAttr(after, i));
	if (!keeps)
		ereport(
			ERROR,
			(errcode(ERRCODE_INVALID_TABLE_DEFINITION),
			 errmsg("release %s cannot be replaced by one with other columns", r->name),
			 errdetail("It has %s; it would have %s.", describe(before), describe(after)),
			 errhint("Make a release under another name, or drop this one and make it again.")));
	relation_close(release, NoLock);
}

/* Counts what was filled beside the release. */
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
		r->figures.loss = r->figures.rows > 0 ? r->text.loss : NAN;
}

/* Replaces the query and contents of the object. */
static void
replace(Replacement *r)
{
	Oid release = r->before->release;
	const ReleaseOptions *options = &r->request.options;
	const char *seed = options->new_secret ? release_seed_draw() : options->seed;
	Successor successor;

	release_seed_replace(release, r->text.seed, seed, options->redraw);
	release_catalog_figures_begin();
	successor = successor_fill(release, copyObject(r->query));
	count(r, successor.table);
	successor_lock(release, r->name);
	successor_take_query(release, r->query);
	successor_swap(&successor);
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

void
release_replace(Oid release, const ReleaseArguments *changes)
{
	Replacement r = {0};
	TimestampTz start = GetCurrentTimestamp();

	r.name = relation_name(release);
	r.before = release_catalog_get(release, r.name);
	r.request = release_request_of(r.before);
	release_request_change(&r.request, changes);
	r.request.replaced = r.before;
	check_recodings(&r);
	leave_behind(&r, changes);
	release_request_check(&r.request);
	take_memory(&r);
	PushCopiedSnapshot(GetTransactionSnapshot());
	write_text(&r);
	check_columns(&r);
	replace(&r);
	release_catalog_write(&r.after, release_request_parameters(&r.request));
	release_catalog_update(release, &r.figures);
	release_history_begin(release, FILLED_BY_REPLACEMENT, start);
	release_history_end(release, r.figures.digest);
	UpdateActiveSnapshotCommandId();
	notice_levels(&r);
	release_create_notice(&r.request, r.description, release);
	PopActiveSnapshot();
}
