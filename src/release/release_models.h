/*
 * release_models.h
 *		The privacy models of a release: checks, and their form in its text.
 */
#ifndef KANON_RELEASE_MODELS_H
#define KANON_RELEASE_MODELS_H

#include "postgres.h"

#include "dimension/sensitive_values.h"
#include "nodes/pg_list.h"

/* What every class of a release must satisfy. */
typedef struct ReleaseDemand
{
	int k;
	List *models;       /* of Model */
	const char *person; /* the column whose distinct values count instead of rows, or NULL */
} ReleaseDemand;

/* Is more than k rows demanded? */
static inline bool
release_models_any(const ReleaseDemand *demand)
{
	return demand->models != NIL || demand->person != NULL;
}

/*
 * Sets the description's demand.  Checks that each model's column is published as it is, and that
 * the person is a column that identifies people and is not a quasi-identifier. Errors: those of
 * description_demand and sensitive_values_check_columns; ERRCODE_INVALID_PARAMETER_VALUE.  Call
 * within a query scope.
 */
extern void release_models_describe(Description *description, const ReleaseDemand *demand);

/*
 * With the demand set: the checks of sensitive_values_read and sensitive_values_check; reads the
 * table as the current user.
 */
extern void release_models_check_values(const Description *description);

/*
 * ", models => .., person => .., model_dimensions => ..", as far as given: arguments of kanon's
 * functions over rows in which the person's column is called person_name (not quoted).  Every name
 * is qualified; dimensions are the declared ones.
 */
extern char *release_models_arguments(const Description *description, const ReleaseDemand *demand,
									  const char *person_name);

/*
 * The call of kanon_view_satisfies that judges the classes of these rows, an alias, by their
 * numbers in a column; both quoted.
 */
extern char *release_models_guard(const Description *description, const ReleaseDemand *demand,
								  const char *person_name, const char *rows, const char *class);

/*
 * For each model, the attribute whose dimension defines the distances of its values, or NULL if it
 * needs none: see release_columns.h.
 */
extern List *release_models_dimensions(const Description *description, const ReleaseDemand *demand);

/* "k = 2, distinct(disease, 2) and variance(pay, 100)", for messages; in the current context. */
extern char *release_models_names(const ReleaseDemand *demand);

/*
 * The demand that all rows of the table as one class fail, for messages, or NULL.  The description
 * has it, but for k.  Reads the table as the current user, within a query scope.
 */
extern const char *release_models_failing(const Description *description, int k);

#endif /* KANON_RELEASE_MODELS_H */
