/*
 * release_create.c
 *		See release_create.h.
 *
 * Safety does not depend on anything checked before the view exists: its text ensures k and the
 * models for any rows.
 */
#include "postgres.h"

#include "release/release_create.h"

#include <math.h>

#include "access/relation.h"
#include "base/budget.h"
#include "base/names.h"
#include "catalog/namespace.h"
#include "catalog/pg_type.h"
#include "matview/successor.h"
#include "record/record_spill.h"
#include "release/release_catalog.h"
#include "release/release_fill.h"
#include "release/release_request.h"
#include "release/release_rule.h"
#include "release/release_seed.h"
#include "release/release_table.h"
#include "release/release_text.h"
#include "sql/name_array.h"
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
#include "utils/varlena.h"

ReleaseName
release_create_name(text *name)
{
	RangeVar *range = makeRangeVarFromNameList(textToQualifiedNameList(name));
	ReleaseName release = {.schema = RangeVarGetCreationNamespace(range), .name = range->relname};
	Oid other;

	if (isAnyTempNamespace(release.schema))
		ereport(ERROR, (errcode(ERRCODE_INVALID_TABLE_DEFINITION),
						errmsg("release \"%s\" must not be temporary", release.name)));
	other = get_relname_relid(release.name, release.schema);
	if (OidIsValid(other))
		ereport(ERROR, (errcode(ERRCODE_DUPLICATE_TABLE),
						errmsg("relation \"%s\" already exists", release.name),
						get_rel_relkind(other) == RELKIND_MATVIEW
							? errhint("If it is a release, kanon_replace_release makes it again "
									  "with other arguments.")
							: 0));
	return release;
}

static void
notice_left_out(const Description *description, const char *name)
{
	List *left_out = release_columns_left_out(description);
	bool undeclared = false;
	StringInfoData names;

	if (left_out == NIL)
		return;
	initStringInfo(&names);
	foreach_ptr (const char, column, left_out)
	{
		appendStringInfo(&names, "%s\"%s\"", names.len > 0 ? ", " : "", column);
		undeclared = undeclared || description_find(description, column)->role == ROLE_UNDECLARED;
	}
	ereport(NOTICE, (errmsg("columns left out of release %s: %s", name, names.data),
					 errdetail("They are neither its quasi-identifiers nor declared sensitive or"
							   " insensitive."),
					 undeclared ? errhint("Declare them with kanon_set_attribute.") : 0));
}

static const char *
full_name(const ReleaseName *name)
{
	return quote_qualified_identifier(relation_name_schema(name->schema), name->name);
}

/* Creates a view with this text, empty. */
static Oid
create_view(const ReleaseName *view, const char *select)
{
	query_run_with(
		psprintf("CREATE MATERIALIZED VIEW %s AS\n%s\nWITH NO DATA", full_name(view), select),
		QUERY_IN_SNAPSHOT, "");
	return rights_made(view->schema, view->name);
}

static bool
wants_shards(const ReleaseRequest *request)
{
	return strcmp(request->options.storage, STORAGE_DISTRIBUTED) == 0;
}

static bool
wants_table(const ReleaseRequest *request)
{
	return strcmp(request->options.storage, STORAGE_TABLE) == 0 || wants_shards(request);
}

/* Creates the release, empty, and its seed; the text goes into "query". */
static Oid
create_empty(const ReleaseRequest *request, const ReleaseText *text, Oid *query)
{
	bool table = wants_table(request);
	ReleaseName view = table ? release_table_query_name(&request->release) : request->release;
	Oid release;

	*query = create_view(&view, text->select);
	release = table ? release_table_create(request, *query, wants_shards(request)) : *query;
	if (text->seed != 0)
		release_seed_insert(text->seed, release, request->options.seed, request->options.redraw);
	return release;
}

/* name[] of the quasi-identifiers. */
static ArrayType *
quasi_names(const Description *description)
{
	List *names = NIL;

	for (int i = 0; i < description->quasi_count; i++)
		names = lappend(names, unconstify(char *, description->quasi[i]->name));
	return name_array_of(names);
}

/* name[]: the relation's names for the columns of the text's query; NULL for a mean. */
static ArrayType *
column_names(const Description *description, const Query *query)
{
	List *names = NIL;

	foreach_ptr (const TargetEntry, column, query->targetList)
	{
		const DescribedAttribute *origin;
		bool published;

		if (column->resjunk)
			continue;
		origin = description_find(description, column->resname);
		published = origin && release_columns_publishes(description, origin);
		names = lappend(names, published ? column->resname : NULL);
	}
	return name_array_of(names);
}

