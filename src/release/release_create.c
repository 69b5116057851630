/*
 * release_create.c
 *		See release_create.h.
 *
 * The text of a full-domain release carries a guard of its own (release_query.h), so
 * nothing found here is needed for safety: the search and the count of small
 * classes decide whether the release would be any good.  Those of the others
 * partition or match whatever rows they find.
 */
#include "postgres.h"

#include "release/release_create.h"

#include "base/limits.h"
#include "catalog/namespace.h"
#include "catalog/pg_type.h"
#include "count/class_query.h"
#include "dimension/star_query.h"
#include "model/model_text.h"
#include "release/release_catalog.h"
#include "release/release_cellwise.h"
#include "release/release_column.h"
#include "release/release_figures.h"
#include "release/release_models.h"
#include "release/release_mondrian.h"
#include "release/release_notice.h"
#include "release/release_query.h"
#include "release/release_seed.h"
#include "sql/default_privileges.h"
#include "sql/model_array.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/varlena.h"

#define EXAMPLES "3"

ReleaseName
release_create_name(text *name)
{
	RangeVar *range = makeRangeVarFromNameList(textToQualifiedNameList(name));
	ReleaseName release = {.schema = RangeVarGetCreationNamespace(range), .name = range->relname};

	if (isAnyTempNamespace(release.schema))
		ereport(ERROR, (errcode(ERRCODE_INVALID_TABLE_DEFINITION),
						errmsg("release \"%s\" must not be temporary", release.name)));
	if (OidIsValid(get_relname_relid(release.name, release.schema)))
		ereport(ERROR, (errcode(ERRCODE_DUPLICATE_TABLE),
						errmsg("relation \"%s\" already exists", release.name)));
	return release;
}

int *
release_create_levels(const Description *description, ArrayType *levels)
{
	int *result = palloc0(sizeof(int) * Max(description->quasi_count, 1));
	Datum *elements;
	bool *nulls;
	int count;

	if (ARR_NDIM(levels) > 1)
		ereport(ERROR, (errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
						errmsg("levels must be a one-dimensional array")));
	deconstruct_array(levels, INT4OID, sizeof(int32), true, TYPALIGN_INT, &elements, &nulls,
					  &count);
	if (count != description->quasi_count)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("%d levels are given for %d quasi-identifiers of relation %s", count,
							   description->quasi_count, description->name)));
	for (int i = 0; i < count; i++)
	{
		if (nulls[i])
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("a level must not be null")));
		result[i] = DatumGetInt32(elements[i]);
	}
	return result;
}

/*
 * The generalizations that satisfy, those of least loss first (levels as ArrayType).  The
 * search judges closeness beside the whole table and a release beside what is left of it,
 * so where rows may be suppressed others than the first are of use.
 */
static List *
search_levels(const ReleaseRequest *request)
{
	Oid types[] = {REGCLASSOID, INT4OID, NAMEARRAYOID, FLOAT8OID};
	Datum values[] = {ObjectIdGetDatum(request->source), Int32GetDatum(request->demand.k),
					  PointerGetDatum(request->quasi_identifiers),
					  Float8GetDatum(request->suppression)};
	char nulls[] = {' ', ' ', request->quasi_identifiers ? ' ' : 'n', ' '};
	const ReleaseDemand *demand = &request->demand;
	bool one = demand->models == NIL || request->suppression == 0;
	List *found = NIL;
	bool isnull;

	query_run_with(psprintf("SELECT levels FROM %s.kanon_incognito(relation => $1, k => $2,"
							" quasi_identifiers => $3, suppression => $4%s%s)"
							" ORDER BY loss, height, levels%s",
							query_extension_schema(),
							demand->models == NIL
								? ""
								: psprintf(", models => %s", model_array_text(demand->models)),
							demand->person == NULL ? ""
												   : psprintf(", person => %s::name",
															  quote_literal_cstr(demand->person)),
							one ? " LIMIT 1" : ""),
				   lengthof(types), types, values, nulls, true);
	for (uint64 row = 0; row < SPI_processed; row++)
		found = lappend(found, DatumGetArrayTypePCopy(SPI_getbinval(
								   SPI_tuptable->vals[row], SPI_tuptable->tupdesc, 1, &isnull)));
	return found;
}

