/*
 * default_privileges.h
 *		What kanon makes is for its owner alone until the owner grants it.
 *
 * ALTER DEFAULT PRIVILEGES may open each new table of a role to others.  A release is opened
 * when somebody has looked at it, and a dimension holds the values of its column as they are.
 */
#ifndef KANON_DEFAULT_PRIVILEGES_H
#define KANON_DEFAULT_PRIVILEGES_H

#include "postgres.h"

/*
 * Takes back all that anybody but its owner may do with a relation just made by the current
 * user; "name" is its name, qualified and quoted.  Within a query scope.
 */
extern void default_privileges_revoke(const char *name, Oid relation);

#endif /* KANON_DEFAULT_PRIVILEGES_H */
