/*
 * view_traits.h
 *		Hands the grants, comments and settings of a materialized view to an heir that takes its
 *		place under its name.
 *
 * Columns correspond by name.  The properties of a column that the heir lacks are lost and
 * reported.  Call all of these within a query scope, as the owner of both.
 */
#ifndef KANON_VIEW_TRAITS_H
#define KANON_VIEW_TRAITS_H

#include "postgres.h"

#include "nodes/pg_list.h"

/*
 * " USING heap WITH (fillfactor='80') TABLESPACE t" for CREATE MATERIALIZED VIEW; in the current
 * context.
 */
extern const char *view_traits_storage(Oid view);

/*
 * Hands over grants, comments, security labels, statistics targets, options and storage of columns,
 * and dependencies on extensions.  Both exist; "name" is the heir's, qualified and quoted.
 */
extern void view_traits_hand_over(Oid view, Oid heir, const char *name);

/*
 * The statements (C strings) that make the view's indexes and statistics for the heir after it was
 * renamed to the view's name; in the current context.
 */
extern List *view_traits_indexes(Oid view, Oid heir);

/* The properties that the heir cannot take, for messages (C strings); in the current context. */
extern List *view_traits_lost(Oid view, Oid heir);

/*
 * The objects of any user that depend on the view and keep it from being dropped, for messages (C
 * strings); in the current context.
 */
extern List *view_traits_dependents(Oid view);

#endif /* KANON_VIEW_TRAITS_H */
