/*
 * citus.c
 *		See citus.h.
 */
#include "postgres.h"

#include "relation/citus.h"

#include "base/compat.h"
#include "catalog/pg_namespace_d.h"
#include "catalog/pg_type_d.h"
#include "nodes/parsenodes.h"
#include "sql/query.h"
#include "sql/text_settings.h"
#include "utils/array.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"

#define DISTRIBUTED "pg_dist_partition"
#define NESTED "citus.allow_nested_distributed_execution"
#define HIDING "citus.override_table_visibility"

static bool
has_catalog(const char *catalog)
{
	return OidIsValid(get_relname_relid(catalog, PG_CATALOG_NAMESPACE));
}

bool
citus_is_installed(void)
{
	return has_catalog(DISTRIBUTED);
}

/* Does this catalog of Citus have a row that satisfies the condition? */
static bool
has_row(const char *catalog, const char *condition, int64 value)
{
	if (!has_catalog(catalog))
		return false;
	query_run_with(psprintf("SELECT 1 FROM pg_catalog.%s WHERE %s LIMIT 1", catalog, condition),
				   QUERY_READ, "l", value);
	return query_rows() > 0;
}

bool
citus_distributes(Oid relation)
{
	if (!citus_is_installed())
		return false;
	query_run_with("WITH RECURSIVE source (oid) AS (SELECT $1 UNION SELECT d.refobjid"
				   " FROM source s JOIN pg_class c ON c.oid = s.oid AND c.relkind = 'v'"
				   " JOIN pg_rewrite w ON w.ev_class = s.oid"
				   " JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid"
				   " AND d.refclassid = 'pg_class'::regclass)"
				   " SELECT 1 FROM source s JOIN pg_catalog." DISTRIBUTED " p"
				   " ON p.logicalrelid = s.oid AND p.partmethod <> 'n' LIMIT 1",
				   QUERY_READ, "o", relation);
	return query_rows() > 0;
}

char *
citus_distribution_column(Oid table)
{
	if (!citus_is_installed())
		return NULL;
	query_run_with("SELECT pg_catalog.column_to_column_name(p.logicalrelid, p.partkey)"
				   " FROM pg_catalog." DISTRIBUTED " p"
				   " WHERE p.logicalrelid = $1 AND p.partmethod = 'h'",
				   QUERY_READ, "o", table);
	return query_rows() > 0 ? query_text(0, 1) : NULL;
}

bool
citus_keeps(Oid table)
{
	return has_row(DISTRIBUTED, "logicalrelid = $1::oid", table);
}

/* The name of a shard is the name of its table, possibly truncated, with _ and a number; or 0. */
static int64
shard_number(Oid relation)
{
	const char *name = get_rel_name(relation);
	const char *number = name ? strrchr(name, '_') : NULL;
	size_t digits = number ? strspn(++number, "0123456789") : 0;

	return digits > 0 && digits <= 18 && number[digits] == '\0' ? strtoll(number, NULL, 10) : 0;
}

bool
citus_is_shard(Oid relation)
{
	int64 number = shard_number(relation);

	return number != 0 && has_row("pg_dist_shard", "shardid = $1", number);
}

Oid
citus_table_of(Oid shard)
{
	query_run_with("SELECT logicalrelid::oid FROM pg_catalog.pg_dist_shard WHERE shardid = $1",
				   QUERY_READ, "l", shard_number(shard));
	return query_rows() > 0 ? (Oid) query_int8(0, 1) : InvalidOid;
}

Oid
citus_local_shard(Oid table)
{
	const char *name = get_rel_name(table);

	if (name == NULL || !has_catalog("pg_dist_shard"))
		return InvalidOid;
	query_run_with("SELECT shardid FROM pg_catalog.pg_dist_shard WHERE logicalrelid = $1",
				   QUERY_READ, "o", table);
	/* By name: Citus hides shards from queries of pg_class. */
	return query_rows() == 1
			   ? get_relname_relid(psprintf("%s_" INT64_FORMAT, name, query_int8(0, 1)),
								   get_rel_namespace(table))
			   : InvalidOid;
}

