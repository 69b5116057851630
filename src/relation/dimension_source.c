/*
 * dimension_source.c
 *		See dimension_source.h.
 */
#include "postgres.h"

#include "relation/dimension_source.h"

#include "access/relation.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_type.h"
#include "data/dimension.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "parser/parse_coerce.h"
#include "sql/name_array.h"
#include "sql/own_table.h"
#include "sql/relation_name.h"
#include "sql/rights.h"
#include "sql/value_text.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

/* A relation that is to serve as a dimension. */
typedef struct SourceCheck
{
	Oid dimension;
	Oid owner;             /* of it */
	Oid relation;          /* whose dimension it is; InvalidOid: of rows */
	Oid trusting;          /* the relation's owner; of rows, the dimension's */
	const char *attribute; /* of the relation; NULL: the declared one */
} SourceCheck;

/* The column whose dimension it is, or NULL. */
static const char *
find_attribute(const SourceCheck *check)
{
	if (check->attribute)
		return check->attribute;
	own_table_read("SELECT attribute::text FROM @attribute WHERE relation = $1 AND dimension = $2"
				   " ORDER BY 1 LIMIT 1",
				   "oo", check->relation, check->dimension);
	return query_rows() > 0 ? query_text(0, 1) : NULL;
}

/* What to run instead: a copy that belongs to the owner of the relation. */
static char *
copy_to_make(const SourceCheck *check)
{
	const char *attribute = find_attribute(check);
	const char *schema = relation_name_schema(get_rel_namespace(check->relation));
	const char *copy = quote_qualified_identifier(schema, get_rel_name(check->dimension));
	const char *name = relation_name(check->dimension);

	if (strcmp(copy, name) == 0)
		copy =
			quote_qualified_identifier(schema, psprintf("%s_copy", get_rel_name(check->dimension)));
	if (attribute == NULL)
		return psprintf("CREATE TABLE %s AS TABLE %s;", copy, name);
	return psprintf("CREATE TABLE %s AS TABLE %s; SELECT kanon_set_attribute(%s, %s,"
					" 'quasi_identifier', %s);",
					copy, name, quote_literal_cstr(relation_name(check->relation)),
					quote_literal_cstr(attribute), quote_literal_cstr(copy));
}

/* "relation public.zips cannot serve .. because of it or a part of it". */
pg_noreturn static void
report_unfit(const SourceCheck *check, Relation part, int sqlstate, const char *why,
			 const char *hint)
{
	const char *name = relation_name(check->dimension);
	const char *of = relation_name(RelationGetRelid(part));

	ereport(ERROR,
			(errcode(sqlstate),
			 OidIsValid(check->relation)
				 ? errmsg("relation %s cannot serve as dimension, taxonomy or population of %s",
						  name, relation_name(check->relation))
				 : errmsg("relation %s cannot serve as dimension", name),
			 errdetail("Relation %s %s.", of, why), errhint("%s", hint)));
}

pg_noreturn static void
report_owner(const SourceCheck *check, Relation part)
{
	const char *owner = GetUserNameFromId(part->rd_rel->relowner, false);
	const char *trusting = GetUserNameFromId(check->trusting, false);
	const char *hint;

	if (OidIsValid(check->relation))
		hint = psprintf(_("As \"%s\", run: %s Or have a superuser add \"%s\" to the setting"
						  " kanon.trusted_owners."),
						trusting, copy_to_make(check), owner);
	else
		hint = _("Copy it into one table.");
	report_unfit(check, part, ERRCODE_INSUFFICIENT_PRIVILEGE,
				 psprintf(_("belongs to \"%s\", whose code would run with the rights of \"%s\""),
						  owner, trusting),
				 hint);
}

/* Does nobody gain by code of that owner? */
static bool
is_trusted(const SourceCheck *check, Oid owner)
{
	/* kanon reads it as its own owner, too. */
	if (!rights_trusts(owner, check->owner))
		return false;
	return rights_trusts(owner, check->trusting) || rights_trusts(owner, GetUserId());
}

