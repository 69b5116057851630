/*
 * release_full_domain.c
 *		See release_full_domain.h.
 *
 * Example: patients(name, age, zipcode, disease), name an identifier, zipcode one level up, k = 2:
 *
 *	SELECT age,
 *	       zipcode,
 *	       disease
 *	FROM (SELECT s.age,
 *	             zipcode_dim.zip3 AS zipcode,
 *	             (ARRAY[s.disease])[1] AS disease,
 *	             pg_catalog.count(*) OVER class AS class_size
 *	      FROM public.patients s
 *	           LEFT JOIN (..) zipcode_dim
 *	           ON zipcode_dim.zip OPERATOR(pg_catalog.=) s.zipcode
 *	      WINDOW class AS (PARTITION BY s.age, zipcode_dim.zip3)) generalized
 *	WHERE class_size OPERATOR(pg_catalog.>=) 2
 *	ORDER BY age, zipcode, disease
 *
 * With models, distinct(disease, 2):
 *
 *	SELECT age,
 *	       zipcode,
 *	       disease
 *	FROM (SELECT age,
 *	             zipcode,
 *	             disease,
 *	             public.kanon_view_satisfies(2, generalized, 'class_number'::pg_catalog.name,
 *	                 models => 'distinct(disease, 2)'::public.kanon_models)
 *	             OVER () AS satisfied
 *	      FROM (SELECT s.age,
 *	                   zipcode_dim.zip3 AS zipcode,
 *	                   (ARRAY[s.disease])[1] AS disease,
 *	                   pg_catalog.dense_rank() OVER (ORDER BY s.age, zipcode_dim.zip3)
 *	                   AS class_number
 *	            FROM ..) generalized) judged
 *	WHERE satisfied
 *	ORDER BY age, zipcode, disease
 *
 * If only so many columns are known, the guard is given their names instead of a class_number.
 *
 * Quasi-identifiers come first in ORDER BY, as in PARTITION BY, so that one sort can serve both.
 *
 * People run the text under whatever search_path they have, so every operator, function and type
 * is qualified, and kanon's functions get arguments of exactly their types, that others of the
 * name do not fit better.  ORDER BY, PARTITION BY, DISTINCT ON and IS DISTINCT FROM NULL look up
 * nothing by name.
 *
 * The text has a guard of its own (release_full_domain.h), so nothing here is needed for safety:
 * the search, or the count for given levels, decides whether the release would be useful.
 */
#include "postgres.h"

#include "release/release_full_domain.h"

#include "access/relation.h"
#include "base/context.h"
#include "base/interrupt.h"
#include "base/limits.h"
#include "catalog/pg_type.h"
#include "count/relation_search.h"
#include "relation/dimension_source.h"
#include "release/release_catalog.h"
#include "release/release_text.h"
#include "sql/cast_settings.h"
#include "sql/comparison.h"
#include "sql/name_array.h"
#include "sql/own_extension.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/rel.h"

/* A column of the SELECT, in table order. */
typedef struct SelectColumn
{
	const char *name;       /* quoted */
	const char *expression; /* over the aliases of the star query */
} SelectColumn;

typedef struct NodeText
{
	int k;                 /* 0: no guard */
	bool judged;           /* demands other than k rows: the rest is for the guard that judges */
	const char *satisfies; /* the call that judges, .. */
	const char *verdict;   /* .. and the name of its column */
	const char *person;    /* of a row, "expression AS name", or NULL */
	const char *rows;      /* alias of the generalized rows */
	const char *size;      /* name of the column that counts the class or, if judged, numbers it;
							* NULL: its columns make it */
	const char *from;
	const char *partition; /* the classes' expressions, separated by commas */
	bool needs_classes;    /* needs a window over these */
	int count;
	SelectColumn *columns;
	List *plain; /* .. of them published as they are */
} NodeText;

static bool
is_exact(const StarColumn *star)
{
	return comparison_is_exact(star->type, star->typmod, star->collation);
}

/*
 * Values of the table are written anew.  If quasi-identifiers are published as they are, classes
 * use the same expression, so that their order also serves to sort the rows.  (Labels are new
 * already.)
 */
