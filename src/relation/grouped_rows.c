/*
 * grouped_rows.c
 *		See grouped_rows.h.
 *
 * Example: patients(age, zip), partitioned into north, local, and south on a foreign server:
 *
 *	(WITH parts AS MATERIALIZED (
 *	 SELECT s.age, s.zip, 0::int8 AS n FROM public.patients s WHERE false
 *	 UNION ALL SELECT s.age, s.zip, count(*) FROM ONLY public.north s GROUP BY s.age, s.zip
 *	 UNION ALL SELECT s.age, s.zip, count('part public.south on server atlas')
 *	 FROM ONLY public.south s GROUP BY s.age, s.zip) SELECT * FROM parts)
 *
 * The first SELECT has no rows and costs nothing; it checks the privileges on patients.
 * MATERIALIZED: a join or grouping on top would prevent pushing down GROUP BY and running the
 * foreign servers in parallel.
 *
 * Measured, with shards and coordinator on the same two processors: grouping rows that hardly
 * repeat took three times as long as fetching them; with 20 rows a group it was faster.
 */
#include "postgres.h"

#include "relation/grouped_rows.h"

#include "access/transam.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "foreign/foreign.h"
#include "lib/stringinfo.h"
#include "relation/citus.h"
#include "sql/comparison.h"
#include "sql/name_array.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "sql/row_query.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#define LEAST_ROWS 200000 /* rows of a partition that is worth a sample */
#define SAMPLE_ROWS 10000
#define ROWS_PER_GROUP 4 /* with fewer, rows travel */

/* May the current user read all rows of these relations, by name, in these columns? */
static bool
may_read(const List *relations, const Description *description, const Bitmapset *columns)
{
	List *names = NIL;

	for (int i = 0; i < description->attribute_count; i++)
		if (bms_is_member(description->attributes[i].number, columns))
			names = lappend(names, unconstify(char *, description->attributes[i].name));
	query_run_with("SELECT 1 FROM pg_class c WHERE c.oid = ANY ($1) AND (row_security_active(c.oid)"
				   " OR NOT has_schema_privilege(c.relnamespace, 'USAGE')"
				   " OR NOT has_any_column_privilege(c.oid, 'SELECT') OR EXISTS"
				   " (SELECT 1 FROM unnest($2) AS name"
				   " WHERE NOT has_column_privilege(c.oid, name::text, 'SELECT'))) LIMIT 1",
				   QUERY_READ, "ON", oid_array_of(OIDOID, relations), name_array_of(names));
	return query_rows() == 0;
}

/*
 * The relations that hold the rows if some are on a foreign server and all can be read by name;
 * otherwise NIL.
 */
