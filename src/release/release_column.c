/*
 * release_column.c
 *		See release_column.h.
 */
#include "postgres.h"

#include "release/release_column.h"

#include "sql/comparison.h"
#include "sql/fresh_value.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

bool
release_column_publishes(const Description *description, int attribute, int *quasi)
{
	AttributeRole role = description->attributes[attribute].role;

	*quasi = description_quasi(description, &description->attributes[attribute]);
	return *quasi >= 0 || role == ROLE_SENSITIVE || role == ROLE_INSENSITIVE;
}

List *
release_column_left_out(const Description *description)
{
	List *names = NIL;
	int quasi;

	for (int i = 0; i < description->attribute_count; i++)
		if (!release_column_publishes(description, i, &quasi) &&
			description->attributes[i].role != ROLE_IDENTIFIER)
			names = lappend(names, unconstify(char *, description->attributes[i].name));
	return names;
}

PlainColumn
release_column_plain(const DescribedAttribute *attribute)
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
release_column_sort(StringInfo order, const char *key)
{
	appendStringInfo(order, "%s%s", order->len > 0 ? ", " : "\nORDER BY ", key);
}

void
release_column_sort_plain(StringInfo order, const PlainColumn *columns, int count, bool by_name)
{
	for (int i = 0; i < count; i++)
		if (columns[i].ordered)
			release_column_sort(order, columns[i].name);
	for (int i = 0; i < count; i++)
		if (!columns[i].exact)
			release_column_sort(
				order, comparison_spelling(by_name ? columns[i].name : columns[i].expression,
										   columns[i].type));
}

char *
release_column_window_order(const PlainColumn *columns, int count)
{
	StringInfoData keys;

	initStringInfo(&keys);
	for (int i = 0; i < count; i++)
		comparison_append_byte_order(&keys, columns[i].stored, columns[i].type, columns[i].typmod,
									 columns[i].collation);
	return count > 0 ? psprintf("ORDER BY %s", keys.data + strlen(", ")) : pstrdup("");
}

const char *
release_column_free_name(const Description *description, const char *name)
{
	char *free_name = pstrdup(name);

	for (int number = 2; description_find(description, free_name) != NULL; number++)
		free_name = psprintf("%s_%d", name, number);
	return free_name;
}
