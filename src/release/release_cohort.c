/*
 * release_cohort.c
 *		See release_cohort.h.
 *
 * Example: patients(id, age, zipcode, disease), zipcode with a dimension:
 *
 *	WITH zipcode_dim AS (SELECT d.zip, d.zip3 FROM public.zips d),
 *	     source_rows AS (SELECT s.id, s.age, s.zipcode, s.disease FROM public.patients s),
 *	     cells AS MATERIALIZED (
 *	         SELECT c.cell,
 *	                public.kanon_view_value(c.label[1], NULL::pg_catalog.int4range) AS age,
 *	                public.kanon_view_value(c.label[2], NULL::pg_catalog.text) AS zipcode,
 *	                pg_catalog.dense_rank() OVER (ORDER BY .., c.label COLLATE "C") AS place
 *	         FROM public.kanon_view_cohort_cells(1::bigint) c WHERE c.shown)
 *	SELECT age, zipcode, disease
 *	FROM (SELECT labels.age, labels.zipcode, people.disease, people.place
 *	      FROM (SELECT members.*
 *	            FROM (SELECT cells.place,
 *	                         public.kanon_view_value(m.values[1], NULL::pg_catalog.text) AS disease
 *	                  FROM cells JOIN public.kanon_view_cohort_members(1::bigint) m
 *	                       ON m.cell OPERATOR(pg_catalog.=) cells.cell
 *	                  ORDER BY place) members
 *	            ORDER BY place, disease) people
 *	           JOIN (SELECT DISTINCT ON (cells.place) cells.* FROM cells
 *	                 ORDER BY cells.place) labels
 *	           ON labels.place OPERATOR(pg_catalog.=) people.place) published
 *	ORDER BY place, disease
 *
 * People are sorted by the place of their cells, those of a cell by what they publish, and then
 * merged with the labels: a third of the time that it takes to sort whole rows by all of it.
 *
 * Of the functions the planner expects as many rows as they declare, whatever its statistics say of
 * a state that is just being written: so few that it hashes the cells, as with any number.
 *
 * Nothing reads source_rows: it is there for PostgreSQL to know that the release depends on those
 * columns, as release_text.h has it of dimensions.
 */
#include "postgres.h"

#include "release/release_cohort.h"

#include "catalog/pg_type.h"
#include "cell/cell_format.h"
#include "cohort/cohort_advance.h"
#include "model/model.h"
#include "release/release_text.h"
#include "sql/name_array.h"
#include "sql/own_extension.h"
#include "sql/own_table.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "sql/rights.h"
#include "sql/value_text.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

/* The column with the weights of rows. */
#define WEIGHT "present"

/* ---- arguments */

/* Has the owner of the release the privileges of the table's owner? */
static bool
may_show(Oid release, Oid relation)
{
	return has_privs_of_role(relation_name_owner_now(release), relation_name_owner(relation));
}

static void
check_owner(const ReleaseEntry *entry)
{
	if (!may_show(entry->release, entry->relation))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("the owner of release %s lacks the privileges of the owner of %s",
						relation_name(entry->release), relation_name(entry->relation)),
				 errdetail("The state of a table's releases by cohorts is for its owner alone.")));
}

static CohortRules
read_rules(const ReleaseRequest *request)
{
	const ReleaseOptions *asked = &request->options;

	if (asked->leavers == NULL)
		ereport(
			ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg(
				 "recoding \"cohorts\" needs to know what becomes of the rows of people who leave"),
			 errdetail("They cannot go one by one: a reader with an old copy would see whose"
					   " they were. With 'keep' they stay until k people of a cell have left."
					   " With 'withhold' they go at once, and with them, forever, people who"
					   " are still there: most of them within a year, if one in a thousand"
					   " leaves each night."),
			 errhint("Give option \"leavers\": \"keep\" or \"withhold\".")));
	return (CohortRules){.k = request->demand.k,
						 .wait = asked->wait,
						 .target_loss = asked->target_loss,
						 .keep = strcmp(asked->leavers, "keep") == 0,
						 .stale = asked->stale,
						 .together = strcmp(asked->reading, "together") == 0};
}

