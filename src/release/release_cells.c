/*
 * release_cells.c
 *		See release_cells.h.
 *
 * Examples: patients(name, age, zipcode, disease), name an identifier, zipcode with
 * a dimension, k = 2.  By mondrian, whose records come class by class with what stands beside:
 *
 *	WITH zipcode_dim AS (SELECT d.zip, d.zip3 FROM public.zips d)
 *	SELECT age, zipcode, disease
 *	FROM (SELECT public.kanon_view_cell(CELLS, 'age', NULL::pg_catalog.int4range) AS age,
 *	             public.kanon_view_cell(CELLS, 'zipcode', NULL::pg_catalog.text) AS zipcode,
 *	             public.kanon_view_cell(CELLS, 'disease', s.disease) AS disease,
 *	             CELLS IS DISTINCT FROM NULL AS published
 *	      FROM public.patients s,
 *	           LATERAL (SELECT s.age, s.zipcode, (ARRAY[s.disease])[1] AS disease) quasi
 *	      WINDOW cells AS ()) recoded
 *	WHERE published
 *
 * where CELLS is each time the same call, which the executor makes once for a row:
 *
 *	public.kanon_view_cells('mondrian'::pg_catalog.text, 2, quasi.*,
 *	    dimensions => ARRAY[NULL, 'public.zips'::pg_catalog.regclass], beside => 1) OVER cells
 *
 * What it returns is a record that has no type of its own, and none such leaves the query that it
 * is made in: Citus cannot hand one over.
 *
 * With models_after the subquery recoded is made without models, and with the person's column if
 * people count; between it and the release, its classes are judged:
 *
 *	FROM (SELECT age, zipcode, disease, class,
 *	             public.kanon_view_satisfies(2, recoded, 'class'::pg_catalog.name,
 *	                 models => 'distinct(disease, 2)'::public.kanon_models) OVER () AS satisfied
 *	FROM (SELECT .. WHERE published) judged
 *	WHERE satisfied
 *
 * By ring, which has no classes and keeps types, other parts are:
 *
 *	             public.kanon_view_cell(CELLS, 'age', NULL::integer) AS age, ..
 *	             (ARRAY[s.disease])[1] AS disease,
 *	      WINDOW cells AS (ORDER BY s.disease COLLATE "C")
 *	ORDER BY age, zipcode, disease
 *
 *	public.kanon_view_cells('ring'::pg_catalog.text, 2, quasi.*, dimensions => ..,
 *	    seed => public.kanon_view_seed(17::bigint)) OVER cells
 *
 * Columns and dimensions stand in the text as such, so that it follows renames, and a dimension
 * cannot be dropped or changed from under it (release_text.h).
 */
#include "postgres.h"

#include "release/release_cells.h"

#include "cell/cell_format.h"
#include "cell/recoding_cells.h"
#include "common/shortest_dec.h"
#include "model/model.h"
#include "parser/scansup.h"
#include "release/release_seed.h"
#include "release/release_text.h"
#include "sql/comparison.h"
#include "sql/own_extension.h"
#include "sql/query.h"
#include "sql/type_query.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#define CELLS "kanon_view_cells"
#define CANDIDATES "kanon_view_candidates"
#define SEPARATOR ",\n             "

/* A quasi-identifier of the release. */
typedef struct QuasiColumn
{
	const char *field; /* of the record */
	const char *name;  /* the same, quoted */
	const char *mean;  /* name of the column of means, quoted; NULL: none */
	Oid type;
} QuasiColumn;

typedef struct CellsText
{
	const ReleaseRequest *request;
	const Description *description;
	const char *schema;          /* of kanon's functions, quoted */
	const char *cells;           /* the call that makes a row's cells */
	CellNames names;             /* of the record's fields */
	const char *published;       /* quoted name of a column that is not published */
	List *attributes;            /* the quasi-identifiers, .. */
	QuasiColumn *quasi;          /* .. and [quasi-identifier] their cells */
	List *columns;               /* of the release, .. */
	List *plain;                 /* .. and those of them beside the cells */
	ReleaseDemand made;          /* of classes while they are made */
	const ReleaseDemand *judged; /* of finished classes; NULL: they are not judged again */
	const char *class;           /* names for that, unpublished: quoted, .. */
	const char *person;          /* .. of a column, not quoted, .. */
	const char *verdict;         /* .. and quoted, also of the rows */
	const char *recoded;
	List *beside; /* names of the columns beside the cells: plain columns and the judged person */
	int64 seed;   /* its number, even if nothing is drawn with it; 0: the recoding draws nothing */
	const char *identity;   /* SQL: who a row is, if members are asked for instead of cells, .. */
	const char *who;        /* .. its name, .. */
	const char *candidates; /* .. and theirs; both quoted */
} CellsText;

