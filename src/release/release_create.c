/*
 * release_create.c
 *		See release_create.h.
 *
 * Safety does not depend on anything checked before the view exists: its text ensures k and the
 * models for any rows.
 */
#include "postgres.h"

#include "release/release_create.h"

#include "base/names.h"
#include "catalog/namespace.h"
#include "catalog/pg_type.h"
#include "release/release_catalog.h"
#include "release/release_columns.h"
#include "release/release_history.h"
#include "release/release_models.h"
#include "release/release_request.h"
#include "release/release_seed.h"
#include "sql/name_array.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "sql/rights.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
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
	StringInfoData names;

	if (left_out == NIL)
		return;
	initStringInfo(&names);
	foreach_ptr (const char, column, left_out)
		appendStringInfo(&names, "%s\"%s\"", names.len > 0 ? ", " : "", column);
	ereport(NOTICE, (errmsg("columns left out of release %s: %s", name, names.data),
					 errdetail("They are neither its quasi-identifiers nor declared sensitive or"
							   " insensitive."),
					 errhint("Declare them with kanon_set_attribute.")));
}

static const char *
view_name(const ReleaseRequest *request)
{
	return quote_qualified_identifier(relation_name_schema(request->release.schema),
									  request->release.name);
}

/*
 * Creates the view and its seed.  A release that draws is filled afterwards, because the seed needs
 * its OID.
 */
static Oid
create_view(const ReleaseRequest *request, const ReleaseText *text)
{
	const char *name = view_name(request);
	Oid release;

	query_run_with(psprintf("CREATE MATERIALIZED VIEW %s AS\n%s%s", name, text->select,
							text->seed ? "\nWITH NO DATA" : ""),
				   QUERY_IN_SNAPSHOT, "");
	release = rights_made(request->release.schema, request->release.name);
	name = relation_name(release);
	if (text->seed == 0)
		return release;
	release_seed_insert(text->seed, release, request->options.seed, request->options.redraw);
	query_run_with(psprintf("REFRESH MATERIALIZED VIEW %s", name), QUERY_IN_SNAPSHOT, "");
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

/*
 * name[]: the relation's names for the columns of its release, given by their names in the text;
 * NULL for a mean.
 */
static ArrayType *
column_names(const Description *description, const List *columns)
{
	List *names = NIL;

	foreach_ptr (char, name, columns)
	{
		const DescribedAttribute *origin = description_find(description, name);
		bool published = origin && release_columns_publishes(description, origin);

		names = lappend(names, published ? name : NULL);
	}
	return name_array_of(names);
}

ReleaseEntry
release_create_entry(const ReleaseRequest *request, const Description *description,
					 const ReleaseText *text, Oid release, const List *columns)
{
	return (ReleaseEntry){.release = release,
						  .relation = request->relation,
						  .recoding = request->recoding,
						  .demand = request->demand,
						  .columns = column_names(description, columns),
						  .quasi_identifiers = quasi_names(description),
						  .levels = text->levels,
						  .suppression = request->suppression};
}

/* The names of the columns, C strings. */
static List *
names_of_columns(Oid relation)
{
	const Description *columns = description_load_columns(relation);
	List *names = NIL;

	for (int i = 0; i < columns->attribute_count; i++)
		names = lappend(names, (void *) columns->attributes[i].name);
	return names;
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
	if (rows > 0 && rows < request->demand.k)
		release_catalog_figures_exceeded(description->name, request->demand.k, rows);
	if (rows >= request->demand.k)
		failing = release_models_failing(description, request->demand.k);
	ereport(NOTICE, (errmsg("release \"%s\" is empty", request->release.name),
					 failing ? errdetail("All " INT64_FORMAT " rows of its relation together do not"
										 " satisfy %s.",
										 rows, failing)
							 : release_catalog_figures_too_few(rows, request->demand.k)));
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
						   names_join(release_recoding_takers(RECODING_WEIGHTS)))));
}

void
release_create_notice(const ReleaseRequest *request, const Description *description, Oid release)
{
	notice_nobody_hidden(request, relation_name(release));
	notice_weights(request, description);
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

/* Writes the catalog's row, with the figures. */
static void
record_release(const ReleaseRequest *request, const Description *description,
			   const ReleaseText *text, Oid release, TimestampTz start)
{
	ReleaseEntry entry =
		release_create_entry(request, description, text, release, names_of_columns(release));
	ReleaseFigures figures = release_catalog_figures_count(&entry);

	if (text->levels)
		figures.loss = text->loss;
	notice_left_classes(request, &figures);
	if (figures.rows == 0 &&
		!(request->options.models_after && figures.missing >= request->demand.k))
		notice_empty(request, description, figures.missing);
	release_catalog_write(&entry, release_request_parameters(request));
	(void) release_seed_check_dealt(&entry, release, ERROR);
	release_catalog_update(release, &figures);
	release_history_begin(release, FILLED_BY_CREATION, start);
	release_history_end(release, figures.digest);
}

Oid
release_create(const ReleaseRequest *request)
{
	TimestampTz start = GetCurrentTimestamp();
	Description *description = release_request_describe(request);
	ReleaseText text = request->recoding->write(request, description);
	Oid release;

	release_catalog_figures_begin();
	release = create_view(request, &text);
	notice_left_out(description, view_name(request));
	record_release(request, description, &text, release, start);
	release_create_notice(request, description, release);
	return release;
}
