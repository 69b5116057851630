/*
 * view_rule.h
 *		The query of a materialized view, and its replacement.
 *
 * Like CREATE OR REPLACE VIEW: the rule is replaced, and the view and its dependents stay.
 */
#ifndef KANON_VIEW_RULE_H
#define KANON_VIEW_RULE_H

#include "postgres.h"

#include "nodes/parsenodes.h"
#include "utils/relcache.h"

/*
 * Parses a SELECT as the query of a materialized view; in the current context.  Raises the errors
 * of CREATE MATERIALIZED VIEW.
 */
extern Query *view_rule_parse(const char *select);

/* A copy of the view's query that the caller may modify. */
extern Query *view_rule_query(Relation view);

/* The columns of the query's rows; in the current context. */
extern TupleDesc view_rule_columns(const Query *query);

/*
 * Replaces the view's query by one with columns of the same types.  Keeps the contents but deletes
 * their statistics, which would show readers values that are to disappear.  Run as the view's
 * owner, with AccessExclusiveLock.
 */
extern void view_rule_replace(Oid view, const Query *query);

#endif /* KANON_VIEW_RULE_H */
