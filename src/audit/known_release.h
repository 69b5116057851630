/*
 * known_release.h
 *		What kanon knows of a release by itself, where the caller does not say it.
 */
#ifndef KANON_KNOWN_RELEASE_H
#define KANON_KNOWN_RELEASE_H

#include "postgres.h"

#include "cell/cell_format.h"
#include "release/release_catalog.h"

/* A release, or any table or view, beside the relation it was made from. */
typedef struct KnownRelease
{
	const ReleaseEntry *entry;           /* of kanon_release; NULL: it is no release of kanon's */
	const Description *release;          /* its columns */
	const Description *source;           /* with the quasi-identifiers meant */
	const DescribedAttribute **released; /* [quasi-identifier]: its column in the release */
	int *position;                       /* [quasi-identifier]: its place in the entry, or -1 */
} KnownRelease;

/*
 * relation: InvalidOid for that in the entry.  quasi_identifiers: name[], or NULL for those the
 * release was made with, else those declared of the relation, all of them or, with "shared", those
 * that are columns of the release.  They are found in the release where it publishes them, else
 * by their names.  In the current context, within a query scope.
 *
 * Errors: those of description_load and description_check_quasi_identifier; a relation that is
 * neither given nor known (ERRCODE_NULL_VALUE_NOT_ALLOWED); a quasi-identifier that the release
 * does not have, or none at all (ERRCODE_UNDEFINED_COLUMN).
 */
extern KnownRelease known_release_open(Oid release, Oid relation, ArrayType *quasi_identifiers,
									   bool shared);

/* The released cells of a quasi-identifier, to be measured; numbered from 1, current context. */
extern CellColumn *known_release_cells(const KnownRelease *known, int quasi);

/*
 * k as given, or for 0 as in the entry.  entry: NULL for a relation that is no release; an error
 * then that says what has to be passed (ERRCODE_NULL_VALUE_NOT_ALLOWED).
 */
extern int known_release_k(const ReleaseEntry *entry, Oid release, int given);

#endif /* KANON_KNOWN_RELEASE_H */
