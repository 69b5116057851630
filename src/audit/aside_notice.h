/*
 * aside_notice.h
 *		What is said when a relation has more than one release.
 */
#ifndef KANON_ASIDE_NOTICE_H
#define KANON_ASIDE_NOTICE_H

#include "postgres.h"

/*
 * Raises a NOTICE if the relation of a release just made has others: how many of its rows a reader
 * of all finds among fewer than k.  The figure is counted as the owner of the release, whose
 * privileges the caller has, in a subtransaction; it is left out where that fails, where a recoding
 * has no classes, and where more than 20,000 rows would have to be recoded.  Within a query scope.
 */
extern void aside_notice(Oid release);

#endif /* KANON_ASIDE_NOTICE_H */