static const char *
mean_name(const CellsText *text, const DescribedAttribute *attribute)
{
	char *name = psprintf("%s_mean", attribute->name);

	truncate_identifier(name, strlen(name), false);
	foreach_ptr (const PublishedColumn, column, text->columns)
		if (strcmp(column->attribute->name, name) == 0)
			ereport(ERROR,
					(errcode(ERRCODE_DUPLICATE_COLUMN),
					 errmsg("the mean of column \"%s\" of relation %s cannot be called \"%s\"",
							attribute->name, text->description->name, name),
					 errdetail("Another column of the release has that name.")));
	return pstrdup(quote_identifier(name));
}

static QuasiColumn
quasi_column(const CellsText *text, const DescribedAttribute *attribute)
{
	const ReleaseRequest *request = text->request;
	bool labels = OidIsValid(attribute->dimension);
	bool mean =
		request->options.means && !labels && number_query_is_numeric(getBaseType(attribute->type));

	const CellFormat *format =
		cell_format_choose(attribute->type, labels, false,
						   release_options_spans(&request->options, request->recoding));

	return (QuasiColumn){.field = attribute->name,
						 .name = pstrdup(quote_identifier(attribute->name)),
						 .mean = mean ? mean_name(text, attribute) : NULL,
						 .type = cell_format_type(format, attribute->type)};
}

/* A field of the record, with the type of an SQL expression. */
static char *
field_text(const CellsText *text, const char *name, const char *kind)
{
	return psprintf("%s.kanon_view_cell(%s, %s, %s)", text->schema, text->cells,
					quote_literal_cstr(name), kind);
}

/* Do plain columns come with the cells, in class order? */
static bool
is_beside(const CellsText *text)
{
	return (text->request->recoding->takes & RECODING_BESIDE) && text->beside != NIL;
}

/*
 * A plain column, from the row itself or from the record, which has no type modifiers.  Arrays lose
 * theirs either way (sql/fresh_value.h).
 */
static const char *
plain_text(const CellsText *text, const PublishedColumn *column)
{
	char *field;

	if (text->identity || !is_beside(text))
		return column->expression;
	field = field_text(text, column->attribute->name, column->stored);
	if (column->attribute->typmod < 0 || OidIsValid(get_element_type(column->type)))
		return field;
	return psprintf("%s::%s", field,
					format_type_extended(column->type, column->attribute->typmod,
										 FORMAT_TYPE_TYPEMOD_GIVEN | FORMAT_TYPE_FORCE_QUALIFY));
}

/* Appends the columns of the release, by name. */
static void
append_select(StringInfo sql, const CellsText *text)
{
	const char *separator = "SELECT ";

	if (text->identity)
		appendStringInfo(sql, "SELECT %s, %s", text->who, text->candidates);
	else
		foreach_ptr (const PublishedColumn, column, text->columns)
		{
			appendStringInfo(sql, "%s%s", separator, column->name);
			separator = ", ";
			if (column->quasi >= 0 && text->quasi[column->quasi].mean)
				appendStringInfo(sql, ", %s", text->quasi[column->quasi].mean);
		}
}

/*
 * The columns that the function reads besides the quasi-identifiers and the columns beside their
 * cells, each once.
 */
static List *
other_columns(const CellsText *text)
{
	const ReleaseRequest *request = text->request;
	List *names = NIL;

	if (request->options.target)
		names = lappend(names, makeString(pstrdup(request->options.target)));
	foreach_ptr (const Model, model, text->made.models)
		names = list_append_unique(names, makeString(pstrdup(model->column)));
	if (text->made.person)
		names = list_append_unique(names, makeString(pstrdup(text->made.person)));
	return is_beside(text) ? list_difference(names, text->beside) : names;
}

double
release_cells_suppression(const ReleaseRequest *request)
{
	return request->options.models_after ? 0 : request->suppression;
}