/* The row of the catalog for a release at this place with this text, whose query is given. */
static ReleaseEntry
entry_of(const ReleaseRequest *request, const Description *description, const ReleaseText *text,
		 const ReleaseEntry *place, const Query *query)
{
	return (ReleaseEntry){.release = place->release,
						  .table = place->table,
						  .distributed = place->distributed,
						  .query = place->query,
						  .relation = request->relation,
						  .recoding = request->recoding,
						  .demand = request->demand,
						  .columns = column_names(description, query),
						  .quasi_identifiers = quasi_names(description),
						  .levels = text->levels,
						  .suppression = request->suppression};
}

/* Refuses what no release of these rows can satisfy, once one is found to be empty. */
static void
check_possible(const ReleaseDemand *demand, const Description *description, int64 rows)
{
	if (rows > 0 && rows < demand->k)
		release_catalog_figures_exceeded(description->name, demand->k, rows);
	if (rows >= demand->k)
		release_models_check_values(description);
}

static void
notice_empty(const ReleaseRequest *request, const Description *description, int64 rows)
{
	const char *failing = NULL;

	if (request->recoding->advance)
	{
		ereport(NOTICE,
				(errmsg("release \"%s\" is empty", request->release.name),
				 errdetail("Nobody has waited long enough, or is similar enough to others.")));
		return;
	}
	if (rows >= request->demand.k)
		failing = release_models_failing(description, request->demand.k);
	ereport(NOTICE,
			(errmsg("release \"%s\" is empty", request->release.name),
			 failing ? errdetail("All " INT64_FORMAT " rows of its relation together do not"
								 " satisfy %s.",
								 rows, failing)
					 : release_catalog_figures_too_few(rows, request->demand.k),
			 failing ? errhint("kanon_replace_release takes other models and another k.") : 0));
}

static void
notice_nobody_hidden(const ReleaseRequest *request, const char *name)
{
	if (request->demand.k > 1 || request->demand.models != NIL)
		return;
	ereport(NOTICE, (errmsg("release %s hides nobody", name),
					 errdetail("With k = 1 a row may be the only one of its kind."),
					 errhint("Choose a k of at least 2.")));
}

static void
notice_weights(const ReleaseRequest *request, const Description *description)
{
	bool differ = false;
	bool any = false;

	for (int i = 0; i < description->quasi_count; i++)
	{
		double weight = description->quasi[i]->weight;

		differ = differ || weight != description->quasi[0]->weight;
		any = any || weight > 0;
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
						   names_join(release_recoding_takers(RECODING_WEIGHTS)))));
}

/* The cost of models_after: the rows of classes left out. */
static void
notice_left_classes(const ReleaseRequest *request, const ReleaseFigures *figures)
{
	int64 rows = figures->rows + figures->missing;

	if (!request->options.models_after || figures->missing == 0 || rows < request->demand.k)
		return;
	ereport(NOTICE,
			(errmsg("release \"%s\" lacks " INT64_FORMAT " of " INT64_FORMAT " rows",
					request->release.name, figures->missing, rows),
			 errdetail("They lie in classes that fail %s.", release_models_names(&request->demand)),
			 figures->satisfied
				 ? 0
				 : errhint("Set suppression to the share of rows that may be missing.")));
}

/* Fills the release, empty or not, and measures it.  The loss of levels is known. */
static ReleaseFill
fill(const ReleaseEntry *entry, const ReleaseText *text, Query *query)
{
	ReleaseFill filled = release_fill(entry, query, true);

	if (text->levels)
		filled.figures.loss = text->loss;
	return filled;
}

/* Fills the release just created, as its owner. */
static ReleaseFigures
fill_created(const ReleaseEntry *entry, const ReleaseText *text, Query *query)
{
	QueryRights rights = rights_enter(entry->release, RIGHTS_CHECKED, AccessExclusiveLock);
	ReleaseFill filled = fill(entry, text, query);

	release_fill_show(entry, relation_name(entry->release), &filled);
	rights_leave(&rights);
	return filled.figures;
}

/* Writes the rows of the catalog and the history. */
static void
record(const ReleaseRequest *request, const ReleaseEntry *entry, const ReleaseFigures *figures,
	   const char *how, TimestampTz start)
{
	release_catalog_write(entry, release_request_parameters(request));
	release_history_begin(entry->release, how, start);
	release_history_end(entry->release, figures);
}

