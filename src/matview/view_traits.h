/*
 * view_traits.h
 *		What was granted on a materialized view, said of it and set for it, handed to another that
 *		takes its place under its name.
 *
 * A column is the same if it has the same name; what belongs to one that is not there is lost, and
 * said to be.  All within a query scope, as the owner of both.
 */
#ifndef KANON_VIEW_TRAITS_H
#define KANON_VIEW_TRAITS_H

#include "postgres.h"

#include "nodes/pg_list.h"

/*
 * " USING heap WITH (fillfactor='80') TABLESPACE t" of the view, as CREATE MATERIALIZED VIEW takes
 * them; current context.
 */
extern const char *view_traits_storage(Oid view);

/*
 * Hands over grants, comments, security labels, statistics targets, options and storage of columns,
 * and extensions that it depends on.  Both are there; "name", qualified and quoted, is the heir's.
 */
extern void view_traits_hand_over(Oid view, Oid heir, const char *name);

/* Statements (C strings) that make the view's indexes and statistics for its heir by the view's
 * name, once it has that; current context. */
extern List *view_traits_indexes(Oid view, Oid heir);

/* What of all this has no place in the heir, for messages (C strings); current context. */
extern List *view_traits_lost(Oid view, Oid heir);

/*
 * What keeps the view from being dropped, for messages (C strings): views, functions, .. of
 * anybody's that depend on it; current context.
 */
extern List *view_traits_dependents(Oid view);

#endif /* KANON_VIEW_TRAITS_H */
