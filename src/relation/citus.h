/*
 * citus.h
 *		What Citus says of a relation, where it is installed: its catalogs are asked as tables
 *		of pg_catalog, which everybody may read.
 */
#ifndef KANON_CITUS_H
#define KANON_CITUS_H

#include "postgres.h"

/* Citus drops tables and makes them anew, with all that depends on them. */
extern bool citus_is_installed(void);

/*
 * Are the rows of this table spread over workers?  Not those of reference tables, of which each
 * node has a copy.  Within a query scope.
 */
extern bool citus_distributes(Oid relation);

/*
 * Is it a shard, as workers see the rows of a distributed table?  Declarations are of that
 * table, on the coordinator.  Within a query scope.
 */
extern bool citus_is_shard(Oid relation);

#endif /* KANON_CITUS_H */
