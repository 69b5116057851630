/*
 * release_request.h
 *		The arguments of kanon_create_release.
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

/* The options of releases by cohorts, with their defaults. */
typedef struct ReleaseCohort
{
	int given; /* RECODING_*: options given */
	const char *key;
	int wait;
	double target_loss;
	const char *leavers; /* NULL: not given; it has no default */
	double stale;
	const char *reading;
	bool weights; /* a column of row weights is published */
	bool anew;    /* a state of its own, whatever states this table or its name had */
} ReleaseCohort;

struct ReleaseRequest
{
	ReleaseName release;
	Oid relation;
	const RecodingOps *recoding;
	ArrayType *quasi_identifiers; /* name[], or NULL: the declared ones */
	ReleaseDemand demand;

	/* Options; if not given, with SQL's defaults. */
	ArrayType *levels; /* text[] of level_name.h, or NULL: those of least loss */
	double suppression;
	bool means;
	const char *split;  /* or NULL: median */
	const char *target; /* or NULL */
	bool randomize;
	const char *seed;  /* NULL: a random one */
	bool redraw;       /* refreshes may change the contents */
	bool models_after; /* classes are made without models, and left out if they fail them */
	bool ranges;       /* also of values without scale and dimension (description_is_plain) */
	ReleaseCohort cohort;

	/* From the session's settings. */
	const char *partitioning; /* from record_spill_for_release */
	int memory;               /* the effective kanon.memory_limit, in kilobytes */
};

/*
 * Checks arguments by themselves (ERRCODE_INVALID_PARAMETER_VALUE): k, options out of range,
 * options that the recoding does not take and would ignore, or that need another option.
 */
extern void release_request_check(const ReleaseRequest *request);

#endif /* KANON_RELEASE_REQUEST_H */
