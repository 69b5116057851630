/*
 * release_rules.h
 *		The text of a SELECT that applies a list of rules (tree/tree_rules.h) to a relation, without
 *		kanon.
 */
#ifndef KANON_RELEASE_RULES_H
#define KANON_RELEASE_RULES_H

#include "postgres.h"

#include "relation/description.h"
#include "tree/partition_tree.h"

/*
 * The SELECT: the relation's columns and, last, "class", as kanon_leaf returns it; no semicolon,
 * every name qualified.  In the current context, within a query scope.
 *
 * Errors: a tree of splits (ERRCODE_FEATURE_NOT_SUPPORTED), a column that the relation lacks
 * (ERRCODE_UNDEFINED_COLUMN) or that has another type (ERRCODE_DATATYPE_MISMATCH); those of
 * partition_tree_open.
 */
extern char *release_rules_select(const PartitionTree *tree, const Description *relation);

#endif /* KANON_RELEASE_RULES_H */
