/*
 * release_request.h
 *		What kanon_create_release is asked for: recodings, and the options that
 *		each of them takes.
 */
#ifndef KANON_RELEASE_REQUEST_H
#define KANON_RELEASE_REQUEST_H

#include "postgres.h"

#include "release/release_models.h"
#include "utils/array.h"

typedef enum ReleaseRecoding
{
	RECODING_FULL_DOMAIN,
	RECODING_MONDRIAN,
	RECODING_RELAXED_MONDRIAN,
	RECODING_RING,
	RECODING_TWO_PHASE
} ReleaseRecoding;

#define RECODING_COUNT 5

typedef struct ReleaseName
{
	Oid schema;
	const char *name; /* unquoted */
} ReleaseName;

typedef struct ReleaseRequest
{
	ReleaseName release;
	Oid source;
	ReleaseDemand demand; /* ring, two_phase: k alone */
	ReleaseRecoding recoding;
	ArrayType *quasi_identifiers; /* name[], or NULL: those declared */

	/* full_domain */
	ArrayType *levels; /* int4[], or NULL: those of least loss */
	double suppression;

	/* mondrian, relaxed_mondrian */
	bool means;
	const char *split;
	const char *target; /* or NULL */

	/* ring, two_phase */
	bool randomize;
	const char *seed; /* NULL: one that nobody can foretell */
} ReleaseRequest;

/* Of that name in SQL; ERRCODE_INVALID_PARAMETER_VALUE if there is none. */
extern ReleaseRecoding release_request_recoding(const char *name);
extern const char *release_request_recoding_name(ReleaseRecoding recoding);

/* Are cells generalized one by one, so that there are no classes? */
static inline bool
release_request_is_cellwise(ReleaseRecoding recoding)
{
	return recoding == RECODING_RING || recoding == RECODING_TWO_PHASE;
}

/*
 * Errors of arguments alone (ERRCODE_INVALID_PARAMETER_VALUE): k, suppression, an option
 * that the recoding does not take, which would be lost in silence.
 */
extern void release_request_check(const ReleaseRequest *request);

#endif /* KANON_RELEASE_REQUEST_H */
