/*
 * release_models.h
 *		Privacy models of a release: what they must find there, and how its text names
 *		them.
 */
#ifndef KANON_RELEASE_MODELS_H
#define KANON_RELEASE_MODELS_H

#include "postgres.h"

#include "count/model_query.h"
#include "nodes/pg_list.h"

/* What every class of a release must have. */
typedef struct ReleaseDemand
{
	int k;
	List *models;       /* of Model */
	const char *person; /* the column whose different values count instead of rows, or NULL */
} ReleaseDemand;

/* More than k rows? */
static inline bool
release_models_any(const ReleaseDemand *demand)
{
	return demand->models != NIL || demand->person != NULL;
}

/*
 * Errors unless each model is of a column of the table that is published as it is, and the
 * person is a column that tells people apart and no quasi-identifier: those of
 * model_query_create, ERRCODE_UNDEFINED_COLUMN, ERRCODE_UNDEFINED_FUNCTION,
 * ERRCODE_INVALID_PARAMETER_VALUE.  Within a query scope.
 */
extern void release_models_check(const Description *description, const ReleaseDemand *demand);

/*
 * The same, and those of model_query_read and model_query_check_values; reads the table as
 * the current user.
 */
extern void release_models_check_values(const Description *description,
										const ReleaseDemand *demand);

/*
 * ", models => .., person => .., model_dimensions => ..", what there is of them, as arguments of
 * kanon's functions over rows in which the person's column is called person_name (not
 * quoted); every name qualified, with the dimensions declared for the columns.  Errors
 * of release_models_check.
 */
extern char *release_models_arguments(const Description *description, const ReleaseDemand *demand,
									  const char *person_name);

/*
 * For each model the attribute whose dimension tells the distances of its values, or NULL where
 * it asks for none: see release_dimension.h.
 */
extern List *release_models_dimensions(const Description *description, const ReleaseDemand *demand);

/* "k = 2, distinct(disease, 2) and variance(pay, 100)", for messages; current context. */
extern char *release_models_names(const ReleaseDemand *demand);

/*
 * What all rows of the table together do not satisfy, for messages, or NULL; reads the table
 * as the current user, within a query scope.
 */
extern const char *release_models_failing(const Description *description,
										  const ReleaseDemand *demand);

#endif /* KANON_RELEASE_MODELS_H */
