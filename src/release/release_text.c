/*
 * release_text.c
 *		See release_text.h.
 */
#include "postgres.h"

#include "release/release_text.h"

#include "base/budget.h"
#include "base/names.h"
#include "count/class_query.h"
#include "dimension/star_query.h"
#include "lib/stringinfo.h"
#include "model/model.h"
#include "relation/dimension_source.h"
#include "sql/comparison.h"
#include "sql/own_extension.h"
#include "sql/relation_name.h"
#include "sql/value_text.h"
#include "utils/builtins.h"

bool
release_columns_publishes(const Description *description, const DescribedAttribute *attribute)
{
	return attribute->role == ROLE_SENSITIVE || attribute->role == ROLE_INSENSITIVE ||
		   description_quasi(description, attribute) >= 0;
}

List *
release_columns_left_out(const Description *description)
{
	List *names = NIL;

	for (int i = 0; i < description->attribute_count; i++)
	{
		const DescribedAttribute *attribute = &description->attributes[i];

		if (attribute->role != ROLE_IDENTIFIER &&
			!release_columns_publishes(description, attribute))
			names = lappend(names, unconstify(char *, attribute->name));
	}
	return names;
}

List *
release_columns_published(const Description *description)
{
	List *columns = NIL;

	for (int i = 0; i < description->attribute_count; i++)
	{
		const DescribedAttribute *attribute = &description->attributes[i];
		PublishedColumn *column;

		if (!release_columns_publishes(description, attribute))
			continue;
		column = palloc(sizeof(PublishedColumn));
		*column = (PublishedColumn){
			.attribute = attribute,
			.quasi = description_quasi(description, attribute),
			.name = pstrdup(quote_identifier(attribute->name)),
			.type = attribute->type,
			.exact = comparison_is_exact(attribute->type, attribute->typmod, attribute->collation),
			.ordered = comparison_has_order(attribute->type),
		};
		column->stored = psprintf("s.%s", column->name);
		column->expression = fresh_value(column->stored, attribute->type, attribute->typmod);
		columns = lappend(columns, column);
	}
	return columns;
}

List *
release_columns_plain(const List *columns)
{
	List *plain = NIL;

	foreach_ptr (PublishedColumn, column, columns)
		if (column->quasi < 0)
			plain = lappend(plain, column);
	return plain;
}

void
release_columns_sort(StringInfo order, const char *key)
{
	appendStringInfo(order, "%s%s", order->len > 0 ? ", " : "\nORDER BY ", key);
}

void
release_columns_sort_plain(StringInfo order, const List *plain, bool by_name)
{
	foreach_ptr (const PublishedColumn, column, plain)
		if (column->ordered)
			release_columns_sort(order, column->name);
	foreach_ptr (const PublishedColumn, column, plain)
		if (!column->exact)
			release_columns_sort(
				order,
				comparison_spelling(by_name ? column->name : column->expression, column->type));
}

char *
release_columns_window_order(const List *plain)
{
	StringInfoData keys;

	initStringInfo(&keys);
	foreach_ptr (const PublishedColumn, column, plain)
	{
		comparison_append_byte_order(&keys, column->stored, column->type, column->attribute->typmod,
									 column->attribute->collation);
	}
	return plain ? psprintf("ORDER BY %s", keys.data + strlen(", ")) : pstrdup("");
}

const char *
release_columns_free_name(const Description *description, const char *name)
{
	char *free_name = pstrdup(name);

	for (int number = 2; description_find(description, free_name) != NULL; number++)
		free_name = psprintf("%s_%d", name, number);
	return free_name;
}

const char *
release_columns_free_quoted(const Description *description, const char *name)
{
	return pstrdup(quote_identifier(release_columns_free_name(description, name)));
}

static bool
has_dimension(const DescribedAttribute *attribute)
{
	return attribute && OidIsValid(attribute->dimension);
}

static void
append_columns(StringInfo sql, const DescribedAttribute *attribute)
{
	const Description *dimension = dimension_source_load(attribute->dimension, attribute, 0);

	appendStringInfo(sql, "%s AS (SELECT ", star_query_alias(attribute));
	for (int i = 0; i < dimension->attribute_count; i++)
		appendStringInfo(sql, "%sd.%s", i > 0 ? ", " : "",
						 quote_identifier(dimension->attributes[i].name));
	appendStringInfo(sql, " FROM %s d)", dimension->name);
}

const char *
release_columns_with(const List *attributes)
{
	StringInfoData sql;
	List *named = NIL;

	initStringInfo(&sql);
	foreach_ptr (DescribedAttribute, attribute, attributes)
	{
		if (!has_dimension(attribute) || list_member_ptr(named, attribute))
			continue;
		appendStringInfoString(&sql, named == NIL ? "WITH " : ",\n     ");
		append_columns(&sql, attribute);
		named = lappend(named, attribute);
	}
	if (named != NIL)
		appendStringInfoChar(&sql, '\n');
	return sql.data;
}

