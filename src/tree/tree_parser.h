/*
 * tree_parser.h
 *		Reads partition trees from their texts (tree_text.h).
 */
#ifndef KANON_TREE_PARSER_H
#define KANON_TREE_PARSER_H

#include "postgres.h"

#include "tree/partition_tree.h"

/*
 * The tree of a text, palloc'd with its working memory.  Raises ERRCODE_INVALID_TEXT_REPRESENTATION
 * for anything that is not a tree; for invalid JSON with the line.
 */
extern PartitionTree *tree_parse(const char *text, Budget *budget);

#endif /* KANON_TREE_PARSER_H */
