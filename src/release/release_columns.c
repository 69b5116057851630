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
release_columns_publishes(const Description *description, int attribute, int *quasi)
{
	AttributeRole role = description->attributes[attribute].role;
	int index = description_quasi(description, &description->attributes[attribute]);

	if (quasi)
		*quasi = index;
	return index >= 0 || role == ROLE_SENSITIVE || role == ROLE_INSENSITIVE;
}

List *
release_columns_left_out(const Description *description)
{
	List *names = NIL;

	for (int i = 0; i < description->attribute_count; i++)
		if (!release_columns_publishes(description, i, NULL) &&
			description->attributes[i].role != ROLE_IDENTIFIER)
			names = lappend(names, unconstify(char *, description->attributes[i].name));
	return names;
}

static PlainColumn
plain_column(const DescribedAttribute *attribute)
{
	const char *name = pstrdup(quote_identifier(attribute->name));
	const char *stored = psprintf("s.%s", name);

	return (PlainColumn){
		.attribute = pstrdup(attribute->name),
		.name = name,
		.stored = stored,
		.expression = fresh_value(stored, attribute->type, attribute->typmod),
		.type = attribute->type,
		.typmod = attribute->typmod,
		.collation = attribute->collation,
		.exact = comparison_is_exact(attribute->type, attribute->typmod, attribute->collation),
		.ordered = comparison_has_order(attribute->type),
	};
}

void
release_columns_sort(StringInfo order, const char *key)
{
	appendStringInfo(order, "%s%s", order->len > 0 ? ", " : "\nORDER BY ", key);
}

void
release_columns_sort_plain(StringInfo order, const PlainColumn *columns, int count, bool by_name)
{
	for (int i = 0; i < count; i++)
		if (columns[i].ordered)
			release_columns_sort(order, columns[i].name);
	for (int i = 0; i < count; i++)
		if (!columns[i].exact)
			release_columns_sort(
				order, comparison_spelling(by_name ? columns[i].name : columns[i].expression,
										   columns[i].type));
}

char *
release_columns_window_order(const PlainColumn *columns, int count)
{
	StringInfoData keys;

	initStringInfo(&keys);
	for (int i = 0; i < count; i++)
		comparison_append_byte_order(&keys, columns[i].stored, columns[i].type, columns[i].typmod,
									 columns[i].collation);
	return count > 0 ? psprintf("ORDER BY %s", keys.data + strlen(", ")) : pstrdup("");
}

PlainColumn *
release_columns_plain(const Description *description, int *count)
{
	PlainColumn *plain = palloc(sizeof(PlainColumn) * Max(description->attribute_count, 1));
	int quasi;

	*count = 0;
	for (int i = 0; i < description->attribute_count; i++)
		if (release_columns_publishes(description, i, &quasi) && quasi < 0)
			plain[(*count)++] = plain_column(&description->attributes[i]);
	return plain;
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
	ListCell *cell;

	initStringInfo(&sql);
	foreach (cell, attributes)
	{
		DescribedAttribute *attribute = lfirst(cell);

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
	ListCell *cell;

	initStringInfo(&sql);
	foreach (cell, attributes)
	{
		const DescribedAttribute *attribute = lfirst(cell);

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
