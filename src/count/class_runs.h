/*
 * class_runs.h
 *		The sizes of the equivalence classes of a release, whose rows are stored class by class.
 */
#ifndef KANON_CLASS_RUNS_H
#define KANON_CLASS_RUNS_H

#include "postgres.h"

#include "count/class_query.h"
#include "nodes/pg_list.h"

/*
 * Tallies the classes of a relation (qualified and quoted) by these columns (quoted C strings;
 * none: all rows are one class); classes below k are small.  Runs as the current user: read_only in
 * the caller's snapshot, otherwise in that of the calling statement plus the changes of this
 * transaction.  Rows of a class are equal byte by byte.  Classes are distinguished by 128 bits of
 * hash.  Call within a query scope.  Bounded by the memory limit; spills to disk.
 */
extern ClassTally class_runs_tally(const char *relation, const List *columns, int k,
								   bool read_only);

#endif /* KANON_CLASS_RUNS_H */
