/*
 * release_notice.h
 *		What whoever makes a release should know of it, though nothing is wrong.
 */
#ifndef KANON_RELEASE_NOTICE_H
#define KANON_RELEASE_NOTICE_H

#include "postgres.h"

#include "relation/description.h"
#include "release/release_request.h"

/*
 * Raises a NOTICE for each of these: k is 1 and nothing else is asked; weights that choose
 * nothing, all being zero or the recoding not looking at them; other releases of the
 * same source.  For a release just made; within a query scope.
 */
extern void release_notice(const ReleaseRequest *request, const Description *description,
						   Oid release);

#endif /* KANON_RELEASE_NOTICE_H */
