/*
 * release_columns.c
 *		See release_columns.h.
 */
#include "postgres.h"

#include "release/release_columns.h"

#include "dimension/star_query.h"
#include "lib/stringinfo.h"
#include "relation/dimension_source.h"
#include "sql/comparison.h"
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

	initStringInfo(&sql);
	foreach_ptr (const DescribedAttribute, attribute, attributes)
	{
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
		any = true;
	}
	appendStringInfoChar(&sql, ']');
	return any ? sql.data : "";
}
