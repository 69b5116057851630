/*
 * level_name.c
 *		See level_name.h.
 */
#include "postgres.h"

#include "dimension/level_name.h"

#include "catalog/pg_type.h"
#include "data/hidden.h"
#include "lib/stringinfo.h"
#include "utils/builtins.h"

/* Is it the number of a level: digits, possibly with a sign? */
static bool
is_number(const char *name)
{
	const char *digits = name + (*name == '-' || *name == '+');

	return *digits != '\0' && strspn(digits, "0123456789") == strlen(digits);
}

static const char *
shown_name(const char *column, int level)
{
	return is_number(column) ? psprintf("%d", level) : column;
}

LevelNames
level_names(const Description *description)
{
	LevelNames names = {.name = palloc(sizeof(char **) * Max(description->quasi_count, 1)),
						.height = palloc(sizeof(int) * Max(description->quasi_count, 1))};

	for (int i = 0; i < description->quasi_count; i++)
	{
		const DescribedAttribute *attribute = description->quasi[i];
		Description *dimension = OidIsValid(attribute->dimension)
									 ? description_load_columns(attribute->dimension)
									 : NULL;

		names.height[i] = dimension ? dimension->attribute_count - 1 : 1;
		names.name[i] = palloc(sizeof(char *) * (names.height[i] + 1));
		for (int level = 0; dimension && level <= names.height[i]; level++)
			names.name[i][level] = shown_name(dimension->attributes[level].name, level);
		if (dimension)
			continue;
		names.name[i][0] = shown_name(attribute->name, 0);
		names.name[i][1] = HIDDEN_TEXT;
	}
	return names;
}

/* The level with this name or number. */
static int
find_level(const Description *description, const LevelNames *names, int quasi, const char *name)
{
	StringInfoData list;

	if (is_number(name))
		return pg_strtoint32(name);
	for (int level = 0; level <= names->height[quasi]; level++)
		if (strcmp(names->name[quasi][level], name) == 0)
			return level;
	if (strcmp(name, HIDDEN_TEXT) == 0)
		return names->height[quasi];
	initStringInfo(&list);
	for (int level = 0; level <= names->height[quasi]; level++)
		appendStringInfo(&list, "%s%s", level > 0 ? ", " : "", names->name[quasi][level]);
	ereport(ERROR, (errcode(ERRCODE_UNDEFINED_OBJECT),
					errmsg("quasi-identifier \"%s\" has no level \"%s\"",
						   description->quasi[quasi]->name, name),
					errhint("Its levels are %s, or 0 to %d.", list.data, names->height[quasi])));
}

int *
level_names_read(const Description *description, ArrayType *levels)
{
	int *result = palloc0(sizeof(int) * Max(description->quasi_count, 1));
	LevelNames names = level_names(description);
	Datum *elements;
	bool *nulls;
	int count;

	if (ARR_NDIM(levels) > 1)
		ereport(ERROR, (errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
						errmsg("levels must be a one-dimensional array")));
	deconstruct_array(levels, TEXTOID, -1, false, TYPALIGN_INT, &elements, &nulls, &count);
	if (count != description->quasi_count)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("%d levels are given for %d quasi-identifiers of relation %s", count,
							   description->quasi_count, description->name)));
	for (int i = 0; i < count; i++)
	{
		if (nulls[i])
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("a level must not be null")));
		result[i] = find_level(description, &names, i, TextDatumGetCString(elements[i]));
	}
	return result;
}
