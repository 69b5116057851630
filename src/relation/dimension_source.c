/*
 * dimension_source.c
 *		See dimension_source.h.
 *
 * A user who searches a table reads the dimensions that its owner declared, which may belong to
 * anybody.  That must be as harmless as reading the table.  So a dimension is stored data: a table
 * or a materialized view.  Views, which compute, and foreign tables, which fetch from elsewhere,
 * count only if the current user is the owner: a member of the owner's role or a superuser is not
 * enough.  The same holds for tables whose indexes, statistics or partition key call functions that
 * are not PostgreSQL's own (stored_code.h).  Row security would run policies, so it must be off.
 * All of this applies to partitions and child tables, too.  Virtual generated columns (PostgreSQL
 * 18) only call PostgreSQL's own functions.
 */
#include "postgres.h"

#include "relation/dimension_source.h"

#include "access/relation.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "miscadmin.h"
#include "parser/parse_coerce.h"
#include "sql/relation_name.h"
#include "sql/stored_code.h"
#include "sql/value_text.h"
#include "storage/lmgr.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

/* "relation public.zips cannot serve .. because of it or a part of it". */
static void
report_unfit(Oid relation, Oid part, int sqlstate, const char *why, const char *hint)
{
	const char *name = relation_name(relation);
	const char *of = relation_name(part);

	ereport(ERROR,
			(errcode(sqlstate), errmsg("relation %s cannot serve as dimension or taxonomy", name),
			 errdetail("Relation %s %s.", of, why), errhint("%s", hint)));
}

static void
check_part(Oid relation, Relation part)
{
	char kind = part->rd_rel->relkind;

	if ((kind == RELKIND_VIEW || kind == RELKIND_FOREIGN_TABLE) &&
		part->rd_rel->relowner != GetUserId())
		report_unfit(relation, RelationGetRelid(part), ERRCODE_INSUFFICIENT_PRIVILEGE,
					 psprintf(kind == RELKIND_VIEW
								  ? _("is a view of \"%s\", whose code would run as \"%s\"")
								  : _("is a foreign table of \"%s\", which would be "
									  "fetched as \"%s\""),
							  GetUserNameFromId(part->rd_rel->relowner, false),
							  GetUserNameFromId(GetUserId(), false)),
					 _("Copy it into a table or a materialized view, and declare that."));
	if (part->rd_rel->relowner != GetUserId() && stored_code_any(part))
		report_unfit(relation, RelationGetRelid(part), ERRCODE_INSUFFICIENT_PRIVILEGE,
					 psprintf(_("has an index, statistics or a partition key with functions that "
								"are not PostgreSQL's own, which would run as \"%s\""),
							  GetUserNameFromId(GetUserId(), false)),
					 _("Drop these, or copy it into a table and declare that."));
	if (part->rd_rel->relrowsecurity)
		report_unfit(relation, RelationGetRelid(part), ERRCODE_INVALID_TABLE_DEFINITION,
					 _("has row security, whose policies are its owner's code"),
					 _("Grant SELECT on it to those who may read all of it, and disable row "
					   "security."));
}

void
dimension_source_check(Oid relation)
{
	ListCell *cell;

	/* A missing relation or part is reported when it is opened. */
	if (!relation_name_lock(relation, AccessShareLock))
		return;
	foreach (cell, find_all_inheritors(relation, AccessShareLock, NULL))
	{
		Relation part = try_relation_open(lfirst_oid(cell), NoLock);

		if (part == NULL)
			continue;
		check_part(relation, part);
		relation_close(part, NoLock);
	}
}

Description *
dimension_source_load(Oid dimension, const DescribedAttribute *attribute, int levels)
{
	Description *table = description_load_columns(dimension);
	const DescribedAttribute *ground = table->attributes;
	Oid target = attribute->type;
	Oid source;

	dimension_source_check(dimension);
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