static void
freshen_values(const Description *description, const int *levels, StarQuery *star)
{
	for (int i = 0; i < description->quasi_count; i++)
	{
		StarColumn *column = &star->columns[i];

		if (levels[i] == 0 && is_exact(column))
			column->expression = fresh_value(column->expression, column->type, column->typmod);
	}
}

/*
 * One spelling for a class: the first of its members'.  If only so many columns are known, each
 * makes classes of its own, so one spelling for all equal values.
 */
static const char *
quasi_expression(NodeText *text, const StarColumn *star, int level)
{
	const char *class = "class";
	const char *first;

	if (star->constant || is_exact(star))
		return star->expression;
	if (text->size == NULL)
		class = psprintf("PARTITION BY %s", star->expression);
	else
		text->needs_classes = true;
	first = psprintf("pg_catalog.first_value(%s) OVER (%s ORDER BY %s)", star->expression, class,
					 comparison_spelling(star->expression, star->type));
	return level > 0 ? first : fresh_value(first, star->type, star->typmod);
}

static NodeText
collect_columns(const Description *description, const int *levels, const StarQuery *star,
				const ReleaseDemand *demand)
{
	bool judged = release_models_any(demand);
	const char *person = release_columns_free_name(description, "person");
	NodeText text = {.k = demand->k,
					 .judged = judged,
					 .verdict = release_columns_free_quoted(description, "satisfied"),
					 .rows = release_columns_free_quoted(description, "generalized"),
					 .size = demand->known > 0
								 ? NULL
								 : release_columns_free_quoted(description, judged ? "class_number"
																				   : "class_size"),
					 .from = star->from,
					 .needs_classes = demand->k > 0 && !judged,
					 .columns = palloc(sizeof(SelectColumn) * (description->attribute_count + 2))};
	StringInfoData partition;
	List *published = release_columns_published(description);

	initStringInfo(&partition);
	for (int i = 0; i < description->quasi_count; i++)
		if (!star->columns[i].constant)
			appendStringInfo(&partition, "%s%s", partition.len > 0 ? ", " : "",
							 star->columns[i].expression);
	text.partition = partition.data;
	text.plain = release_columns_plain(published);
	if (judged)
		text.satisfies = release_models_guard(description, demand, person, text.rows, text.size);
	if (demand->person)
		text.person = psprintf("s.%s AS %s", pstrdup(quote_identifier(demand->person)),
							   quote_identifier(person));
	foreach_ptr (const PublishedColumn, column, published)
	{
		int quasi = column->quasi;

		text.columns[text.count++] =
			(SelectColumn){column->name, quasi < 0 ? column->expression
												   : quasi_expression(&text, &star->columns[quasi],
																	  levels[quasi])};
	}
	return text;
}

static const char *
class_number(const NodeText *text)
{
	return psprintf("pg_catalog.dense_rank() OVER (%s%s)", text->partition[0] ? "ORDER BY " : "",
					text->partition);
}

/* Appends SELECT ..  FROM ..  WINDOW over the table; lines after the first are indented. */
static void
append_generalization(StringInfo sql, const NodeText *text, int indent)
{
	for (int i = 0; i < text->count; i++)
	{
		const SelectColumn *column = &text->columns[i];
		bool named = strcmp(column->expression, psprintf("s.%s", column->name)) == 0;

		if (i == 0)
			appendStringInfo(sql, "SELECT %s", column->expression);
		else
			appendStringInfo(sql, ",\n%*s       %s", indent, "", column->expression);
		if (!named)
			appendStringInfo(sql, " AS %s", column->name);
	}
	if (text->person)
		appendStringInfo(sql, ",\n%*s       %s", indent, "", text->person);
	if (text->size && (text->judged || text->k > 0))
		appendStringInfo(sql, ",\n%*s       %s AS %s", indent, "",
						 text->judged ? class_number(text) : "pg_catalog.count(*) OVER class",
						 text->size);
	appendStringInfo(sql, "\n%*sFROM %s", indent, "", text->from);
	if (text->needs_classes)
		appendStringInfo(sql, "\n%*sWINDOW class AS (%s%s)", indent, "",
						 text->partition[0] ? "PARTITION BY " : "", text->partition);
}

