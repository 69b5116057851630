/*
 * class_runs.h
 *		Sizes of the equivalence classes of a release, whose rows lie class by class.
 */
#ifndef KANON_CLASS_RUNS_H
#define KANON_CLASS_RUNS_H

#include "postgres.h"

#include "count/class_query.h"
#include "nodes/pg_list.h"

/*
 * Tallies the classes of a relation (qualified and quoted) under columns (quoted C strings; none:
 * all rows are one class), small below k, as the current user: in the caller's snapshot, or in that
 * of the calling statement, which also sees what this transaction has done.  Rows of a class are
 * equal byte by byte.  Classes are told apart by 128 bits of hash.  Within a query scope, and the
 * memory limit: over disk where that has no room for all classes.
 */
extern ClassTally class_runs_tally(const char *relation, const List *columns, int k,
								   bool read_only);

#endif /* KANON_CLASS_RUNS_H */
