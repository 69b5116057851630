/*
 * view_traits.c
 *		See view_traits.h.
 *
 * Grants are copied in the catalogs, because GRANT cannot repeat what others granted with their
 * grant options.  Everything else is SQL.
 */
#include "postgres.h"

#include "matview/view_traits.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/dependency.h"
#include "catalog/indexing.h"
#include "catalog/pg_attribute.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "sql/query.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/ruleutils.h"
#include "utils/syscache.h"

/* o, h: the same column in the view ($1) and in its heir ($2). */
#define SAME_COLUMNS                                                                               \
	"pg_attribute o JOIN pg_attribute h ON h.attrelid = $2 AND h.attname = o.attname"              \
	" WHERE o.attrelid = $1 AND o.attnum > 0"

/*
 * True if the object with this catalog and OID needs a column that the heir lacks or has with
 * another type.
 */
#define NEEDS_OTHERS(catalog, object)                                                              \
	"EXISTS (SELECT 1 FROM pg_depend d JOIN pg_attribute o"                                        \
	" ON o.attrelid = d.refobjid AND o.attnum = d.refobjsubid"                                     \
	" LEFT JOIN pg_attribute h ON h.attrelid = $2 AND h.attname = o.attname"                       \
	" AND h.atttypid = o.atttypid WHERE d.classid = '" catalog "'::regclass AND d.objid = " object \
	" AND d.refclassid = 'pg_class'::regclass AND d.refobjid = $1 AND d.refobjsubid > 0"           \
	" AND h.attname IS NULL)"

/*
 * The options set for a column.  Recent minor releases of PostgreSQL keep an option of their own
 * there.
 */
#define COLUMN_OPTIONS                                                                             \
	"(SELECT string_agg(p, ', ') FROM unnest(attoptions) p WHERE p NOT LIKE 'pg\\_%')"

/* The first column of a query about both relations; in the current context. */
static List *
texts_of(const char *sql, Oid view, Oid heir, const char *name)
{
	List *texts = NIL;

	query_run_with(sql, QUERY_LATEST, "oot", view, heir, name);
	for (uint64 row = 0; row < query_rows(); row++)
		texts = lappend(texts, pstrdup(query_text(row, 1)));
	return texts;
}

const char *
view_traits_storage(Oid view)
{
	return linitial(
		texts_of("SELECT concat(' USING ' || quote_ident(a.amname),"
				 " (SELECT format(' WITH (%s)', string_agg(format('%s%I=%L', x.space,"
				 " split_part(o, '=', 1), substr(o, strpos(o, '=') + 1)), ', '))"
				 " FROM (VALUES ('', c.reloptions), ('toast.', t.reloptions)) x (space, options),"
				 " unnest(x.options) o HAVING count(*) > 0),"
				 " ' TABLESPACE ' || quote_ident(s.spcname))"
				 " FROM pg_class c LEFT JOIN pg_am a ON a.oid = c.relam"
				 " LEFT JOIN pg_class t ON t.oid = c.reltoastrelid"
				 " LEFT JOIN pg_tablespace s ON s.oid = c.reltablespace WHERE c.oid = $1",
				 view, InvalidOid, NULL));
}

/* Replaces the privileges of "to" by those of "from", a tuple of the same catalog. */
static void
copy_privileges(Relation catalog, HeapTuple from, HeapTuple to, AttrNumber field, Oid heir,
				AttrNumber column, Oid owner)
{
	TupleDesc fields = RelationGetDescr(catalog);
	bool is_null;
	bool was_null;
	Datum value = heap_getattr(from, field, fields, &is_null);
	Datum before = heap_getattr(to, field, fields, &was_null);
	Datum *values = palloc0(sizeof(Datum) * fields->natts);
	bool *nulls = palloc0(sizeof(bool) * fields->natts);
	bool *replaces = palloc0(sizeof(bool) * fields->natts);
	Oid *old_members = NULL;
	Oid *new_members = NULL;
	int old_count = was_null ? 0 : aclmembers(DatumGetAclPCopy(before), &old_members);
	int new_count = is_null ? 0 : aclmembers(DatumGetAclPCopy(value), &new_members);
	HeapTuple changed;

	values[field - 1] = value;
	nulls[field - 1] = is_null;
	replaces[field - 1] = true;
	changed = heap_modify_tuple(to, fields, values, nulls, replaces);
	CatalogTupleUpdate(catalog, &changed->t_self, changed);
	updateAclDependencies(RelationRelationId, heir, column, owner, old_count, old_members,
						  new_count, new_members);
}