/* The call of the window function: one argument for each option given. */
static char *
call_text(const CellsText *text, const char *function)
{
	const ReleaseRequest *request = text->request;
	const RecodingOps *recoding = request->recoding;
	const char *options = release_options_text(&request->options, recoding, OPTIONS_OF_CELLS);
	StringInfoData call;
	StringInfo sql = &call;

	initStringInfo(sql);
	appendStringInfo(sql, "%s.%s(%s::pg_catalog.text, %d, quasi.*", text->schema, function,
					 quote_literal_cstr(recoding->name), text->made.k);
	appendStringInfoString(
		sql, release_models_arguments(text->description, &text->made, text->made.person));
	appendStringInfoString(
		sql, release_columns_dimensions("dimensions", text->attributes,
										release_options_plain(&request->options, recoding)));
	if (request->options.randomize && text->seed != 0)
		appendStringInfo(sql, ", seed => %s.kanon_view_seed(" INT64_FORMAT "::bigint)",
						 text->schema, text->seed);
	if (release_cells_suppression(request) > 0)
	{
		char share[DOUBLE_SHORTEST_DECIMAL_LEN];

		double_to_shortest_decimal_buf(release_cells_suppression(request), share);
		appendStringInfo(sql, ", suppression => %s::pg_catalog.float8", share);
	}
	if (options)
		appendStringInfo(sql, ", options => %s::pg_catalog.jsonb", quote_literal_cstr(options));
	if (is_beside(text))
		appendStringInfo(sql, ", beside => %d", list_length(text->beside));
	appendStringInfoString(sql, ") OVER cells");
	return call.data;
}

static void
append_person(StringInfo sql, const CellsText *text, const char *separator)
{
	appendStringInfo(sql, "%ss.%s", separator, quote_identifier(text->judged->person));
	appendStringInfo(sql, " AS %s", quote_identifier(text->person));
}

/* Appends the columns for judging, which are not published. */
static void
append_judged(StringInfo sql, const CellsText *text, const char *separator)
{
	const char *class = text->identity ? psprintf("(%s)[1]", text->cells)
									   : field_text(text, text->names.class, "NULL::integer");

	appendStringInfo(sql, "%s%s AS %s", separator, class, text->class);
	if (text->judged->person && text->identity)
		append_person(sql, text, separator);
	else if (text->judged->person)
		appendStringInfo(sql, "%s%s AS %s", separator,
						 field_text(text, text->person,
									psprintf("s.%s", quote_identifier(text->judged->person))),
						 quote_identifier(text->person));
}

static void
append_cells(StringInfo sql, const CellsText *text)
{
	const char *separator = "";

	for (int i = 0; i < text->description->quasi_count; i++)
	{
		const QuasiColumn *column = &text->quasi[i];
		const char *kind = psprintf("NULL::%s", value_cast_type_name(column->type));

		appendStringInfo(sql, "%s%s AS %s", separator, field_text(text, column->field, kind),
						 column->name);
		separator = SEPARATOR;
		if (column->mean)
			appendStringInfo(sql, SEPARATOR "%s AS %s",
							 field_text(text, text->names.mean[i], "NULL::double precision"),
							 column->mean);
	}
}

/* Appends what is computed for the rows: cells, plain columns, and unpublished columns. */
static void
append_columns(StringInfo sql, const CellsText *text)
{
	if (text->identity)
		appendStringInfo(sql, "%s AS %s, %s AS %s", text->identity, text->who, text->cells,
						 text->candidates);
	else
		append_cells(sql, text);
	foreach_ptr (const PublishedColumn, column, text->plain)
	{
		const char *expression = plain_text(text, column);

		appendStringInfo(sql, SEPARATOR "%s", expression);
		if (strcmp(expression, column->stored) != 0)
			appendStringInfo(sql, " AS %s", column->name);
	}
	if (text->judged)
		append_judged(sql, text, SEPARATOR);
	appendStringInfo(sql, SEPARATOR "%s IS DISTINCT FROM NULL AS %s", text->cells, text->published);
}

/*
 * The function gets quasi.*: the quasi-identifiers in order, then columns that it only reads, then
 * those beside the cells.
 */
static void
append_rows(StringInfo sql, const CellsText *text)
{
	const char *separator = "LATERAL (SELECT ";

	appendStringInfo(sql, "\n      FROM %s s,\n           ", text->description->name);
	for (int i = 0; i < text->description->quasi_count; i++)
	{
		appendStringInfo(sql, "%ss.%s", separator, text->quasi[i].name);
		separator = ", ";
	}
	foreach_ptr (Node, name, other_columns(text))
		appendStringInfo(sql, ", s.%s", quote_identifier(strVal(name)));
	if (is_beside(text))
		foreach_ptr (const PublishedColumn, column, text->plain)
		{
			appendStringInfo(sql, ", %s AS %s", column->expression, column->name);
		}
	if (text->judged && text->judged->person)
		append_person(sql, text, ", ");
	/*
	 * The order of equal rows reveals nothing: the columns beside them determine it, or the draw.
	 */
	appendStringInfo(
		sql, ") quasi\n      WINDOW cells AS (%s)",
		text->request->recoding->order_matters ? release_columns_window_order(text->plain) : "");
}

