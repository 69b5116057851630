/*
 * tree_type.h
 *		Types, collations and values of a partition tree, as names and text.
 *
 * A tree is the same text whatever the session's settings, so that it can be
 * compared, dumped, and applied in another session: dates in ISO order, times
 * in GMT, floating point numbers in full.
 */
#ifndef KANON_TREE_TYPE_H
#define KANON_TREE_TYPE_H

#include "postgres.h"

#include "fmgr.h"
#include "tree/partition_tree.h"

/*
 * Between the two, the settings that the text of values depends on are fixed.
 * An error unwinds them.  Also in parallel workers.
 */
extern int tree_type_begin(void);
extern void tree_type_end(int nest_level);

/* The name of a type or collation, without schema if that is pg_catalog; error if it is gone. */
extern const char *tree_type_name(Oid type);
extern const char *tree_type_collation_name(Oid collation);

/* Type and collation (name NULL: none) of these names; the tree's error if there are none. */
extern Oid tree_type_find(const PartitionTree *tree, const char *name);
extern Oid tree_type_find_collation(const PartitionTree *tree, const char *name);

/*
 * A collation by the OID and name that it had: pg_upgrade gives it another OID, a
 * user another name.  What has both is it, otherwise what has the name, otherwise
 * the OID, which may be no collation any more.
 */
extern Oid tree_type_resolve_collation(const PartitionTree *tree, Oid collation, const char *name);

/*
 * Sets type and collation of an attribute.  The tree's error if values of the
 * type cannot be ordered, it is a domain, or the collation does not go with it.
 */
extern void tree_type_set(PartitionTree *tree, int attribute, Oid type, Oid collation);

/* Text to value and back; set up once for many values of one type. */
typedef struct TreeValueText
{
	Oid type;
	Oid parameter;
	FmgrInfo input;
	FmgrInfo output;
} TreeValueText;

extern void tree_type_prepare(TreeValueText *conversion, Oid type);

/* Both palloc'd in the current context, the value detoasted; errors are the type's own. */
extern Datum tree_type_read(TreeValueText *conversion, const char *text);
extern const char *tree_type_write(TreeValueText *conversion, Datum value);

#endif /* KANON_TREE_TYPE_H */