static void
append_names(StringInfo sql, const NodeText *text, int indent)
{
	for (int i = 0; i < text->count; i++)
		if (i == 0)
			appendStringInfo(sql, "SELECT %s", text->columns[i].name);
		else
			appendStringInfo(sql, ",\n%*s       %s", indent, "", text->columns[i].name);
}

/*
 * Appends FROM the guarded generalization: keeps the classes of at least k, or those judged to
 * satisfy.
 */
static void
append_guarded(StringInfo sql, const NodeText *text, int indent)
{
	appendStringInfoString(sql, "\nFROM (");
	if (text->judged)
	{
		append_names(sql, text, strlen("FROM ("));
		appendStringInfo(sql, ",\n             %s AS %s\n      FROM (", text->satisfies,
						 text->verdict);
	}
	append_generalization(sql, text, indent);
	if (text->judged)
		appendStringInfo(sql, ") %s) judged\nWHERE %s", text->rows, text->verdict);
	else
		appendStringInfo(sql, ") %s\nWHERE %s OPERATOR(pg_catalog.>=) %d", text->rows, text->size,
						 text->k);
}

/* Quasi-identifiers that are not constant come first, in order. */
static void
append_order(StringInfo sql, const NodeText *text, const Description *description,
			 const StarQuery *star)
{
	StringInfoData order;

	initStringInfo(&order);
	for (int i = 0; i < description->quasi_count; i++)
		if (!star->columns[i].constant)
			release_columns_sort(&order, quote_identifier(description->quasi[i]->name));
	release_columns_sort_plain(&order, text->plain, text->k > 0);
	appendStringInfoString(sql, order.data);
}

/*
 * The text runs under any settings, searches and checks under kanon's: both must read a ground
 * value alike.
 */
static void
check_settings(const Description *description, const StarQuery *star)
{
	for (int i = 0; i < description->quasi_count; i++)
	{
		const StarColumn *column = &star->columns[i];
		const DescribedAttribute *attribute = description->quasi[i];

		if (column->ground && !cast_settings_none(column->ground_type, attribute->type) &&
			cast_settings_pattern(column->ground_type, attribute->type) == NULL)
			ereport(
				ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("ground value \"%s\" of the dimension of column \"%s\" must be cast from "
						"%s to %s, "
						"which depends on settings",
						column->ground, attribute->name, format_type_be(column->ground_type),
						format_type_be(attribute->type)),
				 errdetail("The text of a full-domain generalization runs under anybody's "
						   "settings."),
				 errhint("Give the ground value the type of the column.")));
	}
}

char *
release_full_domain_text(const Description *description, const int *levels,
						 const ReleaseDemand *demand)
{
	int indent = release_models_any(demand) ? strlen("      FROM (")
				 : demand->k > 0            ? strlen("FROM (")
											: 0;
	StarQuery star = star_query_build(description, levels, indent);
	NodeText text;
	StringInfoData sql;

	check_settings(description, &star);
	freshen_values(description, levels, &star);
	text = collect_columns(description, levels, &star, demand);
	initStringInfo(&sql);
	if (text.judged)
		appendStringInfoString(
			&sql, release_columns_with(release_models_dimensions(description, demand)));
	if (text.judged || text.k > 0)
	{
		append_names(&sql, &text, 0);
		append_guarded(&sql, &text, indent);
	}
	else
		append_generalization(&sql, &text, indent);
	append_order(&sql, &text, description, &star);
	return sql.data;
}

/* Who is in the classes of the published text, and their numbers. */
char *
release_full_domain_members(const ReleaseMembers *members, const Description *description)
{
	const int *levels = (const int *) ARR_DATA_PTR(members->levels);
	StarQuery star = star_query_build(description, levels, 0);
	NodeText text = collect_columns(description, levels, &star, &members->request->demand);
	const char *person = release_columns_free_quoted(description, "identity");
	const char *number = release_columns_free_quoted(description, "candidate");
	StringInfoData sql;

	text.columns[text.count++] = (SelectColumn){person, members->identity};
	text.columns[text.count++] = (SelectColumn){number, class_number(&text)};
	initStringInfo(&sql);
	appendStringInfo(&sql, "SELECT %s AS person, ARRAY[%s::int] AS candidates", person, number);
	append_guarded(&sql, &text, 0);
	return sql.data;
}

