/*
 * release_node_shown.h
 *		Which cuts of the upper tree of a release can be seen in all its cells.
 *
 * Between nodes that only such cuts separate, no class looks like one of another node.  Otherwise
 * those are one class of the release, and where its rows lie must not tell them apart.
 */
#ifndef KANON_RELEASE_NODE_SHOWN_H
#define KANON_RELEASE_NODE_SHOWN_H

#include "postgres.h"

#include "release/release_node_tree.h"

/*
 * Do cells always show on which side of the cut of a divided node they are?  Spans do, unless they
 * are texts.  So does a label, and a label above those that are together in one child, if each text
 * always stands for the same values: which is looked up once for a column, O(labels log labels).
 */
extern bool node_shown(NodesPlan *plan, const GrowingTree *tree, const GrowingNode *node);

/* .. of the cuts of all nodes. */
extern bool node_shown_all(NodesPlan *plan, const GrowingTree *tree);

#endif /* KANON_RELEASE_NODE_SHOWN_H */
