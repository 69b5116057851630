/*
 * view_rule.h
 *		The query of a materialized view, and another in its place.
 *
 * As CREATE OR REPLACE VIEW does for views: the rule is replaced, the view and what depends on it
 * stay.
 */
#ifndef KANON_VIEW_RULE_H
#define KANON_VIEW_RULE_H

#include "postgres.h"

#include "nodes/parsenodes.h"
#include "utils/relcache.h"

/*
 * The query that a SELECT is as the text of a materialized view; current context.  Errors: those
 * of CREATE MATERIALIZED VIEW.
 */
extern Query *view_rule_parse(const char *select);

/* The query of a view, for the caller to scribble on. */
extern Query *view_rule_query(Relation view);

/* Has the query as many columns as the view, of the same types, lengths and collations? */
extern bool view_rule_fits(Relation view, const Query *query);

/*
 * Makes the query that of the view, which it fits; leaves the contents, and forgets the statistics
 * of them, which would tell readers of values that are not to be there any more.  As the view's
 * owner, with AccessExclusiveLock.
 */
extern void view_rule_replace(Oid view, const Query *query);

#endif /* KANON_VIEW_RULE_H */
