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
 * Tallies the classes, none of them small, of a relation (qualified and quoted) under columns
 * (quoted C strings; none: all rows are one class), as the current user, in the snapshot of the
 * calling statement, which also sees what this transaction has done.  Classes are
 * told apart by 128 bits of hash.  Within a query scope; 24 bytes and more a class
 * within the memory limit, else slower.
 */
extern ClassTally class_runs_tally(const char *relation, const List *columns);

#endif /* KANON_CLASS_RUNS_H */
