/*
 * own_names.h
 *		Reserved names: nothing else in kanon's schema may have the name of one of kanon's
 *		functions.
 *
 * An event trigger checks this whenever a function or type is created, moved or renamed.  Code that
 * writes SQL calling kanon checks again, because a transaction that was open when kanon was
 * installed may have added something unseen.
 */
#ifndef KANON_OWN_NAMES_H
#define KANON_OWN_NAMES_H

#include "postgres.h"

/*
 * Raises ERRCODE_DUPLICATE_FUNCTION if something uses a reserved name.  Call within a query scope.
 * One query of the catalogs.
 */
extern void own_names_check(void);

#endif /* KANON_OWN_NAMES_H */
