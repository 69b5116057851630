/*
 * citus.c
 *		See citus.h.
 */
#include "postgres.h"

#include "relation/citus.h"

#include "catalog/pg_namespace_d.h"
#include "sql/query.h"
#include "utils/lsyscache.h"

#define DISTRIBUTED "pg_dist_partition"

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
	return has_row(DISTRIBUTED, "logicalrelid = $1::oid AND partmethod <> 'n'", relation);
}

/* The name of a shard is the name of its table, possibly truncated, with _ and a number. */
bool
citus_is_shard(Oid relation)
{
	const char *name = get_rel_name(relation);
	const char *number = name ? strrchr(name, '_') : NULL;
	size_t digits = number ? strspn(++number, "0123456789") : 0;

	if (digits == 0 || digits > 18 || number[digits] != '\0')
		return false;
	return has_row("pg_dist_shard", "shardid = $1", strtoll(number, NULL, 10));
}
