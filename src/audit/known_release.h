/*
 * known_release.h
 *		A release beside the relation that it was made from: which column of one belongs to which of
 *		the other, what the catalog knows that the caller of an audit need not say, and how much of
 *		the information in the relation the release keeps (kanon_quality, kanon_query_errors).
 */
#ifndef KANON_KNOWN_RELEASE_H
#define KANON_KNOWN_RELEASE_H

#include "postgres.h"

#include "cell/quality_query.h"
#include "release/release_catalog.h"

/* A release, or any table or view, together with the relation it was made from. */
typedef struct KnownRelease
{
	const ReleaseEntry *entry;     /* of kanon_release; NULL: not a release of kanon's */
	const Description *release;    /* its columns */
	const Description *source;     /* with the quasi-identifiers chosen */
	DescribedAttribute **released; /* [quasi-identifier]: its column in the release */
} KnownRelease;

/*
 * relation: InvalidOid means the entry's. quasi_identifiers: name[]; NULL means those of the
 * release or, of a table that is none, those declared of the relation; with "shared", only those of
 * them that are columns of the release.  They are found by origin if the release publishes them,
 * otherwise by name.  In the current context, within a query scope.
 *
 * Errors: those of description_load and description_check_quasi_identifier; a relation neither
 * given nor known (ERRCODE_NULL_VALUE_NOT_ALLOWED); a quasi-identifier that the release lacks, or
 * none at all (ERRCODE_UNDEFINED_COLUMN).
 */
extern KnownRelease known_release_open(Oid release, Oid relation, ArrayType *quasi_identifiers,
									   bool shared);

/* The released cells of a quasi-identifier, for measuring; in the current context. */
extern CellColumn *known_release_cells(const KnownRelease *known, int quasi);

/*
 * Measures the release, and answers count queries (of Predicate, parsed; it binds them), in order
 * and in the current context.  Quasi-identifiers have the source's names.  Reads everything as the
 * current user, within a query scope.  Errors: those of predicate_bind and quality_query_run.
 */
extern QualityTally known_release_quality(const KnownRelease *known, const List *predicates,
										  QualityAnswer **answers);

/*
 * k as given, or for 0 that of the entry. entry: NULL for a relation that is not a release; then
 * raises ERRCODE_NULL_VALUE_NOT_ALLOWED with a hint.
 */
extern int known_release_k(const ReleaseEntry *entry, Oid release, int given);

#endif /* KANON_KNOWN_RELEASE_H */
