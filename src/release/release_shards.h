/*
 * release_shards.h
 *		Releases that are stored as distributed tables of Citus.
 *
 * Such a release is a partitioned table with one partition, of all rows: a filling makes another
 * partition, and they change places.  So the release stays the same object, with its grants,
 * comments, policies and views, and nobody reads half of it: whoever reads it has locked it on the
 * coordinator.  Behind the columns of its query it has one that says on which shard a row lies,
 * its part.  Equal cells are in one part, so a class is never divided.
 *
 * Its text lies in a query view, like that of any release in a table (release_table.h).  Citus
 * allows no triggers, so nobody, not even its owner, keeps the right to write it.  As with
 * triggers, the owner can take the right back; the next filling replaces what he writes.
 *
 * Call all of these within a query scope, as the release's owner.
 */
#ifndef KANON_RELEASE_SHARDS_H
#define KANON_RELEASE_SHARDS_H

#include "postgres.h"

#include "matview/successor.h"
#include "release/release_catalog.h"
#include "release/release_request.h"

/*
 * Makes the table for a query view, without a partition.  ERRCODE_FEATURE_NOT_SUPPORTED if Citus is
 * not installed; errors of create_distributed_table.
 */
extern Oid release_shards_create(const ReleaseName *table, Oid query);

/* Takes the right to write the release from everybody who was given it. */
extern void release_shards_close(Oid release);

/*
 * A partition for the release with the rows of "contents", a successor of its query view.  Its
 * indexes are built while rows come in.  Errors of Citus, among them those of lost workers.
 */
extern Oid release_shards_fill(const ReleaseEntry *entry, const Successor *contents);

/*
 * The same by the workers alone, if the release is of a distributed table without row security, so
 * that no code runs but kanon's, PostgreSQL's, and that of dimensions; and is made node by node
 * (release_nodes.h), or by levels and demands nothing but k: then they generalize their rows, set
 * them apart by part and leave out small classes.  No row comes here, unless Citus needs that to
 * choose spellings of equal values.  Returns InvalidOid if the release is not like that.  "query":
 * its text. Rows may be read in a snapshot of each worker; classes are those of the rows that were
 * read.
 */
extern Oid release_shards_fill_there(const ReleaseEntry *entry, const Query *query,
									 ReleaseFigures *figures);

/*
 * The digest of a release, or of a partition for it, without the column of parts.  As
 * content_tally_digest_of; rows are read on the workers.
 */
extern char *release_shards_digest(const ReleaseEntry *entry, Oid contents);

/*
 * Gives the release this partition and drops the one that it had.  The caller holds
 * AccessExclusiveLock on it and should commit soon.  ERRCODE_OBJECT_IN_USE if this session is
 * reading it.
 */
extern void release_shards_swap(Oid release, Oid filled);

#endif /* KANON_RELEASE_SHARDS_H */
