/*
 * release_check.h
 *		Counts the equivalence classes of a relation as it is now.
 *
 * What the relation went through does not matter: a release is judged by its
 * contents, like any other table.
 */
#ifndef KANON_RELEASE_CHECK_H
#define KANON_RELEASE_CHECK_H

#include "postgres.h"

#include "io/class_query.h"
#include "io/query.h"
#include "utils/array.h"

typedef struct ReleaseCheck
{
	Oid relation;
	int k;
	ArrayType *quasi_identifiers; /* name[], or NULL: of a release those it was made with, else
								   * those declared */
	const char *person;           /* count its distinct values instead of rows, or NULL */
} ReleaseCheck;

/*
 * The tally, read as the caller.  With a person, a class has as many members
 * as different people; rows whose person is NULL belong to nobody, so a class
 * of such rows alone has none.  Within a query scope.
 *
 * Errors: those of description_load; a person that is no column
 * (ERRCODE_UNDEFINED_COLUMN); those of the GROUP BY itself.
 */
extern ClassTally release_check(const ReleaseCheck *check);

#endif /* KANON_RELEASE_CHECK_H */
