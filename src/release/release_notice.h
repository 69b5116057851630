/*
 * release_notice.h
 *		Notices for the maker of a release, about choices that may be unintended.
 */
#ifndef KANON_RELEASE_NOTICE_H
#define KANON_RELEASE_NOTICE_H

#include "postgres.h"

#include "relation/description.h"
#include "release/release_request.h"

/*
 * Raises a NOTICE for each of these: k is 1 and nothing else is demanded; weights that have no
 * effect, because all are zero or the recoding ignores them.  For a release just made; within a
 * query scope.
 */
extern void release_notice(const ReleaseRequest *request, const Description *description,
						   Oid release);

/* The other releases of a relation, which a reader may combine with one of it. */
typedef struct ReleaseOthers
{
	Oid relation;
	int count;
	const char *names;   /* some of their names, for a message */
	ArrayType *releases; /* regclass[]: the other releases and the one */
	bool classes;        /* all of them have classes */
	bool rows_known;
	int64 rows; /* of the relation when the one was made */
} ReleaseOthers;

/*
 * The others of a release in the catalog, by the active snapshot; within a query scope, in the
 * current context.
 */
extern ReleaseOthers release_notice_others(Oid release);

#endif /* KANON_RELEASE_NOTICE_H */
