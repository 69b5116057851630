/*
 * own_extension.h
 *		What pg_extension says of kanon.
 *
 * Of the latest state of the catalogs, by an index: without a statement, since each call asks.
 */
#ifndef KANON_OWN_EXTENSION_H
#define KANON_OWN_EXTENSION_H

#include "postgres.h"

typedef struct OwnExtension
{
	Oid schema;
	char *version; /* of the objects in this database; the current memory context's */
} OwnExtension;

/* False while the extension is not, or no longer, in this database. */
extern bool own_extension_find(OwnExtension *extension);

/* The schema kanon lives in; an error if the extension is not there. */
extern Oid own_extension_schema(void);

/* Its name, quoted for SQL; the current memory context's. */
extern const char *own_extension_schema_name(void);

/* ERRCODE_UNDEFINED_OBJECT: somebody dropped it while this call ran. */
extern void own_extension_report_none(void);

#endif /* KANON_OWN_EXTENSION_H */
