/*
 * tree_parser.h
 *		Reads partition trees from their texts (tree_text.h).
 */
#ifndef KANON_TREE_PARSER_H
#define KANON_TREE_PARSER_H

#include "postgres.h"

#include "tree/partition_tree.h"

/*
 * The tree of a text, palloc'd, and what it took to read it.  Whatever is no tree is
 * ERRCODE_INVALID_TEXT_REPRESENTATION, with the line where it is no JSON.
 */
extern PartitionTree *tree_parse(const char *text, Budget *budget);

#endif /* KANON_TREE_PARSER_H */