static void
check_key(const Description *description, const char *key)
{
	if (key == NULL)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("recoding \"cohorts\" needs a key"),
						errhint("Name the column that identifies people with option \"key\".")));
	cohort_source_check_key(description, key);
	if (release_columns_publishes(description, description_get(description, key)))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("key \"%s\" is published", key),
				 errhint("Declare it an identifier with kanon_set_attribute.")));
}

static CohortTerms
read_terms(const ReleaseRequest *request, const Description *description)
{
	CohortTerms terms = {.rules = read_rules(request),
						 .key = request->options.key,
						 .models = request->demand.models};
	List *names = NIL;
	List *columns = NIL;
	List *dimensions = NIL;

	check_key(description, terms.key);
	cohort_judge_check(request->demand.models, &terms.rules);
	for (int i = 0; i < description->quasi_count; i++)
	{
		const DescribedAttribute *attribute = description->quasi[i];

		names = lappend(names, unconstify(char *, attribute->name));
		dimensions = lappend_oid(dimensions, attribute->dimension);
		cohort_source_check_column(description, attribute);
	}
	terms.quasi_identifiers = name_array_of(names);
	terms.dimensions = oid_array_of(REGCLASSOID, dimensions);
	foreach_ptr (const PublishedColumn, column,
				 release_columns_plain(release_columns_published(description)))
	{
		cohort_source_check_column(description, column->attribute);
		columns = lappend(columns, unconstify(char *, column->attribute->name));
	}
	terms.columns = name_array_of(columns);
	return terms;
}

/* The index of a name in an array, from 1; 0: not found. */
static int
place_of(const ArrayType *names, const char *name)
{
	return name_array_find(names, name) + 1;
}

pg_noreturn static void
refuse_other_terms(const Description *description, const char *what)
{
	ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					errmsg("releases by cohorts of %s have another %s", description->name, what),
					errdetail("They must share one division of the table, or their copies together "
							  "would tell more than one of them."),
					errhint("kanon_cohort shows the shared parameters to the table's owner.")));
}

/* The table's releases share the state: this one must use the same terms, or a part of them. */
static void
check_terms(const CohortState *state, const CohortTerms *terms, const Description *description)
{
	const CohortRules *one = &state->terms.rules;
	const CohortRules *other = &terms->rules;
	const struct
	{
		bool same;
		const char *what;
	} shared[] = {
		{one->k == other->k, "k"},
		{strcmp(state->terms.key, terms->key) == 0, "key"},
		{one->wait == other->wait, "wait"},
		{one->target_loss == other->target_loss, "target_loss"},
		{one->keep == other->keep, "leavers"},
		{one->stale == other->stale, "stale"},
		{one->together == other->together, "reading"},
		{strcmp(model_text_write_list(state->terms.models), model_text_write_list(terms->models)) ==
			 0,
		 "list of models"},
	};
	const List *dimensions = oid_array_list(state->terms.dimensions);

	for (int i = 0; i < (int) lengthof(shared); i++)
		if (!shared[i].same)
			refuse_other_terms(description, shared[i].what);
	foreach_ptr (const PublishedColumn, column, release_columns_published(description))
	{
		const char *name = column->attribute->name;
		bool quasi = column->quasi >= 0;
		int place = place_of(quasi ? state->terms.quasi_identifiers : state->terms.columns, name);

		if (place == 0)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("releases by cohorts of %s were begun without %s \"%s\"",
							description->name, quasi ? "quasi-identifier" : "column", name),
					 errdetail("The first release fixed the columns by which cells are divided and "
							   "whose values are read.  Others may have fewer columns."),
					 errhint("Leave it out, or make the first release with all columns that later "
							 "ones need.")));
		if (quasi && list_nth_oid(dimensions, place - 1) != column->attribute->dimension)
			refuse_other_terms(description, psprintf("dimension of \"%s\"", name));
	}
}

static void
check_weights(const Description *description)
{
	if (description_find(description, WEIGHT))
		ereport(ERROR, (errcode(ERRCODE_DUPLICATE_COLUMN),
						errmsg("the column of weights cannot be called \"%s\"", WEIGHT),
						errdetail("Relation %s has a column of that name.", description->name)));
}

