/*
 * release_figures.h
 *		Counts what a release holds.  All within a query scope.
 */
#ifndef KANON_RELEASE_FIGURES_H
#define KANON_RELEASE_FIGURES_H

#include "postgres.h"

#include "release/release_catalog.h"

/*
 * To be called before a release is filled: what was recoded so far is none of it.  Else loss and
 * people would be those of another where this session does not fill it (parallel workers do).
 */
extern void release_figures_begin(void);

/* The figures of a release just filled and its source, as the current user, who can read both. */
extern ReleaseFigures release_figures_count(const ReleaseEntry *entry);

/*
 * The same as the release's owner, restricted as a refresh is; unknown what the owner may
 * not read, or is not populated.
 */
extern ReleaseFigures release_figures_measure(const ReleaseEntry *entry);

/* DETAIL of a message about a release that is empty for this reason. */
extern int release_figures_too_few(int64 rows, int k);

#endif /* KANON_RELEASE_FIGURES_H */
