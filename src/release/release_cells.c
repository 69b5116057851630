/*
 * release_cells.c
 *		See release_cells.h.
 */
#include "postgres.h"

#include "release/release_cells.h"

#include "nodes/value.h"
#include "release/release_dimension.h"
#include "sql/query.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

const DescribedAttribute *
release_cells_attribute(const Description *description, int quasi)
{
	return &description->attributes[description->quasi[quasi]];
}

ReleaseCells
release_cells_begin(const Description *description)
{
	ReleaseCells text = {.description = description,
						 .schema = query_extension_schema(),
						 .cells = quote_identifier(release_column_free_name(description, "cells")),
						 .plain =
							 palloc(sizeof(PlainColumn) * Max(description->attribute_count, 1))};
	int quasi;

	for (int i = 0; i < description->attribute_count; i++)
		if (release_column_publishes(description, i, &quasi) && quasi < 0)
			text.plain[text.plain_count++] =
				release_column_plain(description, &description->attributes[i]);
	return text;
}

char *
release_cells_field(const ReleaseCells *text, int number, const char *type)
{
	return psprintf("%s.kanon_cell(%s, %d, NULL::%s)", text->schema, text->cells, number, type);
}

void
release_cells_append_select(StringInfo sql, const ReleaseCells *text, ReleaseCellsColumn column,
							const void *state)
{
	const Description *description = text->description;
	const char *separator = "SELECT ";
	int quasi;

	for (int i = 0; i < description->attribute_count; i++)
	{
		if (!release_column_publishes(description, i, &quasi))
			continue;
		appendStringInfoString(sql, separator);
		separator = ",\n       ";
		if (quasi >= 0)
			column(sql, state, quasi);
		else
			appendStringInfoString(sql, quote_identifier(description->attributes[i].name));
	}
}

List *
release_cells_attributes(const Description *description)
{
	List *attributes = NIL;

	for (int i = 0; i < description->quasi_count; i++)
		attributes = lappend(attributes, &description->attributes[description->quasi[i]]);
	return attributes;
}

void
release_cells_append_dimensions(StringInfo sql, const Description *description)
{
	List *attributes = release_cells_attributes(description);

	if (release_dimension_any(attributes))
		appendStringInfo(sql, ", dimensions => %s", release_dimension_array(attributes));
}

static void
append_record(StringInfo sql, const Description *description, const List *others)
{
	const char *separator = "LATERAL (SELECT ";
	ListCell *cell;

	for (int i = 0; i < description->quasi_count; i++)
	{
		appendStringInfo(sql, "%ss.%s", separator,
						 quote_identifier(release_cells_attribute(description, i)->name));
		separator = ", ";
	}
	foreach (cell, others)
		appendStringInfo(sql, ", s.%s", quote_identifier(strVal(lfirst(cell))));
	appendStringInfoString(sql, ") quasi");
}

void
release_cells_append_from(StringInfo sql, const ReleaseCells *text, const char *call,
						  const List *others)
{
	appendStringInfoString(sql, "\nFROM (SELECT ");
	for (int i = 0; i < text->plain_count; i++)
	{
		const PlainColumn *column = &text->plain[i];

		appendStringInfoString(sql, column->expression);
		if (strcmp(column->expression, column->stored) != 0)
			appendStringInfo(sql, " AS %s", column->name);
		appendStringInfoString(sql, ",\n             ");
	}
	appendStringInfo(sql, "%s AS %s\n      FROM %s s,\n           ", call, text->cells,
					 text->description->name);
	append_record(sql, text->description, others);
	appendStringInfo(sql, ") recoded\nWHERE %s IS DISTINCT FROM NULL", text->cells);
}
