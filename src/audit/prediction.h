/*
 * prediction.h
 *		Predicts what releases of a relation would lose and hide, without making them
 *		(kanon_compare), and what any release of cells generalized one by one must lose
 *		(kanon_matching_bound).
 */
#ifndef KANON_PREDICTION_H
#define KANON_PREDICTION_H

#include "postgres.h"

#include "release/release_request.h"

/* One release that could be made. */
typedef struct PredictedRelease
{
	int64 rows;     /* rows published; 0: none can be */
	int64 missing;  /* rows of the relation that are not */
	double loss;    /* NCP, if anything is published */
	int64 classes;  /* as they are formed; 0: the recoding makes none */
	int64 smallest; /* rows of the smallest */
	double risk;    /* average over the rows, for an intruder who knows who is in the table */
	double milliseconds;
} PredictedRelease;

/* Does the release depend only on the current rows, so that it can be predicted? */
extern bool prediction_is_possible(const RecodingOps *recoding);

/*
 * Recodes the rows as the release would, without publishing.  Reads the relation as the current
 * user.  The request is that of kanon_create_release; its release, means, randomize and seed are
 * ignored.  Within a query scope; restores the current context.  Errors:
 * those of description_load and of the recoding; but if k exceeds the rows or no generalization
 * satisfies, it reports that nothing is published.
 *
 * *told: a prediction before has told of values that dimensions lack, and this one need not;
 * becomes true with the first that reads rows.
 *
 * The average risk is the prosecutor's of metric/risk.h: classes / rows.  Without classes it is
 * 1 / k, because a record may belong to any of k rows, each as likely as the others.
 */
extern PredictedRelease prediction_make(const ReleaseRequest *request, bool *told);

/*
 * A lower bound of the loss, measured as above, of all releases in which each record covers k rows;
 * ranges: as option "ranges" of the releases (release_options.h).
 * priced: also tries a bound with prices of rows (matching.h), which takes longer and is
 * often greater.  False: there are fewer than k rows.  Reads the relation as the recodings ring and
 * two_phase do, as the current user; within a query scope.
 * Errors: those of record_reader_relation and matching_rows_create.
 */
extern bool prediction_bound(Oid relation, ArrayType *quasi_identifiers, int k, bool priced,
							 int8 ranges, double *bound);

#endif /* KANON_PREDICTION_H */