static void
report_missing(const Description *description, const DescribedAttribute *attribute, const char *sql)
{
	int64 values;
	int64 rows;
	char *examples;

	query_run(sql, true);
	values = query_int8(0, 1);
	rows = query_int8(0, 2);
	examples = query_text(0, 3);
	ereport(
		ERROR,
		(errcode(ERRCODE_FOREIGN_KEY_VIOLATION),
		 errmsg_plural("dimension of column \"%s\" of relation %s lacks " INT64_FORMAT " value",
					   "dimension of column \"%s\" of relation %s lacks " INT64_FORMAT " values",
					   values, attribute->name, description->name, values),
		 errdetail("They stand in " INT64_FORMAT " rows; for example: %s.", rows, examples),
		 errhint("kanon_check_dimension lists them all.")));
}

/*
 * A search sees values missing from a dimension by itself; levels given by
 * hand need this look.  One scan when all is well.
 */
static void
check_missing(const Description *description, const StarQuery *star)
{
	StringInfoData any;

	initStringInfo(&any);
	for (int i = 0; i < description->quasi_count; i++)
		if (star->columns[i].missing != NULL)
			appendStringInfo(&any, "%s%s", any.len > 0 ? " OR " : "", star->columns[i].missing);
	if (any.len == 0)
		return;
	query_run(psprintf("SELECT FROM %s WHERE %s LIMIT 1", star->from, any.data), true);
	if (SPI_processed == 0)
		return;
	for (int i = 0; i < description->quasi_count; i++)
	{
		const DescribedAttribute *attribute = &description->attributes[description->quasi[i]];
		const char *missing = star->columns[i].missing;
		const char *value = psprintf("s.%s", quote_identifier(attribute->name));

		if (missing == NULL)
			continue;
		query_run(psprintf("SELECT FROM %s WHERE %s LIMIT 1", star->from, missing), true);
		if (SPI_processed > 0)
			report_missing(description, attribute,
						   psprintf("SELECT count(*), sum(n)::int8, string_agg('\"' || v || '\"',"
									" ', ' ORDER BY v) FILTER (WHERE i <= " EXAMPLES ")"
									" FROM (SELECT %s AS v, count(*) AS n,"
									" row_number() OVER (ORDER BY %s) AS i"
									" FROM %s WHERE %s GROUP BY %s) m",
									value_text_expression(value, attribute->type), value,
									star->from, missing, value));
	}
}

static void
check_rows(const ReleaseRequest *request, const Description *description, const ClassTally *tally)
{
	if (tally->rows == 0)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("relation %s is empty", description->name)));
	if (request->demand.k > tally->rows)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("k = %d exceeds the " INT64_FORMAT " rows of relation %s",
							   request->demand.k, tally->rows, description->name)));
}

static bool
is_acceptable(const ReleaseRequest *request, const ClassTally *tally)
{
	return tally->small_rows <= limits_suppressible(request->suppression, tally->rows);
}

static void
refuse_levels(const ReleaseRequest *request, const Description *description,
			  const ClassTally *tally)
{
	ereport(ERROR,
			(errcode(ERRCODE_CHECK_VIOLATION),
			 errmsg("the levels given do not satisfy %s for relation %s",
					release_models_names(&request->demand), description->name),
			 errdetail(INT64_FORMAT " of " INT64_FORMAT " rows lie in classes %s;"
									" suppression allows " INT64_FORMAT ".",
					   tally->small_rows, tally->rows,
					   release_models_any(&request->demand) ? "that fail" : "below k",
					   limits_suppressible(request->suppression, tally->rows)),
			 errhint("Choose higher levels, allow more suppression, or choose a smaller k.")));
}

