/*
 * own_names.h
 *		Names that are kanon's own in its schema.
 *
 * A function of kanon's that takes a value of any type, or has defaults, is called with
 * less than its full signature: kanon_view_cell(cells, 'zip', NULL::text).  A function of the same
 * name in the same schema, made for just these arguments, would be the better match, and
 * then the next release, or the next restore of one, would call it, with the rights of the
 * release's owner.  A type is called like a function of one argument, too:
 * kanon_refresh_release('study') would be a cast to it, and a domain has checks.  So where
 * kanon lives nothing else may go by the name of a function of its own.
 *
 * An event trigger asks whenever a function or type is made, moved or renamed, also while
 * kanon is installed.  Who writes SQL that calls kanon asks again: a transaction that was
 * open when kanon was installed may have brought something in unseen.
 */
#ifndef KANON_OWN_NAMES_H
#define KANON_OWN_NAMES_H

#include "postgres.h"

/*
 * Errors if there is such a thing (ERRCODE_DUPLICATE_FUNCTION).  Within a query scope; one
 * look at the catalogs.
 */
extern void own_names_check(void);

#endif /* KANON_OWN_NAMES_H */
