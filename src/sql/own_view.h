/*
 * own_view.h
 *		What anybody sees of kanon's own tables.
 *
 * The tables (kanon_.._state) are for nobody to read.  Views show their rows through one function:
 * no plan, statistic or condition of a query is about rows that the caller may not see.
 */
#ifndef KANON_OWN_VIEW_H
#define KANON_OWN_VIEW_H

#include "postgres.h"

#include "access/tupdesc.h"
#include "utils/tuplestore.h"

/* Raises ERRCODE_WRONG_OBJECT_TYPE for any table but one of kanon's that have a view. */
extern void own_view_check(Oid table);

/*
 * Appends the rows of this table, in the active snapshot, with NULL for each value that the current
 * user may not see; without rows of which nothing is left.  "fields" is the table's row.  Cost: one
 * scan.  Locks the table until the end of the transaction.  Errors: that of own_view_check.
 */
extern void own_view_put(Oid table, Tuplestorestate *rows, TupleDesc fields);

/* Whether the current user has the privileges of the relation's owner; false if there is none. */
extern bool own_view_owns(Oid relation);

#endif /* KANON_OWN_VIEW_H */