const char *
release_columns_dimensions(const char *name, const List *attributes, bool plain)
{
	const char *separator = psprintf(", %s => ARRAY[", name);
	StringInfoData sql;
	bool any = false;
	bool typed = false;

	initStringInfo(&sql);
	foreach_ptr (const DescribedAttribute, attribute, attributes)
	{
		any = any || attribute; /* a model that needs none has NULL */
		appendStringInfoString(&sql, separator);
		separator = ", ";
		if (has_dimension(attribute))
			appendStringInfo(&sql, "%s::pg_catalog.regclass",
							 quote_literal_cstr(relation_name(attribute->dimension)));
		else if (plain && description_is_plain(attribute))
			appendStringInfoString(&sql, "'-'::pg_catalog.regclass");
		else
		{
			appendStringInfoString(&sql, "NULL");
			continue;
		}
		typed = true;
	}
	appendStringInfoString(&sql, typed ? "]" : "]::pg_catalog.regclass[]");
	return any ? sql.data : "";
}

/* ---- models */

static void
check_published(const Description *description)
{
	for (int i = 0; i < description->demand.models; i++)
	{
		const Model *model = description->demand.model[i];
		const DescribedAttribute *attribute = description_get(description, model->column);

		if (!release_columns_publishes(description, attribute))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("column \"%s\" of %s is not published", model->column,
							model_text_write(model)),
					 errhint("Declare it sensitive or insensitive with kanon_set_attribute.")));
	}
}

void
release_models_describe(Description *description, const ReleaseDemand *demand)
{
	description_demand(description, demand->models, demand->person);
	sensitive_values_check_columns(description);
	check_published(description);
	description_check_person(description);
}

void
release_models_check_values(const Description *description)
{
	Budget budget = budget_begin();
	Description read = *description;

	sensitive_values_read(&read, &budget);
	sensitive_values_check(&read);
}

List *
release_models_dimensions(const Description *description, const ReleaseDemand *demand)
{
	const Demand *has = &description->demand;
	List *attributes = NIL;

	for (int i = 0; demand->models && i < has->models; i++)
		attributes = lappend(attributes, (has->model[i]->ops->needs & MODEL_NEEDS_DISTANCE)
											 ? description->sensitive[has->column_of[i]]
											 : NULL);
	return attributes;
}

char *
release_models_arguments(const Description *description, const ReleaseDemand *demand,
						 const char *person_name)
{
	List *dimensions = release_models_dimensions(description, demand);
	StringInfoData text;

	initStringInfo(&text);
	if (demand->models != NIL)
		appendStringInfo(&text, ", models => %s::%s.kanon_models",
						 quote_literal_cstr(model_text_write_list(demand->models)),
						 own_extension_schema_name());
	if (demand->person)
		appendStringInfo(&text, ", person => %s::pg_catalog.name", quote_literal_cstr(person_name));
	appendStringInfoString(&text,
						   release_columns_dimensions("model_dimensions", dimensions, false));
	return text.data;
}

/* The quasi-identifiers as a name[]. */
static const char *
quoted_names(const Description *description)
{
	StringInfoData names;

	initStringInfo(&names);
	for (int i = 0; i < description->quasi_count; i++)
		appendStringInfo(&names, "%s%s", i > 0 ? ", " : "ARRAY[",
						 quote_literal_cstr(description->quasi[i]->name));
	appendStringInfoString(&names, "]::pg_catalog.name[]");
	return names.data;
}

char *
release_models_guard(const Description *description, const ReleaseDemand *demand,
					 const char *person_name, const char *rows, const char *class)
{
	char *arguments = release_models_arguments(description, demand, person_name);

	if (demand->known > 0)
		arguments = psprintf("%s, columns => %s, known => %d", arguments, quoted_names(description),
							 demand->known);
	return psprintf("%s.kanon_view_satisfies(%d, %s, %s::pg_catalog.name,\n"
					"                 %s) OVER ()",
					own_extension_schema_name(), demand->k, rows,
					demand->known > 0 ? "NULL" : quote_literal_cstr(class),
					arguments + strlen(", "));
}

char *
release_models_names(const ReleaseDemand *demand)
{
	List *names = list_make1(psprintf(demand->known == 1  ? "k = %d on each column"
									  : demand->known > 1 ? "k = %d on any %d columns"
														  : "k = %d",
									  demand->k, demand->known));

	foreach_ptr (const Model, model, demand->models)
		names = lappend(names, model_text_write(model));
	return names_join(names);
}

/* What all rows together fail. */
typedef struct WholeTable
{
	const Description *description;
	int k;
	const char *failing; /* NULL: nothing */
} WholeTable;

/* A ClassConsumer of the only class. */
static void
judge_whole(void *state, const StreamedClass *class)
{
	WholeTable *whole = state;
	const Demand *demand = &whole->description->demand;

	if (class->members < whole->k)
		whole->failing = psprintf("k = %d", whole->k);
	for (int i = 0; i < demand->models && whole->failing == NULL; i++)
	{
		int column = demand->column_of[i];

		if (!model_holds(demand->model[i], class->histogram[column], demand->domain[column]))
			whole->failing = model_text_write(demand->model[i]);
	}
}

const char *
release_models_failing(const Description *description, int k)
{
	Budget budget = budget_begin();
	Description one_class = *description;
	WholeTable whole = {.description = &one_class, .k = k};

	one_class.quasi_count = 0;
	sensitive_values_read(&one_class, &budget);
	class_query_each(&one_class, false, judge_whole, &whole, &budget);
	return whole.failing;
}
