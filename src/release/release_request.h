/*
 * release_request.h
 *		What kanon_create_release is asked for: its arguments, checked, and kept in the catalog.
 *
 * kanon_release.parameters keeps the arguments by name, except the relation, the release and
 * secrets, and two settings: the memory limit and the partitioning.  So a refresh, search or
 * replacement takes nothing from the session.  Arguments with a column of their own in
 * kanon_release are read from there.
 */
#ifndef KANON_RELEASE_REQUEST_H
#define KANON_RELEASE_REQUEST_H

#include "postgres.h"

#include "release/release_catalog.h"
#include "release/release_options.h"

typedef struct ReleaseName
{
	Oid schema;
	const char *name; /* unquoted */
} ReleaseName;

struct ReleaseRequest
{
	ReleaseName release;
	Oid relation;
	const RecodingOps *recoding;
	ArrayType *quasi_identifiers; /* name[], or NULL: the declared ones */
	ReleaseDemand demand;
	double suppression;
	ReleaseOptions options;
	const ReleaseEntry *replaced; /* a search keeps the types of its columns; NULL: none */
};

/* The arguments that make or change a request; NULL or 0: not given. */
typedef struct ReleaseArguments
{
	int k;
	const RecodingOps *recoding;
	ArrayType *quasi_identifiers;
	const char *models; /* of kanon_models */
	double suppression; /* NaN: not given */
	const char *person; /* "": none */
	Jsonb *options;
} ReleaseArguments;

/* Changes what is given; the rest stays.  Raises the errors of release_options_read. */
extern void release_request_change(ReleaseRequest *request, const ReleaseArguments *arguments);

/*
 * Leaves the options that its recoding does not take, or for something else than in the release
 * that it replaces: see release_options_leave.
 */
extern List *release_request_leave(ReleaseRequest *request);

/* The request for a new release, of the session's settings; it still needs a name and relation. */
extern ReleaseRequest release_request_new(const ReleaseArguments *arguments);

/*
 * Checks arguments by themselves (ERRCODE_INVALID_PARAMETER_VALUE): what the recoding does not take
 * and would ignore, and options that need another.
 */
extern void release_request_check(const ReleaseRequest *request);

/*
 * The columns of the relation as the request has them, with its demand.  Errors: those of
 * description_load and release_models_describe; a target that does not exist
 * (ERRCODE_UNDEFINED_COLUMN) or is not published as it is (ERRCODE_INVALID_PARAMETER_VALUE).  Call
 * within a query scope.
 */
extern Description *release_request_describe(const ReleaseRequest *request);

/* The options that follow from the relation's declarations. */
extern void release_request_take_declared(ReleaseRequest *request, const Description *description);

/*
 * How a recoding of rows reads the relation and works, for searches and predictions, which see no
 * window; told: notices of its values were given.
 */
extern RecordRequest release_request_records(const ReleaseRequest *request, bool told);
extern RecodeOptions release_request_recode(const ReleaseRequest *request);

/* SQL: the complete parameters of a row of kanon_release. */
#define RELEASE_PARAMETERS                                                                         \
	"parameters || jsonb_build_object('recoding', recoding, 'k', k, 'levels', levels,"             \
	" 'quasi_identifiers', quasi_identifiers, 'models', format('%s', models),"                     \
	" 'suppression', suppression, 'person', person)"

/* The parameters of a request without a column of their own, as jsonb; in the current context. */
extern Datum release_request_parameters(const ReleaseRequest *request);

/*
 * The request that would make the release again, except for its name, seed and levels; in the
 * current context.  The release must be in the catalog.  Call it and what follows within a query
 * scope.
 */
extern ReleaseRequest release_request_of(const ReleaseEntry *entry);

/*
 * Raises kanon.memory_limit, until the query scope ends, to what it was when the release was made,
 * unless it is higher already.
 */
extern void release_request_pin_memory(const ReleaseEntry *entry);

/*
 * The same, from the event trigger before a REFRESH MATERIALIZED VIEW to the one after it; an error
 * in between or the end of the transaction also ends it.
 */
extern void release_request_lend_memory(const ReleaseEntry *entry);
extern void release_request_return_memory(void);

#endif /* KANON_RELEASE_REQUEST_H */
