/*
 * successor.h
 *		New contents for a materialized view, filled beside the old ones and put in their place in
 *		one moment.
 *
 * REFRESH keeps readers out from its first moment to its last.  REFRESH CONCURRENTLY needs a
 * unique index and leaves what was there in place, so that new rows are those behind it.  Here the
 * contents are filled into a table of their own, as REFRESH does, while the view can be read: in
 * the order of its text, which knows nothing of the old ones.  Its indexes are built there, too.
 * Then the files are exchanged, all at once: the OID stays, and with it grants, dependent views,
 * comments and what else names the view or its indexes.
 *
 * A transaction that is undone, or a crash, leaves the old contents.
 */
#ifndef KANON_SUCCESSOR_H
#define KANON_SUCCESSOR_H

#include "postgres.h"

#include "nodes/parsenodes.h"
#include "utils/relcache.h"

typedef struct Successor
{
	Relation view; /* open */
	Oid table;     /* of the same columns and owner, in its schema; nobody else sees it */
	uint64 rows;
	List *indexes; /* OIDs of its indexes, in the order of the view's */
} Successor;

/*
 * Fills a successor of the view by "query", or by the view's own where it is NULL, in the active
 * snapshot.  The view is locked with ExclusiveLock at least.  Runs as the current user: be the
 * view's owner.  Cost: that of the query, and of the indexes.  Errors: those of the query and of
 * unique indexes; ERRCODE_OBJECT_IN_USE if this session itself is reading the view.
 */
extern Successor successor_fill(Oid view, Query *query);

/*
 * Gives the view the successor's contents, and the successor up.  The caller has
 * AccessExclusiveLock on the view, which should end soon: readers wait from now on.  Cost: some
 * rows of catalogs for each index.
 */
extern void successor_swap(Successor *successor);

#endif /* KANON_SUCCESSOR_H */
