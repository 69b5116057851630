/*
 * release_request.h
 *		What kanon_create_release is asked for.
 */
#ifndef KANON_RELEASE_REQUEST_H
#define KANON_RELEASE_REQUEST_H

#include "postgres.h"

#include "release/release_models.h"
#include "release/release_recoding.h"

typedef struct ReleaseName
{
	Oid schema;
	const char *name; /* unquoted */
} ReleaseName;

/* Options of releases by cohorts, with their defaults. */
typedef struct ReleaseCohort
{
	int given; /* RECODING_*: those that are */
	const char *key;
	int wait;
	double target_loss;
	const char *leavers; /* NULL: it has no default */
	double stale;
	const char *reading;
} ReleaseCohort;

struct ReleaseRequest
{
	ReleaseName release;
	Oid relation;
	const RecodingOps *recoding;
	ArrayType *quasi_identifiers; /* name[], or NULL: those declared */
	ReleaseDemand demand;

	/* Options, each as it is in SQL if it is not given. */
	ArrayType *levels; /* text[] of level_name.h, or NULL: those of least loss */
	double suppression;
	bool means;
	const char *split;  /* or NULL: median */
	const char *target; /* or NULL */
	bool randomize;
	const char *seed;  /* NULL: one that nobody can foretell */
	bool redraw;       /* refreshes may hold something else */
	bool models_after; /* classes are made without models, and left out if they fail them */
	ReleaseCohort cohort;

	/* Of the session's settings. */
	const char *partitioning; /* of record_spill_for_release */
	int memory;               /* kanon.memory_limit as it was meant, in kilobytes */
};

/*
 * Errors of arguments alone (ERRCODE_INVALID_PARAMETER_VALUE): k, an option out of its bounds,
 * one that the recoding does not take, which would be lost in silence, or not without another.
 */
extern void release_request_check(const ReleaseRequest *request);

#endif /* KANON_RELEASE_REQUEST_H */