/* What "levels" makes of the table; with models, rows in classes that fail are all it counts. */
static ClassTally
measure(const ReleaseRequest *request, const Description *description, const int *levels)
{
	StarQuery star = star_query_build(description, levels, 0);
	ClassTally tally;

	if (request->levels != NULL)
		check_missing(description, &star);
	query_run(class_query_of_node(description, levels, &star, request->demand.k), true);
	tally = class_query_tally();
	check_rows(request, description, &tally);
	if (!release_models_any(&request->demand))
		return tally;
	query_run(psprintf("SELECT count(*) FROM (%s) r",
					   release_query_text(description, levels, &request->demand)),
			  true);
	tally.small_rows = tally.rows - query_int8(0, 1);
	return tally;
}

static void
notice_left_out(const Description *description, const char *name)
{
	List *left_out = release_column_left_out(description);
	StringInfoData names;
	ListCell *cell;

	if (left_out == NIL)
		return;
	initStringInfo(&names);
	foreach (cell, left_out)
		appendStringInfo(&names, "%s\"%s\"", names.len > 0 ? ", " : "", (char *) lfirst(cell));
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

static Oid
create_view(const ReleaseRequest *request, const Description *description, const char *text,
			bool with_data)
{
	const char *name = view_name(request);
	Oid release;

	query_run_in_snapshot(psprintf("CREATE MATERIALIZED VIEW %s AS\n%s%s", name, text,
								   with_data ? "" : "\nWITH NO DATA"),
						  0, NULL, NULL, NULL);
	release = get_relname_relid(request->release.name, request->release.schema);
	if (!OidIsValid(release))
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_TABLE),
						errmsg("release %s is gone as soon as it was created", name)));
	default_privileges_revoke(name, release);
	notice_left_out(description, name);
	return release;
}

static ArrayType *
quasi_names(const Description *description)
{
	Datum *names = palloc(sizeof(Datum) * description->quasi_count);

	for (int i = 0; i < description->quasi_count; i++)
		names[i] = DirectFunctionCall1(
			namein, CStringGetDatum(description->attributes[description->quasi[i]].name));
	return construct_array(names, description->quasi_count, NAMEOID, NAMEDATALEN, false,
						   TYPALIGN_CHAR);
}

/* Where the quasi-identifiers stand in the release; "recoding" as for means, or NULL. */
static ArrayType *
quasi_positions(const Description *description, const MondrianRecoding *recoding)
{
	Datum *positions = palloc(sizeof(Datum) * description->quasi_count);
	int position = 0;
	int quasi;

	for (int i = 0; i < description->attribute_count; i++)
	{
		if (!release_column_publishes(description, i, &quasi))
			continue;
		position++;
		if (quasi < 0)
			continue;
		positions[quasi] = Int16GetDatum(position);
		if (recoding && release_mondrian_has_mean(recoding, &description->attributes[i]))
			position++;
	}
	return construct_array(positions, description->quasi_count, INT2OID, sizeof(int16), true,
						   TYPALIGN_SHORT);
}

static ReleaseEntry
describe_release(const ReleaseRequest *request, const Description *description, Oid release)
{
	return (ReleaseEntry){.release = release,
						  .source = request->source,
						  .recoding = request->recoding,
						  .demand = request->demand,
						  .quasi_identifiers = quasi_names(description),
						  .suppression = request->suppression};
}

/* The levels given, or those of least loss that will do; *tally: what they make of the table. */
static ArrayType *
choose_levels(const ReleaseRequest *request, const Description *description, ClassTally *tally)
{
	List *candidates = request->levels ? list_make1(request->levels) : search_levels(request);
	ListCell *cell;

	foreach (cell, candidates)
	{
		ArrayType *levels = lfirst(cell);

		*tally = measure(request, description, release_create_levels(description, levels));
		if (is_acceptable(request, tally))
			return levels;
		if (request->levels)
			refuse_levels(request, description, tally);
	}
	ereport(ERROR, (errcode(ERRCODE_CHECK_VIOLATION),
					errmsg("no generalization of relation %s satisfies %s", description->name,
						   release_models_names(&request->demand)),
					errhint("Allow more suppression, choose a smaller k, or give the"
							" dimensions more general levels.")));
}

