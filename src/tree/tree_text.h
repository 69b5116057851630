/*
 * tree_text.h
 *		Partition trees as text: JSON, a line for each attribute, ground value
 *		and node, nodes indented by their depth.
 *
 *	{"k": 2, "split": "median",
 *	 "attributes": [
 *	  {"name": "age", "type": "int4"},
 *	  {"name": "work", "type": "text", "collation": "default", "top": "*", "levels": 1, "values": [
 *	   ["federal", "public"],
 *	   ["state", "public"],
 *	   ["self", "private"]]}],
 *	 "nodes": [
 *	  {"cut": "age", "at": "37"},
 *	   {"class": 1, "rows": 2},
 *	   {"specialize": "work", "level": 1, "into": ["public", "private"]},
 *	    {"class": 2, "rows": 3},
 *	    {"class": 3, "rows": 2}]}
 *
 * A tree whose classes satisfy models names them before its attributes: "models":
 * ["distinct(disease, 2)"].  A cut or specialization one of whose children takes NULL as well says
 * which, from 1: {"cut": "age", "at": "37", "null": 1}.  Equal trees have equal texts.
 * Members are read in this order only; white space does not count.
 */
#ifndef KANON_TREE_TEXT_H
#define KANON_TREE_TEXT_H

#include "postgres.h"

#include "tree/partition_tree.h"

/* The text of a tree, palloc'd.  Raises ERRCODE_DATA_CORRUPTED if a type or collation is gone. */
extern char *tree_text_write(const PartitionTree *tree);

/*
 * The tree of a text, palloc'd with its working memory.  Raises ERRCODE_INVALID_TEXT_REPRESENTATION
 * for anything that is not a tree; for invalid JSON with the line.
 */
extern PartitionTree *tree_text_read(const char *text, Budget *budget);

#endif /* KANON_TREE_TEXT_H */
