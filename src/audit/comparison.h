/*
 * comparison.h
 *		What releases of a relation would lose and hide, before any is made.
 */
#ifndef KANON_COMPARISON_H
#define KANON_COMPARISON_H

#include "postgres.h"

#include "release/release_request.h"

/* One release that could be made. */
typedef struct ComparedRelease
{
	int64 rows;     /* published, 0: nothing can be */
	int64 missing;  /* rows of the relation that are not */
	double loss;    /* NCP, where anything is published */
	int64 classes;  /* as they are formed; 0: the recoding makes none */
	int64 smallest; /* rows of the smallest */
	double risk;    /* average over the rows: what one is found with who is known to be there */
	double milliseconds;
} ComparedRelease;

/* Can it be foretold, from the rows as they are now and nothing else? */
extern bool comparison_foretells(const RecodingOps *recoding);

/*
 * Recodes the rows as the release would be, and publishes nothing.  Reads the relation as the
 * current user.  The request is that of kanon_create_release, of which release, means,
 * split, target, person, randomize and seed do not matter.  Within a query scope; the current
 * context is as before.  Errors: those of description_load and of the recoding, but that k
 * exceeds the rows, or that no generalization satisfies: then nothing is published.
 *
 * Average risk is the prosecutor's of risk.h: classes / rows; without classes at most
 * 1 / k, since each record is as likely to be that of each of k rows.
 */
extern ComparedRelease comparison_measure(const ReleaseRequest *request, const char *models);

#endif /* KANON_COMPARISON_H */
