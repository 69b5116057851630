/*
 * citus.h
 *		What Citus knows of a relation, if it is installed.  Its catalogs are tables of pg_catalog,
 *		which everybody may read.
 */
#ifndef KANON_CITUS_H
#define KANON_CITUS_H

#include "postgres.h"

#include "access/tupdesc.h"
#include "nodes/pg_list.h"

/* Is Citus installed?  It drops and recreates tables together with all that depends on them. */
extern bool citus_is_installed(void);

/*
 * Are the rows of this table, or of a table that this view reads, spread over workers?  False for
 * reference tables, which every node has a copy of, and for tables of one shard.  Call within a
 * query scope.
 */
extern bool citus_distributes(Oid relation);

/*
 * The column whose hash says in which shard a row is; NULL: there is none.  Palloc'd; call within a
 * query scope.
 */
extern char *citus_distribution_column(Oid table);

/* Does Citus keep this table's rows, in shards of whatever number?  Call within a query scope. */
extern bool citus_keeps(Oid table);

/*
 * Is it a shard, as workers see a distributed table?  Its declarations are on the coordinator.
 * Call within a query scope.
 */
extern bool citus_is_shard(Oid relation);

/* The table of a shard; the only shard of a table, if it is on this node, or InvalidOid. */
extern Oid citus_table_of(Oid shard);
extern Oid citus_local_shard(Oid table);

/*
 * Is what was declared of this relation on another node?  True for shards and, on workers, for all
 * tables and views that came from the coordinator.  Call within a query scope.
 */
extern bool citus_keeps_elsewhere(Oid relation);

/*
 * Did Citus write the statement with this range table, which reads shards or what it got from them?
 * Then rows of a view are records without a type.  Call within a query scope.
 */
extern bool citus_wrote(const List *tables);

/*
 * The name of a view that reads the table of one of these shards and has columns of the types of
 * these fields; NULL: there is none.  Citus may send rows of such a view as ROW(..).  In the
 * current context; call within a query scope.
 */
extern char *citus_similar_view(const List *tables, TupleDesc fields);

/*
 * Lets the query scope's statements read distributed tables, although a statement on a shard calls.
 * They must read nothing that the calling statement writes.
 */
extern void citus_allow_nested(void);

/* Lets the query scope's statements see shards in pg_class, from which Citus hides them. */
extern void citus_show_shards(void);

/* Is this node of Citus a worker, which lacks kanon's entries?  Call within a query scope. */
extern bool citus_is_worker(void);

/*
 * Between these two a release is filled.  An error about a missing table gets a hint: where Citus
 * lets a worker fill it, the dimensions must be there.  "place" is the caller's until the end, or
 * until an error.
 */
extern void citus_hints_begin(ErrorContextCallback *place);
extern void citus_hints_end(const ErrorContextCallback *place);

#endif /* KANON_CITUS_H */
