/*
 * release_dimension.c
 *		See release_dimension.h.
 */
#include "postgres.h"

#include "release/release_dimension.h"

#include "dimension/star_query.h"
#include "lib/stringinfo.h"
#include "relation/dimension_source.h"
#include "sql/relation_name.h"
#include "utils/builtins.h"

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
release_dimension_with(const List *attributes)
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
release_dimension_argument(const char *name, const List *attributes, bool plain)
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
