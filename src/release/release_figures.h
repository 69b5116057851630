/*
 * release_figures.h
 *		Measures a release.  Call all of these within a query scope.
 */
#ifndef KANON_RELEASE_FIGURES_H
#define KANON_RELEASE_FIGURES_H

#include "postgres.h"

#include "release/release_catalog.h"

/*
 * Call it before a release is filled: forgets the figures of earlier recodings, because parallel
 * workers may fill this one and leave none.
 */
extern void release_figures_begin(void);

/* The figures of a release just filled and its source, as the current user, who can read both. */
extern ReleaseFigures release_figures_count(const ReleaseEntry *entry);

/*
 * The same as the release's owner, with the restrictions of a refresh; unknown if the owner may not
 * read them or the release is not populated.
 */
extern ReleaseFigures release_figures_measure(const ReleaseEntry *entry);

/* The errdetail for a release that is empty because it has fewer than k rows. */
extern int release_figures_too_few(int64 rows, int k);

/* Raises ERRCODE_INVALID_PARAMETER_VALUE: no release can have such a k. */
pg_noreturn extern void release_figures_exceeded(const char *relation, int k, int64 rows);

#endif /* KANON_RELEASE_FIGURES_H */
