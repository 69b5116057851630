/*
 * default_privileges.h
 *		New relations are private: only their owner has privileges until the owner grants some.
 */
#ifndef KANON_DEFAULT_PRIVILEGES_H
#define KANON_DEFAULT_PRIVILEGES_H

#include "postgres.h"

/*
 * Revokes all privileges of others on a relation that the current user just made. "name" is
 * qualified and quoted.  Call within a query scope.
 */
extern void default_privileges_revoke(const char *name, Oid relation);

#endif /* KANON_DEFAULT_PRIVILEGES_H */