Oid
release_create(ReleaseRequest *request)
{
	TimestampTz start = GetCurrentTimestamp();
	Description *description = release_request_describe(request);
	ReleaseText text;
	ReleaseEntry entry = {.table = wants_table(request), .distributed = wants_shards(request)};
	ReleaseFigures figures;
	Query *query;

	/* A snapshot of its own, which sees what is made on the way. */
	PushCopiedSnapshot(GetActiveSnapshot());
	release_request_take_declared(request, description);
	release_rule_find(request, description);
	text = request->recoding->write(request, description);
	entry.release = create_empty(request, &text, &entry.query);
	query = successor_query(entry.query);
	entry = entry_of(request, description, &text, &entry, query);
	figures = fill_created(&entry, &text, query);
	notice_left_out(description, full_name(&request->release));
	if (figures.rows == 0 && !request->recoding->advance)
		check_possible(&request->demand, description, figures.missing);
	notice_left_classes(request, &figures);
	if (figures.rows == 0 &&
		!(request->options.models_after && figures.missing >= request->demand.k))
		notice_empty(request, description, figures.missing);
	record(request, &entry, &figures, FILLED_BY_CREATION, start);
	notice_nobody_hidden(request, relation_name(entry.release));
	notice_weights(request, description);
	PopActiveSnapshot();
	return entry.release;
}

/* ---- replacing */

typedef struct Replacement
{
	const char *name;     /* of the release, qualified and quoted */
	ReleaseEntry *before; /* its row of the catalog */
	ReleaseRequest request;
	Description *description;
	ReleaseText text;
	Query *query; /* of the new text */
	ReleaseEntry after;
	ReleaseFigures figures;
} Replacement;

/*
 * Drops what the new recoding does not take, or for something else, with a NOTICE.  Models and
 * people are promises of the release: only its owner may drop them.
 */
static void
leave_behind(Replacement *r, const ReleaseArguments *changes)
{
	ReleaseRequest *request = &r->request;
	List *left = release_request_leave(request);

	if (!(request->recoding->takes & RECODING_SUPPRESSION) && !request->options.models_after &&
		isnan(changes->suppression) && request->suppression > 0)
	{
		left = lcons("suppression", left);
		request->suppression = 0;
	}
	if (left != NIL)
		ereport(NOTICE, (errmsg("release %s is no longer made with %s", r->name, names_join(left)),
						 errdetail("Recoding \"%s\", with its options, takes nothing that means "
								   "the same.",
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

/* What has grown around a table does not suit a view, nor the other way round. */
static void
check_storage(const Replacement *r)
{
	if (wants_table(&r->request) != r->before->table ||
		wants_shards(&r->request) != r->before->distributed)
		ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
						errmsg("release %s cannot be replaced by one of another storage", r->name),
						errhint("Make a release under another name, or drop this one and make it "
								"again.")));
}

/* Writes the text as the release's owner, with the choices made once and for all. */
static void
write_text(Replacement *r)
{
	r->description = release_request_describe(&r->request);
	release_request_take_declared(&r->request, r->description);
	release_rule_find(&r->request, r->description);
	r->text = r->request.recoding->write(&r->request, r->description);
	r->query = successor_parse(r->text.select);
	r->after = entry_of(&r->request, r->description, &r->text, r->before, r->query);
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
	bool keeps = before->natts == after->natts + r->before->distributed;

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

/* An empty release has lost nothing. */
static void
check_filled(Replacement *r)
{
	if (r->figures.rows > 0)
		return;
	check_possible(&r->after.demand, r->description, r->figures.missing);
	r->figures.loss = NAN;
}

/* Replaces the query and contents of the object. */
static void
replace(Replacement *r)
{
	Oid release = r->before->release;
	const ReleaseOptions *options = &r->request.options;
	const char *seed = options->new_secret ? release_seed_draw() : options->seed;
	ReleaseFill filled;

	release_seed_replace(release, r->text.seed, seed, options->redraw);
	filled = fill(&r->after, &r->text, copyObject(r->query));
	r->figures = filled.figures;
	check_filled(r);
	/* A table's query view, which nobody reads, before the table. */
	successor_lock(r->before->query, r->name);
	successor_lock(release, r->name);
	successor_take_query(r->before->query, release, r->query);
	release_fill_show(r->before, r->name, &filled);
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
	check_storage(&r);
	release_table_prepare(r.before);
	leave_behind(&r, changes);
	release_request_check(&r.request);
	take_memory(&r);
	PushCopiedSnapshot(GetTransactionSnapshot());
	write_text(&r);
	check_columns(&r);
	replace(&r);
	record(&r.request, &r.after, &r.figures, FILLED_BY_REPLACEMENT, start);
	UpdateActiveSnapshotCommandId();
	notice_levels(&r);
	notice_nobody_hidden(&r.request, r.name);
	notice_weights(&r.request, r.description);
	PopActiveSnapshot();
}