static void
check_part(const SourceCheck *check, Relation part)
{
	Oid owner = part->rd_rel->relowner;
	char kind = part->rd_rel->relkind;
	bool computes = kind == RELKIND_VIEW || kind == RELKIND_FOREIGN_TABLE;

	if (!is_trusted(check, owner))
		report_owner(check, part);
	if (computes && (owner != GetUserId() || owner != check->trusting))
		report_unfit(
			check, part, ERRCODE_INSUFFICIENT_PRIVILEGE,
			psprintf(
				kind == RELKIND_VIEW ? _("is a view of \"%s\", whose code would run as \"%s\"")
									 : _("is a foreign table of \"%s\", which would be "
										 "fetched as \"%s\""),
				GetUserNameFromId(owner, false),
				GetUserNameFromId(owner != GetUserId() ? GetUserId() : check->trusting, false)),
			_("Copy it into a table or a materialized view, and use that."));
	if (part->rd_rel->relrowsecurity)
		report_unfit(check, part, ERRCODE_INVALID_TABLE_DEFINITION,
					 _("has row security, whose policies are its owner's code"),
					 _("Grant SELECT on it to those who may read all of it, and disable row "
					   "security."));
}

void
dimension_source_check(Oid dimension, Oid relation, const char *attribute)
{
	SourceCheck check = {.dimension = dimension, .relation = relation, .attribute = attribute};
	List *parts;
	ListCell *cell;

	/* A missing relation or part is reported when it is opened. */
	if (!relation_name_lock(dimension, AccessShareLock))
		return;
	check.owner = relation_name_owner(dimension);
	check.trusting = OidIsValid(relation) ? relation_name_owner(relation) : check.owner;
	parts = find_all_inheritors(dimension, AccessShareLock, NULL);
	foreach (cell, parts)
	{
		Relation part = try_relation_open(lfirst_oid(cell), NoLock);

		if (part == NULL)
			continue;
		check_part(&check, part);
		relation_close(part, NoLock);
	}
	list_free(parts);
}

void
dimension_source_check_select(Oid dimension)
{
	if (pg_class_aclcheck(dimension, GetUserId(), ACL_SELECT) != ACLCHECK_OK &&
		pg_attribute_aclcheck_all(dimension, GetUserId(), ACL_SELECT, ACLMASK_ALL) != ACLCHECK_OK)
		aclcheck_error(ACLCHECK_NO_PRIV, get_relkind_objtype(get_rel_relkind(dimension)),
					   get_rel_name(dimension));
}

QueryRights
dimension_source_enter(Oid dimension)
{
	dimension_source_check_select(dimension);
	return rights_enter(dimension, RIGHTS_CHECKED, AccessShareLock);
}

Description *
dimension_source_load(Oid dimension, const DescribedAttribute *attribute, int levels)
{
	Description *table = description_load_columns(dimension);
	const DescribedAttribute *ground = table->attributes;
	Oid target = attribute->type;
	Oid source;

	dimension_source_check(dimension, attribute->relation, attribute->name);
	description_check_levels(table);
	if (table->attribute_count <= levels)
		ereport(ERROR, (errcode(ERRCODE_INVALID_TABLE_DEFINITION),
						errmsg("dimension %s has no levels", table->name),
						errdetail("Its first column is the ground value, each further column one "
								  "level.")));
	source = ground->type;
	if (!value_cast_is_own(source, target))
		ereport(
			ERROR,
			(errcode(ERRCODE_CANNOT_COERCE),
			 errmsg("ground value \"%s\" of dimension %s cannot be cast to the type of column "
					"\"%s\"",
					ground->name, table->name, attribute->name),
			 errdetail("The types are %s and %s.", format_type_be(source), format_type_be(target)),
			 can_coerce_type(1, &source, &target, COERCION_EXPLICIT)
				 ? errhint("Only casts by PostgreSQL's own functions count, and only to types that "
						   "no other code checks.  Give the ground value the type of the column.")
				 : 0));
	return table;
}

/* ---- levels */

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
dimension_source_levels(const Description *description)
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
dimension_source_read_levels(const Description *description, ArrayType *levels)
{
	int *result = palloc0(sizeof(int) * Max(description->quasi_count, 1));
	LevelNames names = dimension_source_levels(description);
	List *given;
	ListCell *cell;

	if (ARR_NDIM(levels) > 1)
		ereport(ERROR, (errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
						errmsg("levels must be a one-dimensional array")));
	given = array_strings(levels);
	if (list_length(given) != description->quasi_count)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("%d levels are given for %d quasi-identifiers of relation %s",
							   list_length(given), description->quasi_count, description->name)));
	foreach (cell, given)
	{
		int i = foreach_current_index(cell);

		if (lfirst(cell) == NULL)
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("a level must not be null")));
		result[i] = find_level(description, &names, i, lfirst(cell));
	}
	return result;
}
