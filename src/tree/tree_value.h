/*
 * tree_value.h
 *		Partition trees as values of the SQL type kanon_tree, and as messages.
 *
 * The two are one stream of bytes, with integers in network order and
 * values as text.  Where it is stored, types go by OID, so that they may be renamed,
 * collations by OID and name, for pg_upgrade changes their OIDs, and a digest of the rest comes
 * first, so that two trees can be told apart at a glance.  On the wire they go by
 * name, and strings are in the client's encoding.
 */
#ifndef KANON_TREE_VALUE_H
#define KANON_TREE_VALUE_H

#include "postgres.h"

#include "tree/partition_tree.h"

#define TREE_VALUE_DIGEST 32

/* The value of a tree, palloc'd.  O(bytes). */
extern struct varlena *tree_value_write(const PartitionTree *tree);

/*
 * The tree of a value, in the current context; it points into the value, which
 * is detoasted (a short header is fine) and has to stay.  Errors: a type that is
 * gone, damaged pages (ERRCODE_DATA_CORRUPTED).
 */
extern PartitionTree *tree_value_read(const struct varlena *value, Budget *budget);

/* A tree as a message, palloc'd, with the header of a bytea. */
extern struct varlena *tree_value_send(const PartitionTree *tree);

/* The tree of a message; whatever is no tree is ERRCODE_INVALID_BINARY_REPRESENTATION. */
extern PartitionTree *tree_value_receive(const char *bytes, Size length, Budget *budget);

#endif /* KANON_TREE_VALUE_H */
