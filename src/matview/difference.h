/*
 * difference.h
 *		New contents for a table: writes only the rows by which they differ from the old ones, so
 *		that logical replication sends these and nothing else.
 *
 * Contents are multisets of rows, compared byte by byte.  Of rows that come or go the order, in the
 * table as well as in what is sent, follows from the rows alone: those that go, by a digest of the
 * row, then those that come, in the order of the successor.  So where a row lies, and which
 * transaction wrote it, tell no more than all the contents that the table ever had; but they tell
 * that to somebody who has seen none of them.
 *
 * No statement writes the rows: triggers that refuse all writes stay in force for everybody else,
 * for functions that run meanwhile too.
 */
#ifndef KANON_DIFFERENCE_H
#define KANON_DIFFERENCE_H

#include "postgres.h"

#include "matview/successor.h"

/*
 * Gives the table the contents of the successor, filled to be compared, and drops the successor.
 * Call it as the table's owner, with at least ExclusiveLock; readers go on, and see the old
 * contents until the transaction ends.  Rows are written past triggers; indexes are kept, unless
 * they are of deferrable constraints, which the caller refuses.
 *
 * Cost: both read once; runs of equal rows sorted by digest, within kanon.memory_limit or in a
 * temporary file; each row of the difference written, indexed and logged.  Nothing is written if
 * there is none.
 *
 * Errors: ERRCODE_UNDEFINED_FUNCTION if deletions are published and subscribers could not find the
 * rows, because values of a column have no equality; ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE if
 * they are published without a replica identity; those of unique indexes; those of successor_swap.
 */
extern bool difference_write(Successor *successor);

#endif /* KANON_DIFFERENCE_H */
