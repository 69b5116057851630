/*
 * release_figures.h
 *		Counts what a release holds.  All within a query scope.
 */
#ifndef KANON_RELEASE_FIGURES_H
#define KANON_RELEASE_FIGURES_H

#include "postgres.h"

#include "release/release_catalog.h"

/* The figures of a release and its source, as the current user, who can read both. */
extern ReleaseFigures release_figures_count(const ReleaseEntry *entry);

/*
 * The same as the release's owner, restricted as a refresh is; unknown what the owner may
 * not read, or is not populated.
 */
extern ReleaseFigures release_figures_measure(const ReleaseEntry *entry);

/* DETAIL of a message about a release that is empty for this reason. */
extern int release_figures_too_few(int64 rows, int k);

#endif /* KANON_RELEASE_FIGURES_H */
