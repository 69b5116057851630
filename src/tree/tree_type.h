/*
 * tree_type.h
 *		The types, collations and values of a partition tree, as names and text.
 *
 * The text of a tree does not depend on the session's settings, so it can be compared, dumped, and
 * used in another session.  Read and write values within text_settings_begin and _end
 * (sql/text_settings.h).
 */
#ifndef KANON_TREE_TYPE_H
#define KANON_TREE_TYPE_H

#include "postgres.h"

#include "fmgr.h"
#include "tree/partition_tree.h"

/*
 * The name of a type or collation, without schema if it is in pg_catalog.  Raises
 * ERRCODE_DATA_CORRUPTED if it is gone, because a stored tree had it.
 */
extern const char *tree_type_name(Oid type);
extern const char *tree_type_collation_name(Oid collation);

/* The type or collation with this name; an error with this SQLSTATE if there is none. */
extern Oid tree_type_find(int sqlstate, const char *name);
extern Oid tree_type_find_collation(int sqlstate, const char *name);

/*
 * The collation for a stored OID and name: pg_upgrade changes OIDs, users change names.  Prefers
 * one with both, then one with the name, then the OID, which may no longer be a collation.
 */
extern Oid tree_type_resolve_collation(Oid collation, const char *name);

/*
 * Checks that trees support the type: its values can be ordered, reading them runs no user's code
 * (it is not a domain and contains none), and the collation fits.  Raises an error with this
 * SQLSTATE, or those of the names.
 */
extern void tree_type_check(int sqlstate, const char *attribute, Oid type, Oid collation);

/* Converts text to values of one type and back; prepared once. */
typedef struct TreeValueText
{
	Oid parameter;
	FmgrInfo input;
	FmgrInfo output;
} TreeValueText;

extern void tree_type_prepare(TreeValueText *conversion, Oid type);

/* Both palloc'd in the current context; the value is detoasted.  Raises the type's own errors. */
extern Datum tree_type_read(TreeValueText *conversion, const char *text);
extern const char *tree_type_write(TreeValueText *conversion, Datum value);

#endif /* KANON_TREE_TYPE_H */
