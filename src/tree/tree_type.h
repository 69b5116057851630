/*
 * tree_type.h
 *		Types, collations and values of a partition tree, as names and text.
 *
 * A tree is the same text whatever the session's settings, so that it can be
 * compared, dumped, and applied in another session: who reads or writes values does so
 * within text_settings_begin and _end (sql/text_settings.h).
 */
#ifndef KANON_TREE_TYPE_H
#define KANON_TREE_TYPE_H

#include "postgres.h"

#include "fmgr.h"
#include "tree/partition_tree.h"

/*
 * The name of a type or collation, without schema if that is pg_catalog.  Error: it is gone
 * (ERRCODE_DATA_CORRUPTED, for it is a stored tree that had it).
 */
extern const char *tree_type_name(Oid type);
extern const char *tree_type_collation_name(Oid collation);

/* Type and collation of these names; an error with this SQLSTATE if there are none. */
extern Oid tree_type_find(int sqlstate, const char *name);
extern Oid tree_type_find_collation(int sqlstate, const char *name);

/*
 * A collation by the OID and name that it had: pg_upgrade gives it another OID, a
 * user another name.  What has both is it, otherwise what has the name, otherwise
 * the OID, which may be no collation any more.
 */
extern Oid tree_type_resolve_collation(Oid collation, const char *name);

/*
 * An error with this SQLSTATE unless there are trees over the type: its
 * values can be ordered, reading them runs nobody's code (it is no domain and has none
 * inside), and the collation goes with it.  Other errors: as of their names.
 */
extern void tree_type_check(int sqlstate, const char *attribute, Oid type, Oid collation);

/* Text to value and back; set up once for many values of one type. */
typedef struct TreeValueText
{
	Oid parameter;
	FmgrInfo input;
	FmgrInfo output;
} TreeValueText;

extern void tree_type_prepare(TreeValueText *conversion, Oid type);

/* Both palloc'd in the current context, the value detoasted; errors are the type's own. */
extern Datum tree_type_read(TreeValueText *conversion, const char *text);
extern const char *tree_type_write(TreeValueText *conversion, Datum value);

#endif /* KANON_TREE_TYPE_H */
