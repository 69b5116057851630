/*
 * own_names.h
 *		Names that are kanon's own in its schema: nothing else there may go by the name of a
 *		function of kanon's.
 *
 * An event trigger asks whenever a function or type is made, moved or renamed.  Who writes SQL
 * that calls kanon asks again: a transaction that was open when kanon was installed may have
 * brought something in unseen.
 */
#ifndef KANON_OWN_NAMES_H
#define KANON_OWN_NAMES_H

#include "postgres.h"

/*
 * ERRCODE_DUPLICATE_FUNCTION if something does.  Within a query scope; one look at the catalogs.
 */
extern void own_names_check(void);

#endif /* KANON_OWN_NAMES_H */