/* The coordinator is node group 0. */
bool
citus_is_worker(void)
{
	return has_row("pg_dist_local_group", "groupid > $1", 0);
}

bool
citus_keeps_elsewhere(Oid relation)
{
	if (citus_is_shard(relation))
		return true;
	return citus_is_worker() &&
		   (citus_keeps(relation) ||
			has_row("pg_dist_object", "classid = 'pg_class'::regclass AND objid = $1::oid",
					relation));
}

/* A shard, or rows that Citus moved.  Plans keep the alias of a function, but not its call. */
static bool
is_handed_over(const RangeTblEntry *table)
{
	if (table->rtekind == RTE_RELATION)
		return citus_is_shard(table->relid);
	return table->rtekind == RTE_FUNCTION &&
		   strcmp(table->eref->aliasname, "intermediate_result") == 0;
}

bool
citus_wrote(const List *tables)
{
	if (!citus_is_installed())
		return false;
	foreach_ptr (const RangeTblEntry, table, tables)
		if (is_handed_over(table))
			return true;
	return false;
}

/* A view over the shard's table, also through other views, with columns of these types; or NULL. */
static char *
view_of(int64 shard, ArrayType *types)
{
	query_run_with("WITH RECURSIVE reader (oid) AS (SELECT logicalrelid::oid"
				   " FROM pg_catalog.pg_dist_shard WHERE shardid = $1"
				   " UNION SELECT w.ev_class FROM reader r JOIN pg_depend d"
				   " ON d.refclassid = 'pg_class'::regclass AND d.refobjid = r.oid"
				   " AND d.classid = 'pg_rewrite'::regclass JOIN pg_rewrite w ON w.oid = d.objid)"
				   " SELECT c.oid::regclass::text FROM reader r JOIN pg_class c USING (oid)"
				   " WHERE c.relkind = 'v' AND ARRAY(SELECT a.atttypid FROM pg_attribute a"
				   " WHERE a.attrelid = c.oid AND a.attnum > 0 ORDER BY a.attnum) = $2 LIMIT 1",
				   QUERY_READ, "lO", shard, types);
	return query_rows() > 0 ? query_text(0, 1) : NULL;
}

char *
citus_similar_view(const List *tables, TupleDesc fields)
{
	Datum *types = palloc(sizeof(Datum) * Max(fields->natts, 1));
	char *view = NULL;
	ArrayType *array;

	for (int i = 0; i < fields->natts; i++)
		types[i] = ObjectIdGetDatum(TupleDescAttr(fields, i)->atttypid);
	array = construct_array(types, fields->natts, OIDOID, sizeof(Oid), true, TYPALIGN_INT);
	foreach_ptr (const RangeTblEntry, table, tables)
		if (view == NULL && table->rtekind == RTE_RELATION && citus_is_shard(table->relid))
			view = view_of(shard_number(table->relid), array);
	return view;
}

/* The setting is there once the library is loaded. */
static void
pin(const char *setting, const char *value)
{
	if (GetConfigOption(setting, true, false) != NULL)
		text_settings_pin_one(setting, value);
}

void
citus_allow_nested(void)
{
	pin(NESTED, "on");
}

void
citus_show_shards(void)
{
	pin(HIDING, "off");
}

static void
hint_reference_table(void *arg pg_attribute_unused())
{
	if (geterrcode() == ERRCODE_UNDEFINED_TABLE)
		errhint("If Citus lets a worker fill the release, because all rows lie there, its "
				"dimensions must be on all workers: call create_reference_table for them.");
}

void
citus_hints_begin(ErrorContextCallback *place)
{
	*place =
		(ErrorContextCallback){.previous = error_context_stack, .callback = hint_reference_table};
	if (citus_is_installed())
		error_context_stack = place;
}

void
citus_hints_end(const ErrorContextCallback *place)
{
	error_context_stack = place->previous;
}
