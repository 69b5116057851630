/*
 * release_models.h
 *		Privacy models of a release: what they must find there, and how its text names
 *		them.
 */
#ifndef KANON_RELEASE_MODELS_H
#define KANON_RELEASE_MODELS_H

#include "postgres.h"

#include "io/model_query.h"
#include "nodes/pg_list.h"

/*
 * Errors unless each model (a List of Model) is of a column of the table that is published as it
 * is: those of model_query_create, and ERRCODE_INVALID_PARAMETER_VALUE.  Within a query
 * scope.
 */
extern void release_models_check(const Description *description, List *models);

/*
 * The same, and those of model_query_read and model_query_check_values; reads the table as
 * the current user.
 */
extern void release_models_check_values(const Description *description, List *models);

/*
 * "models [, model_dimensions => ..]" as arguments of kanon's functions, every name
 * qualified, with the dimensions declared for the columns; as release_models_check.
 */
extern char *release_models_arguments(const Description *description, List *models);

/* "distinct(disease, 2) and variance(pay, 100)", for messages; current context. */
extern char *release_models_names(List *models);

/*
 * The first model that all rows of the table together do not satisfy, or NULL; reads
 * the table as the current user, within a query scope.
 */
extern const Model *release_models_failing(const Description *description, List *models);

#endif /* KANON_RELEASE_MODELS_H */
