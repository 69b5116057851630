/*
 * own_extension.h
 *		The extension: its row in pg_extension, and the names of its functions.
 *
 * Every call asks for the row, so it is read by index, without a statement, in the latest state of
 * the catalog.
 */
#ifndef KANON_OWN_EXTENSION_H
#define KANON_OWN_EXTENSION_H

#include "postgres.h"

typedef struct OwnExtension
{
	Oid schema;
	Oid owner;
	char version[NAMEDATALEN]; /* of the objects in this database */
} OwnExtension;

/* False if the extension is not, or no longer, in this database. */
extern bool own_extension_find(OwnExtension *extension);

extern bool own_extension_exists(void);

/* The schema of kanon; an error if the extension is not there. */
extern Oid own_extension_schema(void);

/* The schema's name, quoted for SQL, in the current context. */
extern const char *own_extension_schema_name(void);

/*
 * Reserved names: nothing else in kanon's schema may have the name of one of kanon's functions.
 * Raises ERRCODE_DUPLICATE_FUNCTION if something does.  An event trigger checks this whenever a
 * function or type is created, moved or renamed.  Code that writes SQL calling kanon checks again,
 * because a transaction that was open when kanon was installed may have added something unseen.
 * Call within a query scope.  One query of the catalogs.
 */
extern void own_extension_check_names(void);

/* Raises ERRCODE_UNDEFINED_OBJECT: somebody dropped the extension during the call. */
extern void own_extension_report_none(void);

#endif /* KANON_OWN_EXTENSION_H */
