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
 * nothing, all being zero or the recoding not looking at them.  For a release just made; within a
 * query scope.
 */
extern void release_notice(const ReleaseRequest *request, const Description *description,
						   Oid release);

/* The other releases of a relation, which a reader can put beside one of it. */
typedef struct ReleaseOthers
{
	Oid relation;
	int count;
	const char *names;   /* of some of them, for a message */
	ArrayType *releases; /* regclass[]: these, and the one */
	bool classes;        /* all of these are made by recodings that have classes */
	bool rows_known;
	int64 rows; /* of the relation, as the one was made */
} ReleaseOthers;

/* Of a release in the catalog, by the active snapshot; within a query scope, current context. */
extern ReleaseOthers release_notice_others(Oid release);

#endif /* KANON_RELEASE_NOTICE_H */