/* ---- the text */

typedef struct CohortText
{
	const Description *description;
	const CohortState *state;
	const char *schema; /* of kanon, quoted */
	const char *cell;   /* quoted names that no column has */
	const char *place;
	const char *people;
	const char *all; /* .. of sums over the cells of a label */
	const char *there;
	bool weights;
	List *columns;
	List *plain; /* .. published as they are */
} CohortText;

static const char *
quasi_name(const CohortText *text, int quasi)
{
	return pstrdup(quote_identifier(text->description->quasi[quasi]->name));
}

/* One of the texts of a cell or a member, as a value. */
static char *
value_of(const CohortText *text, const char *array, int place, Oid type)
{
	return psprintf("%s.kanon_view_value(%s[%d], NULL::%s)", text->schema, array, place,
					value_cast_type_name(type));
}

static char *
label_of(const CohortText *text, int quasi)
{
	const DescribedAttribute *attribute = text->description->quasi[quasi];
	const CellFormat *format =
		cell_format_choose(attribute->type, OidIsValid(attribute->dimension), false, true);

	return value_of(text, "c.label",
					place_of(text->state->terms.quasi_identifiers, attribute->name),
					cell_format_type(format, attribute->type));
}

/* The dependencies of the release besides what it reads. */
static void
append_with(StringInfo sql, const CohortText *text)
{
	const Description *description = text->description;

	appendStringInfoString(sql, release_columns_with(description_quasi_attributes(description)));
	if (sql->len > 0)
		sql->data[--sql->len] = '\0';
	appendStringInfo(sql, "%ssource_rows AS (SELECT s.%s", sql->len > 0 ? ",\n     " : "WITH ",
					 quote_identifier(text->state->terms.key));
	foreach_ptr (const PublishedColumn, column, text->columns)
		appendStringInfo(sql, ", %s", column->stored);
	appendStringInfo(sql, " FROM %s s),\n", description->name);
}

static void
append_select(StringInfo sql, const CohortText *text)
{
	const char *separator = "SELECT ";

	foreach_ptr (const PublishedColumn, column, text->columns)
	{
		appendStringInfo(sql, "%s%s", separator, column->name);
		separator = ", ";
	}
	if (text->weights)
		appendStringInfo(sql, "%s%s", separator, WEIGHT);
}

/* The shown cells, sorted by label: cells that look alike share one place. */
static void
append_cells(StringInfo sql, const CohortText *text)
{
	int count = text->description->quasi_count;
	StringInfoData order;
	StringInfoData spelling;

	initStringInfo(&order);
	initStringInfo(&spelling);
	appendStringInfo(sql, "     cells AS MATERIALIZED (SELECT c.cell AS %s", text->cell);
	if (text->weights)
		appendStringInfo(sql, ", c.people AS %s, c.present AS " WEIGHT, text->people);
	for (int i = 0; i < count; i++)
	{
		const DescribedAttribute *attribute = text->description->quasi[i];

		appendStringInfo(sql, ",\n         %s AS %s", label_of(text, i), quasi_name(text, i));
		appendStringInfo(&order, "%s, ", label_of(text, i));
		appendStringInfo(&spelling, "%sc.label[%d]", i > 0 ? ", " : "",
						 place_of(text->state->terms.quasi_identifiers, attribute->name));
	}
	appendStringInfo(sql,
					 ",\n         pg_catalog.dense_rank() OVER (ORDER BY %sARRAY[%s]"
					 " COLLATE pg_catalog.\"C\") AS %s\n"
					 "         FROM %s.kanon_view_cohort_cells(" INT64_FORMAT
					 "::bigint) c WHERE c.shown)\n",
					 order.data, spelling.data, text->place, text->schema, text->state->number);
}