static void
append_from(StringInfo sql, const CellsText *text)
{
	if (text->judged)
	{
		appendStringInfoString(sql, "\nFROM (");
		append_select(sql, text);
		appendStringInfo(sql, ", %s" SEPARATOR "%s AS %s", text->class,
						 release_models_guard(text->description, text->judged, text->person,
											  text->recoded, text->class),
						 text->verdict);
	}
	appendStringInfoString(sql, "\nFROM (SELECT ");
	append_columns(sql, text);
	append_rows(sql, text);
	appendStringInfo(sql, ") %s\nWHERE %s", text->recoded, text->published);
	if (text->judged)
		appendStringInfo(sql, ") judged\nWHERE %s", text->verdict);
}

/*
 * Without classes, which would give the order: sorts by the columns' names, then by the spelling of
 * equal values.
 */
static void
append_order(StringInfo sql, const CellsText *text)
{
	int cells = text->description->quasi_count;
	StringInfoData order;

	if (text->request->recoding->has_classes)
		return;
	initStringInfo(&order);
	for (int i = 0; i < cells; i++)
		release_columns_sort(&order, text->quasi[i].name);
	release_columns_sort_plain(&order, text->plain, true);
	for (int i = 0; i < cells; i++)
	{
		Oid type = text->quasi[i].type;

		if (!comparison_is_exact(type, -1, get_typcollation(type)))
			release_columns_sort(&order, comparison_spelling(text->quasi[i].name, type));
	}
	appendStringInfoString(sql, order.data);
}

static CellsText
begin_text(const ReleaseRequest *request, const Description *description)
{
	bool after = request->options.models_after && request->demand.models != NIL;
	CellsText text = {.request = request,
					  .description = description,
					  .schema = own_extension_schema_name(),
					  .class = release_columns_free_quoted(description, "class"),
					  .published = release_columns_free_quoted(description, "published"),
					  .made = request->demand,
					  .judged = after ? &request->demand : NULL,
					  .who = release_columns_free_quoted(description, "identity"),
					  .candidates = release_columns_free_quoted(description, "candidates"),
					  .person = release_columns_free_name(description, "person"),
					  .verdict = release_columns_free_quoted(description, "satisfied"),
					  .recoded = release_columns_free_quoted(description, "recoded")};

	if (after)
		text.made.models = NIL;
	text.attributes = description_quasi_attributes(description);
	text.columns = release_columns_published(description);
	text.quasi = palloc(sizeof(QuasiColumn) * description->quasi_count);
	for (int i = 0; i < description->quasi_count; i++)
		text.quasi[i] = quasi_column(&text, description->quasi[i]);
	text.plain = release_columns_plain(text.columns);
	foreach_ptr (const PublishedColumn, column, text.plain)
		text.beside = lappend(text.beside, makeString(pstrdup(column->attribute->name)));
	if (after && request->demand.person)
		text.beside = lappend(text.beside, makeString(pstrdup(text.person)));
	text.names = cell_names_choose(text.attributes, text.beside);
	return text;
}

ReleaseText
release_cells_write(const ReleaseRequest *request, const Description *description)
{
	CellsText text = begin_text(request, description);
	StringInfoData sql;

	if (request->recoding->takes & RECODING_DRAW)
		text.seed = release_seed_number();
	text.cells = call_text(&text, CELLS);
	initStringInfo(&sql);
	appendStringInfoString(
		&sql, release_columns_with(list_concat_copy(
				  text.attributes, release_models_dimensions(description, &request->demand))));
	append_select(&sql, &text);
	append_from(&sql, &text);
	append_order(&sql, &text);
	return (ReleaseText){.select = sql.data, .seed = text.seed};
}

char *
release_cells_members(const ReleaseMembers *members, const Description *description)
{
	CellsText text = begin_text(members->request, description);
	StringInfoData sql;

	text.seed = members->seed;
	text.identity = members->identity;
	text.cells = call_text(&text, CANDIDATES);
	initStringInfo(&sql);
	appendStringInfo(&sql, "SELECT %s AS person, %s AS candidates", text.who, text.candidates);
	append_from(&sql, &text);
	return sql.data;
}
