/*
 * citus.h
 *		What Citus knows of a relation, if it is installed.  Its catalogs are tables of pg_catalog,
 *		which everybody may read.
 */
#ifndef KANON_CITUS_H
#define KANON_CITUS_H

#include "postgres.h"

/* Is Citus installed?  It drops and recreates tables together with all that depends on them. */
extern bool citus_is_installed(void);

/*
 * Are the rows of this table spread over workers?  False for reference tables, which every node has
 * a copy of.  Call within a query scope.
 */
extern bool citus_distributes(Oid relation);

/*
 * Is it a shard, as workers see a distributed table?  Its declarations are on the coordinator.
 * Call within a query scope.
 */
extern bool citus_is_shard(Oid relation);

#endif /* KANON_CITUS_H */