/* Counts the rows that the text publishes. */
static int64
count_published(const ReleaseRequest *request, const Description *description, const int *levels)
{
	query_run(psprintf("SELECT count(*) FROM (%s) r",
					   release_full_domain_text(description, levels, &request->demand)),
			  true);
	return query_int8(0, 1);
}

/* Given levels lie within the bounds that are given, too. */
static void
check_bounds(const ReleaseRequest *request, const Search *search, const Description *description,
			 int quasi, int level)
{
	int height = description->quasi[quasi]->domain->height;

	if (request->options.suppress_columns && level > 0 && level < height)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("level %d of quasi-identifier \"%s\" is neither 0 nor the top",
							   level, description->quasi[quasi]->name),
						errhint("Option suppress_columns asks for these.")));
	if ((search->lowest == NULL || level >= search->lowest[quasi]) &&
		(search->highest == NULL || level <= search->highest[quasi]))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("level %d of quasi-identifier \"%s\" is not within its bounds", level,
					description->quasi[quasi]->name),
			 errhint("Options lowest_levels and highest_levels bound it; null lifts a bound.")));
}

/* Raises an error unless the given levels satisfy; returns their loss. */
static double
judge_given(const ReleaseRequest *request, const Description *description, const int *levels)
{
	Budget budget = budget_begin();
	Search search = {.k = 1, .budget = &budget};
	Description plain = *description;
	Level *node = palloc(sizeof(Level) * description->quasi_count);
	bool judged = release_models_any(&request->demand);
	FrequencySet *ground;
	int64 rows;
	int64 failing;
	int64 allowed;

	/* The text judges models and people. */
	description_demand(&plain, NIL, NULL);
	relation_search_open(&search, &plain);
	relation_search_bound(&search, description, request->options.lowest_levels,
						  request->options.highest_levels);
	for (int i = 0; i < description->quasi_count; i++)
	{
		star_query_check_level(description->quasi[i], levels[i],
							   description->quasi[i]->domain->height);
		node[i] = (Level) levels[i];
		check_bounds(request, &search, description, i, levels[i]);
	}
	ground = search_read_ground(&search);
	rows = search.source->space->rows;
	if (request->demand.k > rows)
		release_catalog_figures_exceeded(description->name, request->demand.k, rows);
	failing = judged
				  ? rows - count_published(request, description, levels)
				  : rollup_tally(ground, search.source->space, node,
								 &(TallyRequest){.threshold = request->demand.k, .max_groups = -1})
						.small_rows;
	allowed = limits_suppressible(request->suppression, rows);
	if (failing > allowed)
		ereport(ERROR,
				(errcode(ERRCODE_CHECK_VIOLATION),
				 errmsg("the levels given do not satisfy %s for relation %s",
						release_models_names(&request->demand), description->name),
				 errdetail(INT64_FORMAT " of " INT64_FORMAT " rows lie in classes %s;"
										" suppression allows " INT64_FORMAT ".",
						   failing, rows, judged ? "that fail" : "below k", allowed),
				 errhint("Choose higher levels, allow more suppression, or choose a smaller k.")));
	return loss_of(relation_search_loss(&search, description), node);
}

/*
 * A search judges closeness against the whole table, a release against its remaining rows.  So if
 * rows may be suppressed, the text itself judges the result once more.
 */
static bool
is_acceptable(const ReleaseRequest *request, const Description *description, const int *levels,
			  int64 rows)
{
	if (request->demand.models == NIL || request->suppression == 0)
		return true;
	return rows - count_published(request, description, levels) <=
		   limits_suppressible(request->suppression, rows);
}

/*
 * [quasi-identifier][level]: does the column keep the type that it has in the release to be
 * replaced?  NULL: nothing is replaced.
 */
