/*
 * default_privileges.h
 *		What kanon makes is for its owner alone until the owner grants it.
 */
#ifndef KANON_DEFAULT_PRIVILEGES_H
#define KANON_DEFAULT_PRIVILEGES_H

#include "postgres.h"

/*
 * Takes back all that anybody but its owner may do with a relation just made by the current user;
 * "name" is qualified and quoted.  Within a query scope.
 */
extern void default_privileges_revoke(const char *name, Oid relation);

#endif /* KANON_DEFAULT_PRIVILEGES_H */