/* The people of these cells, sorted, except for equal values with different spellings. */
static void
append_people(StringInfo sql, const CohortText *text)
{
	StringInfoData order;

	initStringInfo(&order);
	release_columns_sort(&order, text->place);
	appendStringInfo(sql, "(SELECT members.* FROM (SELECT cells.%s", text->place);
	if (!cohort_rule_holds("order"))
	{
		appendStringInfoString(sql, ", m.digest");
		release_columns_sort(&order, "digest");
	}
	foreach_ptr (const PublishedColumn, column, text->plain)
	{
		appendStringInfo(sql, ",\n             %s AS %s",
						 value_of(text, "m.values",
								  place_of(text->state->terms.columns, column->attribute->name),
								  column->type),
						 column->name);
		if (column->ordered)
			release_columns_sort(&order, column->name);
	}
	appendStringInfo(
		sql,
		"\n      FROM cells JOIN %s.kanon_view_cohort_members(" INT64_FORMAT "::bigint) m\n"
		"           ON m.cell OPERATOR(pg_catalog.=) cells.%s%s\nORDER BY %s) members%s) people",
		text->schema, text->state->number, text->cell,
		cohort_rule_holds("whole") ? "" : " AND m.since > 0", text->place, order.data);
}

/* The people of all cells under the label, and how many of them are there. */
static const char *
weights_of_labels(const CohortText *text)
{
	if (!text->weights)
		return "";
	return psprintf(",\n          pg_catalog.sum(cells.%s) OVER (PARTITION BY cells.%s)"
					"::double precision AS %s,\n          pg_catalog.sum(cells." WEIGHT
					") OVER (PARTITION BY cells.%s)::double precision AS %s",
					text->people, text->place, text->all, text->place, text->there);
}

static void
append_from(StringInfo sql, const CohortText *text)
{
	const char *place = text->place;

	appendStringInfoString(sql, "\nFROM (SELECT ");
	for (int i = 0; i < text->description->quasi_count; i++)
		appendStringInfo(sql, "labels.%s, ", quasi_name(text, i));
	foreach_ptr (const PublishedColumn, column, text->plain)
		appendStringInfo(sql, "people.%s, ", column->name);
	if (text->weights)
		appendStringInfo(sql, "labels.%s OPERATOR(pg_catalog./) labels.%s AS " WEIGHT ", ",
						 text->there, text->all);
	appendStringInfo(sql, "people.%s%s\n      FROM ", place,
					 cohort_rule_holds("order") ? "" : ", people.digest");
	append_people(sql, text);
	appendStringInfo(sql,
					 "\n      JOIN (SELECT DISTINCT ON (cells.%s) cells.*%s FROM cells"
					 " ORDER BY cells.%s) labels\n      ON labels.%s OPERATOR(pg_catalog.=)"
					 " people.%s) published",
					 place, weights_of_labels(text), place, place, place);
}

static char *
write_text(const CohortState *state, const Description *description, bool weights)
{
	CohortText text = {.description = description,
					   .state = state,
					   .schema = own_extension_schema_name(),
					   .cell = release_columns_free_quoted(description, "cell"),
					   .place = release_columns_free_quoted(description, "place"),
					   .people = release_columns_free_quoted(description, "people"),
					   .all = release_columns_free_quoted(description, "all_people"),
					   .there = release_columns_free_quoted(description, "all_present"),
					   .weights = weights};
	StringInfoData sql;
	StringInfoData order;

	text.columns = release_columns_published(description);
	text.plain = release_columns_plain(text.columns);
	foreach_ptr (PublishedColumn, column, text.plain)
		column->type = getBaseType(column->type);
	initStringInfo(&sql);
	initStringInfo(&order);
	append_with(&sql, &text);
	append_cells(&sql, &text);
	append_select(&sql, &text);
	append_from(&sql, &text);
	release_columns_sort(&order, text.place);
	if (!cohort_rule_holds("order"))
		release_columns_sort(&order, "digest");
	release_columns_sort_plain(&order, text.plain, true);
	appendStringInfoString(&sql, order.data);
	return sql.data;
}

