/*
 * release_replace.h
 *		A release made anew under its name, of other arguments.
 *
 * Where names and types of its columns stay, it stays the same object: its query is replaced, as
 * CREATE OR REPLACE VIEW does, and its contents are exchanged as matview/successor.h says, so that
 * it can be read until then and nothing is lost.
 *
 * Elsewhere another view takes its place under its name, with its owner, grants, comments, labels,
 * settings, indexes and statistics, its row in kanon_release and its history, as far as there are
 * columns for them; what is lost is said.  Nothing may depend on the old one.
 *
 * Everything is one transaction: one that is undone leaves the old release.
 */
#ifndef KANON_RELEASE_REPLACE_H
#define KANON_RELEASE_REPLACE_H

#include "postgres.h"

#include "release/release_request.h"

/* What is to be otherwise; NULL stays as it was. */
typedef struct ReleaseChanges
{
	const int *k;
	const RecodingOps *recoding;
	ArrayType *levels; /* NULL: found anew, where the recoding chooses them */
	ArrayType *quasi_identifiers;
	const char *models; /* of kanon_models */
	const double *suppression;
	const bool *means;
	const char *split;  /* "": the default */
	const char *target; /* "": none */
	const char *person; /* "": none */
	const bool *randomize;
	const char *seed; /* NULL: that of the release, if it has one */
	const bool *redraw;
	const bool *models_after;
} ReleaseChanges;

/*
 * Replaces a release; its OID, which is another one if its columns change.  Reads as the owner,
 * restricted as a refresh is.  Within a query scope.
 *
 * Errors: those of release_refresh and release_create; a recoding that advances, before or after
 * (ERRCODE_FEATURE_NOT_SUPPORTED); not the owner
 * (ERRCODE_INSUFFICIENT_PRIVILEGE); its columns change while others depend on it
 * (ERRCODE_DEPENDENT_OBJECTS_STILL_EXIST); those of release_dealt_check, as if it were
 * refreshed.
 */
extern Oid release_replace(Oid release, const ReleaseChanges *changes);

#endif /* KANON_RELEASE_REPLACE_H */