static void
hand_over_privileges(Oid view, Oid heir)
{
	Relation classes = table_open(RelationRelationId, RowExclusiveLock);
	Relation columns = table_open(AttributeRelationId, RowExclusiveLock);
	HeapTuple from = SearchSysCacheCopy1(RELOID, ObjectIdGetDatum(view));
	HeapTuple to = SearchSysCacheCopy1(RELOID, ObjectIdGetDatum(heir));
	Form_pg_class form = (Form_pg_class) GETSTRUCT(from);

	copy_privileges(classes, from, to, Anum_pg_class_relacl, heir, 0, form->relowner);
	for (AttrNumber i = 1; i <= form->relnatts; i++)
	{
		HeapTuple column = SearchSysCacheCopyAttNum(view, i);
		HeapTuple same = SearchSysCacheCopyAttName(
			heir, NameStr(((Form_pg_attribute) GETSTRUCT(column))->attname));

		if (same)
			copy_privileges(columns, column, same, Anum_pg_attribute_attacl, heir,
							((Form_pg_attribute) GETSTRUCT(same))->attnum, form->relowner);
	}
	table_close(columns, RowExclusiveLock);
	table_close(classes, RowExclusiveLock);
	CommandCounterIncrement();
}

static void
run_all(List *statements)
{
	ListCell *cell;

	foreach (cell, statements)
		query_run(lfirst(cell), false);
}

void
view_traits_hand_over(Oid view, Oid heir, const char *name)
{
	hand_over_privileges(view, heir);
	run_all(texts_of(
		"SELECT format('COMMENT ON MATERIALIZED VIEW %s IS %L', $3, description)"
		" FROM pg_description WHERE classoid = 'pg_class'::regclass AND objoid = $1"
		" AND objsubid = 0 AND $2 <> 0"
		" UNION ALL SELECT format('COMMENT ON COLUMN %s.%I IS %L', $3, h.attname,"
		" col_description($1, o.attnum)) FROM " SAME_COLUMNS
		" AND col_description($1, o.attnum) IS NOT NULL"
		" UNION ALL SELECT format('SECURITY LABEL FOR %I ON MATERIALIZED VIEW %s IS %L',"
		" provider, $3, label) FROM pg_seclabel"
		" WHERE classoid = 'pg_class'::regclass AND objoid = $1 AND objsubid = 0"
		" UNION ALL SELECT format('SECURITY LABEL FOR %I ON COLUMN %s.%I IS %L',"
		" l.provider, $3, h.attname, l.label) FROM pg_seclabel l, " SAME_COLUMNS
		" AND l.classoid = 'pg_class'::regclass AND l.objoid = $1 AND l.objsubid = o.attnum"
		" UNION ALL SELECT format('ALTER MATERIALIZED VIEW %s DEPENDS ON EXTENSION %I', $3,"
		" e.extname) FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid"
		" WHERE d.classid = 'pg_class'::regclass AND d.objid = $1 AND d.deptype = 'x'"
		" AND d.refclassid = 'pg_extension'::regclass",
		view, heir, name));
	run_all(texts_of(
		"SELECT format('ALTER MATERIALIZED VIEW %s ALTER COLUMN %I %s', $3, c.attname, s.setting)"
		" FROM (SELECT o.*, h.attstorage AS storage, h.attcompression AS compression,"
		" h.atttypid = o.atttypid AS alike FROM " SAME_COLUMNS ") c, LATERAL (VALUES"
		" ('SET STATISTICS ' || nullif(attstattarget, -1)),"
		" ('SET (' || " COLUMN_OPTIONS " || ')'),"
		" (CASE WHEN alike AND attstorage <> storage THEN 'SET STORAGE ' || CASE attstorage"
		" WHEN 'p' THEN 'PLAIN' WHEN 'e' THEN 'EXTERNAL' WHEN 'm' THEN 'MAIN' ELSE 'EXTENDED' END"
		" END), (CASE WHEN alike AND attcompression <> compression THEN 'SET COMPRESSION '"
		" || CASE attcompression WHEN 'l' THEN 'lz4' WHEN 'p' THEN 'pglz' ELSE 'default' END END))"
		" s (setting) WHERE s.setting IS NOT NULL",
		view, heir, name));
}

/* The OIDs and names of the indexes, or statistics, that the heir can have. */
#define KEPT_INDEXES                                                                               \
	"pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n"                       \
	" ON n.oid = c.relnamespace WHERE i.indrelid = $1 AND NOT " NEEDS_OTHERS("pg_class",           \
																			 "i.indexrelid")
#define KEPT_STATISTICS                                                                            \
	"pg_statistic_ext s JOIN pg_namespace n ON n.oid = s.stxnamespace"                             \
	" WHERE s.stxrelid = $1 AND NOT " NEEDS_OTHERS("pg_statistic_ext", "s.oid")