/* A table that begins anew must have no releases: they would never change again. */
static void
check_no_releases(Oid relation)
{
	own_table_do("SELECT release FROM @release_state WHERE relation = $1 AND recoding = 'cohorts'"
				 " ORDER BY release::oid LIMIT 1",
				 "o", relation);
	if (query_rows() > 0)
		ereport(ERROR, (errcode(ERRCODE_OBJECT_IN_USE),
						errmsg("%s has release %s by cohorts", relation_name(relation),
							   relation_name_shown((Oid) query_int8(0, 1))),
						errhint("To begin anew, drop all of them first.")));
}

/* Keeps others from beginning a state of the table. */
static CohortState *
begin_alone(Oid relation, const CohortState *before)
{
	CohortState *state = cohort_state_find_alone(relation);

	if (state && (before == NULL || state->number != before->number))
		cohort_state_report_begun(relation);
	return state;
}

ReleaseText
release_cohort_write(const ReleaseRequest *request, const Description *description)
{
	CohortTerms terms = read_terms(request, description);
	CohortState *state;

	if (request->options.weights)
		check_weights(description);
	cohort_state_check_owner(description->relation);
	state = cohort_state_find(description->relation);
	if (state == NULL || request->options.anew)
		state = begin_alone(description->relation, state);
	if (request->options.anew)
		check_no_releases(description->relation);
	if (state && request->options.anew)
	{
		cohort_state_end(state);
		state = NULL;
	}
	if (state == NULL)
	{
		cohort_state_insert(description->relation, &terms, request->options.anew);
		cohort_advance(description->relation);
		state = cohort_state_find(description->relation);
	}
	cohort_state_check(state);
	check_terms(state, &terms, description);
	return (ReleaseText){.select = write_text(state, description, request->options.weights)};
}

/* ---- nights */

bool
release_cohort_losses(const ReleaseEntry *entry, double *mean)
{
	const CohortState *state = cohort_state_find(entry->relation);
	Datum *losses;
	int known;

	if (state == NULL || state->loss == NULL)
		return false;
	known = array_elements(state->loss, &losses, NULL);
	foreach_ptr (const char, name, array_strings(entry->quasi_identifiers))
	{
		int place = place_of(state->terms.quasi_identifiers, name);

		if (place == 0 || place > known)
			return false;
		mean[foreach_current_index(name)] = DatumGetFloat8(losses[place - 1]);
	}
	return true;
}

/* PostgreSQL may write the number as '1'::bigint or (1)::bigint. */
#define NUMBERS_READ                                                                               \
	"SELECT coalesce(bool_and(m[1]::int8 = $2), false) FROM regexp_matches(pg_get_viewdef($1),"    \
	" 'kanon_view_cohort_(?:cells|members)\\(\\D{0,2}(\\d+)', 'g') m"

/* Does the text of the release read the state with that number, and no other one? */
static bool
reads_state(const ReleaseEntry *entry, int64 number)
{
	query_run_with(NUMBERS_READ, QUERY_LATEST, "ol", entry->query, number);
	return query_int8(0, 1);
}

void
release_cohort_check(const ReleaseEntry *entry)
{
	const CohortState *state;

	check_owner(entry);
	state = cohort_state_get(entry->relation);
	if (!reads_state(entry, state->number))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("release %s reads a former state of %s, or that of another table",
						relation_name_shown(entry->release), relation_name_shown(entry->relation)),
				 errhint("Drop the release and make it again.")));
}

List *
release_cohort_advance(const ReleaseEntry *entry)
{
	List *releases = NIL;
	QueryRights rights;

	check_owner(entry);
	rights = rights_enter(entry->relation, RIGHTS_CHECKED, AccessShareLock);
	cohort_advance(entry->relation);
	rights_leave(&rights);
	own_table_do("SELECT release FROM @release_state WHERE relation = $1 AND recoding = $2"
				 " ORDER BY release::oid",
				 "ot", entry->relation, entry->recoding->name);
	for (uint64 row = 0; row < query_rows(); row++)
	{
		Oid release = (Oid) query_int8(row, 1);

		if (may_show(release, entry->relation))
			releases = lappend_oid(releases, release);
		else
			ereport(WARNING, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
							  errmsg("release %s was left out", relation_name_shown(release)),
							  errdetail("Its owner lacks the privileges of the owner of %s.",
										relation_name_shown(entry->relation))));
	}
	return releases;
}
