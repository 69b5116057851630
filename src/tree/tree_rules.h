/*
 * tree_rules.h
 *		A list of rules: classes that overlap, as a recoding function.  The first rule that a row
 *		fits has its class.
 *
 * Such a tree has one split, the list, and each of its leaves is a rule: a test of each attribute
 * and a class.  A class has one rule with its rows; rules without rows are exceptions, for rows
 * that would fit another class first, or of class 0, for rows in none.
 *
 * A value that the hierarchy lacks counts as NULL.
 */
#ifndef KANON_TREE_RULES_H
#define KANON_TREE_RULES_H

#include "postgres.h"

#include "tree/partition_tree.h"

/* What a rule asks of one attribute, while a tree is built. */
typedef struct RuleTest
{
	TreeContent content;
	int level;   /* of values: TREE_ANY_VALUE, or of their label */
	int32 label; /* .. with a hierarchy */
	Datum low;   /* without: values from .. */
	Datum high;  /* .. to */
} RuleTest;

/*
 * Opens the rules of a tree, checks them, and indexes them.  Called by partition_tree_open, in its
 * context.  O(rules * attributes * log rules), and sorting the values that they name.  Answers
 * cancels.
 */
extern TreeRules *tree_rules_open(OpenTree *open, TreeValueText *conversions);

/*
 * The number of the first rule that a row fits, from 0, or -1.  O(attributes) for each combination
 * of levels that rules have; among rules that differ in ranges alone, for each box of a tree around
 * them that contains the row: O(log rules) where few overlap, O(rules) at worst.
 */
extern int32 tree_rules_find(const TreeRules *rules, const Datum *values, const bool *nulls);

/* The class of a rule, and the rule of a class. */
extern int32 tree_rules_class(const TreeRules *rules, int32 rule);
extern int32 tree_rules_of_class(const TreeRules *rules, int32 class_number);

/* What a rule asks of an attribute, as a region's text (partition_tree.h). */
extern char *tree_rules_text(OpenTree *open, int attribute, int32 rule);

#endif /* KANON_TREE_RULES_H */