static bool **
find_kept_types(const ReleaseRequest *request, const Description *description)
{
	const ReleaseEntry *entry = request->replaced;
	int count = description->quasi_count;
	Relation release;
	bool **keeps;

	if (entry == NULL)
		return NULL;
	keeps = palloc(sizeof(bool *) * count);
	release = relation_name_open(entry->release);
	for (int i = 0; i < count; i++)
	{
		int at = name_array_find(entry->columns, description->quasi[i]->name);
		Form_pg_attribute had = at < 0 ? NULL : TupleDescAttr(RelationGetDescr(release), at);
		int height = description->quasi[i]->domain->height;
		int *levels = palloc0(sizeof(int) * count);

		keeps[i] = palloc(sizeof(bool) * (height + 1));
		for (; levels[i] <= height; levels[i]++)
		{
			const StarColumn *column = &star_query_build(description, levels, 0).columns[i];

			keeps[i][levels[i]] =
				had == NULL || (column->type == had->atttypid && column->typmod == had->atttypmod &&
								column->collation == had->attcollation);
		}
	}
	relation_close(release, NoLock);
	return keeps;
}

bool
release_full_domain_search(const ReleaseRequest *request, const Description *description,
						   int *levels, double *loss, ClassMetrics *metrics)
{
	Budget budget = budget_begin();
	Search search = {.k = request->demand.k,
					 .suppression = request->suppression,
					 .ends = request->options.suppress_columns,
					 .budget = &budget};
	Description searched = *description;
	const Answer *answer;
	const LossTable *table;
	Choice *choice;
	bool **keeps;
	int64 n;
	int width;

	searched.demand.known = request->demand.known;
	relation_search_open(&search, &searched);
	relation_search_bound(&search, &searched, request->options.lowest_levels,
						  request->options.highest_levels);
	keeps = find_kept_types(request, description);
	answer = relation_search_run(&search, &two_way);
	width = search.source->space->attributes;
	table = relation_search_loss(&search, description);
	choice = choice_begin(&search, answer, table);
	while ((n = choice_next(choice)) >= 0)
	{
		const Level *node = answer->node + n * width;
		bool kept = true;

		CHECK_FOR_INTERRUPTS();
		for (int i = 0; i < description->quasi_count; i++)
		{
			levels[i] = relation_search_level(&search, &searched, i, node[i]);
			kept = kept && (keeps == NULL || keeps[i][levels[i]]);
		}
		if (!kept || !is_acceptable(request, description, levels, search.source->space->rows))
			continue;
		*loss = loss_of(table, node);
		if (metrics)
			*metrics = choice_metrics(choice, n);
		break;
	}
	choice_end(choice);
	return n >= 0;
}

/* The same, as an array of levels; raises an error if there are none.  Returns their loss. */
static double
require_levels(const ReleaseRequest *request, const Description *description, int *levels)
{
	bool bounded = request->options.lowest_levels || request->options.highest_levels;
	double loss;

	if (release_full_domain_search(request, description, levels, &loss, NULL))
		return loss;
	ereport(ERROR,
			(errcode(ERRCODE_CHECK_VIOLATION),
			 errmsg("no generalization of relation %s satisfies %s", description->name,
					release_models_names(&request->demand)),
			 request->replaced && bounded
				 ? errdetail("Options lowest_levels and highest_levels bound the levels, and "
							 "the columns of the release to be replaced keep their types.")
			 : request->replaced
				 ? errdetail("The columns of the release to be replaced keep their types.")
			 : bounded ? errdetail("Options lowest_levels and highest_levels bound the levels.")
					   : 0,
			 errhint("Allow more suppression, choose a smaller k, or give the"
					 " dimensions more general levels.")));
}

ReleaseText
release_full_domain_write(const ReleaseRequest *request, const Description *description)
{
	MemoryContext caller = CurrentMemoryContext;
	MemoryContext context = AllocSetContextCreate(caller, "kanon search", CONTEXT_SMALL_SIZES);
	ReleaseText text = {0};
	int *levels;

	levels = request->options.levels
				 ? dimension_source_read_levels(description, request->options.levels)
				 : palloc(sizeof(int) * description->quasi_count);
	MemoryContextSwitchTo(context);
	if (request->options.levels)
	{
		release_models_check_values(description);
		text.loss = judge_given(request, description, levels);
	}
	else
		text.loss = require_levels(request, description, levels);
	MemoryContextSwitchTo(caller);
	text.levels = int_array_of(levels, description->quasi_count);
	/* Uses what the search learnt of the dimensions, which is freed with its memory. */
	text.select = release_full_domain_text(description, levels, &request->demand);
	for (int i = 0; i < description->attribute_count; i++)
		description->attributes[i].domain = NULL;
	MemoryContextDelete(context);
	return text;
}