static List *
foreign_parts(const Description *description, const Bitmapset *columns)
{
	List *relations;
	List *parts = NIL;
	bool foreign = false;
	ListCell *cell;

	/* A view that was read since the description was made may have dropped it. */
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

static bool
is_exact(const DescribedAttribute *attribute)
{
	return comparison_is_exact(attribute->type, attribute->typmod, attribute->collation);
}

/* The type's binary send function, if foreign servers have it and may run it. */
static Oid
binary_form(Oid type)
{
	Oid function;
	bool varlena;

	getTypeBinaryOutputInfo(getBaseType(type), &function, &varlena);
	return function < FirstGenbkiObjectId && func_volatile(function) == PROVOLATILE_IMMUTABLE
			   ? function
			   : InvalidOid;
}

static bool
can_tell_apart(const Description *description, const Bitmapset *columns)
{
	for (int i = 0; i < description->attribute_count; i++)
	{
		const DescribedAttribute *attribute = &description->attributes[i];

		if (bms_is_member(attribute->number, columns) && !is_exact(attribute) &&
			!OidIsValid(binary_form(attribute->type)))
			return false;
	}
	return true;
}

/* The column list; "written": with the spelling of values, to group rows by it. */
static char *
column_list(const Description *description, const Bitmapset *columns, bool written)
{
	StringInfoData list;

	initStringInfo(&list);
	for (int i = 0; i < description->attribute_count; i++)
	{
		const DescribedAttribute *attribute = &description->attributes[i];
		const char *name = quote_identifier(attribute->name);

		if (!bms_is_member(attribute->number, columns))
			continue;
		appendStringInfo(&list, "%ss.%s", list.len > 0 ? ", " : "", name);
		if (written && !is_exact(attribute))
			appendStringInfo(&list, ", pg_catalog.%s(s.%s)",
							 get_func_name(binary_form(attribute->type)), name);
	}
	return list.data;
}

/* The name of the count column: n, or n_, .. if a column has that name. */
static const char *
count_name(const Description *description)
{
	const char *name = "n";

	while (description_find(description, name))
		name = psprintf("%s_", name);
	return name;
}

/* SQL that counts the rows of a part; for a foreign one, of a literal, which is never NULL. */
static const char *
part_count(Oid part)
{
	const char *server;

	if (get_rel_relkind(part) != RELKIND_FOREIGN_TABLE)
		return "count(*)";
	server = GetForeignServer(GetForeignTable(part)->serverid)->servername;
	return psprintf("count(%s)",
					quote_literal_cstr(psprintf(QUERY_PART "%s on server %s", relation_name(part),
												quote_identifier(server))));
}

/*
 * Do rows repeat?  A sample of the largest part, according to ANALYZE, has n rows in d groups, f of
 * them with one row.  Then N rows have about n d / (n - f + f n / N) groups (Haas, Stokes 1998).
 */
static bool
rows_repeat(const Description *description, const Bitmapset *columns, const List *parts)
{
	const char *list = column_list(description, columns, false);
	const char *name;
	double rows;
	double sample;
	double singles;
	Oid part;
	bool isnull;

	query_run_with("SELECT c.oid, c.reltuples::int8 FROM pg_class c WHERE c.oid = ANY ($1)"
				   " AND c.relkind = 'f' ORDER BY c.reltuples DESC, c.oid LIMIT 1",
				   QUERY_READ, "O", oid_array_of(OIDOID, parts));
	part = DatumGetObjectId(query_value(0, 1, &isnull));
	rows = query_int8(0, 2);
	name = relation_name(part);
	if (rows < 0)
	{
		query_run(psprintf("SELECT %s FROM ONLY %s s", part_count(part), name), true);
		rows = query_int8(0, 1);
	}
	if (rows < LEAST_ROWS)
		return true;
	query_run(
		psprintf("SELECT coalesce(sum(g.n), 0)::int8, count(*), count(*) FILTER (WHERE g.n = 1)"
				 " FROM (SELECT count(*) AS n FROM (SELECT %s FROM ONLY %s s LIMIT %d) s"
				 " GROUP BY %s) g",
				 list, name, SAMPLE_ROWS, list),
		true);
	sample = query_int8(0, 1);
	singles = query_int8(0, 3);
	return ROWS_PER_GROUP * sample * query_int8(0, 2) <=
		   rows * (sample - singles + singles * sample / rows);
}

static GroupedRows
group_parts(const Description *description, const Bitmapset *columns, const List *parts,
			GroupedFor use, const DescribedAttribute *more)
{
	const char *list = column_list(description, columns, false);
	const char *group = column_list(description, columns, use == GROUPED_FOR_ROWS);
	const char *comma = *list ? ", " : "";
	const char *count = count_name(description);
	const char *only = "";
	const char *name = more ? quote_identifier(more->name) : NULL;
	const char *least = more ? psprintf("min(s.%s) AS %s, ", name, name) : "";
	StringInfoData sql;
	ListCell *cell;

	initStringInfo(&sql);
	appendStringInfoString(&sql, "(WITH parts AS MATERIALIZED (");
	if (list_length(parts) != 1 || linitial_oid(parts) != description->relation)
	{
		only = "ONLY ";
		appendStringInfo(&sql, "SELECT %s%s%s0::int8 AS %s FROM %s s WHERE false UNION ALL ", list,
						 comma, more ? psprintf("s.%s, ", name) : "", count, description->name);
	}
	foreach (cell, parts)
		appendStringInfo(&sql, "%sSELECT %s%s%s%s AS %s FROM %s%s s%s%s",
						 foreach_current_index(cell) > 0 ? " UNION ALL " : "", list, comma, least,
						 part_count(lfirst_oid(cell)), count, only, relation_name(lfirst_oid(cell)),
						 *list ? " GROUP BY " : "", group);
	appendStringInfoString(&sql, ") SELECT * FROM parts)");
	return (GroupedRows){.relation = sql.data,
						 .members = psprintf("s.%s", count),
						 .count = psprintf("sum(s.%s)::int8", count),
						 .elsewhere = true};
}

GroupedRows
grouped_rows_with(const Description *description, const Bitmapset *columns, GroupedFor use,
				  const DescribedAttribute *more)
{
	List *parts = foreign_parts(description,
								more ? bms_add_member(bms_copy(columns), more->number) : columns);
	bool distributed = parts == NIL && citus_distributes(description->relation);

	if (parts && use != GROUPED_ALWAYS && columns && !rows_repeat(description, columns, parts))
		parts = NIL;
	if (distributed && (use == GROUPED_FOR_SETS || use == GROUPED_FOR_ROWS))
		parts = list_make1_oid(description->relation);
	if (parts && (use != GROUPED_FOR_ROWS || can_tell_apart(description, columns)))
		return group_parts(description, columns, parts, use, more);
	return (GroupedRows){
		.relation = description->name, .count = "count(*)", .elsewhere = distributed};
}

GroupedRows
grouped_rows(const Description *description, const Bitmapset *columns, GroupedFor use)
{
	return grouped_rows_with(description, columns, use, NULL);
}

const char *
grouped_rows_count_if(const GroupedRows *rows, const char *condition)
{
	return rows->members
			   ? psprintf("coalesce(sum(%s) FILTER (WHERE %s), 0)::int8", rows->members, condition)
			   : psprintf("count(*) FILTER (WHERE %s)", condition);
}

const char *
grouped_rows_members(const GroupedRows *rows, const DescribedAttribute *person)
{
	return person ? psprintf("count(DISTINCT s.%s)", quote_identifier(person->name)) : rows->count;
}

RowSource *
grouped_rows_select(const GroupedRows *rows, DescribedAttribute *const *attribute, int count,
					const char *more, bool grouped)
{
	Oid *types = palloc(sizeof(Oid) * (count + 1));
	const char *counts = grouped ? rows->count : rows->members;
	const char *columns = description_list(attribute, count);
	StringInfoData sql;

	for (int i = 0; i < count; i++)
		types[i] = attribute[i]->type;
	types[count] = TEXTOID;
	initStringInfo(&sql);
	appendStringInfo(&sql, "SELECT %s", columns);
	if (more)
		appendStringInfo(&sql, ", %s", more);
	if (counts)
		appendStringInfo(&sql, ", %s", counts);
	appendStringInfo(&sql, " FROM %s s", rows->relation);
	if (grouped)
		appendStringInfo(&sql, " GROUP BY %s", columns);
	return row_query_create(sql.data, types, count + (more ? 1 : 0), counts != NULL);
}

RowSource *
grouped_rows_source(const Description *description, const Bitmapset *numbers)
{
	DescribedAttribute **attribute =
		palloc(sizeof(DescribedAttribute *) * description->attribute_count);
	GroupedRows rows = grouped_rows(description, numbers, GROUPED_FOR_ROWS);
	int count = 0;

	for (int i = 0; i < description->attribute_count; i++)
		if (bms_is_member(description->attributes[i].number, numbers))
			attribute[count++] = &description->attributes[i];
	return grouped_rows_select(&rows, attribute, count, NULL, false);
}
