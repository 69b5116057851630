/*
 * aside_notice.h
 *		The notice that a relation has more than one release.
 */
#ifndef KANON_ASIDE_NOTICE_H
#define KANON_ASIDE_NOTICE_H

#include "postgres.h"

/*
 * Raises a NOTICE if the relation of a new release has others: how many of its rows a reader of all
 * releases finds among fewer than k.  The figure is counted as the release's owner, whose
 * privileges the caller has, in a subtransaction.  It is omitted if that fails, if a recoding has
 * no classes, or if more than 20,000 rows would have to be recoded.  Call within a query scope.
 */
extern void aside_notice(Oid release);

#endif /* KANON_ASIDE_NOTICE_H */
