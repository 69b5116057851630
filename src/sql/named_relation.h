/*
 * named_relation.h
 *		The relations that kanon's statements may name.
 *
 * kanon locks relations by OID, but SQL names them, and no lock keeps a schema's owner from
 * renaming the schema between the two: another relation, or another function, would answer to the
 * name, with the rights of whoever runs the statement.  So each relation is noted when its name is
 * written (relation_name), and each statement is checked when PostgreSQL has resolved its names,
 * before anything is planned.
 */
#ifndef KANON_NAMED_RELATION_H
#define KANON_NAMED_RELATION_H

#include "postgres.h"

/* A statement of kanon's that is being run, and the call within it. */
typedef struct NamedWatch
{
	const char *sql;
	int depth;                     /* watched statements around and including it */
	int outermost;                 /* nest level of the call's outermost query scope; 0: none */
	SubTransactionId outermost_of; /* in which that scope began */
} NamedWatch;

/*
 * Notes a relation whose name is about to be written, for statements of the current role, until the
 * outermost query scope ends.
 */
extern void named_relation_add(Oid relation);

/*
 * The bracket of a query scope, by its GUC nest level.  Scopes within a call share their notes; a
 * call that a function makes within a statement of another one has its own.
 */
extern void named_relation_begin(int nest_level);
extern void named_relation_end(int nest_level);

/*
 * Between these two, the statement with this text is checked whenever PostgreSQL analyzes it; those
 * that functions run meanwhile are not.  Returns what was watched before, for _unwatch, also after
 * an error.
 *
 * Raises ERRCODE_T_R_SERIALIZATION_FAILURE for a relation that was not noted, except those of
 * pg_catalog, and those in kanon's schema whose owner is trusted, and
 * ERRCODE_INSUFFICIENT_PRIVILEGE for a function or a domain whose owner's code may not run as the
 * current role (rights_trusts); functions behind operators of operator families, which only
 * superusers make, may run.
 */
extern NamedWatch named_relation_watch(const char *sql);
extern void named_relation_unwatch(NamedWatch before);

/* Installs the check; once, when the library is loaded. */
extern void named_relation_install(void);

#endif /* KANON_NAMED_RELATION_H */
