/*
 * grouped_rows.c
 *		See grouped_rows.h.
 *
 * Example: patients(age, zip), partitioned into north, here, and south on a foreign server:
 *
 *	(WITH parts AS MATERIALIZED (
 *	 SELECT s.age, s.zip, 0::int8 AS n FROM public.patients s WHERE false
 *	 UNION ALL
 *	 SELECT s.age, s.zip, count(*) FROM ONLY public.north s GROUP BY s.age, s.zip
 *	 UNION ALL
 *	 SELECT s.age, s.zip, count(*) FROM ONLY public.south s GROUP BY s.age, s.zip)
 *	 SELECT * FROM parts)
 *
 * The first of these has no rows and costs nothing: it asks for the privileges of patients.
 * MATERIALIZED: what is joined or grouped on top would keep GROUP BY from being pushed down, and
 * foreign servers from working at the same time.
 */
#include "postgres.h"

#include "relation/grouped_rows.h"

#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "relation/citus.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

/* May the current user read these columns of the relations by their names, all rows of them? */
static bool
may_read(const List *relations, const Description *description, const Bitmapset *columns)
{
	const Oid types[] = {OIDARRAYOID, NAMEARRAYOID};
	Datum *oids = palloc(sizeof(Datum) * list_length(relations));
	Datum *names = palloc(sizeof(Datum) * description->attribute_count);
	Datum values[2];
	int count = 0;
	ListCell *cell;

	foreach (cell, relations)
		oids[foreach_current_index(cell)] = ObjectIdGetDatum(lfirst_oid(cell));
	for (int i = 0; i < description->attribute_count; i++)
		if (bms_is_member(description->attributes[i].number, columns))
			names[count++] =
				DirectFunctionCall1(namein, CStringGetDatum(description->attributes[i].name));
	values[0] = PointerGetDatum(
		construct_array(oids, list_length(relations), OIDOID, sizeof(Oid), true, TYPALIGN_INT));
	values[1] =
		PointerGetDatum(construct_array(names, count, NAMEOID, NAMEDATALEN, false, TYPALIGN_CHAR));
	query_run_with("SELECT 1 FROM pg_class c WHERE c.oid = ANY ($1) AND (row_security_active(c.oid)"
				   " OR NOT has_schema_privilege(c.relnamespace, 'USAGE')"
				   " OR NOT has_any_column_privilege(c.oid, 'SELECT') OR EXISTS"
				   " (SELECT 1 FROM unnest($2) AS name"
				   " WHERE NOT has_column_privilege(c.oid, name::text, 'SELECT'))) LIMIT 1",
				   lengthof(types), types, values, NULL, true);
	return query_rows() == 0;
}

/*
 * What holds the rows of a relation of which some are on a foreign server, if they can be read
 * by name; otherwise NIL.
 */
static List *
foreign_parts(const Description *description, const Bitmapset *columns)
{
	List *relations;
	List *parts = NIL;
	bool foreign = false;
	ListCell *cell;

	/* A view that was read since it was described may have dropped it. */
	if (!relation_name_lock(description->relation, AccessShareLock))
		description_report_change(description);
	relations = find_all_inheritors(description->relation, AccessShareLock, NULL);
	foreach (cell, relations)
	{
		char kind = get_rel_relkind(lfirst_oid(cell));

		foreign = foreign || kind == RELKIND_FOREIGN_TABLE;
		if (kind != RELKIND_PARTITIONED_TABLE)
			parts = lappend_oid(parts, lfirst_oid(cell));
	}
	if (!foreign || !may_read(list_append_unique_oid(list_copy(parts), description->relation),
							  description, columns))
		return NIL;
	return parts;
}

static char *
column_list(const Description *description, const Bitmapset *columns)
{
	StringInfoData list;

	initStringInfo(&list);
	for (int i = 0; i < description->attribute_count; i++)
		if (bms_is_member(description->attributes[i].number, columns))
			appendStringInfo(&list, "%ss.%s", list.len > 0 ? ", " : "",
							 quote_identifier(description->attributes[i].name));
	return list.data;
}

/* What counts in a group is called n, or n_, .. if a column is. */
static const char *
count_name(const Description *description)
{
	const char *name = "n";

	while (description_find(description, name))
		name = psprintf("%s_", name);
	return name;
}

static GroupedRows
group_parts(const Description *description, const Bitmapset *columns, const List *parts)
{
	const char *list = column_list(description, columns);
	const char *comma = *list ? ", " : "";
	const char *count = count_name(description);
	const char *only = "";
	StringInfoData sql;
	ListCell *cell;

	initStringInfo(&sql);
	appendStringInfoString(&sql, "(WITH parts AS MATERIALIZED (");
	if (list_length(parts) != 1 || linitial_oid(parts) != description->relation)
	{
		only = "ONLY ";
		appendStringInfo(&sql, "SELECT %s%s0::int8 AS %s FROM %s s WHERE false UNION ALL ", list,
						 comma, count, description->name);
	}
	foreach (cell, parts)
		appendStringInfo(&sql, "%sSELECT %s%scount(*) AS %s FROM %s%s s%s%s",
						 foreach_current_index(cell) > 0 ? " UNION ALL " : "", list, comma, count,
						 only, relation_name(lfirst_oid(cell)), *list ? " GROUP BY " : "", list);
	appendStringInfoString(&sql, ") SELECT * FROM parts)");
	return (GroupedRows){
		.relation = sql.data, .count = psprintf("sum(s.%s)::int8", count), .elsewhere = true};
}

/* sets: for GROUPING SETS. */
static GroupedRows
group_rows(const Description *description, const Bitmapset *columns, bool sets)
{
	List *parts = foreign_parts(description, columns);
	bool distributed = parts == NIL && citus_distributes(description->relation);

	if (distributed && sets)
		parts = list_make1_oid(description->relation);
	if (parts)
		return group_parts(description, columns, parts);
	return (GroupedRows){
		.relation = description->name, .count = "count(*)", .elsewhere = distributed};
}

GroupedRows
grouped_rows(const Description *description, const Bitmapset *columns)
{
	return group_rows(description, columns, false);
}

GroupedRows
grouped_rows_for_sets(const Description *description, const Bitmapset *columns)
{
	return group_rows(description, columns, true);
}

Bitmapset *
grouped_rows_quasi(const Description *description)
{
	Bitmapset *columns = NULL;

	for (int i = 0; i < description->quasi_count; i++)
		columns = bms_add_member(columns, description->attributes[description->quasi[i]].number);
	return columns;
}

const char *
grouped_rows_members(const GroupedRows *rows, const DescribedAttribute *person)
{
	return person ? psprintf("count(DISTINCT s.%s)", quote_identifier(person->name)) : rows->count;
}