static Oid
create_full_domain(const ReleaseRequest *request, const Description *description)
{
	ClassTally tally;
	ArrayType *levels;
	const char *text;
	ReleaseEntry entry;
	ReleaseFigures figures;

	release_models_check_values(description, &request->demand);
	levels = choose_levels(request, description, &tally);
	text = release_query_text(description, release_create_levels(description, levels),
							  &request->demand);
	entry = describe_release(request, description, create_view(request, description, text, true));
	entry.positions = quasi_positions(description, NULL);
	entry.levels = levels;
	figures = (ReleaseFigures){.known = true,
							   .rows = tally.rows - tally.small_rows,
							   .classes_known = true,
							   .classes = tally.classes - tally.small_classes,
							   .smallest = tally.smallest_large,
							   .suppressed_known = true,
							   .suppressed = tally.small_rows};
	if (release_models_any(&request->demand))
		figures = release_figures_count(&entry);
	figures.loss_known = true;
	figures.loss = tally.loss;
	release_catalog_insert(release_catalog(), &entry, &figures);
	return entry.release;
}

static void
notice_empty(const ReleaseRequest *request, const Description *description, int64 rows)
{
	const char *failing = NULL;

	if (rows >= request->demand.k)
		failing = release_models_failing(description, &request->demand);
	ereport(NOTICE, (errmsg("release \"%s\" is empty", request->release.name),
					 failing ? errdetail("All " INT64_FORMAT " rows of its source together do not"
										 " satisfy %s.",
										 rows, failing)
							 : release_figures_too_few(rows, request->demand.k)));
}

/* The figures, and the row of the catalog. */
static Oid
record_release(const ReleaseRequest *request, const Description *description,
			   const ReleaseEntry *entry)
{
	ReleaseFigures figures = release_figures_count(entry);

	if (figures.rows == 0)
		notice_empty(request, description, figures.suppressed);
	release_catalog_insert(release_catalog(), entry, &figures);
	return entry->release;
}

static Oid
create_mondrian(const ReleaseRequest *request, const Description *description)
{
	MondrianRecoding recoding = {.demand = request->demand,
								 .relaxed = request->recoding == RECODING_RELAXED_MONDRIAN,
								 .means = request->means,
								 .split = request->split ? request->split : "median",
								 .target = request->target};
	const char *text = release_mondrian_text(description, &recoding);
	ReleaseEntry entry;

	entry = describe_release(request, description, create_view(request, description, text, true));
	entry.positions = quasi_positions(description, &recoding);
	return record_release(request, description, &entry);
}

/* Filled when its seed is there, which needs to know whose it is. */
static Oid
create_cellwise(const ReleaseRequest *request, const Description *description)
{
	Oid seeds = release_seed_table_in(get_rel_namespace(release_catalog()));
	CellwiseRecoding recoding = {.function = request->recoding == RECODING_RING ? "kanon_ring"
																				: "kanon_two_phase",
								 .k = request->demand.k,
								 .randomize = request->randomize,
								 .seed = request->randomize ? release_seed_number(seeds) : 0};
	const char *text = release_cellwise_text(description, &recoding);
	ReleaseEntry entry;

	entry = describe_release(request, description, create_view(request, description, text, false));
	entry.positions = quasi_positions(description, NULL);
	if (request->randomize)
		release_seed_insert(seeds, recoding.seed, entry.release, request->seed);
	query_run_in_snapshot(psprintf("REFRESH MATERIALIZED VIEW %s", view_name(request)), 0, NULL,
						  NULL, NULL);
	return record_release(request, description, &entry);
}

Oid
release_create(const ReleaseRequest *request)
{
	Description *description = description_load(request->source, request->quasi_identifiers);
	Oid release;

	if (request->recoding == RECODING_FULL_DOMAIN)
		release = create_full_domain(request, description);
	else if (release_request_is_cellwise(request->recoding))
		release = create_cellwise(request, description);
	else
		release = create_mondrian(request, description);
	release_notice(request, description, release);
	return release;
}