List *
view_traits_indexes(Oid view, Oid heir)
{
	List *statements = NIL;
	ListCell *cell;

	foreach (cell,
			 texts_of("SELECT c.oid::text FROM " KEPT_INDEXES " ORDER BY c.oid", view, heir, NULL))
		statements = lappend(statements, pg_get_indexdef_string(atooid(lfirst(cell))));
	statements = list_concat(
		statements,
		texts_of("SELECT pg_get_statisticsobjdef(s.oid) FROM " KEPT_STATISTICS, view, heir, NULL));
	return list_concat(
		statements,
		texts_of("SELECT format('COMMENT ON INDEX %I.%I IS %L', n.nspname, c.relname,"
				 " obj_description(c.oid, 'pg_class')) FROM " KEPT_INDEXES
				 " AND obj_description(c.oid, 'pg_class') IS NOT NULL"
				 " UNION ALL SELECT format('ALTER MATERIALIZED VIEW %s CLUSTER ON %I',"
				 " $1::regclass, c.relname) FROM " KEPT_INDEXES " AND i.indisclustered"
				 " UNION ALL SELECT format('ALTER INDEX %I.%I ALTER COLUMN %s SET STATISTICS %s',"
				 " e.nspname, e.relname, a.attnum, a.attstattarget)"
				 " FROM (SELECT c.oid, c.relname, n.nspname FROM " KEPT_INDEXES ") e"
				 " JOIN pg_attribute a ON a.attrelid = e.oid WHERE a.attstattarget <> -1"
				 " UNION ALL SELECT format('COMMENT ON STATISTICS %I.%I IS %L', n.nspname,"
				 " s.stxname, obj_description(s.oid, 'pg_statistic_ext')) FROM " KEPT_STATISTICS
				 " AND obj_description(s.oid, 'pg_statistic_ext') IS NOT NULL"
				 " UNION ALL SELECT format('ALTER STATISTICS %I.%I SET STATISTICS %s', n.nspname,"
				 " s.stxname, s.stxstattarget) FROM " KEPT_STATISTICS " AND s.stxstattarget <> -1",
				 view, heir, NULL));
}

List *
view_traits_lost(Oid view, Oid heir)
{
	return texts_of(
		"SELECT pg_describe_object('pg_class'::regclass, i.indexrelid, 0) FROM pg_index i"
		" WHERE i.indrelid = $1 AND " NEEDS_OTHERS(
			"pg_class",
			"i.indexrelid") " UNION ALL SELECT pg_describe_object('pg_statistic_ext'::regclass, "
							"s.oid, 0)"
							" FROM pg_statistic_ext s WHERE s.stxrelid = $1 AND " NEEDS_OTHERS(
								"pg_statistic_ext",
								"s.oid") " UNION ALL SELECT format('what belonged to column %s', "
										 "o.attname) FROM pg_attribute o"
										 " WHERE o.attrelid = $1 AND o.attnum > 0 AND NOT EXISTS "
										 "(SELECT 1 FROM pg_attribute h"
										 " WHERE h.attrelid = $2 AND h.attname = o.attname)"
										 " AND (o.attacl IS NOT NULL OR o.attstattarget <> -1"
										 " OR " COLUMN_OPTIONS " IS NOT NULL"
										 " OR col_description($1, o.attnum) IS NOT NULL OR EXISTS "
										 "(SELECT 1 FROM pg_seclabel l"
										 " WHERE l.classoid = 'pg_class'::regclass AND l.objoid = "
										 "$1 AND l.objsubid = o.attnum))",
		view, heir, NULL);
}

List *
view_traits_dependents(Oid view)
{
	return texts_of(
		"SELECT DISTINCT CASE WHEN r.ev_class IS NULL THEN pg_describe_object(d.classid, d.objid,"
		" d.objsubid) ELSE pg_describe_object('pg_class'::regclass, r.ev_class, 0) END"
		" FROM pg_depend d"
		" LEFT JOIN pg_rewrite r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid"
		" WHERE d.deptype = 'n' AND r.ev_class IS DISTINCT FROM $1"
		" AND (d.refclassid = 'pg_class'::regclass AND d.refobjid = $1"
		" OR d.refclassid = 'pg_type'::regclass AND d.refobjid IN (SELECT t.oid FROM pg_class c"
		" JOIN pg_type t ON c.reltype = t.oid OR c.reltype = t.typelem WHERE c.oid = $1))"
		" ORDER BY 1",
		view, InvalidOid, NULL);
}
